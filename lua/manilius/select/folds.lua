--- Splitters of single rows, splits from options, and train_test_split.
--
-- KFold, StratifiedKFold and GroupKFold keep the order of the rows, as in scikit-learn, unless a seed or shuffle = true
-- is given. Random splits depend on the seed only. Other splitters: manilius.select.group_folds and time_folds.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local check_options = require "manilius.options".check
local rows = require "manilius.rows"
local algorithms = require "manilius.select.splitters"
local groups_of = require "manilius.select.group_splitters"
local splitter = require "manilius.select.splitter"

local M = { help = {}, is = splitter.is }

local sizes, codes_of, labels_of = algorithms.sizes, algorithms.codes_of, splitter.labels_of
local K, SHUFFLE, SHUFFLE_SEED, SEED = splitter.K, splitter.SHUFFLE, splitter.SHUFFLE_SEED, splitter.SEED
local REPEATS, SPLITS, TRAIN, test_share = splitter.REPEATS, splitter.SPLITS, splitter.TRAIN, splitter.test_share
local maybe_rng, repeated = splitter.maybe_rng, splitter.repeated

local function define(name, about, split) splitter.define(M, name, about, split) end

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
   return groups_of.grouped(self, n, groups, maybe_rng(self))
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

define("RepeatedKFold", {
   brief = "KFold repeated with different shuffles.",
   params = { K, REPEATS, SEED },
   example = 'print(ml.RepeatedKFold { k = 2, repeats = 3 }:split(10))',
}, repeated(function(self, n, _, _, i)
   return algorithms.kfold(self, n, core.rng(self.seed, i))
end))

define("RepeatedStratifiedKFold", {
   brief = "StratifiedKFold repeated with different shuffles.",
   params = { K, REPEATS, SEED },
   example = 'print(ml.RepeatedStratifiedKFold { k = 2, repeats = 2 }:split(4, { "a", "b", "a", "b" }))',
}, repeated(function(self, n, y, _, i)
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
   local codes, counts, values = codes_of(who, "y", y, n)
   local n_train, n_test = sizes(who, self, n)
   return algorithms.times(self.n, self.seed, function(rng)
      return algorithms.stratified_split(who, { codes = codes, counts = counts, values = values }, n_train, n_test, rng)
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

-- --- splits from options ---

local function as_rows(who, list, n, what)
   local vector = rows.kind(list) == "Vector" and list or core.Vector(list)
   if core.are_rows(vector, n) then return vector end
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

-- The label of the first class that has rows, but none among the given ones; nil if there is none.
local function missing_class(y, at, total)
   local counts = y:take(at):counts()
   for c, label in ipairs(y.levels) do
      if counts[c] == 0 and total[c] > 0 then return label end
   end
end

-- Warn about folds whose training rows lack a class, which their models cannot predict.
local function warn_missing_classes(who, splits, y)
   if rows.kind(y) == "Vector" and y:isfinite():sum() == #y and y:eq(y:floor()):sum() == #y then y = core.Factor(y) end
   if rows.kind(y) ~= "Factor" then return end
   local total, first, label, count = y:counts(), nil, nil, 0
   for f, split in ipairs(splits) do
      local found = missing_class(y, split.train, total)
      if found ~= nil then
         first, label, count = first or f, first and label or found, count + 1
      end
   end
   if count == 0 then return end
   label = type(label) == "string" and ("'%s'"):format(label) or estimator.value_text(label)
   local others = count > 1 and (" (%d folds lack a class)"):format(count) or ""
   rows.warn(("%s: the training rows of fold %d have no row of class %s%s; use StratifiedKFold or fewer folds"):format(
      who, first, label, others))
end

--- The splits for `cv` as those of M.resolve, without a warning.
function M.splits(who, cv, classify, X, y, groups)
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

-- The rows without a label (missing in a Factor, nan in a Vector) as a Vector of 0 and 1, or nil if all rows have one.
local function unlabelled_rows(y)
   local kind = rows.kind(y)
   local missing = kind == "Factor" and y:ismissing() or kind == "Vector" and 1 - y:isfinite() or nil
   return missing and missing:any() and missing or nil
end

-- Splits of the rows with a label; all others are training rows of every split.
local function split_labelled(who, cv, classify, X, y, groups, missing)
   local known, rest = (1 - missing):nonzero(), missing:nonzero()
   if #known == 0 then error(who .. ": y must have labels, got only missing ones", 0) end
   local splits = M.resolve(who, cv, classify, rows.take(X, known), y:take(known), groups and rows.take(groups, known))
   for _, split in ipairs(splits) do
      local all = core.vcat(known:take(split.train):as_column(), rest:as_column()):flatten()
      split.train, split.test = all:sort(), known:take(split.test)
   end
   return splits
end

-- Given splits without the rows to test that have no label.
local function test_labelled(who, splits, missing)
   for i, split in ipairs(splits) do
      split.test = split.test:take((1 - missing:take(split.test)):nonzero())
      if #split.test == 0 then error(("%s: cv: split %d must test rows with a label, got none"):format(who, i), 0) end
   end
   return splits
end

--- The same for a y in which labels may be missing: rows without one are never tested.
function M.resolve_labelled(who, cv, classify, X, y, groups)
   local missing = unlabelled_rows(y)
   if not missing then return M.resolve(who, cv, classify, X, y, groups) end
   if type(cv) == "table" and not M.is(cv) then
      return test_labelled(who, M.resolve(who, cv, classify, X, y, groups), missing)
   end
   return split_labelled(who, cv, classify, X, y, groups, missing)
end

--- The splits for `cv`: a number of folds (stratified for a classifier, grouped if groups are given; nil: 5), a
-- splitter, or a list of splits. A classifier is warned of training rows without a class, as StratifiedKFold does.
function M.resolve(who, cv, classify, X, y, groups)
   local splits = M.splits(who, cv, classify, X, y, groups)
   local meta = type(cv) == "table" and getmetatable(cv)
   local stratifies = math.type(cv or 5) == "integer" and groups == nil
      or type(meta) == "table" and meta.__name == "StratifiedKFold"
   if classify and not stratifies then warn_missing_classes(who, splits, y) end
   return splits
end

--- The Vectors of test rows of all splits.
function M.test_rows(splits)
   local tests = {}
   for f, split in ipairs(splits) do tests[f] = split.test end
   return tests
end

--- The position of each of n rows in the concatenated test rows. Each must be tested once.
function M.test_positions(who, splits, n)
   local position, again = core.test_positions(M.test_rows(splits), n)
   if again then error(("%s: cv must test each row once, but row %d is tested twice"):format(who, again), 0) end
   local untested = (1 - position:isfinite()):nonzero()
   if #untested > 0 then
      error(("%s: cv must test each row once, but row %d is not tested"):format(who, untested[1]), 0)
   end
   return position
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
      local codes, counts, values = codes_of(who, "stratify", labels, n)
      local classes = { codes = codes, counts = counts, values = values }
      return in_random_order(algorithms.stratified_split(who, classes, n_train, n_test, rng), rng)
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
