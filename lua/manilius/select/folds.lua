--- Splitters: divide rows into training and test rows.
--
-- A splitter such as `ml.StratifiedKFold { k = 5, seed = 1 }` returns its splits by :split(X or n, y, groups): a list
-- of { train = Vector, test = Vector } of ascending row numbers. KFold, StratifiedKFold and GroupKFold keep the order
-- of the rows, as in scikit-learn, unless a seed or shuffle = true is given. Random splits depend on the seed only.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local check_options = require "manilius.options".check
local rows = require "manilius.rows"
local text = require "manilius.text"
local algorithms = require "manilius.select.splitters"

local M = { help = {} }

local whole, sizes, codes_of = algorithms.whole, algorithms.sizes, algorithms.codes_of

-- --- the classes ---

-- Userdata types with rows.
local ROWS = { Matrix = true, Sparse = true, Vector = true, Factor = true }

local function row_count(who, X)
   if math.type(X) == "integer" and X >= 1 then return X end
   if type(X) == "table" or ROWS[rows.kind(X)] then return rows.count(X) end
   error(("%s: X must be data or the number of rows, got %s"):format(who, estimator.value_text(X)), 0)
end

-- y as a container of labels.
local function labels_of(y)
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
   if p.kind ~= "share" then return end
   local kind = math.type(value)
   if not (kind == "integer" and value >= 1 or kind == "float" and value > 0 and value < 1) then
      error(("%s: %s must be a fraction in (0, 1) or a number of rows >= 1, got %s"):format(name, p.name,
         estimator.value_text(value)), 0)
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

