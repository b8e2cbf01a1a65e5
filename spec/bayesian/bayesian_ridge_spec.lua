local ml = require "manilius"
local oracle = dofile "spec/fixtures/bayesian/bayesian_ridge.lua"
local support = dofile "spec/support.lua"

local X, y = support.data("diabetes", "progression")

local function near(wanted, got, tolerance, what) support.near(wanted, got, tolerance, what, 1e-3) end

local function tight(values)
   local params = { tol = 1e-13, max_iter = 100000 }
   for name, value in pairs(values) do params[name] = value end
   return ml.BayesianRidge(params)
end

describe("BayesianRidge", function()
   -- scikit-learn stops at an absolute change of the coefficients, so its last digits are not final
   for name, params in pairs { plain = {}, no_intercept = { fit_intercept = false },
      priors = { alpha_1 = 2, alpha_2 = 3, lambda_1 = 1, lambda_2 = 0.5 }, wide = { alpha_1 = 1, alpha_2 = 1 } } do
      it("agrees with scikit-learn: " .. name, function()
         local rows = name == "wide" and ml.range(1, 7) or ml.range(1, #y)
         local model = tight(params):fit(X:take(rows), y:take(rows))
         local wanted = oracle[name]
         for j = 1, X.cols do near(wanted.coef[j], model.coef[j], 1e-9, "coef") end
         near(wanted.intercept, model.intercept, 1e-9, "intercept")
         near(wanted.alpha, model.alpha, 1e-9, "alpha")
         near(wanted.lambda, model.lambda, 1e-9, "lambda")
         near(-wanted.score, model.objective, 1e-9, "evidence")
         assert.is_true(model.converged)
      end)
   end

   it("is Ridge with the penalty lambda / alpha", function()
      local model = ml.BayesianRidge {}:fit(X, y)
      local ridge = ml.Ridge { alpha = model.lambda / model.alpha }:fit(X, y)
      for j = 1, X.cols do near(ridge.coef[j], model.coef[j], 1e-9, "coef") end
   end)

   it("maximizes the evidence", function()
      local model = tight {}:fit(X, y)
      local at = { alpha = model.alpha, lambda = model.lambda }
      local function evidence(alpha, lambda)
         local probe = ml.BayesianRidge { alpha_init = alpha, lambda_init = lambda, max_iter = 1, tol = 1e9 }
         return probe:fit(X, y).trace[1]
      end
      -- one step from nearby precisions does not reach a lower objective
      for _, factor in ipairs { 0.5, 0.9, 1.1, 2 } do
         assert.is_true(evidence(at.alpha * factor, at.lambda) >= model.objective - 1e-9)
         assert.is_true(evidence(at.alpha, at.lambda * factor) >= model.objective - 1e-9)
      end
   end)

   it("computes the posterior variance of a prediction", function()
      local model = tight {}:fit({ { 0 }, { 1 }, { 2 }, { 4 } }, { 0.1, 0.9, 2.2, 3.9 })
      local sum = (1.75 ^ 2 + 0.75 ^ 2 + 0.25 ^ 2 + 2.25 ^ 2)
      local variance = (1 + 1 / 4) / model.alpha + (3 - 1.75) ^ 2 / (model.lambda + model.alpha * sum)
      local interval = model:predict_interval({ { 3 } }, { level = 0.9 })
      near(math.sqrt(variance), interval.std[1], 1e-12, "std")
      near(interval.mean[1] + 1.6448536269514722 * interval.std[1], interval.high[1], 1e-12, "high")
      near(model:predict { { 3 } }[1], interval.mean[1], 1e-15, "mean")
   end)

   it("has prediction intervals with the nominal coverage", function()
      local coef, inside, count = ml.normal(8, nil, 1), 0, 0
      for seed = 1, 40 do
         local A, noise = ml.normal(70, 8, 100 + seed), ml.normal(70, nil, 200 + seed)
         local b = A * coef + noise * 2
         local interval = ml.BayesianRidge {}:fit(A:slice(1, 30), b:slice(1, 30)):predict_interval(A:slice(31, 70))
         for i = 1, 40 do
            count = count + 1
            if interval.low[i] <= b[30 + i] and b[30 + i] <= interval.high[i] then inside = inside + 1 end
         end
      end
      -- 1600 rows: three standard errors are 0.016; slightly low because the precisions are treated as known
      assert.near(0.95, inside / count, 0.03)
   end)

   it("accepts a y that is constant or exactly linear", function()
      local constant = ml.BayesianRidge {}:fit({ { 1 }, { 2 }, { 3 } }, { 5, 5, 5 })
      assert.near(5, constant:predict { { 7 } }[1], 1e-6)
      local exact = ml.BayesianRidge {}:fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 3, 5, 7, 9 })
      assert.near(21, exact:predict { { 10 } }[1], 1e-3)
   end)
end)
