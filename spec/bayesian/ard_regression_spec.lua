local ml = require "manilius"
local oracle = dofile "spec/fixtures/bayesian/ard_regression.lua"
local support = dofile "spec/support.lua"

local raw, y = support.data("diabetes", "progression")
local X = ml.StandardScaler {}:fit(raw):transform(raw)

local function tight(values)
   local params = { tol = 1e-13, max_iter = 100000 }
   for name, value in pairs(values) do params[name] = value end
   return ml.ARDRegression(params)
end

describe("ARDRegression", function()
   for name, params in pairs { plain = {}, raw = {}, no_intercept = { fit_intercept = false },
      priors = { alpha_1 = 2, alpha_2 = 3, lambda_1 = 1, lambda_2 = 0.5 }, threshold = { threshold_lambda = 0.05 },
      wide = { alpha_1 = 1, alpha_2 = 1, lambda_1 = 1, lambda_2 = 1 } } do
      it("agrees with scikit-learn: " .. name, function()
         local rows, from = ml.range(1, name == "wide" and 7 or #y), name == "raw" and raw or X
         local model, wanted = tight(params):fit(from:take(rows), y:take(rows)), oracle[name]
         assert.is_true(model.converged)
         assert.same(wanted.relevant, model.relevant:totable())
         support.near_all(wanted.coef, model.coef, 1e-6, "coef", 1e-3)
         support.near(wanted.intercept, model.intercept, 1e-7, "intercept", 1)
         support.near(wanted.alpha, model.alpha, 1e-7, "alpha")
         support.near_all(wanted.lambda, model.lambda:take(model.relevant), 1e-5, "lambda")
         for k, variance in ipairs(wanted.variance) do
            support.near(variance, model.sigma[k][k], 1e-5, "sigma")
         end
         support.near(-wanted.evidence, model.objective, 1e-9, "evidence")
         local std = model:predict_interval(from:slice(1, 3)).std
         for i, expected in ipairs(wanted.std) do
            local intercept_variance = params.fit_intercept == false and 0 or 1 / (model.alpha * model.n)
            support.near(math.sqrt(expected ^ 2 + intercept_variance), std[i], 1e-7, "std")
         end
      end)
   end

   it("finds the relevant columns, also with fewer rows than columns", function()
      for _, shape in ipairs { { 120, 30 }, { 60, 100 } } do
         local A, noise = ml.normal(shape[1], shape[2], 3), ml.normal(shape[1], nil, 4)
         local b = A:col(5) * 3 - A:col(17) * 2 + A:col(29) + noise * 0.1
         local model = ml.ARDRegression { max_iter = 1000 }:fit(A, b)
         support.near(3, model.coef[5], 0.03)
         support.near(-2, model.coef[17], 0.03)
         support.near(1, model.coef[29], 0.05)
         local small = 0
         for j = 1, shape[2] do small = small + (math.abs(model.coef[j]) < 0.1 and 1 or 0) end
         assert.equal(shape[2] - 3, small)
      end
   end)

   it("gives the same result with the wide and the tall algorithm", function()
      -- each row twice with weight 1/2: the same data, but more rows than columns
      local A, b = ml.normal(12, 15, 7), ml.normal(12, nil, 8)
      local list, targets, half = {}, {}, {}
      for i = 1, 24 do
         list[i], targets[i], half[i] = A[(i - 1) % 12 + 1]:totable(), b[(i - 1) % 12 + 1], 0.5
      end
      local settings = { lambda_1 = 1, lambda_2 = 1, alpha_1 = 1, alpha_2 = 1, max_iter = 40, tol = 0 }
      warn "@off"
      local wide = ml.ARDRegression(settings):fit(A, b)
      local tall = ml.ARDRegression(settings):fit(list, targets, { weights = half })
      warn "@on"
      support.near_all(wide.coef, tall.coef, 1e-9, "coef", 1e-3)
      support.near_all(wide.lambda, tall.lambda, 1e-9, "lambda")
      support.near_all(wide.sigma:totable()[1], tall.sigma:totable()[1], 1e-8, "sigma", 1e-3)
   end)

   it("accepts constant and duplicate columns, and a y that is constant or exactly linear", function()
      local A = ml.normal(40, 3, 5)
      local rows = {}
      for i = 1, 40 do rows[i] = { A[i][1], A[i][1], 7, A[i][2] } end
      local model = ml.ARDRegression {}:fit(rows, A:col(1) * 2)
      support.near(2, model.coef[1] + model.coef[2], 1e-3)
      assert.equal(0, model.coef[3])
      local constant = ml.ARDRegression {}:fit(A, ml.full(40, 1, 5):col(1))
      support.near(5, constant:predict(A)[1], 1e-6)
   end)

   it("can remove all columns", function()
      local A = ml.normal(30, 3, 5)
      local model = ml.ARDRegression { threshold_lambda = 0 }:fit(A, A:col(1) + 4)
      assert.is_true(model.converged)
      assert.equal(0, #model.relevant)
      assert.same({ 0, 0, 0 }, model.coef:totable())
      support.near(A:col(1):mean() + 4, model:predict(A)[1], 1e-12)
   end)

   it("has prediction intervals with the nominal coverage", function()
      local coef, inside, count = ml.Vector { 2, -1, 0, 0, 1, 0, 0, 0 }, 0, 0
      for seed = 1, 40 do
         local A, noise = ml.normal(90, 8, 100 + seed), ml.normal(90, nil, 200 + seed)
         local b = A * coef + noise * 2
         local interval = ml.ARDRegression {}:fit(A:slice(1, 50), b:slice(1, 50)):predict_interval(A:slice(51, 90))
         for i = 1, 40 do
            count = count + 1
            if interval.low[i] <= b[50 + i] and b[50 + i] <= interval.high[i] then inside = inside + 1 end
         end
      end
      assert.near(0.95, inside / count, 0.03)
   end)
end)
