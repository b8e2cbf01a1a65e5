local ml = require "manilius"
local support = dofile "spec/support.lua"

local X, y = support.data("diabetes", "progression")

-- Lengths of the centered columns: the coefficients for columns of length 1 are those for X times this.
local length = {}
for j = 1, 10 do
   local x = X:matrix():col(j)
   length[j] = (x - x:mean()):norm()
end

describe("BayesianLasso", function()
   -- Park & Casella (2008), table 1: posterior medians by 10000 draws with lambda = 0.237
   it("agrees with the published medians for the diabetes data", function()
      local published = { -3.73, -214.55, 522.62, 307.56, -173.16, -1.50, -152.12, 90.43, 523.26, 62.47 }
      local model = ml.BayesianLasso { penalty = 0.237, draws = 10000, max_iter = 10000 }:fit(X, y)
      assert.equal(0.237, model.lambda)
      for j = 1, 10 do
         local sd = (model.coef_upper[j] - model.coef_lower[j]) * length[j] / 3.92
         -- standard error of each median, assuming half as many effective draws as published
         local error = 1.25 * sd * math.sqrt(1 / model.ess[j] + 1 / 5000)
         assert.near(published[j], model.coef_median[j] * length[j], 3 * error)
      end
   end)

   -- Section 3.2: with a Gamma prior of shape 1 and rate 1.78, lambda has median 0.279 and 95% interval 0.139 to 0.486
   it("agrees with the published posterior of lambda", function()
      local model = ml.BayesianLasso { draws = 10000, max_iter = 10000 }:fit(X, y)
      assert.near(0.279, model.lambda, 0.01)
      local lambda = model:samples().lambda
      assert.near(0.139, lambda:quantile(0.025), 0.01)
      assert.near(0.486, lambda:quantile(0.975), 0.02)
   end)

   it("has its mode at the lasso", function()
      -- with many rows s2 is nearly known, and the posterior median is close to the mode
      local A, noise = ml.normal(400, 3, 1), ml.normal(400, nil, 2)
      local b = A * ml.Vector { 3, 0.05, 0 } + noise
      local model = ml.BayesianLasso { penalty = 5 }:fit(A, b)
      local ols = ml.LinearRegression {}:fit(A, b)
      for j = 1, 3 do assert.is_true(math.abs(model.coef_median[j]) < math.abs(ols.coef[j])) end
      -- a large coefficient is shrunk by lambda s / |x|, as in the lasso
      local x = A:col(1)
      local shift = 5 * math.sqrt(model.sigma2) / (x - x:mean()):norm()
      assert.near(shift, ols.coef[1] - model.coef_median[1], 0.25 * shift)
   end)
end)
