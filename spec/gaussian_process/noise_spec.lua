--- GaussianProcessRegressor with noise that depends on X: the equations of the variational bound, and what it is for.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses

-- A sine with noise whose standard deviation grows from 0.14 to 1.6.
local function noisy_sine(n, seed)
   local X = ml.linspace(0, 10, n):as_column()
   local z, y = ml.normal(n, 1, seed):col(1), X:col(1):sin() * 2
   for i = 1, n do y[i] = y[i] + z[i] * math.exp(-2 + 0.25 * X:get(i, 1)) end
   return X, y
end

local X, y = noisy_sine(60, 3)

-- The bound of the paper (equation 8) from the fitted model, by dense formulas; and what must be 0 at its maximum.
local function bound_of(model, kernel, noise_kernel)
   local n, K, G = X.rows, kernel:matrix(X), noise_kernel:matrix(X)
   local coef, r = model.noise_coef, model.row_noise
   local L = ml.zeros(n, n)
   for i = 1, n do L:set(i, i, coef[i] + 0.5) end
   local S = (ml.eye(n) + G * L):inverse() * G
   local mu = G * coef
   local A, rest, worst = K:copy(), 0, 0
   for i = 1, n do
      assert.near(math.exp(model.noise_offset + mu[i] - S:get(i, i) / 2), r[i], 1e-8 * r[i])
      A:set(i, i, A:get(i, i) + r[i] + 1e-10)
      rest = rest + S:get(i, i) / 4 - S:get(i, i) * (coef[i] + 0.5) / 2
   end
   local inverse = A:inverse()
   local c = inverse * y
   for i = 1, n do worst = math.max(worst, math.abs(coef[i] - r[i] * (c[i] ^ 2 - inverse:get(i, i)) / 2)) end
   local root = ml.zeros(n, n)
   for i = 1, n do root:set(i, i, math.sqrt(coef[i] + 0.5)) end
   local B = ml.eye(n) + root * G * root
   local zero = ml.Vector(n)
   local log_b = -2 * (ml.dist.multivariate_normal { mean = zero, covariance = B }:log_density(zero)
      + n / 2 * math.log(2 * math.pi))
   local log_p = ml.dist.multivariate_normal { mean = zero, covariance = A }:log_density(y)
   return log_p - rest - coef:dot(mu) / 2 - log_b / 2, worst, coef:sum()
end

describe("GaussianProcessRegressor with a noise kernel", function()
   it("is at a stationary point of the variational bound", function()
      local kernel, noise_kernel = 4 * k.RBF { length = 1.5 }, 2 * k.RBF { length = 6 }
      local model = ml.GaussianProcessRegressor { kernel = kernel, noise_kernel = noise_kernel, optimizer = "none",
         tol = 1e-9 }:fit(X, y)
      local _, worst, by_offset = bound_of(model, kernel, noise_kernel)
      assert(worst < 1e-4, worst)
      assert.near(0, by_offset, 1e-4)
   end)

   it("has hyperparameters that maximize the bound", function()
      local model = ml.GaussianProcessRegressor { kernel = 1 * k.RBF {}, noise_kernel = 1 * k.RBF { length = 3 } }
      model:fit(X, y)
      assert(model.converged)
      local kernel, noise_kernel = model.fitted_kernel, model.fitted_noise_kernel
      local best = bound_of(model, kernel, noise_kernel)
      for j = 1, 2 do
         for _, change in ipairs { -0.05, 0.05 } do
            local theta, other = kernel.theta:copy(), noise_kernel.theta:copy()
            theta[j], other[j] = theta[j] + change, other[j] + change
            local a, b = kernel:with_theta(theta), noise_kernel:with_theta(other)
            local first = ml.GaussianProcessRegressor { kernel = a, noise_kernel = noise_kernel, optimizer = "none" }
            assert(bound_of(first:fit(X, y), a, noise_kernel) < best + 1e-6)
            local second = ml.GaussianProcessRegressor { kernel = kernel, noise_kernel = b, optimizer = "none" }
            assert(bound_of(second:fit(X, y), kernel, b) < best + 1e-6)
         end
      end
   end)

   it("finds noise that grows, and gives intervals of the right width", function()
      local inside, total, model = 0, 0, nil
      for seed = 1, 2 do
         local A, b = noisy_sine(100, seed)
         model = ml.GaussianProcessRegressor { noise_kernel = "rbf" }:fit(A, b)
         local fresh, t = noisy_sine(100, 50 + seed)
         local found = model:predict_interval(fresh)
         for i = 1, 100 do
            total = total + 1
            if found.low[i] <= t[i] and t[i] <= found.high[i] then inside = inside + 1 end
         end
      end
      assert(inside / total > 0.91 and inside / total < 0.99, inside / total)
      local noise = model:predict_noise { { 0 }, { 5 }, { 10 } }
      for i, x in ipairs { 0, 5, 10 } do
         local ratio = noise[i] / math.exp(-2 + 0.25 * x)
         assert(ratio > 0.4 and ratio < 2.2, ratio)
      end
      assert.matches("learned by a second process", tostring(model:summary()))
   end)

   it("is saved with its noise, and keeps it as rows come and go", function()
      local settings = { kernel = 4 * k.RBF { length = 1.5 }, noise_kernel = 2 * k.RBF { length = 6 },
         optimizer = "none", normalize_y = true }
      local model = ml.GaussianProcessRegressor(settings):fit(X, y)
      local at = { { 1.3 }, { 4.4 } }
      local before = model:predict_interval(at)
      support.near_all(before.std, ml.load(model:dump()):predict_interval(at).std, 0)
      model:partial_fit({ { 4.4 } }, { -2 })
      assert(math.abs(model:predict(at)[2] - before.mean[2]) > 1e-3)
      model:forget(61)
      support.near_all(before.mean, model:predict(at), 1e-9, nil, 1)
      support.near_all(before.std, model:predict_interval(at).std, 1e-9, nil, 1)
   end)

   it("refuses known noise beside learned noise", function()
      refuses("give noise_variance or noise_kernel, not both", function()
         ml.GaussianProcessRegressor { noise_variance = 1, noise_kernel = "rbf" }:fit(X, y)
      end)
   end)
end)
