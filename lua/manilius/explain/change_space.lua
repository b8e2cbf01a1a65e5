--- The rows that a search for counterfactuals may visit: which columns change, within which limits, and what a change
-- costs. Candidates are Matrices of numbers, with codes of levels for factors.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"

local M = {}

local WHO = "counterfactuals"
local FIXED, CONTINUOUS, WHOLE, LEVEL = 0, 1, 2, 3
local MAX_POOL = 1000 -- rows of X whose values are tried
local SCALES = { "mad", "std", "range" }

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- Options that parts checks, with the name of the function in their errors.
local function checked(check, ...)
   local ok, value = pcall(check, ...)
   return ok and value or fail("%s", parts.bare(tostring(value)))
end

local function is_factor(column) return rows.kind(column) == "Factor" end

-- --- numbers ---

local function finite(column) return column:take(column:isfinite():nonzero()) end

-- The change of a column that costs 1. A median absolute deviation of 0, as of a column that is mostly 0, says nothing
-- about the size of changes: the standard deviation replaces it.
local function scale_of(column, how)
   local known = finite(column)
   if #known == 0 then return 1.0 end
   local value = 0
   if how == "mad" then value = (known - known:median()):abs():median() end
   if how == "range" then value = known:max() - known:min() end
   if value == 0 and #known > 1 then value = known:std() end
   return value > 0 and value or 1.0
end

-- The limits of a number: as given, else the range of X.
local function limits_of(column, name, given)
   if given == nil then
      local known = finite(column)
      if #known == 0 then fail("column '%s' has no finite value; make it immutable", name) end
      return known:min(), known:max()
   end
   local low, high = given[1], given[2]
   local ordered = #given == 2 and type(low) == "number" and type(high) == "number" and low <= high
      and high - low < math.huge
   if not ordered then fail("limits of '%s' must be { from, to } with numbers from <= to", name) end
   return low, high
end

-- --- levels ---

