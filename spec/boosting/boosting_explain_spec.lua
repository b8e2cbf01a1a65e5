-- Shapley values, predictions after each round and feature importances of histogram gradient boosting.
local ml = require "manilius"
local common = require "spec.boosting.common"
local support = require "spec.support"
local bytes = require "spec.conformance.bytes"

local few = common.few_values

-- Shapley values by their definition, over all subsets of the columns. Unknown features are averaged over the
-- training rows at each split.
local function brute_shap(model_value, x, features)
   local phi, weight = {}, {}
   local function factorial(n) return n < 2 and 1 or n * factorial(n - 1) end
   for size = 0, features - 1 do
      weight[size] = factorial(size) * factorial(features - size - 1) / factorial(features)
   end
   for j = 1, features do
      phi[j] = 0
      for set = 0, (1 << features) - 1 do
         if set >> (j - 1) & 1 == 0 then
            local size = 0
            for k = 0, features - 1 do size = size + (set >> k & 1) end
            phi[j] = phi[j] + weight[size] * (model_value(x, set | 1 << (j - 1)) - model_value(x, set))
         end
      end
   end
   return phi
end

describe("explanations", function()
   it("sum to the raw prediction", function()
      local X, y = support.data("wine", "class")
      local model = ml.HistGradientBoostingClassifier { max_iter = 20 }:fit(X, y)
      local given, raw = model:shap(X), model:decision_function(X)
      for i = 1, X.rows do
         for c = 1, 3 do
            local sum = given.base[c]
            for j = 1, X.cols do sum = sum + given.values:get(i, (c - 1) * X.cols + j) end
            support.near(raw:get(i, c), sum, 1e-10, "row", 1)
         end
      end
   end)

   it("are Shapley values by their definition", function()
      local X, y = few(60, 4)
      local settings = { max_iter = 1, learning_rate = 1, max_leaf_nodes = 8, min_samples_leaf = 2 }
      local model = ml.HistGradientBoostingRegressor(settings):fit(X, y)
      local given = model:shap(X)
      local nodes, covers -- as they are saved: four words a node, see src/tree_structure/tree.h
      for _, record in ipairs(bytes.records(model:dump())) do
         if record.name == "tree_node" then nodes = record.value end
         if record.name == "tree_cover" then covers = record.value end
      end
      local function value(x, set)
         local function walk(node)
            local real, feature, link = ("<di4I4"):unpack(nodes, 9 + 16 * node)
            local left = link >> 2
            if left == 0 then return real end
            if set >> feature & 1 == 1 then return walk(x[feature + 1] <= real and left or left + 1) end
            local a, b = ("<dd"):unpack(covers, 9 + 8 * left)
            return (a * walk(left) + b * walk(left + 1)) / (a + b)
         end
         return walk(0)
      end
      for i = 1, 5 do
         local wanted = brute_shap(value, X[i], 3)
         for j = 1, 3 do support.near(wanted[j], given.values:get(i, j), 1e-10, "phi", 1) end
      end
   end)

   it("follow the rounds, and count the splits", function()
      local X, y = few(200, 6)
      local model = ml.HistGradientBoostingRegressor { max_iter = 7 }:fit(X, y)
      local stages, given = model:staged(X), model:predict(X)
      assert.equal(7, stages.cols)
      support.near_all(given:totable(), stages:col(7):totable(), 1e-12)
      local short = ml.HistGradientBoostingRegressor { max_iter = 3 }:fit(X, y)
      support.near_all(short:predict(X):totable(), stages:col(3):totable(), 1e-12)
      local splits = 0
      for _, gain in ipairs(model.gain:totable()) do splits = splits + (gain > 0 and 1 or 0) end
      assert.equal(splits, model:importances { kind = "split" }:sum())
      support.near(1, model.feature_importances:sum(), 1e-12)
      support.near(model:importances()[1] / model:importances():sum(), model.feature_importances[1], 1e-12)
   end)

   it("report residuals that overflow", function()
      local X, y = {}, {}
      for i = 1, 60 do X[i], y[i] = { i, i % 7 }, i % 10 == 0 and -1.79e308 or 1.79e308 end
      for _, loss in ipairs { "squared_error", "absolute_error", "huber", "quantile" } do
         support.refuses("the predictions diverge; decrease learning_rate or rescale y", function()
            ml.HistGradientBoostingRegressor { loss = loss, max_iter = 5 }:fit(X, y)
         end)
      end
   end)
end)
