-- Sparse and dense X must give identical models.
local ml = require "manilius"
local support = require "spec.support"

local nan = 0 / 0

-- Mostly zeros, some stored; the rest of both signs or missing; columns of few and of many distinct values.
local function rows(n, seed)
   local noise, X = ml.normal(n, 6, seed), ml.zeros(n, 6)
   for i = 1, n do
      for j = 1, 6 do
         local v = noise:get(i, j)
         if v > 0.3 * j - 0.9 then X:set(i, j, j % 2 == 0 and math.floor(3 * v) or v) end
      end
      if i % 17 == 0 then X:set(i, 3, nan) end
   end
   return X
end

local function answers(X)
   local y, kinds, counts = {}, {}, {}
   for i = 1, X.rows do
      local third = X:get(i, 3)
      y[i] = X:get(i, 1) - X:get(i, 2) * X:get(i, 5) + (third == third and math.abs(third) or 2)
      kinds[i] = y[i] > 1.5 and "high" or y[i] > 0 and "middle" or "low"
      counts[i] = math.max(0, math.floor(y[i] + 1))
   end
   return y, kinds, counts
end

local X = rows(700, 1)
local sparse = ml.Sparse.from(X)
local y, kinds, counts = answers(X)

local function uneven()
   local weights = {}
   for i = 1, X.rows do weights[i] = 0.3 + math.sin(i) ^ 2 end
   return weights
end

-- Identical models from dense and from sparse X, and identical results of all their methods.
local function same(name, settings, target, options)
   local dense = ml[name](settings):fit(X, target, options)
   local other = ml[name](settings):fit(sparse, target, options)
   assert.equal(dense:dump(), other:dump(), name)
   assert.same(dense:staged(X):totable(), other:staged(sparse):totable())
   local told, again = dense:shap(X), other:shap(sparse)
   assert.same(told.values:totable(), again.values:totable())
   if target == kinds then
      assert.same(dense:predict_proba(X):totable(), other:predict_proba(sparse):totable())
   else
      assert.same(dense:predict(X):totable(), other:predict(sparse):totable())
   end
   return dense, other
end

describe("sparse X", function()
   it("gives the same model as dense X with exact trees", function()
      same("GradientBoostingRegressor", { n_estimators = 8, loss = "huber", n_iter_no_change = 3 }, y)
      same("GradientBoostingRegressor", { n_estimators = 8, subsample = 0.6, max_features = 2 }, y,
         { weights = uneven() })
      same("GradientBoostingClassifier", { n_estimators = 6, n_iter_no_change = 2 }, kinds)
   end)

   it("gives the same model as dense X with binned features", function()
      same("HistGradientBoostingRegressor", { max_iter = 10 }, y, { weights = uneven() })
      same("HistGradientBoostingRegressor", { max_iter = 10, max_bins = 7, subsample = 0.5, loss = "poisson" }, counts)
      same("HistGradientBoostingRegressor", { max_iter = 10, booster = "dart", rate_drop = 0.4,
         monotonic_cst = { 1, 0, 0, 0, 0, 0 }, early_stopping = "yes" }, y)
      same("HistGradientBoostingClassifier", { max_iter = 6 }, kinds)
      same("HistGradientBoostingRanker", { max_iter = 6, early_stopping = "yes" }, counts,
         { lengths = { 100, 90, 80, 10, 20, 150, 250 } })
   end)

   it("can be used with warm_start", function()
      for name, rounds in pairs { GradientBoostingRegressor = "n_estimators",
         HistGradientBoostingRegressor = "max_iter" } do
         local dense, other = same(name, { [rounds] = 4, warm_start = true }, y)
         dense:set_params({ [rounds] = 9 }):fit(X, y)
         other:set_params({ [rounds] = 9 }):fit(sparse, y)
         assert.equal(dense:dump(), other:dump(), name)
         assert.equal(9, other.n_iter)
      end
   end)

   it("of an svmlight file can be ranked", function()
      local S, gains, lengths = ml.parse_svmlight "2 qid:1 1:2\n0 qid:1 1:1\n1 qid:2 1:2\n0 qid:2 1:0\n0 qid:2 1:1\n"
      local model = ml.HistGradientBoostingRanker { min_samples_leaf = 1, max_iter = 20 }
      assert.equal(1, model:fit(S, gains, { lengths = lengths }):score(S, gains, { lengths = lengths }))
   end)

   it("gives results that do not depend on the number of threads", function()
      support.same_for_any_threads(function()
         return ml.HistGradientBoostingRegressor { max_iter = 4 }:fit(sparse, y)
      end)
   end)
end)
