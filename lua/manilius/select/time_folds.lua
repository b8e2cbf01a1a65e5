--- Splitters for rows in time order.
--
-- The label of a row may be known only later: a return over the next h rows, say. A training row whose label overlaps
-- in time with that of a test row leaks; PurgedKFold removes such rows (Lopez de Prado, Advances in Financial Machine
-- Learning, 2018, chapters 7 and 12).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local base = require "manilius.select.splitters"
local splitter = require "manilius.select.splitter"

local M = { help = {} }

local function define(name, about, split) splitter.define(M, name, about, split) end

-- Test rows follow their training rows.
local function time_series(self, n)
   local who = "TimeSeriesSplit"
   base.whole(who, "k", self.k, 2, n - 1, "one less than the number of rows")
   base.whole(who, "gap", self.gap, 0)
   local size = self.test_size or n // (self.k + 1)
   base.whole(who, "test_size", size, 1)
   if self.max_train ~= nil then base.whole(who, "max_train", self.max_train, 1) end
   if n - self.gap - size * self.k <= 0 then
      error(("%s: %d rows are too few for %d tests of %d rows and a gap of %d"):format(who, n, self.k, size, self.gap),
         0)
   end
   local splits = {}
   for fold = 1, self.k do
      local first = n - size * (self.k - fold + 1) + 1
      local last_train = first - 1 - self.gap
      local first_train = self.max_train and math.max(1, last_train - self.max_train + 1) or 1
      splits[fold] = { train = core.range(first_train, last_train), test = core.range(first, first + size - 1) }
   end
   return splits
end

-- --- purged folds ---

-- The last row that the label of each row depends on.
local function label_ends(self, n)
   local ends = {}
   if self.ends ~= nil and #self.ends ~= n then
      error(("%s: ends must have as many rows as X, %d, got %d"):format(self.class, n, #self.ends), 0)
   end
   for row = 1, n do
      ends[row] = self.ends == nil and math.min(row + self.horizon, n) or self.ends[row]
      if not (type(ends[row]) == "number" and ends[row] >= row) then
         error(("%s: ends must be row numbers, at least that of the row itself, got %s in row %d"):format(self.class,
            estimator.value_text(ends[row]), row), 0)
      end
   end
   return ends
end

-- First and last row of each of k consecutive folds.
local function ranges(n, k)
   local list, last = {}, 0
   for fold = 1, k do
      local first = last + 1
      last = last + n // k + (fold <= n % k and 1 or 0)
      list[fold] = { first, last }
   end
   return list
end

-- Mark the rows that must not be used to train for the test rows first..last.
local function exclude(excluded, first, last, ends, embargo)
   local known = last
   for row = first, last do known = math.max(known, ends[row]) end
   for row = 1, first - 1 do excluded[row] = excluded[row] or ends[row] >= first end
   for row = first, math.min(#ends, known + embargo) do excluded[row] = true end
end

-- The split with these test folds.
local function purged_split(who, folds, chosen, ends, embargo)
   local excluded, in_test, in_train, left = {}, {}, {}, 0
   for _, fold in ipairs(chosen) do
      local first, last = folds[fold][1], folds[fold][2]
      for row = first, last do in_test[row] = true end
      exclude(excluded, first, last, ends, embargo)
   end
   for row = 1, #ends do
      in_train[row] = not excluded[row]
      left = left + (excluded[row] and 0 or 1)
   end
   if left == 0 then
      error(("%s: no training rows are left for the test fold %s; decrease k, horizon or embargo"):format(who,
         table.concat(chosen, " and ")), 0)
   end
   return base.split_by(#ends, in_test, in_train)
end

local function purged(self, n, p)
   local who = self.class
   base.whole(who, "k", self.k, 2, n, "the number of rows")
   base.whole(who, "p", p, 1, self.k - 1, "one less than k")
   local ends, folds, splits = label_ends(self, n), ranges(n, self.k), {}
   local embargo = math.type(self.embargo) == "float" and math.ceil(self.embargo * n) or self.embargo
   base.combinations(self.k, p, function(chosen)
      splits[#splits + 1] = purged_split(who, folds, chosen, ends, embargo)
   end)
   return splits
end

-- --- definitions ---

local HORIZON = { name = "horizon", default = 0, least = 0,
   brief = "number of following rows on which the label of a row depends" }
local ENDS = { name = "ends", default = splitter.NONE, kind = "list",
   brief = "for each row the last row on which its label depends, in place of horizon" }
local EMBARGO = { name = "embargo", default = 0, kind = "embargo",
   brief = "rows after the test rows that are left out of training: a fraction of all rows or a number" }
local SOURCE = "Lopez de Prado, Advances in Financial Machine Learning (2018)"

define("TimeSeriesSplit", {
   brief = "Splits for time series: test rows follow their training rows.",
   params = { splitter.K,
      { name = "gap", default = 0, least = 0, brief = "number of rows skipped between training and test" },
      { name = "test_size", default = splitter.NONE, least = 1, brief = "number of test rows; nil: n / (k + 1)" },
      { name = "max_train", default = splitter.NONE, least = 1,
         brief = "maximum number of training rows; nil: all rows before the test" } },
   example = 'print(ml.TimeSeriesSplit { k = 3 }:split(8)[3])',
}, time_series)

define("PurgedKFold", {
   brief = "k-fold cross-validation for time series; no training label overlaps the test.",
   notes = "Folds are consecutive rows. Training rows are removed if their label depends on rows of the test fold, if "
      .. "a test label depends on them, or if they are in the embargo after the test fold.",
   params = { splitter.K, HORIZON, ENDS, EMBARGO }, source = SOURCE,
   example = "print(ml.PurgedKFold { k = 3, horizon = 1, embargo = 1 }:split(12)[2])",
}, function(self, n) return purged(self, n, 1) end)

define("CombinatorialPurgedKFold", {
   brief = "PurgedKFold in which each set of p folds is the test set once.",
   params = { { name = "k", default = 6, least = 2, brief = "number of folds" },
      { name = "p", default = 2, least = 1, brief = "number of test folds" }, HORIZON, ENDS, EMBARGO },
   source = SOURCE,
   example = "print(ml.CombinatorialPurgedKFold { k = 4, p = 2, horizon = 1 }:split(12))",
}, function(self, n) return purged(self, n, self.p) end)

return M
