local ml = require "manilius"
local support = dofile "spec/support.lua"

describe("HorseshoeRegression", function()
   -- with more columns than rows y can be fitted exactly unless the prior is sparse
   for _, shape in ipairs { { 100, 40, 1 }, { 50, 90, 0.01 } } do
      local n, p, tau_scale = table.unpack(shape)
      it(("finds the nonzero coefficients: %d rows, %d columns"):format(n, p), function()
         local A, noise = ml.normal(n, p, 3), ml.normal(n, nil, 4)
         local b = A:col(5) * 3 - A:col(17) * 2 + A:col(29) * 4 + noise * 0.5 + 1
         local model = ml.HorseshoeRegression { min_ess = 200, tau_scale = tau_scale }:fit(A, b)
         assert.is_true(model.converged)
         for j, wanted in pairs { [5] = 3, [17] = -2, [29] = 4 } do
            support.near(wanted, model.coef[j], 0.1)
            assert.is_true(model.coef_lower[j] * model.coef_upper[j] > 0)
         end
         local largest, zero = 0, 0
         for j = 1, p do
            if j ~= 5 and j ~= 17 and j ~= 29 then
               largest = math.max(largest, math.abs(model.coef[j]))
               if model.coef_lower[j] <= 0 and 0 <= model.coef_upper[j] then zero = zero + 1 end
            end
         end
         assert.is_true(largest < 0.25)
         assert.is_true(zero >= p - 5)
         assert.near(0.5, math.sqrt(model.sigma2), 0.15)
      end)
   end

   it("hardly shrinks large coefficients, unlike the Bayesian lasso", function()
      local A, noise = ml.normal(60, 20, 5), ml.normal(60, nil, 6)
      local b = A:col(1) * 10 + noise
      local horseshoe, lasso = ml.HorseshoeRegression {}:fit(A, b), ml.BayesianLasso {}:fit(A, b)
      local function rest(model) return (model.coef:slice(2, 20) ^ 2):sum() end
      assert.is_true(rest(horseshoe) < 0.5 * rest(lasso))
      assert.near(10, horseshoe.coef[1], 0.4)
   end)
end)
