--- The search for an effect of a parameter: for data, and values of at most two other parameters, with which another
-- value of it gives something else, learned or given.
local bytes = require "spec.conformance.bytes"
local core = require "manilius.core"
local data = require "manilius.check.data"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local nan = 0 / 0
local M = {}

--- Parameters without one: warm_start on one fit, which has a demand of its own (settings.lua); total_rows, which
-- partial_fit reads; the others choose between searches for neighbors that give the same result.
M.without_effect = { warm_start = true, algorithm = true, leaf_size = true, total_rows = true }

-- Lists that make sense for some parameter: probabilities, signs, groups, ends of a range, penalties.
local lists = {
   { 0.2, 0.3, 0.5 }, { 1, -1, 1, -1 }, { 1, 1, 2, 2 }, { 0.25, 0.75 }, { 0.01, 5 }, { 10, 80 },
   { 1, 2 },
}

local function in_range(p, list)
   for _, value in ipairs(list) do
      local above = p.open_low and value > p.low or not p.open_low and value >= p.low
      local below = p.open_high and value < p.high or not p.open_high and value <= p.high
      if not (above and below) then return false end
   end
   return true
end

local function values_of(p)
   local values = data.other_values(p)
   if p.kind == "number" and in_range(p, { -1 }) and p.default ~= -1 then values[#values + 1] = -1 end
   if p.kind == "number" and in_range(p, { 1000 }) then values[#values + 1] = 1000 end
   if p.kind == "number" and p.high - p.low < math.huge then values[#values + 1] = (p.low + p.high) / 2 end
   if p.kind == "integer" and p.high < 10 and p.default ~= p.high then values[#values + 1] = math.tointeger(p.high) end
   if p.kind == "string" then return { "x1", "none", "-" } end
   if p.kind == "strings" then return { { "ash" }, { "elan", "ash2", "ash" } } end
   if p.kind == "Vector" then
      for _, list in ipairs(lists) do
         if in_range(p, list) then values[#values + 1] = core.Vector(list) end
      end
   elseif p.kind == "column" then
      return { 2, "x1", "x2" }
   elseif p.kind == "columns" then
      return { core.Vector { 1 }, core.Vector { 2, 1 } }
   elseif p.kind == "column values" then
      for _, list in ipairs(lists) do
         if in_range(p, list) then values[#values + 1] = core.Vector(list) end
      end
   elseif p.kind == "groups" then
      return { core.Matrix { { 1, 1, 0, 0 }, { 0, 0, 1, 1 } }, { { 1, 2 }, { 3, 4 } } }
   elseif p.kind == "Matrix" then
      values[1] = core.Matrix { { 1, 1, 0, 0 }, { 0, 0, 1, 1 } }
      values[2] = core.Matrix { { 0, 0, 0, 0 }, { 1, 1, 1, 1 }, { 2, 2, 2, 2 } }
   end
   return values
end

-- Missing values, and a number that may stand for one.
local function with_gaps(problem)
   for i = 1, problem.X.rows, 7 do
      problem.X:set(i, i % problem.X.cols + 1, nan)
      problem.X:set(i, (i + 1) % problem.X.cols + 1, 1.5)
   end
   problem.new:set(2, 1, nan)
   return problem
end

local function with_empty_column(problem)
   for i = 1, problem.X.rows do problem.X:set(i, math.min(2, problem.X.cols), nan) end
   return problem
end

-- Missing values in rows after fit only.
local function with_later_gaps(problem)
   problem.new:set(2, 1, nan)
   return problem
end

-- The first column as a factor of ten levels, some missing; one level is seen later only.
local function with_factor(problem)
   local function mixed(X, extra)
      local text = { n = X.rows }
      for i = 1, X.rows do text[i] = i % 11 > 0 and "level " .. i * i % 13 or nil end
      if extra then text[2] = "new" end
      local frame = data.frame(X)
      if X.cols == 1 then return require("manilius").Frame { { "x1", core.Factor(text) } } end
      return require("manilius").Frame { { "x1", core.Factor(text) }, { "b", frame.b }, { "c", frame.c },
         { "d", frame.d } }
   end
   return { X = mixed(problem.X), y = problem.y, new = mixed(problem.new, true) }
end

-- The first column as a factor of many levels, some of which occur in one class only.
local function with_rare_levels(problem)
   local function mixed(X)
      local text, frame = {}, data.frame(X)
      for i = 1, X.rows do text[i] = "level " .. i * i % 37 end
      return require("manilius").Frame { { "a", core.Factor(text) }, { "b", frame.b } }
   end
   return { X = mixed(problem.X), y = problem.y, new = mixed(problem.new) }
end

-- Sequences or queries of ten rows, the last one shorter.
local function in_tens(X)
   local lengths, n = {}, tools.rows(X)
   for first = 1, n, 10 do lengths[#lengths + 1] = math.min(10, n - first + 1) end
   return lengths
end

-- Columns that work together, with bends, one of them far out.
local function with_product(problem)
   local X, y = problem.X, {}
   for i = 1, X.rows do y[i] = problem.y[i] + 9 * math.max(0, X:get(i, 1) - 1) * math.abs(X:get(i, X.cols)) end
   return { X = X, y = core.Vector(y), new = problem.new }
end

-- Two targets, one of them far larger than the other.
local function with_targets(problem)
   local rows = {}
   for i = 1, problem.X.rows do
      rows[i] = { problem.y[i], 100 * math.abs(problem.X:get(i, 1)) + problem.X:get(i, problem.X.cols) }
   end
   return { X = problem.X, y = core.Matrix(rows), new = problem.new }
end

-- Zeros, of which each column has a different number.
local function with_zeros(problem)
   for i = 1, problem.X.rows do problem.X:set(i, i * i % problem.X.cols + 1, 0) end
   return problem
end

-- Weights that may be precisions or frequencies.
local function with_weights(problem)
   local weights = {}
   for i = 1, problem.X.rows do weights[i] = i % 4 end
   problem.options = { weights = weights }
   return problem
end

-- Most labels are missing.
local function with_few_labels(problem)
   local some = { n = #problem.y }
   for i = 1, #problem.y, 4 do some[i] = problem.y[i] end
   problem.y = core.Factor(some)
   return problem
end

-- Classes that overlap.
local function with_mixed_labels(problem)
   local mixed, n = {}, #problem.y
   for i = 1, n do mixed[i] = problem.y[i % 3 == 0 and i * 5 % n + 1 or i] end
   problem.y = core.Factor(mixed)
   return problem
end

-- Most rows of one group, and half of another, have the label of the first.
local function with_large_class(problem)
   local large = {}
   for i = 1, #problem.y do large[i] = problem.y[(i % 3 == 0 and i % 4 > 0 or i % 6 == 2) and 1 or i] end
   problem.y = core.Factor(large)
   return problem
end

-- Kinds of data, from the plainest on, each made when it is first needed.
local function makers(class)
   local function make(options) return data.make(class, options) end
   local list = { make, function() return make { plain = true, rows = 100 } end,
      function() return make { plain = true, rows = 400, seed = 3 } end }
   local function add(change, options)
      list[#list + 1] = function() return change(make(options)) end
   end
   if class.takes.missing then
      add(with_gaps, { plain = true, rows = 100 })
      add(with_empty_column)
   end
   if data.target_kind(class) == "reals" then
      add(with_product, { plain = true, rows = 200, seed = 5 })
      if class.takes.multitarget then add(with_targets) end
   end
   if class.takes.factors then add(with_factor, { plain = true, rows = 200 }) end
   if class.takes.records and class.takes.factors then add(with_rare_levels, { rows = 100 }) end
   if data.has_param(class, "weights_type") then add(with_weights) end
   if class.takes.missing then add(with_later_gaps) end
   if class.takes.sparse then add(with_zeros) end
   if class.takes.unlabelled and data.target_kind(class) then add(with_few_labels, { plain = true, rows = 100 }) end
   if class.resamples_rows then
      add(with_mixed_labels, { plain = true, rows = 100 })
      add(with_large_class, { plain = true, rows = 100 })
   end
   return list
end

--- The problems on which parameters may have an effect: a list that makes them, with the number of them as `n`.
function M.worlds(class)
   local list = makers(class)
   return setmetatable({ n = #list }, { __index = function(worlds, i)
      local world = list[i] and list[i]()
      if world and class.takes.lengths then world.options = { lengths = in_tens(world.X) } end
      rawset(worlds, i, world)
      return world
   end })
end

-- All that is learned, shown or not, but for the settings.
local function learned(model, class)
   local settings, list = {}, {}
   for _, p in ipairs(class.params) do settings[p.name] = true end
   for _, r in ipairs(bytes.records(model:dump())) do
      if not settings[r.name] then list[#list + 1] = r.name .. "=" .. r.value end
   end
   return table.concat(list, ";")
end

local function far(rows)
   return tools.kind(rows) == "Matrix" and rows * 3 + 50 or rows
end

--- The number of fits so far.
M.fits = 0

-- What comes of a fit with these settings, as one text.
local function outcome(new, class, world, settings)
   M.fits = M.fits + 1
   local ok, model = pcall(function() return new(settings):fit(world.X, world.y, world.options) end)
   if not ok then return tostring(model) end
   local words = { learned(model, class) }
   for _, rows in ipairs { world.new, far(world.new) } do
      for _, action in ipairs(use.actions) do
         if use.able(model, class, action) then
            local given, result = pcall(model[action], model, rows)
            words[#words + 1] = tools.kind(result)
            for _, value in ipairs(tools.values(result)) do
               words[#words + 1] = given and ("%q"):format(value) or value
            end
         end
      end
   end
   if class.cross_fitted then
      local given, result = pcall(model.fit_transform, model, world.X, world.y, world.options)
      for _, value in ipairs(tools.values(result)) do words[#words + 1] = given and ("%q"):format(value) or value end
   end
   if class.resamples_rows then
      local given, X, y = pcall(model.fit_resample, model, world.X, world.y)
      for _, part in ipairs { X, given and y or nil } do
         for _, value in ipairs(tools.values(part)) do words[#words + 1] = given and ("%q"):format(value) or value end
      end
   end
   for _, operation in ipairs(#words == 1 and class.operations or {}) do -- searches, which have no actions
      words[#words + 1] = tostring(select(2, pcall(use.operate, model, operation, world)))
   end
   return table.concat(words, " ")
end

--- Does another value of the parameter give something else in this world, with these other settings?
function M.differs(new, class, world, p, with)
   local before
   if not next(with) then
      world.outcome = world.outcome or outcome(new, class, world, {})
      before = world.outcome
   end
   for _, value in ipairs(values_of(p)) do
      before = before or outcome(new, class, world, with)
      local settings = { [p.name] = value }
      for name, one in pairs(with) do settings[name] = one end
      if outcome(new, class, world, settings) ~= before then return true end
   end
   return false
end

-- One other setting: choices and flags first, on which others hang most often.
local function companions(class, p)
   local first, then_ = {}, {}
   for _, other in ipairs(class.params) do
      local list = (other.kind == "choice" or other.kind == "boolean") and first or then_
      for _, value in ipairs(other.name ~= p.name and values_of(other) or {}) do
         list[#list + 1] = { [other.name] = value }
      end
   end
   return table.move(then_, 1, #then_, #first + 1, first)
end

-- Two other settings, each of its own parameter.
local function couples(class, p)
   local single, list = companions(class, p), {}
   for i = 1, #single do
      for k = 1, #single do
         local name, value = next(single[i])
         local other, another = next(single[k])
         if name < other then list[#list + 1] = { [name] = value, [other] = another } end
      end
   end
   return list
end

-- The first problem is the smallest and mostly sufficient: all settings are tried there before the next one.
local function find_among(new, class, worlds, p, with_list)
   for i = 1, worlds.n do
      for _, with in ipairs(with_list) do
         if M.differs(new, class, worlds[i], p, with) then return { world = i, with = with } end
      end
   end
   return nil
end

--- Where the parameter has an effect: { world = its number, with = the other settings }, or nil.
function M.find(new, class, worlds, p)
   return find_among(new, class, worlds, p, { {} }) or find_among(new, class, worlds, p, companions(class, p))
      or find_among(new, class, worlds, p, couples(class, p))
end

return M
