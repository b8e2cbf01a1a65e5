--- StateSpaceGaussianProcessRegressor against the dense model, finite differences and known formulas.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local NOISE = k.White { noise = 0.1 }

local function near_all(wanted, got, tolerance, what) support.near_all(wanted, got, tolerance, what, 1) end

-- Irregular, with ties and near ties, not sorted.
local X = ml.random(40, 1, 1):mul(6)
X = ml.vcat(X, X:slice(1, 5), X:slice(6, 7):copy():add(1e-9))
local y = (X:col(1) * 2):sin() + ml.normal(X.rows, 1, 5):col(1) * 0.2
local new = { { -1 }, { 0.5 }, { 2.2 }, { X:get(3, 1) }, { 7.5 }, { 300 } }

local KERNELS = {
   ["Ornstein-Uhlenbeck"] = 2 * k.OrnsteinUhlenbeck { length = 0.7 } + NOISE,
   ["Laplacian"] = k.Laplacian { length = 3 } + NOISE,
   ["Matern 1/2"] = k.Constant { value = 2, fixed = true } * k.Matern { length = 0.7, nu = 0.5 } + NOISE,
   ["Matern 3/2"] = 2 * k.Matern { length = 0.7, nu = 1.5 } + NOISE,
   ["Matern 5/2"] = 2 * k.Matern { length = 0.7, nu = 2.5 } + NOISE,
   ["sums and products"] = 2 * (k.Matern { length = 0.7, nu = 2.5 } + 0.3 * k.Matern { length = 2, nu = 1.5 }
      + k.Constant { value = 0.7 } + NOISE) + 0.1 * (k.OrnsteinUhlenbeck { length = 5 } * NOISE),
}

