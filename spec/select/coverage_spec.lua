--- Intervals of cross-validated scores and importances: how often they contain the mean over many data sets.
local ml = require "manilius"

local RUNS, N = 200, 100
local SLOPES = ml.Vector { 1, 0.5, 0 }

-- The fraction of the intervals of found(X, y, seed) -> estimate, low, high that contain the mean estimate.
local function coverage(found)
   local low, high, sum, inside = {}, {}, 0, 0
   for run = 1, RUNS do
      local X = ml.normal(N, 3, run)
      local estimate
      estimate, low[run], high[run] = found(X, X * SLOPES + ml.normal(N, nil, 1000 + run), run)
      sum = sum + estimate / RUNS
   end
   for run = 1, RUNS do inside = inside + (low[run] <= sum and sum <= high[run] and 1 or 0) end
   return inside / RUNS
end

local function validated(options)
   return function(X, y, seed)
      local folds = options.repeats and ml.RepeatedKFold { k = 5, repeats = options.repeats, seed = seed } or 5
      local cv = ml.cross_validate(ml.LinearRegression {}, X, y,
         { scoring = "mse", cv = folds, interval = options.interval })
      return cv.mean.mse, cv.interval.mse[1], cv.interval.mse[2]
   end
end

-- The standard error of a coverage of 0.95 is 0.015.
describe("95% intervals", function()
   it("of cross_validate cover the mean score", function()
      assert.near(0.95, coverage(validated {}), 0.05) -- t: a little narrow, since training rows overlap
      assert.near(0.96, coverage(validated { interval = "corrected" }), 0.035)
   end)

   it("of repeated folds are corrected by default, because those of independent scores do not cover it", function()
      assert.near(0.95, coverage(validated { repeats = 5 }), 0.045)
      assert.is_true(coverage(validated { repeats = 5, interval = "t" }) < 0.7)
      local X = ml.normal(20, 2, 1)
      local shuffled = ml.ShuffleSplit { n = 3, test = 0.5, seed = 1 }
      local cv = ml.cross_validate(ml.LinearRegression {}, X, X:col(1), { cv = shuffled })
      assert.matches("95%% interval %(corrected%)", tostring(cv))
   end)

   it("of drop_column_importance and of both curves cover their means", function()
      assert.near(0.96, coverage(function(X, y)
         local found = ml.drop_column_importance(ml.LinearRegression {}, X, y, { scoring = "mse" })
         return found.importance[2], found.low[2], found.high[2]
      end), 0.035)
      assert.near(0.96, coverage(function(X, y)
         local found = ml.learning_curve(ml.LinearRegression {}, X, y,
            { scoring = "mse", sizes = { 0.5 }, interval = "corrected" })
         return found.test_mean[1], found.test_low[1], found.test_high[1]
      end), 0.04)
      assert.near(0.96, coverage(function(X, y)
         local found = ml.validation_curve(ml.Ridge {}, X, y,
            { scoring = "mse", param = "alpha", values = { 10 }, interval = "corrected" })
         return found.test_mean[1], found.test_low[1], found.test_high[1]
      end), 0.04)
   end)
end)
