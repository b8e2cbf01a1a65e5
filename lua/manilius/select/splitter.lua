--- The class of splitters: parameters, checks, printing and help, shared by all of them.
--
-- A splitter such as `ml.StratifiedKFold { k = 5, seed = 1 }` returns its splits by :split(X or n, y, groups): a list
-- of { train = Vector, test = Vector } of ascending row numbers.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local text = require "manilius.text"
local whole = require "manilius.select.splitters".whole

local M = {}

-- --- arguments ---

-- Userdata types with rows.
local ROWS = { Matrix = true, Sparse = true, Vector = true, Factor = true }

local MAX_ROWS = 1 << 31 -- for a number of rows without data

local function row_count(who, X)
   if math.type(X) == "integer" and X >= 1 then
      if X > MAX_ROWS then error(("%s: the number of rows must be at most %d, got %d"):format(who, MAX_ROWS, X), 0) end
      return X
   end
   if type(X) == "table" or ROWS[rows.kind(X)] then return rows.count(X) end
   error(("%s: X must be data or the number of rows, got %s"):format(who, estimator.value_text(X)), 0)
end

--- y as a container of labels.
function M.labels_of(y)
   if rows.kind(y) == "Frame" then return y.columns[1] end
   if rows.kind(y) == "Matrix" and y.cols == 1 then return y:flatten() end
   return y
end

--- Is the value a splitter (an object with a method split)?
function M.is(value)
   return estimator.class_of(value) == nil and estimator.has_method(value, "split")
end

-- --- printing ---

