local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/robust.lua"
local penalised = dofile "spec/fixtures/quantile.lua"

local function coefficients(model)
   local list = { model.intercept }
   for j = 1, #model.coef do list[j + 1] = model.coef[j] end
   return list
end

describe("RobustRegression", function()
   for _, loss in ipairs { "huber", "bisquare" } do
      it("agrees with rlm of R's MASS on the stack loss data: " .. loss, function()
         local wanted, plain = oracle[loss], oracle[loss .. "_plain"]
         local model = ml.RobustRegression { loss = loss, tol = 1e-12, max_iter = 2000 }:fit(oracle.x, oracle.y)
         assert.is_true(model.converged)
         support.near_all(wanted.coef, coefficients(model), 1e-6, "coef", 1)
         support.near(wanted.scale[1], model.scale, 1e-6, "scale")
         support.near_all(wanted.weight, model:diagnostics(oracle.x, oracle.y):col "weight", 1e-6, "weight", 1)
         model = ml.RobustRegression { loss = loss, fit_intercept = false, tol = 1e-12, max_iter = 2000 }
            :fit(oracle.x, oracle.y)
         support.near_all(plain.coef, model.coef, 1e-6, "coef", 1)
         support.near(plain.scale[1], model.scale, 1e-6, "scale")
      end)
   end

   it("solves the estimating equation of Andrews' sine", function()
      local model = ml.RobustRegression { loss = "andrews", tol = 1e-13, max_iter = 2000 }:fit(oracle.x, oracle.y)
      local rows = model:diagnostics(oracle.x, oracle.y)
      local sums = { 0, 0, 0, 0 }
      for i, x in ipairs(oracle.x) do
         local u = rows:col "residual"[i] / model.scale
         local psi = math.abs(u) < 1.339 * math.pi and math.sin(u / 1.339) or 0
         for j = 1, 4 do sums[j] = sums[j] + psi * (j == 1 and 1 or x[j - 1]) end
      end
      for j = 1, 4 do assert.near(0, sums[j], 1e-6) end
      assert.near(0, rows:col "weight"[21], 1e-12) -- the outlier of the literature
   end)

   it("is least absolute deviations for loss absolute", function()
      local model = ml.RobustRegression { loss = "absolute" }:fit(oracle.x, oracle.y)
      support.near_all(oracle.absolute.coef, coefficients(model), 1e-9, "coef", 1)
   end)

   it("lies on the plane of most rows where that is exact", function()
      local X, y = {}, {}
      for i = 1, 20 do
         X[i] = { i }
         y[i] = i <= 16 and 2 * i + 1 or 500 + i * i
      end
      local model = ml.RobustRegression { loss = "absolute" }:fit(X, y)
      assert.near(2, model.coef[1], 1e-10)
      assert.near(0, model.scale, 1e-10)
   end)
end)

describe("QuantileRegressor", function()
   for _, name in ipairs { "q10", "q25", "q60", "q75", "q90" } do
      it("reaches the optimum of R's quantreg: " .. name, function()
         local wanted = oracle[name]
         local tau = wanted.tau[1]
         local model = ml.QuantileRegressor { quantile = tau }:fit(oracle.x, oracle.y)
         local sum = 0
         for i, r in ipairs((ml.Vector(oracle.y) - model:predict(oracle.x)):totable()) do
            assert(i)
            sum = sum + r * (tau - (r < 0 and 1 or 0))
         end
         support.near(wanted.objective[1], sum, 1e-10, "objective")
      end)
   end

   for _, case in ipairs(penalised) do
      local what = ("quantile %g, alpha %g"):format(case.quantile, case.alpha)
      it("agrees with scikit-learn's linear programme: " .. what, function()
         local frame = ml.read_csv "examples/data/diabetes.csv"
         local X, y = support.data("diabetes", frame.names[#frame.names])
         local w = {}
         for i = 1, #y do w[i] = 1 + (i - 1) % 3 end
         local model = ml.QuantileRegressor { quantile = case.quantile, alpha = case.alpha }:fit(X, y, { weights = w })
         assert.is_true(model.converged)
         support.near(case.objective, model.objective, 1e-8, "objective")
         support.near_all(case.coef, model.coef, 1e-6, "coef", 1)
         support.near(case.intercept, model.intercept, 1e-6, "intercept", 1)
      end)
   end

   it("does not depend on the number of threads, and leaves a share of the rows below", function()
      local X = ml.normal(5000, 3, 1)
      local y = X * ml.Vector { 1, 2, 3 } + ml.normal(5000, nil, 2)
      local model = ml.QuantileRegressor { quantile = 0.3 }:fit(X, y)
      local below = (y - model:predict(X)):lt(0):sum() / 5000
      assert(math.abs(below - 0.3) <= 4 / 5000, below)
      support.same_for_any_threads(function() return ml.QuantileRegressor { quantile = 0.3 }:fit(X, y) end)
   end)
end)
