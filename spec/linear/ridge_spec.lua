local ml = require "manilius"
local oracle = dofile "spec/fixtures/linear/linear.lua".ridge

local support = require "spec.support"

local function near_all(wanted, got, tolerance, what)
   support.near_all(wanted, got, tolerance, what, 1e-3)
end

local function diabetes()
   local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
   local w = {}
   for i = 1, #y do w[i] = 1 + (i - 1) % 3 end
   return X, y, w
end

describe("Ridge", function()
   -- Columns of very different scales: the closed form agrees with scikit-learn's SVD to about 1e-10.
   for name, params in pairs {
      plain = { alpha = 1 }, strong = { alpha = 1000 }, no_intercept = { alpha = 10, fit_intercept = false },
      weighted = { alpha = 5 } } do
      it("agrees with scikit-learn: " .. name, function()
         local X, y, w = diabetes()
         local model = ml.Ridge(params):fit(X, y, { weights = name == "weighted" and w or nil })
         near_all(oracle[name].coef, model.coef, 1e-9, "coef")
         near_all({ oracle[name].intercept }, { model.intercept }, 1e-9, "intercept")
      end)
   end

   it("solves wide problems by the dual system", function()
      local X = diabetes():matrix():t():copy():slice(1, 10, 1, 40)
      local y = {}
      for i = 1, 10 do y[i] = i - 1 end
      local model = ml.Ridge { alpha = 2 }:fit(X, y)
      near_all(oracle.wide.coef, model.coef, 1e-8, "coef")
   end)

   it("gives the same for sparse and dense X", function()
      local X = ml.normal(300, 12, 1)
      X = X:mul(ml.random(300, 12, 2):lt(0.3)) -- mostly zeros
      local y = ml.normal(300, 1, 3):col(1)
      local w = ml.random(300, 1, 4):col(1) + 0.5
      for _, fit_intercept in ipairs { true, false } do
         local dense = ml.Ridge { alpha = 0.7, fit_intercept = fit_intercept }:fit(X, y, { weights = w })
         local sparse = ml.Ridge { alpha = 0.7, fit_intercept = fit_intercept }
         sparse:fit(ml.Sparse.from(X), y, { weights = w })
         near_all(dense.coef, sparse.coef, 1e-9, "coef")
         near_all(dense:predict(X), sparse:predict(ml.Sparse.from(X)), 1e-9, "prediction")
      end
   end)

   it("gives the same solution by every solver", function()
      -- 3000 rows x 100 columns are solved by Cholesky, smaller blocks by QR
      local X, y = ml.normal(3000, 100, 1), ml.normal(3000, 1, 2):col(1)
      local model = ml.Ridge { alpha = 3 }:fit(X, y)
      -- the gradient of the objective vanishes at the solution: X'(y - Xb - c) = alpha b
      local r = y - model:predict(X)
      local gradient = X:t() * r - model.coef * 3
      assert.is_true(gradient:abs():max() < 1e-9)
      assert.is_true(math.abs(r:sum()) < 1e-9)
   end)

   it("shrinks to 0 as the penalty grows and equals least squares without one", function()
      local X, y = diabetes()
      local ols, none = ml.LinearRegression {}:fit(X, y), ml.Ridge { alpha = 0 }:fit(X, y)
      near_all(ols.coef, none.coef, 1e-9, "coef")
      local last = math.huge
      for _, alpha in ipairs { 1, 1e2, 1e4, 1e8 } do
         local norm = ml.Ridge { alpha = alpha }:fit(X, y).coef:norm()
         assert.is_true(norm < last)
         last = norm
      end
      assert.is_true(last < 1e-2)
   end)
end)
