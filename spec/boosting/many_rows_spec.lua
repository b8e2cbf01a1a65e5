-- Boosting of many rows uses narrow gradients with stochastic rounding. Rows of weight 2 use wide gradients instead,
-- which keep all bits; the two must agree up to rounding.
local ml = require "manilius"
local support = require "spec.support"

local ROWS = 66000

-- Columns of 4 to 300 distinct values; some are missing. y has large steps, so that both find the same trees.
local function steps(seed)
   local u = ml.random(ROWS, 6, seed)
   local X, y = ml.zeros(ROWS, 6), {}
   for i = 1, ROWS do
      for j = 1, 6 do X:set(i, j, math.floor(u:get(i, j) * (j < 6 and 4 or 300))) end
      if i % 50 == 0 then X:set(i, 5, 0 / 0) end
      y[i] = 8 * (X:get(i, 1) > 1 and 1 or 0) + 4 * (X:get(i, 2) > 0 and 1 or 0) + 2 * (X:get(i, 6) > 200 and 1 or 0)
         + u:get(i, 4)
   end
   return X, y
end

local settings = { max_iter = 6, max_leaf_nodes = 8, min_samples_leaf = 1, early_stopping = "no", seed = 1 }

describe("boosting of many rows", function()
   local X, y = steps(1)
   local twice = ml.ones(ROWS, 1):col(1) * 2

   it("agrees with wide gradients", function()
      local short = ml.HistGradientBoostingRegressor(settings):fit(X, y)
      local long = ml.HistGradientBoostingRegressor(settings):fit(X, y, { weights = twice })
      local one, two = short:predict(X), long:predict(X)
      -- A leaf has thousands of rows; the gradient of one is off by at most 1/2047 of the largest, in both
      -- directions alike.
      assert((one - two):abs():max() < 5e-5 and (one - two):abs():max() > 0)
      support.near_all(long.feature_importances:totable(), short.feature_importances:totable(), 1e-4, nil, 1e-3)
   end)

   it("counts rows exactly", function()
      local tree = { max_iter = 1, max_leaf_nodes = 4, learning_rate = 1, early_stopping = "no", min_samples_leaf = 1 }
      local short = ml.HistGradientBoostingRegressor(tree):fit(X, y)
      local long = ml.HistGradientBoostingRegressor(tree):fit(X, y, { weights = twice })
      support.near_all((long:trees().nodes.cover / 2):totable(), short:trees().nodes.cover:totable(), 0)
   end)

   it("is unbiased if all rows of a class have the same gradient", function()
      -- The gradients of these classes are halfway between two narrow values: without stochastic rounding they
      -- would be off by 0.3%.
      local labels, many = {}, 4660
      for i = 1, ROWS do labels[i] = i * 7919 % ROWS < many and 1 or 0 end
      local step = { max_iter = 1, learning_rate = 1, max_leaf_nodes = 4, early_stopping = "no" }
      local short = ml.HistGradientBoostingClassifier(step):fit(X, labels)
      local long = ml.HistGradientBoostingClassifier(step):fit(X, labels, { weights = twice })
      local function mean(model) return model:predict_proba(X):col(2):mean() end
      support.near(mean(long), mean(short), 3e-4)
   end)

   it("does not depend on the number of threads", function()
      for _, kind in ipairs { "HistGradientBoostingRegressor", "HistGradientBoostingClassifier" } do
         local target = y
         if kind:find "Classifier" then
            target = {}
            for i = 1, ROWS do target[i] = y[i] > 9 and "high" or y[i] > 4 and "middle" or "low" end
         end
         support.same_for_any_threads(function()
            return ml[kind] { max_iter = 3, subsample = 0.8, early_stopping = "no" }:fit(X, target)
         end)
      end
   end)
end)
