--- Priors of hyperparameters: estimates of largest posterior density.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg

-- The derivative of the log density of a value by its logarithm.
local SLOPES = {
   lognormal = function(v, a, b) return -1 - (math.log(v) - a) / b ^ 2 end,
   gamma = function(v, shape, rate) return shape - 1 - rate * v end,
   inverse_gamma = function(v, shape, scale) return scale / v - shape - 1 end,
   half_normal = function(v, scale) return -(v / scale) ^ 2 end,
}
local PRIORS = { { "lognormal", 0, 0.5 }, { "gamma", 3, 2 }, { "inverse_gamma", 4, 3 }, { "half_normal", 2 } }

describe("priors of kernels", function()
   for _, prior in ipairs(PRIORS) do
      it("balance the gradient of the likelihood at the estimate: " .. prior[1], function()
         local kernel = k.Constant { value = 30, prior = { value = { "lognormal", 5, 1 } } }
            * k.RBF { length = { 1.5, 0.8 }, prior = { length = prior } } + k.White { noise = 4 }
         local model = ml.GaussianProcessRegressor { kernel = kernel, tol = 1e-8 }:fit(X, y)
         assert(model.converged)
         local theta = model.fitted_kernel.theta
         local gradient = model:log_marginal_likelihood().gradient
         assert.near(0, gradient[1] + SLOPES.lognormal(math.exp(theta[1]), 5, 1), 1e-4)
         for j = 2, 3 do
            assert.near(0, gradient[j] + SLOPES[prior[1]](math.exp(theta[j]), prior[2], prior[3]), 1e-4)
         end
         assert.near(0, gradient[4], 1e-4)
         assert.matches("prior " .. prior[1], tostring(model:summary()))
         local loaded = ml.load(model:dump())
         assert.equal(model.fitted_kernel, loaded.fitted_kernel)
         assert.matches("prior " .. prior[1], tostring(loaded:summary()))
      end)
   end

   it("hold in classification and with learned noise", function()
      local kernel = k.RBF { length = 1, prior = { length = { "lognormal", 1, 0.01 } } }
      local classifier = ml.GaussianProcessClassifier { kernel = 4 * kernel }:fit(X, cars.am)
      assert.near(1, classifier.fitted_kernel.theta[2], 0.02)
      local noisy = ml.GaussianProcessRegressor { kernel = 30 * k.RBF { length = 2 }, noise_kernel = 1 * kernel }
      noisy:fit(X, y)
      assert.near(1, noisy.fitted_noise_kernel.theta[2], 0.02)
   end)

   it("hold in models of many rows", function()
      local prior = { length = { "lognormal", 1, 0.001 } }
      local x, settings = X:col(1):as_column(), { kernel = 30 * k.Matern { length = 1, nu = 1.5, prior = prior }
         + k.White { noise = 4 } }
      for _, name in ipairs { "Sparse", "StateSpace", "Vecchia", "Iterative" } do
         local model = ml[name .. "GaussianProcessRegressor"](settings):fit(x, y)
         assert.near(1, model.fitted_kernel.theta[2], 0.001, name)
      end
      local svi = ml.SparseGaussianProcessRegressor { kernel = settings.kernel, method = "svi", max_iter = 300,
         learning_rate = 0.02, tol = 1e-12 }:fit(x, y)
      assert.near(1, svi.fitted_kernel.theta[2], 0.1) -- steps of constant length go on around the mode
   end)

   it("are a part of the kernel", function()
      local a = k.RBF { prior = { length = { "gamma", 2, 1 } } }
      assert.are_not.equal(a, k.RBF {})
      assert.equal(a, ml.load(a:dump()))
      assert.are_not.equal(a, k.RBF { prior = { length = { "gamma", 2, 3 } } })
   end)

   it("are checked", function()
      refuses("prior of length must begin with one of gamma, half_normal, inverse_gamma, lognormal, got beta",
         function() k.RBF { prior = { length = { "beta", 1, 1 } } } end)
      refuses("prior of length: number 2 of gamma must be > 0", function()
         k.RBF { prior = { length = { "gamma", 1, -1 } } }
      end)
      refuses("prior of length: half_normal has 1 number, got 2", function()
         k.RBF { prior = { length = { "half_normal", 1, 1 } } }
      end)
      refuses("prior: there is no hyperparameter 'lenght'; did you mean 'length'", function()
         k.RBF { prior = { lenght = { "gamma", 1, 1 } } }
      end)
      refuses("prior must be { length = { family, ... } }, got string", function() k.RBF { prior = "gamma" } end)
   end)
end)