-- The list of splits as text.
local function show_splits(name, self)
   local lines = { ("%s: %s"):format(name, text.plural(#self, "split")), "" }
   local cells = { { "", "train rows", "test rows" } }
   for i, split in ipairs(self) do
      if i > 12 then break end
      cells[#cells + 1] = { ("%d"):format(i), ("%d"):format(#split.train), ("%d"):format(#split.test) }
   end
   lines[2] = text.aligned(cells)
   if #self > 12 then lines[3] = ("... %s"):format(text.plural(#self - 12, "more split")) end
   return table.concat(lines, "\n")
end

local Split = { __name = "Split" }

function Split.__tostring(self)
   return ("train  %s\ntest   %s"):format(self.train, self.test)
end

local function printable(name, splits)
   for _, split in ipairs(splits) do setmetatable(split, Split) end
   local function show(self) return show_splits(name, self) end
   return setmetatable(splits, { __name = "Splits", __tostring = show })
end

local methods = { split = { use = "split(X or number of rows [, y [, groups]])",
   brief = "List of { train = Vector, test = Vector } of row numbers.",
   example = "print(splitter:split(10, { 1, 1, 1, 1, 1, 2, 2, 2, 2, 2 }, { 1, 1, 2, 2, 3, 3, 4, 4, 5, 5 })[1])" } }

local function check_value(name, p, value)
   if value == nil and p.default == estimator.NONE then return end
   if p.least then return whole(name, p.name, value, p.least) end
   if p.kind == "flag" and type(value) ~= "boolean" then
      error(("%s: %s must be true or false, got %s"):format(name, p.name, estimator.value_text(value)), 0)
   end
   if p.kind == "list" and type(value) ~= "table" and rows.kind(value) ~= "Vector" then
      error(("%s: %s must be a list or a Vector, got %s"):format(name, p.name, estimator.value_text(value)), 0)
   end
   if p.kind ~= "fraction" and p.kind ~= "embargo" then return end
   local kind = math.type(value)
   if p.kind == "embargo" and value == 0 then return end
   if not (kind == "integer" and value >= 1 or kind == "float" and value > 0 and value < 1) then
      error(("%s: %s must be a fraction in (0, 1) or a number of rows >= %d, got %s"):format(name, p.name,
         p.kind == "embargo" and 0 or 1, estimator.value_text(value)), 0)
   end
end

local function make(name, params, names, values)
   if values ~= nil and type(values) ~= "table" then
      error(("%s: parameters must be a table, got %s"):format(name, rows.kind(values)), 0)
   end
   local self = {}
   for _, p in ipairs(params) do
      if p.default ~= estimator.NONE then self[p.name] = p.default end
   end
   for key, value in next, values or {} do
      if type(key) ~= "string" then error(name .. ": parameters must be given by name, as in k = 5", 0) end
      if not params[key] then
         error(("%s has no parameter '%s'%s"):format(name, tostring(key), text.hint(tostring(key), names)), 0)
      end
      self[key] = estimator.unset_to_nil(value)
   end
   for _, p in ipairs(params) do check_value(name, p, self[p.name]) end
   return self
end

local function show(name, params)
   return function(self)
      local parts = {}
      for _, p in ipairs(params) do
         local value = rawget(self, p.name)
         if value ~= nil and value ~= false then
            parts[#parts + 1] = ("%s = %s"):format(p.name, estimator.value_text(value))
         end
      end
      return ("%s {%s}"):format(name, #parts > 0 and " " .. table.concat(parts, ", ") .. " " or "")
   end
end

-- Access to unknown names is an error; assigned parameters are checked.
local function meta_of(name, params, names, splits)
   local all = { "split", "class", table.unpack(names) }
   table.sort(all)
   local function no_member(key)
      error(("%s has no '%s'%s"):format(name, tostring(key), text.hint(tostring(key), all)), 3)
   end
   local meta = { __name = name, __tostring = show(name, params) }
   function meta.__index(_, key)
      if key == "split" then return splits end
      if key == "class" then return name end
      if type(key) == "string" and not params[key] then no_member(key) end
   end
   function meta.__newindex(self, key, value)
      if type(key) ~= "string" or not params[key] then no_member(key) end
      rows.rethrow(2, pcall(check_value, name, params[key], value))
      rawset(self, key, value)
   end
   function meta.__pairs(self)
      local i = 0
      return function()
         repeat i = i + 1 until all[i] == nil or self[all[i]] ~= nil
         return all[i], all[i] and self[all[i]]
      end
   end
   return meta
end

-- k = 5, shuffle = false, seed = nil
local function show_defaults(params)
   local parts = {}
   for i, p in ipairs(params) do
      parts[i] = ("%s = %s"):format(p.name, p.default == estimator.NONE and "nil" or estimator.value_text(p.default))
   end
   return table.concat(parts, ", ")
end

--- Define the splitter module[name], and its help in module.help.
-- @param about brief, params (a list of { name =, default =, brief =, least = or kind = }), example, notes, source;
--   kind: "flag", "fraction" (a fraction or a number of rows), "embargo" (the same, or 0), "list"
-- @param split function(self, n, y, groups) that returns the list of splits
function M.define(module, name, about, split)
   local params, names = about.params, {}
   for i, p in ipairs(params) do params[p.name], names[i] = p, p.name end
   table.sort(names)
   local function splits(self, X, y, groups)
      return (rows.rethrow(2, pcall(function()
         return printable(name, split(self, row_count(name, X), M.labels_of(y), groups))
      end)))
   end
   local meta = meta_of(name, params, names, splits)
   module[name] = function(values)
      return setmetatable(rows.rethrow(2, pcall(make, name, params, names, values)), meta)
   end
   about.use = ("%s {%s}"):format(name, #names > 0 and " " .. show_defaults(params) .. " " or "")
   about.methods, about.setup = methods, ("local splitter = ml.%s {}"):format(name)
   about.example = about.example or ("print(ml.%s { %s}:split(10)[1])"):format(name, params.seed and "seed = 1 " or "")
   module.help[name] = about
end

M.NONE = estimator.NONE

-- --- parameters of several splitters ---

M.K = { name = "k", default = 5, least = 2, brief = "number of folds" }
M.SHUFFLE = { name = "shuffle", default = false, kind = "flag", brief = "shuffle the rows, with seed 0 by default" }
M.SHUFFLE_SEED = { name = "seed", default = M.NONE, least = 0, brief = "shuffle with this seed; nil: keep the order" }
M.SEED = { name = "seed", default = 0, least = 0, brief = "seed of the random numbers" }
M.REPEATS = { name = "repeats", default = 10, least = 1, brief = "number of repetitions with different shuffles" }
M.SPLITS = { name = "n", default = 10, least = 1, brief = "number of splits" }
M.TRAIN = { name = "train", default = M.NONE, kind = "fraction",
   brief = "fraction or number of training rows; nil: all other rows" }

--- The parameter test.
function M.test_share(default)
   return { name = "test", default = default, kind = "fraction", brief = "fraction or number of test rows" }
end

--- The random stream of a splitter, or nil when it does not shuffle.
function M.maybe_rng(self, stream)
   if self.seed == nil and not self.shuffle then return nil end
   return core.rng(self.seed or 0, stream or 0)
end

--- Splits by `once(self, n, y, groups, i)` for repetition i = 1..repeats, one after the other.
function M.repeated(once)
   return function(self, n, y, groups)
      local splits = {}
      for i = 1, self.repeats do
         for _, split in ipairs(once(self, n, y, groups, i)) do splits[#splits + 1] = split end
      end
      return splits
   end
end

return M
