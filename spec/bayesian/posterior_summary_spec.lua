--- summary() of Bayesian linear models: the posterior of each coefficient.

local ml = require "manilius"
local support = dofile "spec/support.lua"
local refuses = support.refuses

local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = cars:select { "wt", "qsec" }, cars.mpg
local weights = ml.range(1, 32):mul(0.1)
local Z95 = 1.959963984540054

local function near(wanted, got, tolerance) support.near(wanted, got, tolerance, nil, 1e-3) end

-- The posterior covariance of two coefficients, inv(alpha X'WX + diag(lambda)) for centered columns; the means of the
-- columns; the sum of the sample weights.
local function posterior(a, b, w, alpha, first, second)
   local n = w:sum()
   local ma, mb = w:dot(a) / n, w:dot(b) / n
   local da, db = a - ma, b - mb
   local saa, sab, sbb = w:dot(da:mul(da)), w:dot(da:mul(db)), w:dot(db:mul(db))
   local p, q, r = alpha * saa + first, alpha * sab, alpha * sbb + second
   local det = p * r - q * q
   return { r / det, -q / det, p / det }, ma, mb, n
end

local function check_normal(model, lambda_1, lambda_2)
   local cov, ma, mb, n = posterior(cars.wt, cars.qsec, weights, model.alpha, lambda_1, lambda_2)
   local intercept = 1 / (model.alpha * n) + ma * ma * cov[1] + 2 * ma * mb * cov[2] + mb * mb * cov[3]
   local summary = model:summary()
   local list = summary.coefficients
   assert.same({ "(Intercept)", "wt", "qsec" }, list.term:totable())
   for row, wanted in ipairs { { model.intercept, intercept }, { model.coef[1], cov[1] }, { model.coef[2], cov[3] } } do
      local std = math.sqrt(wanted[2])
      assert.equal(wanted[1], list.estimate[row])
      near(std, list.std[row], 1e-9)
      near(wanted[1] - Z95 * std, list.low[row], 1e-9)
      near(wanted[1] + Z95 * std, list.high[row], 1e-9)
   end
   assert.matches("There are no p-values", tostring(summary), nil, true)
end

describe("the summary of Bayesian linear models", function()
   it("shows the normal posterior of BayesianRidge and ARDRegression", function()
      local ridge = ml.BayesianRidge {}:fit(X, y, { weights = weights })
      check_normal(ridge, ridge.lambda, ridge.lambda)
      local ard = ml.ARDRegression {}:fit(X, y, { weights = weights })
      check_normal(ard, ard.lambda[1], ard.lambda[2])
   end)

   it("keeps the prior variance in directions without data", function()
      local wide = ml.normal(4, 9, 1)
      local model = ml.BayesianRidge {}:fit(wide, { 1, 5, 2, 8 })
      local std = model:summary().coefficients.std
      local inside = 0
      for j = 1, 9 do
         assert.is_true(std[j + 1] <= 1 / math.sqrt(model.lambda) * (1 + 1e-12))
         inside = inside + 1 - std[j + 1] ^ 2 * model.lambda
      end
      -- gamma is the total reduction of the prior variance, relative to it
      near(model.gamma, inside, 1e-9)
   end)

   it("shows 0 for coefficients that ARDRegression has removed", function()
      local noise = ml.normal(32, 1, 3)
      local model = ml.ARDRegression {}:fit(ml.hcat(cars.wt, noise * 1e3), y)
      assert.equal(1, #model.relevant)
      local list = model:summary().coefficients
      assert.same({ 0, 0, 0, 0 }, { list.estimate[3], list.std[3], list.low[3], list.high[3] })
   end)

   for _, name in ipairs { "BayesianLasso", "HorseshoeRegression" } do
      it("summarizes the draws: " .. name, function()
         local model = ml[name] { level = 0.8, seed = 2 }:fit(X, y)
         local drawn, list = model:samples(), model:summary { level = 0.8 }.coefficients
         assert.equal(model.intercept, list.estimate[1])
         for j = 1, 2 do
            local draws = drawn.coef:col(j)
            assert.equal(model.coef[j], list.estimate[j + 1])
            near(math.sqrt((draws - draws:mean()):pow(2):mean()), list.std[j + 1], 1e-9)
            assert.equal(model.coef_lower[j], list.low[j + 1])
            assert.equal(model.coef_upper[j], list.high[j + 1])
            assert.equal(model.ess[j], list.ess[j + 1])
            assert.equal(model.r_hat[j], list.r_hat[j + 1])
         end
         local intercepts = drawn.intercept
         near(math.sqrt((intercepts - intercepts:mean()):pow(2):mean()), list.std[1], 1e-9)
         assert.is_true(list.low[1] < model.intercept and model.intercept < list.high[1])
         assert.is_true(list.ess[1] > 400 and list.r_hat[1] < 1.01)
         assert.matches("minimum ESS", tostring(model:summary()), nil, true)
      end)
   end

   it("has no intercept row without an intercept, and accepts a level", function()
      local model = ml.BayesianRidge { fit_intercept = false }:fit(X, y)
      local wide, slim = model:summary { level = 0.99 }.coefficients, model:summary { level = 0.5 }.coefficients
      assert.same({ "wt", "qsec" }, wide.term:totable())
      near(2.5758293035489 / 0.67448975019608, (wide.high[1] - wide.low[1]) / (slim.high[1] - slim.low[1]), 1e-9)
      refuses("level must be", function() model:summary { level = 1 } end)
   end)
end)