-- Define a splitter. about: brief, params (a list of { name =, default =, brief =, least = or kind = }), example.
local function define(name, about, split)
   local params, names = about.params, {}
   for i, p in ipairs(params) do params[p.name], names[i] = p, p.name end
   table.sort(names)
   local function splits(self, X, y, groups)
      return (rows.rethrow(2, pcall(function()
         return printable(name, split(self, row_count(name, X), labels_of(y), groups))
      end)))
   end
   local meta = meta_of(name, params, names, splits)
   M[name] = function(values)
      return setmetatable(rows.rethrow(2, pcall(make, name, params, names, values)), meta)
   end
   about.use = ("%s {%s}"):format(name, #names > 0 and " " .. show_defaults(params) .. " " or "")
   about.methods, about.setup = methods, ("local splitter = ml.%s {}"):format(name)
   about.example = about.example or ("print(ml.%s { %s}:split(10)[1])"):format(name, params.seed and "seed = 1 " or "")
   M.help[name] = about
end

local NONE = estimator.NONE

local K = { name = "k", default = 5, least = 2, brief = "number of folds" }
local SHUFFLE = { name = "shuffle", default = false, kind = "flag", brief = "shuffle the rows, with seed 0 by default" }
local SHUFFLE_SEED = { name = "seed", default = NONE, least = 0, brief = "shuffle with this seed; nil: keep the order" }
local SEED = { name = "seed", default = 0, least = 0, brief = "seed of the random numbers" }
local REPEATS = { name = "repeats", default = 10, least = 1, brief = "number of repetitions with different shuffles" }
local SPLITS = { name = "n", default = 10, least = 1, brief = "number of splits" }
local TRAIN = { name = "train", default = NONE, kind = "share",
   brief = "fraction or number of training rows; nil: all other rows" }

local function test_share(default)
   return { name = "test", default = default, kind = "share", brief = "fraction or number of test rows" }
end

-- The random stream of a splitter, or nil when it does not shuffle.
local function maybe_rng(self, stream)
   if self.seed == nil and not self.shuffle then return nil end
   return core.rng(self.seed or 0, stream or 0)
end

define("KFold", {
   brief = "k-fold cross-validation: each fold is the test set once.",
   params = { K, SHUFFLE, SHUFFLE_SEED },
}, function(self, n)
   return algorithms.kfold(self, n, maybe_rng(self))
end)

define("StratifiedKFold", {
   brief = "k-fold cross-validation that preserves the class proportions of y.",
   params = { K, SHUFFLE, SHUFFLE_SEED },
   example = 'print(ml.StratifiedKFold { k = 2, seed = 1 }:split(6, { "a", "b", "a", "b", "a", "a" }))',
}, function(self, n, y)
   return algorithms.stratified(self, n, y, maybe_rng(self))
end)

define("GroupKFold", {
   brief = "k-fold cross-validation in which no group is in both training and test rows.",
   params = { K, SHUFFLE, SHUFFLE_SEED },
   example = 'print(ml.GroupKFold { k = 2 }:split(5, nil, { "x", "x", "y", "z", "z" }))',
}, function(self, n, _, groups)
   return algorithms.grouped(self, n, groups, maybe_rng(self))
end)

define("LeaveOneOut", {
   brief = "Leave-one-out cross-validation: each row is the test set once.",
   params = {},
   example = 'print(ml.LeaveOneOut {}:split(4))',
}, function(_, n) return algorithms.leave_p_out("LeaveOneOut", 1, n) end)

define("LeavePOut", {
   brief = "Leave-p-out cross-validation: each set of p rows is the test set once.",
   params = { { name = "p", default = 2, least = 1, brief = "number of test rows" } },
   example = 'print(ml.LeavePOut { p = 2 }:split(4))',
}, function(self, n) return algorithms.leave_p_out("LeavePOut", self.p, n) end)

local function repeated(once)
   return function(self, n, y)
      local splits = {}
      for i = 1, self.repeats do
         for _, split in ipairs(once(self, n, y, i)) do splits[#splits + 1] = split end
      end
      return splits
   end
end

define("RepeatedKFold", {
   brief = "KFold repeated with different shuffles.",
   params = { K, REPEATS, SEED },
   example = 'print(ml.RepeatedKFold { k = 2, repeats = 3 }:split(10))',
}, repeated(function(self, n, _, i)
   return algorithms.kfold(self, n, core.rng(self.seed, i))
end))

define("RepeatedStratifiedKFold", {
   brief = "StratifiedKFold repeated with different shuffles.",
   params = { K, REPEATS, SEED },
   example = 'print(ml.RepeatedStratifiedKFold { k = 2, repeats = 2 }:split(4, { "a", "b", "a", "b" }))',
}, repeated(function(self, n, y, i)
   return algorithms.stratified(self, n, y, core.rng(self.seed, i))
end))

define("ShuffleSplit", {
   brief = "n random splits into training and test rows.",
   params = { SPLITS, test_share(0.1), TRAIN, SEED },
   example = 'print(ml.ShuffleSplit { n = 3, test = 0.25 }:split(8))',
}, function(self, n)
   local n_train, n_test = sizes("ShuffleSplit", self, n)
   return algorithms.times(self.n, self.seed, function(rng) return algorithms.random_split(n, n_train, n_test, rng) end)
end)

define("StratifiedShuffleSplit", {
   brief = "n random splits that preserve the class proportions of y.",
   params = { SPLITS, test_share(0.1), TRAIN, SEED },
   example = 'print(ml.StratifiedShuffleSplit { n = 2, test = 2 }:split(6, { "a", "b", "a", "b", "a", "b" }))',
}, function(self, n, y)
   local who = "StratifiedShuffleSplit"
   local codes, counts = codes_of(who, "y", y, n)
   local n_train, n_test = sizes(who, self, n)
   return algorithms.times(self.n, self.seed, function(rng)
      return algorithms.stratified_split(who, codes, counts, n_train, n_test, rng)
   end)
end)

define("GroupShuffleSplit", {
   brief = "n random splits of whole groups; fractions and numbers count groups.",
   params = { SPLITS, test_share(0.2), TRAIN, SEED },
   example = 'print(ml.GroupShuffleSplit { n = 2, test = 1 }:split(5, nil, { "x", "x", "y", "z", "z" }))',
}, function(self, n, _, groups)
   return algorithms.times(self.n, self.seed, function(rng)
      return algorithms.group_split("GroupShuffleSplit", self, groups, n, rng)
   end)
end)

define("TimeSeriesSplit", {
   brief = "Splits for time series: test rows follow their training rows.",
   params = { K, { name = "gap", default = 0, least = 0, brief = "number of rows skipped between training and test" },
      { name = "test_size", default = NONE, least = 1, brief = "number of test rows; nil: n / (k + 1)" },
      { name = "max_train", default = NONE, least = 1,
         brief = "maximum number of training rows; nil: all rows before the test" } },
   example = 'print(ml.TimeSeriesSplit { k = 3 }:split(8)[3])',
}, algorithms.time_series)

-- --- splits from options ---

local function as_rows(who, list, n, what)
   local vector = rows.kind(list) == "Vector" and list or core.Vector(list)
   if #vector == 0 or (vector.whole and vector:min() >= 1 and vector:max() <= n) then return vector end
   for i = 1, #vector do
      local row = vector[i]
      if row ~= math.floor(row) or row < 1 or row > n then
         error(("%s: cv: %s rows must be from 1 to %d, got %s"):format(who, what, n, tostring(row)), 0)
      end
   end
   return vector
end

local function checked(who, splits, n)
   local out = {}
   for i, split in ipairs(splits) do
      local train, test = split.train or split[1], split.test or split[2]
      if train == nil or test == nil then
         error(("%s: cv: split %d must have train and test rows"):format(who, i), 0)
      end
      out[i] = { train = as_rows(who, train, n, "train"), test = as_rows(who, test, n, "test") }
      if #out[i].train == 0 or #out[i].test == 0 then
         error(("%s: cv: split %d must have train and test rows, got none"):format(who, i), 0)
      end
   end
   if #out == 0 then error(who .. ": cv must give at least one split, got none", 0) end
   return out
end

--- The splits for `cv`: a number of folds (stratified for a classifier, grouped if groups are given; nil: 5), a
-- splitter, or a list of splits.
function M.resolve(who, cv, classify, X, y, groups)
   local n = rows.count(X)
   if cv == nil then cv = 5 end
   if math.type(cv) == "integer" then
      local make_splitter = groups ~= nil and M.GroupKFold or classify and M.StratifiedKFold or M.KFold
      cv = make_splitter { k = cv }
   end
   if M.is(cv) then return checked(who, cv:split(X, y, groups), n) end
   if type(cv) == "table" then return checked(who, cv, n) end
   error(("%s: cv must be a number of folds, a splitter or a list of splits, got %s"):format(who,
      estimator.value_text(cv)), 0)
end

--- Shuffle the rows of a split, so that later batches or unshuffled folds do not depend on the order of the file.
local function in_random_order(split, rng)
   return {
      train = split.train:take(rng:permutation(#split.train)),
      test = split.test:take(rng:permutation(#split.test)),
   }
end

local function split_once(X, y, options)
   local who, n = "train_test_split", rows.count(X)
   local self = { test = options.test, train = options.train }
   if self.test == nil and self.train == nil then self.test = 0.25 end
   local rng = core.rng(options.seed or 0, 0)
   if options.groups ~= nil then
      return in_random_order(algorithms.group_split(who, self, options.groups, n, rng), rng)
   end
   local n_train, n_test = sizes(who, self, n)
   if options.stratify then
      local labels = options.stratify == true and labels_of(y) or options.stratify
      local codes, counts = codes_of(who, "stratify", labels, n)
      return in_random_order(algorithms.stratified_split(who, codes, counts, n_train, n_test, rng), rng)
   end
   if options.shuffle == false then
      return { train = core.range(1, n_train), test = core.range(n_train + 1, n_train + n_test) }
   end
   return in_random_order(algorithms.random_split(n, n_train, n_test, rng), rng)
end

M.help.train_test_split = {
   args = { "X", "y" },
   brief = "Split X and y at random into training and test rows.",
   options = { test = "fraction or number of test rows; default 0.25",
      train = "fraction or number of training rows; default: all other rows",
      stratify = "true: preserve the class proportions of y; or a list of labels",
      seed = "seed of the shuffle; default 0",
      groups = "one label per row; no group is in both parts", shuffle = "false: keep the order, training rows first" },
   returns = "X_train, X_test, y_train, y_test, training row numbers, test row numbers",
   example = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 } }, ml.Vector { 10, 20, 30, 40 }
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 1, seed = 7 })
print(X_test, y_test, #X_train, #y_train)]],
}

function M.train_test_split(X, y, options)
   local who = "train_test_split"
   options = check_options(who, options, M.help.train_test_split.options, 2)
   X = rows.x(who, X, 2)
   y = rows.y(who, y, rows.count(X), 2)
   local split = rows.rethrow(2, pcall(split_once, X, y, options))
   return rows.take(X, split.train), rows.take(X, split.test), rows.take(y, split.train), rows.take(y, split.test),
      split.train, split.test
end

return M