-- The levels of a factor as a list, with that of the row, and the codes of those permitted.
local function levels_of(column, value, name, given)
   local levels, code, permitted = {}, {}, {}
   for i = 1, #column.levels do levels[i], code[column.levels[i]] = column.levels[i], i end
   if value ~= nil and not code[value] then
      levels[#levels + 1] = value
      code[value] = #levels
   end
   for i = 1, #(given or column.levels) do
      local level = (given or column.levels)[i]
      if not code[level] then
         fail("limits of '%s' must be levels of the column, got %s%s", name, parts.text(level),
            type(level) == "string" and parts.hint(level, levels) or "")
      end
      permitted[i] = code[level]
   end
   if #permitted == 0 then fail("limits of '%s' must have at least one level", name) end
   return levels, permitted, code[value]
end

-- --- options ---

-- The chosen columns of an option that is a list of columns, as a table of booleans.
local function chosen(names, list, what)
   local out = {}
   if list == nil then return out end
   if type(list) ~= "table" then fail("%s must be a list of columns, got %s", what, parts.text(list)) end
   for _, column in ipairs(list) do out[response_of.column_index(WHO, names, column)] = true end
   return out
end

local function limits_by_column(names, given)
   local out = {}
   if given == nil then return out end
   if type(given) ~= "table" then fail("limits must be a table by column, got %s", parts.text(given)) end
   for column, values in pairs(given) do
      local j = response_of.column_index(WHO, names, column)
      if type(values) ~= "table" then
         fail("limits of '%s' must be { from, to } or a list of levels, got %s", names[j], parts.text(values))
      end
      out[j] = values
   end
   return out
end

local function is_whole(column)
   local known = finite(column)
   return #known > 0 and known:eq(known:floor()):all()
end

-- --- the space ---

local function add_factor(self, j, column, value, given)
   local name = self.names[j]
   if value == nil then
      fail("row must have no missing values in columns that may change, but '%s' is missing; impute it, or name the "
         .. "column in immutable", name)
   end
   local levels, permitted, code = levels_of(column, value, name, given)
   self.tables[j] = core.Factor(levels)
   self.codes[j] = {}
   for i, level in ipairs(levels) do self.codes[j][level] = i end
   self.kind[j], self.row[j], self.permitted[j] = LEVEL, code, core.Vector(permitted)
end

local function add_number(self, j, column, value, given, whole)
   local name = self.names[j]
   if value - value ~= 0 then
      fail("row must have no missing values in columns that may change, but '%s' is %s; impute it, or name the "
         .. "column in immutable", name, value ~= value and "missing" or ("%g"):format(value))
   end
   local low, high = limits_of(column, name, given)
   if whole then low, high = math.ceil(low), math.floor(high) end
   if low > high then fail("limits of '%s' must contain a whole number", name) end
   self.kind[j], self.row[j], self.low[j], self.high[j] = whole and WHOLE or CONTINUOUS, value, low, high
end

--- The space around a row. columns, names: of X; row: list of columns of one value; options: immutable, limits,
-- integers, scale, distance, sparsity.
function M.new(columns, names, row, options)
   local p = #columns
   local function filled(value) return core.full(p, 1, value):col(1):copy() end
   local self = { names = names, given = row, tables = {}, codes = {}, permitted = {}, row = filled(0),
      kind = filled(FIXED), scale = filled(1), low = filled(0), high = filled(0) }
   local fixed, limits = chosen(names, options.immutable, "immutable"), limits_by_column(names, options.limits)
   local whole = chosen(names, options.integers, "integers")
   local how = checked(parts.choice, options, "scale", SCALES, "mad")
   self.squared = checked(parts.choice, options, "distance", { "l1", "l2" }, "l1") == "l2"
   self.per_change = checked(parts.number, options, "sparsity", 0, 0, math.huge) + 0.0
   local variable = 0
   for j, column in ipairs(columns) do
      if fixed[j] and limits[j] then fail("limits must not name '%s', which is immutable", names[j]) end
      if not fixed[j] then
         variable = variable + 1
         if is_factor(column) then
            add_factor(self, j, column, row[j][1], limits[j])
         else
            local integer = whole[j]
            if options.integers == nil then integer = is_whole(column) and row[j][1] == math.floor(row[j][1]) end
            add_number(self, j, column, row[j][1], limits[j], integer)
            self.scale[j] = scale_of(column, how)
         end
      end
   end
   if variable == 0 then fail "immutable must leave a column that may change" end
   return setmetatable(self, { __index = M })
end

--- The columns of candidates, as an X has them.
function M:decode(candidates)
   local out, ones = {}, core.full(candidates.rows, 1, 1):col(1)
   for j = 1, #self.row do
      if self.kind[j] == FIXED then
         out[j] = self.given[j]:take(ones)
      elseif self.kind[j] == LEVEL then
         out[j] = self.tables[j]:take(candidates:col(j))
      else
         out[j] = candidates:col(j):copy()
      end
   end
   return out
end

--- Rows of X as candidates: immutable columns and what is not permitted as in the row.
function M:pool(columns, seed)
   local at = core.rng(seed, 1):permutation(#columns[1])
   at = at:slice(1, math.min(#at, MAX_POOL))
   local list = {}
   for j, column in ipairs(columns) do
      local values = core.full(#at, 1, self.row[j]):col(1):copy()
      if self.kind[j] == LEVEL then
         local map, permitted = self.codes[j], {}
         for i = 1, #self.permitted[j] do permitted[self.permitted[j][i]] = true end
         local own = column:take(at)
         for i = 1, #at do
            local code = own[i] ~= nil and map[own[i]]
            if permitted[code] then values[i] = code end
         end
      elseif self.kind[j] ~= FIXED then
         local own = column:take(at)
         values = own:isfinite():where(own, values)
      end
      list[j] = values:as_column()
   end
   return core.explain.permit_changes(self, core.hcat(table.unpack(list)))
end

-- The values to try for column j alone.
local function values_of(self, j, pool, count)
   if self.kind[j] == LEVEL then return self.permitted[j] end
   local low, high = self.low[j], self.high[j]
   if self.kind[j] == WHOLE and high - low < 2 * count then return core.range(low, high) end
   local own = pool:col(j):copy():sort()
   local at = core.linspace(1, #own, count):round()
   return core.vcat(core.linspace(low, high, count):as_column(), own:take(at):as_column()):col(1):unique()
end

--- The row with one column changed, for at most 2 * count values of each column.
function M:singles(pool, count)
   local lists, row = {}, self.row:as_row()
   for j = 1, #self.row do
      if self.kind[j] ~= FIXED then
         local values = values_of(self, j, pool, count)
         local block = row:take(core.full(#values, 1, 1):col(1))
         for i = 1, #values do block:set(i, j, values[i]) end
         lists[#lists + 1] = block
      end
   end
   return core.explain.permit_changes(self, core.vcat(table.unpack(lists)))
end

--- All rows of the space, if they are at most `most`; else nil.
function M:all(most)
   local lists, total = {}, 1
   for j = 1, #self.row do
      local values = core.Vector { self.row[j] }
      if self.kind[j] == CONTINUOUS then
         if self.low[j] < self.high[j] then return nil end
         values = core.Vector { self.row[j], self.low[j] }:unique()
      elseif self.kind[j] == LEVEL then
         values = core.vcat(values:as_column(), self.permitted[j]:as_column()):col(1):unique()
      elseif self.kind[j] == WHOLE then
         if self.high[j] - self.low[j] > most then return nil end
         values = core.vcat(values:as_column(), core.range(self.low[j], self.high[j]):as_column()):col(1):unique()
      end
      lists[j], total = values, total * #values
      if total > most then return nil end
   end
   local index, columns, stride = core.range(0, total - 1), {}, 1
   for j, values in ipairs(lists) do
      local turn = (index / stride):floor()
      columns[j] = values:take(turn - (turn / #values):floor() * #values + 1):as_column()
      stride = stride * #values
   end
   return core.hcat(table.unpack(columns))
end

--- Is column j a number that may change?
function M:is_number(j)
   return self.kind[j] == CONTINUOUS or self.kind[j] == WHOLE
end

--- The value of a column of a candidate: a number or a level.
function M:value(candidates, i, j)
   if self.kind[j] == LEVEL then return self.tables[j][math.tointeger(candidates:get(i, j))] end
   return candidates:get(i, j)
end

M.kinds = { FIXED = FIXED, CONTINUOUS = CONTINUOUS, WHOLE = WHOLE, LEVEL = LEVEL }

return M