describe("StateSpaceGaussianProcessRegressor", function()
   for name, kernel in pairs(KERNELS) do
      it("equals the dense model: " .. name, function()
         for _, mean in ipairs { "zero", "constant", "linear" } do
            local settings = { kernel = kernel, optimizer = "none", alpha = 0.01, mean = mean, normalize_y = true }
            local dense = ml.GaussianProcessRegressor(settings):fit(X, y)
            local model = ml.StateSpaceGaussianProcessRegressor(settings):fit(X, y)
            support.near(dense.log_likelihood, model.log_likelihood, 1e-10)
            near_all(dense:log_marginal_likelihood().gradient, model:log_marginal_likelihood().gradient, 1e-8, mean)
            near_all(dense:predict(new), model:predict(new), 1e-9, mean)
            near_all(dense:predict_interval(new).std, model:predict_interval(new).std, 1e-9, mean)
            local kind = { kind = "confidence" }
            near_all(dense:intervals(new, kind).high, model:intervals(new, kind).high, 1e-9, mean)
         end
      end)
   end

   it("has the gradient of its likelihood, with weights", function()
      local weights = ml.random(X.rows, 1, 8):col(1):add(0.5)
      local model = ml.StateSpaceGaussianProcessRegressor { kernel = KERNELS["Matern 5/2"], optimizer = "none" }
      model:fit(X, y, { weights = weights })
      local theta = model.fitted_kernel.theta
      local gradient = model:log_marginal_likelihood({ theta = theta }).gradient
      for j = 1, #theta do
         local up, down = theta:copy(), theta:copy()
         up[j], down[j] = up[j] + 1e-5, down[j] - 1e-5
         local slope = (model:log_marginal_likelihood({ theta = up }).value
            - model:log_marginal_likelihood({ theta = down }).value) / 2e-5
         support.near(slope, gradient[j], 1e-6, nil, 1)
      end
   end)

   it("counts a row by its weight", function()
      local rows, weights = {}, ml.full(X.rows, 1, 1):col(1)
      for i = 1, X.rows do rows[i] = i end
      for i = 1, 3 do
         table.insert(rows, i)
         weights[i] = 2
      end
      local settings = { kernel = KERNELS["Matern 3/2"], mean = "constant" }
      local twice = ml.StateSpaceGaussianProcessRegressor(settings):fit(X:take(rows), y:take(rows))
      local weighted = ml.StateSpaceGaussianProcessRegressor(settings):fit(X, y, { weights = weights })
      assert.near(twice.log_likelihood, weighted.log_likelihood, 1e-8)
      near_all(twice:predict(new), weighted:predict(new), 1e-5)
   end)

   it("finds the hyperparameters of the dense model on real data", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local x, mpg = ml.hcat(cars.hp), cars.mpg
      local settings = { kernel = 30 * k.Matern { length = 100, nu = 1.5 } + k.White { noise = 4 }, mean = "constant" }
      local model = ml.StateSpaceGaussianProcessRegressor(settings):fit(x, mpg)
      settings.alpha = 0
      local dense = ml.GaussianProcessRegressor(settings):fit(x, mpg)
      assert(model.converged)
      assert.near(dense.log_likelihood, model.log_likelihood, 1e-6)
      near_all(dense.fitted_kernel.theta, model.fitted_kernel.theta, 1e-3)
   end)

   it("fits 20000 rows in linear time", function()
      local n <const> = 20000
      local x = ml.random(n, 1, 1):mul(100)
      local t = (x:col(1) * 2):sin() + ml.normal(n, 1, 2):col(1) * 0.2
      local kernel = k.Matern { length = 1, nu = 2.5 } + k.White { noise = 0.04 }
      local model = ml.StateSpaceGaussianProcessRegressor { kernel = kernel, optimizer = "none" }:fit(x, t)
      local band = model:intervals({ { 30 }, { 70.3 } }, { kind = "confidence" })
      for i, at in ipairs { 30, 70.3 } do
         assert(band.low[i] < math.sin(2 * at) and band.high[i] > math.sin(2 * at))
         assert(band.std_error[i] < 0.03)
      end
   end)

   it("fits several targets, one row and rows without noise", function()
      local both = ml.hcat(y, y * 2)
      local model = ml.StateSpaceGaussianProcessRegressor { kernel = KERNELS["Matern 3/2"], optimizer = "none" }
      model:fit(X, both)
      near_all(model:predict(new):col(1) * 2, model:predict(new):col(2), 1e-12)
      refuses("predict_interval requires one target, got 2", function() model:predict_interval(new) end)
      assert.near(2 * 3 / 2.1, model:fit({ { 1 } }, { 3 }):predict({ { 1 } })[1], 1e-12)
      local exact = ml.StateSpaceGaussianProcessRegressor { kernel = 2 * k.Matern { nu = 2.5 }, optimizer = "none" }
      near_all({ 1, 4, 2 }, exact:fit({ { 0 }, { 1 }, { 3 } }, { 1, 4, 2 }):predict { { 0 }, { 1 }, { 3 } }, 1e-9)
      refuses("rows have the same x", function() exact:fit({ { 1 }, { 1 } }, { 3, 4 }) end)
   end)

   it("is the same after loading", function()
      local model = ml.StateSpaceGaussianProcessRegressor { kernel = KERNELS["Matern 5/2"], mean = "linear" }:fit(X, y)
      near_all(model:predict_interval(new).std, ml.load(model:dump()):predict_interval(new).std, 0)
   end)

   it("has the summary of the dense model", function()
      for _, normalize in ipairs { false, true } do
         local settings = { kernel = KERNELS["Matern 3/2"], optimizer = "none", alpha = 0.01, mean = "constant",
            normalize_y = normalize }
         local got = ml.StateSpaceGaussianProcessRegressor(settings):fit(X, y):summary()
         local wanted = ml.GaussianProcessRegressor(settings):fit(X, y):summary()
         assert.near(wanted.log_likelihood, got.log_likelihood, 1e-8)
         assert.near(0.11, got.noise_variance, 1e-12)
         assert.equal(tostring(wanted):gsub("^%w+", "StateSpaceGaussianProcessRegressor"), tostring(got))
      end
   end)

   it("refuses kernels without a state-space form", function()
      local function with(kernel)
         return function() ml.StateSpaceGaussianProcessRegressor { kernel = kernel }:fit(X, y) end
      end
      refuses("kernel RBF has no state.space form; use Matern", with(k.RBF {} + NOISE))
      refuses("a product of two Matern kernels", with(k.Matern { nu = 1.5 } * k.OrnsteinUhlenbeck {} + NOISE))
      refuses("a power of a kernel has no state.space form", with(k.Matern { nu = 1.5 } ^ 2))
      refuses("the kernel must have a part beside White", with(NOISE))
      refuses("X must have 1 column", function() ml.StateSpaceGaussianProcessRegressor {}:fit({ { 1, 2 } }, { 1 }) end)
   end)
end)
