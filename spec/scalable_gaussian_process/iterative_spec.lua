--- IterativeGaussianProcessRegressor against the dense model and finite differences.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg
local new = { { 2.5, 1.0 }, { 3.2, 1.5 }, { 5.5, 3.5 }, { X:get(3, 1), X:get(3, 2) } }
local KERNEL = 30 * k.RBF { length = { 1.5, 0.8 } } + 5 * k.Matern { length = 2, nu = 1.5 } + k.White { noise = 4 }

local function near_all(wanted, got, tolerance, what) support.near_all(wanted, got, tolerance, what, 1) end

local function iterative(settings)
   settings.optimizer = settings.optimizer or "none"
   return ml.IterativeGaussianProcessRegressor(settings)
end

-- 200 rows whose kernel matrix 20 columns do not explain.
local rows = ml.normal(200, 3, 1)
local z = rows:col(1):sin() + rows:col(2):mul(rows:col(3)) * 0.3 + ml.normal(200, nil, 2) * 0.2
local SMOOTH = 1.2 * k.RBF { length = { 1.5, 1.4, 1.3 } } + k.White { noise = 0.05 }

describe("IterativeGaussianProcessRegressor", function()
   it("equals the dense model if the preconditioner has all columns", function()
      for _, mean in ipairs { "zero", "constant", "linear" } do
         local settings = { kernel = KERNEL, optimizer = "none", mean = mean, alpha = 0.5, normalize_y = true }
         local dense = ml.GaussianProcessRegressor(settings):fit(X, y)
         local model = iterative(settings):fit(X, y)
         assert.near(dense.log_likelihood, model.log_likelihood, 1e-8)
         near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-8, mean)
         near_all(dense:predict(new), model:predict(new), 1e-8, mean)
         for _, kind in ipairs { "confidence", "prediction" } do
            near_all(dense:intervals(new, { kind = kind }).std_error,
               model:intervals(new, { kind = kind }).std_error, 1e-8, kind)
         end
         support.near_rows(dense:posterior(new).covariance, model:posterior(new).covariance, 1e-8, "covariance", 1)
         assert.equal(0, model.jitter)
      end
   end)

   it("equals the dense model with several targets", function()
      local Y = ml.hcat(cars.mpg, cars.qsec)
      local settings = { kernel = KERNEL, optimizer = "none", mean = "linear" }
      local dense, model = ml.GaussianProcessRegressor(settings):fit(X, Y), iterative(settings):fit(X, Y)
      assert.near(dense.log_likelihood, model.log_likelihood, 1e-8)
      near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-8)
      support.near_rows(dense:predict(new), model:predict(new), 1e-8, "predict", 1)
   end)

   it("predicts as the dense model with any preconditioner", function()
      local dense = ml.GaussianProcessRegressor { kernel = SMOOTH, optimizer = "none", mean = "linear" }:fit(rows, z)
      local test = ml.normal(20, 3, 3)
      for _, rank in ipairs { 0, 20, 100 } do
         local model = iterative { kernel = SMOOTH, mean = "linear", preconditioner_rank = rank, solver_tol = 1e-9 }
         model:fit(rows, z)
         assert(model.residual <= 1e-9)
         support.near_rows(dense.dual_coef, model.dual_coef, 1e-6, "dual_coef", 1)
         near_all(dense:predict(test), model:predict(test), 1e-7, "predict")
         near_all(dense:intervals(test).std_error, model:intervals(test).std_error, 1e-7, "std_error")
      end
   end)

   it("estimates the likelihood and its gradient without bias", function()
      local dense = ml.GaussianProcessRegressor { kernel = SMOOTH, optimizer = "none" }:fit(rows, z)
      local wanted, value, seeds = dense:log_marginal_likelihood(), 0, 40
      local gradient = ml.Vector(5)
      for seed = 1, seeds do
         local model = iterative { kernel = SMOOTH, preconditioner_rank = 20, n_probes = 5, seed = seed }:fit(rows, z)
         local got = model:log_marginal_likelihood()
         value, gradient = value + got.value / seeds, gradient + got.gradient / seeds
      end
      -- one estimate has a standard deviation of about 2 in the value and up to 2 in the gradient
      assert.near(wanted.value, value, 1)
      for j = 1, 5 do assert.near(wanted.gradient[j], gradient[j], 1) end
   end)

   it("has the gradient of its likelihood, up to the part that is estimated", function()
      local model = iterative { kernel = SMOOTH, preconditioner_rank = 150, solver_tol = 1e-10 }:fit(rows, z)
      local theta, step = SMOOTH.theta, 1e-4
      local gradient = model:log_marginal_likelihood().gradient
      for j = 1, #theta do
         local up, down = theta:copy(), theta:copy()
         up[j], down[j] = up[j] + step, down[j] - step
         local difference = model:log_marginal_likelihood({ theta = up }).value
            - model:log_marginal_likelihood({ theta = down }).value
         assert.near(difference / (2 * step), gradient[j], 0.05)
      end
   end)

   it("finds the hyperparameters of the dense model", function()
      local kernel = k.Constant { value = 1 } * k.RBF { length = 1 } + k.White { noise = 0.1 }
      local dense = ml.GaussianProcessRegressor { kernel = kernel }:fit(rows, z)
      local model = ml.IterativeGaussianProcessRegressor { kernel = kernel, preconditioner_rank = 60 }:fit(rows, z)
      assert.is_true(model.converged)
      local best = dense:log_marginal_likelihood().value
      assert(best - dense:log_marginal_likelihood({ theta = model.fitted_kernel.theta }).value < 0.05)
      assert.near(dense:summary().noise_variance, model:summary().noise_variance, 0.005) -- of 0.04
      assert.matches("estimated log marginal likelihood", tostring(model:summary()))
   end)

   it("makes repeated rows without noise regular", function()
      local twice = ml.vcat(y:as_column(), y:as_column()):col(1)
      local model = iterative { kernel = k.RBF { length = 1 } }:fit(ml.vcat(X, X), twice)
      assert.near(1e-8, model.jitter, 1e-12)
      assert.matches("jitter of", model:summary().warnings)
   end)

   it("says that the solver has not converged", function()
      local model = iterative { kernel = SMOOTH, preconditioner_rank = 0, solver_max_iter = 2 }:fit(rows, z)
      assert.is_false(model.converged)
      assert(model.residual > 1e-6)
   end)

   it("fits one row and constant columns", function()
      local one = iterative { kernel = KERNEL }:fit({ { 1, 2 } }, { 3 })
      local dense = ml.GaussianProcessRegressor { kernel = KERNEL, optimizer = "none" }:fit({ { 1, 2 } }, { 3 })
      assert.near(dense.log_likelihood, one.log_likelihood, 1e-9)
      near_all(dense:predict(new), one:predict(new), 1e-9)
      local flat = ml.hcat(cars.wt, ml.full(32, 1, 2):col(1))
      assert.matches("column 2 of X is constant", iterative { kernel = KERNEL }:fit(flat, y):summary().warnings)
      assert.equal(0, iterative { kernel = KERNEL }:fit(X, ml.full(32, 1, 0):col(1)):predict(new)[1])
   end)

   it("refuses what it cannot use", function()
      refuses("kernel must not be precomputed", function()
         iterative { kernel = "precomputed" }:fit({ { 1 } }, { 1 })
      end)
      refuses("kernel must not be a Lua function", function()
         iterative { kernel = k.Function(function(a, b) return a:dot(b) end) }:fit(X, y)
      end)
      refuses("theta must have", function()
         iterative { kernel = KERNEL }:fit(X, y):log_marginal_likelihood { theta = { 1 } }
      end)
   end)
end)
