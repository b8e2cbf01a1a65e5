local ml = require "manilius"
local oracle = dofile "spec/fixtures/select/folds.lua"
local support = require "spec.support"

local n = #oracle.y

local function list(rows)
   return type(rows) == "table" and rows or rows:totable()
end

local function same_splits(wanted, got)
   assert.equal(#wanted, #got)
   for i, split in ipairs(wanted) do
      assert.same(list(split.train), list(got[i].train))
      assert.same(list(split.test), list(got[i].test))
   end
end

local refuses = support.refuses_exactly

-- Each row is in `times` test sets, and never in the train set of the same fold.
local function covers(splits, rows, times)
   local count = {}
   for _, split in ipairs(splits) do
      local seen = {}
      for _, row in ipairs(split.test:totable()) do
         count[row] = (count[row] or 0) + 1
         seen[row] = true
      end
      for _, row in ipairs(split.train:totable()) do assert.is_nil(seen[row]) end
      assert.equal(rows, #split.test + #split.train)
   end
   for row = 1, rows do assert.equal(times, count[row]) end
end

describe("folds without a seed equal those of scikit-learn:", function()
   it("KFold", function() same_splits(oracle.kfold, ml.KFold { k = 4 }:split(n)) end)

   it("StratifiedKFold assigns rows sorted by class to the folds in turn, in order within a class", function()
      -- by hand: b has 1 2 3 1, then a 2 3 1, then c 2 3 1 2 3; sorted within each class
      local y = { "b", "a", "b", "c", "c", "b", "c", "a", "c", "c", "b", "a" }
      local fold = { 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3 }
      for _, labels in ipairs { y, ml.Factor(y) } do
         local splits = ml.StratifiedKFold { k = 3 }:split(#y, labels)
         for row, f in ipairs(fold) do assert.equal(1, splits[f].test:eq(row):sum(), row) end
      end
   end)

   it("StratifiedKFold", function()
      same_splits(oracle.stratified, ml.StratifiedKFold { k = 3 }:split(n, oracle.y))
      same_splits(oracle.stratified, ml.StratifiedKFold { k = 3 }:split(ml.zeros(n, 2), ml.Factor(oracle.y)))
   end)

   it("GroupKFold", function()
      same_splits(oracle.group, ml.GroupKFold { k = 3 }:split(n, nil, oracle.groups))
   end)

   it("LeavePOut", function()
      same_splits(oracle.leave_two_out, ml.LeavePOut { p = 2 }:split(4))
      local ok, message = pcall(function() return #ml.LeavePOut { p = 10 }:split(60) end)
      assert.is_false(ok)
      assert.matches("p = 10 of 60 rows are 7.5e%+10 splits, more than 100000; use ShuffleSplit", message)
   end)

   it("TimeSeriesSplit", function()
      same_splits(oracle.time, ml.TimeSeriesSplit { k = 4 }:split(n))
      same_splits(oracle.time_gap, ml.TimeSeriesSplit { k = 3, gap = 2, test_size = 3, max_train = 7 }:split(n))
   end)
end)

describe("folds of groups", function()
   it("equal those of scikit-learn", function()
      same_splits(oracle.one_group_out, ml.LeaveOneGroupOut {}:split(n, nil, oracle.groups))
      local two = ml.LeavePGroupsOut { p = 2 }:split(n, nil, oracle.groups)
      assert.equal(28, #two) -- 8 groups
      same_splits(oracle.two_groups_out, { table.unpack(two, 1, 9) })
      same_splits(oracle.stratified_group, ml.StratifiedGroupKFold { k = 3 }:split(n, oracle.y, oracle.groups))
      same_splits(oracle.stratified_group_2, ml.StratifiedGroupKFold { k = 2 }:split(n, oracle.y, oracle.groups))
      same_splits(oracle.predefined, ml.PredefinedSplit { test_fold = oracle.test_fold }:split(n))
   end)

   it("cover each row once in each repetition, and keep groups together when shuffled", function()
      for _, way in ipairs { ml.StratifiedGroupKFold { k = 3, seed = 4 },
         ml.RepeatedStratifiedGroupKFold { k = 3, repeats = 2 }, ml.RepeatedGroupKFold { k = 3, repeats = 3 } } do
         local splits = way:split(n, oracle.y, oracle.groups)
         covers(splits, n, #splits // 3)
         for _, split in ipairs(splits) do
            local tested = {}
            for _, row in ipairs(split.test:totable()) do tested[oracle.groups[row]] = true end
            for _, row in ipairs(split.train:totable()) do assert.is_nil(tested[oracle.groups[row]]) end
         end
      end
   end)

   it("report invalid arguments", function()
      refuses("LeaveOneGroupOut: groups must hold at least 2 distinct labels, got 1",
         function() ml.LeaveOneGroupOut {}:split(2, nil, { 1, 1 }) end)
      refuses("LeavePGroupsOut: groups must be given, got nil", function() ml.LeavePGroupsOut {}:split(4) end)
      refuses("PredefinedSplit: test_fold must hold whole numbers >= -1, got 0.5 in row 2",
         function() ml.PredefinedSplit { test_fold = { 0, 0.5 } }:split(2) end)
      refuses("PredefinedSplit: test_fold must name at least one fold, got -1 only",
         function() ml.PredefinedSplit { test_fold = { -1, -1 } }:split(2) end)
   end)

   it("warn of training rows without a class, by fold and class", function()
      local X, y, warned = ml.normal(6, 1, 1), ml.Factor { "a", "a", "b", "b", "c", "c" }, nil
      local before = ml.warnings()
      ml.warnings(function(text) warned = text end)
      ml.cross_validate(ml.GaussianNB {}, X, y, { cv = ml.KFold { k = 3 } })
      ml.warnings(before)
      assert.equal("cross_validate: the training rows of fold 1 have no row of class 'a' (3 folds lack a "
         .. "class); use StratifiedKFold or fewer folds", warned)
   end)
end)

describe("purged folds", function()
   it("drop the training rows whose labels overlap those of the test, and an embargo", function()
      same_splits(oracle.purged, ml.PurgedKFold { k = 4, horizon = 2, embargo = 1 }:split(n))
      same_splits(oracle.purged, ml.PurgedKFold { k = 4, horizon = 2, embargo = 0.04 }:split(n))
      same_splits(oracle.purged_ends, ml.PurgedKFold { k = 4, ends = oracle.ends }:split(n))
      same_splits(oracle.combinatorial, ml.CombinatorialPurgedKFold { k = 4, p = 2, ends = oracle.ends }:split(n))
      same_splits(ml.KFold { k = 4 }:split(n), ml.PurgedKFold { k = 4 }:split(n))
   end)

   it("report invalid arguments", function()
      refuses("PurgedKFold: no training rows are left for the test fold 1; decrease k, horizon or embargo",
         function() ml.PurgedKFold { k = 2, horizon = 9 }:split(10) end)
      refuses("PurgedKFold: ends must be row numbers, at least that of the row itself, got 1 in row 2",
         function() ml.PurgedKFold { k = 2, ends = { 1, 1, 3, 4 } }:split(4) end)
      refuses("PurgedKFold: embargo must be a fraction in (0, 1) or a number of rows >= 0, got 1.5", ml.PurgedKFold,
         { embargo = 1.5 })
      refuses("CombinatorialPurgedKFold: p must be a whole number from 1 to one less than k, 2, got 3",
         function() ml.CombinatorialPurgedKFold { k = 3, p = 3 }:split(9) end)
   end)
end)

describe("folds", function()
   it("leave one out", function()
      local splits = ml.LeaveOneOut {}:split(3)
      same_splits({ { train = { 2, 3 }, test = { 1 } }, { train = { 1, 3 }, test = { 2 } },
         { train = { 1, 2 }, test = { 3 } } }, splits)
   end)

   it("test each row once, shuffled or not, and depend on the seed only", function()
      for _, way in ipairs { ml.KFold { k = 5 }, ml.KFold { k = 5, seed = 7 }, ml.KFold { k = 5, shuffle = true },
         ml.StratifiedKFold { k = 4, seed = 7 }, ml.GroupKFold { k = 3, seed = 7 } } do
         local splits = way:split(n, oracle.y, oracle.groups)
         covers(splits, n, 1)
         same_splits(splits, way:split(n, oracle.y, oracle.groups))
      end
      covers(ml.RepeatedKFold { k = 3, repeats = 4, seed = 1 }:split(n), n, 4)
      covers(ml.RepeatedStratifiedKFold { k = 3, repeats = 2, seed = 1 }:split(n, oracle.y), n, 2)
      local one = ml.KFold { k = 5, seed = 1 }:split(n)[1].test
      assert.not_same(one:totable(), ml.KFold { k = 5, seed = 2 }:split(n)[1].test:totable())
   end)

   it("preserve class proportions when shuffled", function()
      local y = {}
      for i = 1, 100 do y[i] = i <= 20 and "rare" or "common" end
      for _, split in ipairs(ml.StratifiedKFold { k = 5, seed = 3 }:split(100, y)) do
         local rare = 0
         for _, row in ipairs(split.test:totable()) do if row <= 20 then rare = rare + 1 end end
         assert.equal(4, rare)
         assert.equal(20, #split.test)
      end
      for _, split in ipairs(ml.StratifiedShuffleSplit { n = 3, test = 0.25, seed = 3 }:split(100, y)) do
         local rare = 0
         for _, row in ipairs(split.test:totable()) do if row <= 20 then rare = rare + 1 end end
         assert.equal(5, rare)
         assert.equal(25, #split.test)
         assert.equal(75, #split.train)
      end
   end)

   it("keep groups together", function()
      for _, split in ipairs(ml.GroupShuffleSplit { n = 5, test = 0.25, seed = 2 }:split(n, nil, oracle.groups)) do
         local tested = {}
         for _, row in ipairs(split.test:totable()) do tested[oracle.groups[row]] = true end
         for _, row in ipairs(split.train:totable()) do assert.is_nil(tested[oracle.groups[row]]) end
         assert.equal(n, #split.test + #split.train)
      end
   end)

   it("report invalid arguments", function()
      refuses("KFold: k must be a whole number from 2 to the number of rows, 3, got 5",
         function() ml.KFold { k = 5 }:split(3) end)
      refuses("KFold: k must be a whole number >= 2, got 1", ml.KFold, { k = 1 })
      refuses("KFold has no parameter 'seeds'; did you mean 'seed'?", ml.KFold, { seeds = 1 })
      refuses("StratifiedKFold: y must be given, got nil", function() ml.StratifiedKFold {}:split(10) end)
      refuses("StratifiedKFold: k must be a whole number from 2 to the rows of the largest class, 3, got "
         .. math.maxinteger, function() ml.StratifiedKFold { k = math.maxinteger }:split(5, { 1, 1, 1, 2, 2 }) end)
      refuses("StratifiedKFold: y must be labels, got 1.5 in row 2",
         function() ml.StratifiedKFold { k = 2 }:split(3, { 1, 1.5, 2 }) end)
      refuses("StratifiedKFold: y must have as many rows as X, 4, got 3",
         function() ml.StratifiedKFold { k = 2 }:split(4, { 1, 1, 2 }) end)
      refuses("GroupKFold: k must be a whole number from 2 to the number of groups, 2, got 3",
         function() ml.GroupKFold { k = 3 }:split(4, nil, { 1, 1, 2, 2 }) end)
      refuses("ShuffleSplit: test must be a fraction in (0, 1) or a number of rows >= 1, got 1.5",
         ml.ShuffleSplit, { test = 1.5 })
      refuses("ShuffleSplit: test must be a fraction in (0, 1) or a number of rows from 1 to 9, got 10",
         function() ml.ShuffleSplit { test = 10 }:split(10) end)
      refuses("RepeatedKFold: repeats must be a whole number >= 1, got 0", ml.RepeatedKFold, { repeats = 0 })
      refuses("RepeatedStratifiedKFold: repeats must be a whole number >= 1, got 2.5", ml.RepeatedStratifiedKFold,
         { repeats = 2.5 })
      refuses("ShuffleSplit: n must be a whole number >= 1, got 0", ml.ShuffleSplit, { n = 0 })
      refuses("KFold: shuffle must be true or false, got 1", ml.KFold, { shuffle = 1 })
      refuses("TimeSeriesSplit: 10 rows are too few for 3 tests of 3 rows and a gap of 2",
         function() ml.TimeSeriesSplit { k = 3, test_size = 3, gap = 2 }:split(10) end)
   end)
end)

describe("train_test_split", function()
   it("splits every kind of X and y in the same way", function()
      local M = ml.Matrix { { 1, 10 }, { 2, 20 }, { 3, 30 }, { 4, 40 }, { 5, 50 }, { 6, 60 }, { 7, 70 }, { 8, 80 } }
      local frame = ml.Frame { a = M:col(1):copy(), b = M:col(2):copy() }
      local y = ml.Vector { 1, 2, 3, 4, 5, 6, 7, 8 }
      local first = {
         Matrix = function(X, i) return X:get(i, 1) end, Sparse = function(X, i) return X:get(i, 1) end,
         Frame = function(X, i) return X.a[i] end, list = function(X, i) return X[i][1] end,
      }
      for kind, X in pairs { Matrix = M, Frame = frame, list = { { 1, "x" }, { 2, "y" }, { 3, "z" }, { 4, "x" },
         { 5, "x" }, { 6, "x" }, { 7, "x" }, { 8, "x" } }, Sparse = ml.Sparse(M) } do
         local train, test, ytrain, ytest = ml.train_test_split(X, y, { test = 0.25, seed = 4 })
         assert.equal(6, #ytrain)
         assert.equal(2, #ytest)
         for i = 1, 6 do assert.equal(ytrain[i], first[kind](train, i)) end
         for i = 1, 2 do assert.equal(ytest[i], first[kind](test, i)) end
      end
   end)

   it("can stratify, keep groups together and keep the order", function()
      local y = ml.Factor(oracle.y)
      local _, _, ytrain, ytest = ml.train_test_split(ml.zeros(n, 1), y, { test = 0.5, stratify = true, seed = 1 })
      assert.same({ 5, 3, 3 }, ytrain:counts():totable())
      assert.same({ 5, 3, 3 }, ytest:counts():totable())
      local _, _, _, _, train, test = ml.train_test_split(ml.zeros(n, 1), y, { test = 4, shuffle = false })
      assert.same({ 19, 20, 21, 22 }, test:totable())
      assert.equal(18, #train)
      _, _, _, _, train, test = ml.train_test_split(ml.zeros(n, 1), y, { groups = oracle.groups, seed = 1 })
      for _, i in ipairs(train:totable()) do
         for _, j in ipairs(test:totable()) do assert.not_equal(oracle.groups[i], oracle.groups[j]) end
      end
   end)

   it("refuses invalid arguments", function()
      refuses("train_test_split: y must have as many rows as X, 3, got 2", ml.train_test_split, { { 1 }, { 2 }, { 3 } },
         { 1, 2 })
      refuses("train_test_split has no option 'tset'; did you mean 'test'?",
         ml.train_test_split, { { 1 }, { 2 } }, { 1, 2 }, { tset = 1 })
      refuses('train_test_split: each class must have at least 2 rows, got 1 of class "b"',
         ml.train_test_split, { { 1 }, { 2 }, { 3 }, { 4 } }, { "a", "a", "b", "a" }, { stratify = true, test = 2 })
   end)
end)

describe("a float in place of a whole number", function()
   it("is an error that shows it as a float", function()
      assert.error_matches(function() ml.KFold { k = 5.0 } end,
         "k must be a whole number >= 2, got 5.0, a float; write 5", 1, true)
      assert.error_matches(function() ml.KFold { k = 5.5 } end, "got 5.5", 1, true)
   end)
end)
