local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/robust/theil_sen.lua"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = ml.Matrix(oracle.x), ml.Vector(oracle.y)

local function exact(params)
   local out = { tol = 1e-14, max_iter = 100000 }
   for name, value in pairs(params or {}) do out[name] = value end
   return ml.TheilSenRegressor(out)
end

local function assert_agrees(want, model)
   near_all(want.coef, model.coef, 1e-8, "coef", 1)
   near(want.intercept, model.intercept, 1e-8, "intercept", 1)
   near(want.breakdown, model.breakdown, 1e-14, "breakdown")
   assert.equal(want.n_subpopulation, model.n_subpopulation)
   assert.is_true(model.converged)
end

describe("TheilSenRegressor", function()
   it("agrees with scikit-learn where all subsets are used", function()
      assert_agrees(oracle.plain, exact():fit(X, y))
      assert_agrees(oracle.without, exact { fit_intercept = false }:fit(X, y))
      assert_agrees(oracle.larger, exact { n_subsamples = 6 }:fit(X, y))
      assert_agrees(oracle.one, exact():fit(X:slice(1, 15, 1, 1), y))
      assert_agrees(oracle.one_without, exact { fit_intercept = false }:fit(X:slice(1, 15, 1, 1), y))
   end)

   it("is the median of the slopes for one coefficient", function()
      local model = ml.TheilSenRegressor { fit_intercept = false }:fit({ { 1 }, { 2 }, { 4 } }, { 1, 6, 100 })
      near(3, model.coef[1], 1e-15)
      assert.equal(0, model.intercept)
      near(1 - 0.5, model.breakdown, 1e-15)
   end)

   it("stays at a point that the others do not outweigh", function()
      -- Six of the ten pairs lie on y = x.
      local model = exact():fit({ { 0 }, { 1 }, { 2 }, { 3 }, { 4 } }, { 0, 1, 2, 3, 50 })
      near(1, model.coef[1], 1e-12)
      near(0, model.intercept, 1e-12, "intercept", 1)
   end)

   it("is robust to outliers in X and y, with random subsets too", function()
      local x = ml.normal(200, 3, 1)
      local target = x:col(1) * 3 - x:col(2) + 2 + ml.normal(200, nil, 2) * 0.1
      for i = 1, 20 do
         target[i] = 500
         x:set(i, 3, 30)
      end
      local model = ml.TheilSenRegressor { tol = 1e-8, max_iter = 5000 }:fit(x, target)
      near_all({ 3, -1, 0 }, model.coef, 0.1, "coef", 1)
      near(2, model.intercept, 0.1)
      assert.equal(10000, model.n_subpopulation)
      assert(math.abs(ml.LinearRegression {}:fit(x, target).coef[3]) > 5)
   end)

   it("leaves out pairs with the same x, and dependent columns", function()
      local model = exact():fit({ { 1 }, { 1 }, { 2 }, { 3 } }, { 1, 1.5, 2, 3 })
      assert.equal(5, model.n_subpopulation)
      local constant = exact():fit(ml.hcat(X:slice(1, 15, 1, 1), ml.full(15, 1, 4)), y)
      near_all({ oracle.one.coef[1], 0 }, constant.coef, 1e-8, "coef", 1)
      near(oracle.one.intercept, constant.intercept, 1e-8)
      local copied = exact():fit(ml.hcat(X, X), y)
      near_all(exact():fit(X, y):predict(X), copied:predict(ml.hcat(X, X)), 1e-8, "predict", 1)
      local wide = exact():fit({ { 1, 2, 3 }, { 2, 5, 1 } }, { 3, 4 })
      near_all({ 3, 4 }, wide:predict { { 1, 2, 3 }, { 2, 5, 1 } }, 1e-12)
      assert.equal(7, exact():fit({ { 1 } }, { 7 }).intercept)
      near_all({ 0, 0 }, exact { fit_intercept = false }:fit(ml.zeros(3, 2), { 1, 2, 3 }).coef, 0, "coef", 1)
   end)

   it("rejects impossible subsets", function()
      refuses("n_subsamples must be from 3 %(coefficients%) to 15 %(rows%), got 2",
         function() ml.TheilSenRegressor { n_subsamples = 2 }:fit(X, y) end)
      refuses("n_subsamples must be from 3 %(coefficients%) to 15 %(rows%), got 16",
         function() ml.TheilSenRegressor { n_subsamples = 16 }:fit(X, y) end)
      local rare = ml.zeros(1000, 1)
      rare:set(1, 1, 1)
      refuses("none of 5 subsets of 2 rows determines all coefficients; raise n_subsamples or max_subpopulation",
         function() ml.TheilSenRegressor { max_subpopulation = 5 }:fit(rare, ml.zeros(1000, 1):flatten()) end)
   end)

   it("does not depend on the number of threads", function()
      local x = ml.normal(200, 5, 3)
      support.same_for_any_threads(function() return ml.TheilSenRegressor {}:fit(x, x:col(1)) end)
   end)
end)
