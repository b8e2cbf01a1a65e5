--- VecchiaGaussianProcessRegressor against the dense model, sums of conditional densities and finite differences.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg
local new = { { 2.5, 1.0 }, { 3.2, 1.5 }, { 5.5, 3.5 }, { X:get(3, 1), X:get(3, 2) } }
local KERNEL = 30 * k.RBF { length = { 1.5, 0.8 } } + 5 * k.Matern { length = 2, nu = 1.5 } + k.White { noise = 4 }
local ORDERS <const> = { "maxmin", "random", "coordinate" }

local function near_all(wanted, got, tolerance, what) support.near_all(wanted, got, tolerance, what, 1) end

local function vecchia(settings)
   settings.optimizer = settings.optimizer or "none"
   return ml.VecchiaGaussianProcessRegressor(settings)
end

describe("VecchiaGaussianProcessRegressor", function()
   it("equals the dense model if each row is conditioned on all before it", function()
      for _, order in ipairs(ORDERS) do
         for _, mean in ipairs { "zero", "constant", "linear" } do
            local settings = { kernel = KERNEL, optimizer = "none", mean = mean, alpha = 0.5, normalize_y = true }
            local dense = ml.GaussianProcessRegressor(settings):fit(X, y)
            settings.n_neighbors, settings.order = 31, order
            local model = vecchia(settings):fit(X, y)
            assert.near(dense.log_likelihood, model.log_likelihood, 1e-8)
            near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-8, order)
            near_all(dense:predict(new), model:predict(new), 1e-8, order)
            for _, kind in ipairs { "confidence", "prediction" } do
               near_all(dense:intervals(new, { kind = kind }).std_error,
                  model:intervals(new, { kind = kind }).std_error, 1e-8, kind)
            end
            assert.equal(0, model.jitter)
         end
      end
   end)

   it("equals the dense model with several targets", function()
      local Y = ml.hcat(cars.mpg, cars.qsec)
      local settings = { kernel = KERNEL, optimizer = "none", mean = "linear" }
      local dense = ml.GaussianProcessRegressor(settings):fit(X, Y)
      local model = vecchia { kernel = KERNEL, mean = "linear", n_neighbors = 31 }:fit(X, Y)
      assert.near(dense.log_likelihood, model.log_likelihood, 1e-8)
      near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-8)
      support.near_rows(dense:predict(new), model:predict(new), 1e-8, "predict", 1)
   end)

   it("is exact for a Markov process in its order, given one neighbor", function()
      local t = ml.random(50, 1, 3):mul(20)
      local z = t:col(1):sin()
      local kernel = 2 * k.OrnsteinUhlenbeck { length = 1.7 }
      local dense = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none" }:fit(t, z)
      local model = vecchia { kernel = kernel, n_neighbors = 1, order = "coordinate" }:fit(t, z)
      -- without noise, rounded distances of near rows limit the agreement
      assert.near(dense.log_likelihood, model.log_likelihood, 1e-6)
      near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-6)
   end)

   it("sums the densities of rows given their nearest predecessor", function()
      local t, z = { 0, 1, 3, 3.5, 7 }, { 0.3, -0.2, 0.9, 1.1, -0.5 }
      local noise, sum = 0.1, 0
      for i = 1, 5 do
         local rho = i > 1 and math.exp(-(t[i] - t[i - 1]) ^ 2 / 2) / (1 + noise) or 0
         local variance = (1 + noise) * (1 - rho ^ 2)
         sum = sum - 0.5 * (math.log(2 * math.pi * variance) + (z[i] - rho * (z[i - 1] or 0)) ^ 2 / variance)
      end
      local model = vecchia { kernel = k.RBF { length = 1 }, alpha = noise, n_neighbors = 1, order = "coordinate",
         n_predict_neighbors = 1 }:fit(ml.Vector(t):as_column(), z)
      assert.near(sum, model.log_likelihood, 1e-12)
      local rho = math.exp(-0.5 * 0.7 ^ 2) / (1 + noise)
      assert.near(rho * z[5], model:predict({ { 7.7 } })[1], 1e-12)
   end)

   it("has the gradient of its likelihood", function()
      for _, mean in ipairs { "zero", "linear" } do
         local model = vecchia { kernel = KERNEL, mean = mean, n_neighbors = 4 }:fit(X, ml.hcat(cars.mpg, cars.qsec))
         local theta, step = KERNEL.theta, 1e-5
         local gradient = model:log_marginal_likelihood().gradient
         for j = 1, #theta do
            local up, down = theta:copy(), theta:copy()
            up[j], down[j] = up[j] + step, down[j] - step
            local difference = model:log_marginal_likelihood({ theta = up }).value
               - model:log_marginal_likelihood({ theta = down }).value
            assert.near(difference / (2 * step), gradient[j], 1e-6)
         end
      end
   end)

   it("finds the noise and the predictions of the dense model with few neighbors", function()
      local rows = ml.random(120, 2, 1)
      local z = (rows:col(1) * 9):sin() + rows:col(2) + ml.normal(120, 1, 2):col(1) * 0.1
      local dense = ml.GaussianProcessRegressor { kernel = "rbf" }:fit(rows, z)
      local model = ml.VecchiaGaussianProcessRegressor { n_neighbors = 20 }:fit(rows, z)
      assert.near(dense:summary().noise_variance, model:summary().noise_variance, 0.003) -- of 0.01
      local test = ml.random(50, 2, 7)
      assert((dense:predict(test) - model:predict(test)):abs():max() < 0.1) -- the standard deviation of the noise
      assert.matches("approximate log marginal likelihood", tostring(model:summary()))
   end)

   it("makes repeated rows without noise regular", function()
      local twice = ml.vcat(y:as_column(), y:as_column()):col(1)
      local model = vecchia { kernel = k.RBF { length = 1 }, n_neighbors = 5 }:fit(ml.vcat(X, X), twice)
      assert(model.jitter > 0)
      assert.matches("jitter of", model:summary().warnings)
   end)

   it("fits one row and constant columns", function()
      local one = vecchia { kernel = KERNEL }:fit({ { 1, 2 } }, { 3 })
      local dense = ml.GaussianProcessRegressor { kernel = KERNEL, optimizer = "none" }:fit({ { 1, 2 } }, { 3 })
      assert.near(dense.log_likelihood, one.log_likelihood, 1e-12)
      near_all(dense:predict(new), one:predict(new), 1e-9)
      local flat = ml.hcat(cars.wt, ml.full(32, 1, 2):col(1))
      assert.matches("column 2 of X is constant", vecchia { kernel = KERNEL }:fit(flat, y):summary().warnings)
   end)

   it("refuses what it cannot use", function()
      refuses("kernel must not be precomputed", function() vecchia { kernel = "precomputed" }:fit({ { 1 } }, { 1 }) end)
      refuses("theta must have", function()
         vecchia { kernel = KERNEL }:fit(X, y):log_marginal_likelihood { theta = { 1 } }
      end)
   end)
end)
