local ml = require "manilius"
local support = dofile "spec/support.lua"

local tight = { tol = 1e-16, max_iter = 20000 }
local X = ml.normal(80, 12, 1)
local y = X:col(1) * 3 - X:col(2) * 2 + X:col(3) * 0.5 + ml.normal(80, nil, 2) + 4

describe("AdaptiveLasso", function()
   it("equals the Lasso of columns scaled by the first coefficients", function()
      for _, first in ipairs { "ridge", "lasso" } do
         local model = ml.AdaptiveLasso { alpha = 0.2, gamma = 1.5, first = first, first_alpha = 0.05, tol = 1e-16 }
         model:fit(X, y)
         local scaled = X:copy()
         for i = 1, X.rows do
            for j = 1, X.cols do scaled:set(i, j, X:get(i, j) / model.factor[j]) end
         end
         local plain = ml.Lasso { alpha = 0.2, tol = 1e-16, max_iter = 20000 }:fit(scaled, y)
         for j = 1, X.cols do
            support.near(plain.coef[j] / model.factor[j], model.coef[j], 1e-8, "coef", 1)
         end
         support.near(plain.intercept, model.intercept, 1e-8, "intercept")
      end
   end)

   it("starts from ridge regression", function()
      local first = ml.Ridge { alpha = 0.05 * 80 }:fit(X, y)
      local model = ml.AdaptiveLasso { first_alpha = 0.05, tol = 1e-16 }:fit(X, y)
      for j = 1, X.cols do support.near(1 / math.abs(first.coef[j]), model.factor[j], 1e-6, "factor") end
   end)

   it("selects the relevant columns with little bias", function()
      local model = ml.AdaptiveLasso { alpha = 0.03 }:fit(X, y)
      assert(math.abs(model.coef[1] - 3) < 0.25 and math.abs(model.coef[2] + 2) < 0.25)
      local zeros = 0
      for j = 4, 12 do zeros = zeros + (model.coef[j] == 0 and 1 or 0) end
      assert(zeros >= 7, ("only %d of 9 are 0"):format(zeros))
   end)
end)

describe("ScaledLasso", function()
   it("does not depend on the units of single columns", function()
      local Z = ml.normal(120, 3, 21)
      local answer = Z:col(1) * 2 - Z:col(2) + ml.normal(120, nil, 22) + 3
      local plain = ml.ScaledLasso { tol = 1e-10 }:fit(Z, answer)
      assert.is_true(plain.coef[2] < -0.5)
      for _, unit in ipairs { 1e-12, 1e-7, 1e7 } do
         local W = Z:copy()
         for i = 1, 120 do W:set(i, 1, unit * Z:get(i, 1)) end
         local model = ml.ScaledLasso { tol = 1e-10 }:fit(W, answer)
         assert.is_true(model.converged)
         support.near(plain.coef[1], model.coef[1] * unit, 1e-9, "unit")
         support.near(plain.coef[2], model.coef[2], 1e-9, "unit")
         support.near(plain.sigma, model.sigma, 1e-9, "unit")
      end
   end)

   it("satisfies its optimality conditions", function()
      local model = ml.ScaledLasso { tol = 1e-10 }:fit(X, y)
      local r = y - X * model.coef - model.intercept
      local alpha = math.sqrt(2 * math.log(12) / 80)
      support.near(alpha, model.best_alpha, 1e-14, "alpha")
      support.near(math.sqrt(r:dot(r) / 80), model.sigma, 1e-9, "sigma")
      for j = 1, 12 do
         local x = X:col(j)
         local v = math.sqrt(x:dot(x) / 80 - x:mean() ^ 2)
         local slope, bound = x:dot(r) / 80 / model.sigma, alpha * v
         if model.coef[j] == 0 then
            assert(math.abs(slope) <= bound + 1e-8)
         else
            support.near(model.coef[j] > 0 and bound or -bound, slope, 1e-6, "slope")
         end
      end
   end)

   it("does not depend on the units of X and y", function()
      local model = ml.ScaledLasso { alpha = 0.2, tol = 1e-10 }:fit(X, y)
      local other = ml.ScaledLasso { alpha = 0.2, tol = 1e-10 }:fit(X * 100, y * 1e-3)
      support.near(model.sigma * 1e-3, other.sigma, 1e-9, "sigma")
      support.near_all((model.coef * 1e-5):totable(), other.coef, 1e-7, "coef", 1e-5)
      local lasso = ml.Lasso(tight)
      lasso:set_params { alpha = 0.2 * model.sigma }
      local Z = ml.StandardScaler {}:fit(X):transform(X)
      local same = ml.ScaledLasso { alpha = 0.2, tol = 1e-10 }:fit(Z, y)
      support.near_all(lasso:fit(Z, y).coef, same.coef, 1e-7, "coef", 1)
   end)
end)
