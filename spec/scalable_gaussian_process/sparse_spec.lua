--- SparseGaussianProcessRegressor against GPflow, GPy, the exact model and finite differences.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/gaussian_process/sparse.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg
local new = { { 2.5, 1.0 }, { 3.2, 1.5 }, { 5.5, 3.5 } }
local Z = X:take { 1, 5, 9, 13, 17, 21 }
local METHODS <const> = { "variational", "fitc" }

local function near_all(wanted, got, tolerance, what) support.near_all(wanted, got, tolerance, what, 1) end
local function near_rows(wanted, got, tolerance, what) support.near_rows(wanted, got, tolerance, what, 1) end

local function sparse(settings)
   settings.optimizer = settings.optimizer or "none"
   return ml.SparseGaussianProcessRegressor(settings)
end

local NOISE = k.White { noise = 4 }
local KERNELS = {
   ard = 30 * k.RBF { length = { 1.5, 0.8 } } + NOISE,
   matern = 30 * k.Matern { length = { 2, 1 }, nu = 1.5 } + NOISE,
   linear = 30 * k.Matern { length = { 2, 1 }, nu = 2.5 } + 2 * k.Linear {} + NOISE,
}

-- Every kind of leaf, and noise that differs from row to row.
local MANY = {
   k.RBF { length = 0.9, columns = { 2 } } * k.Linear {} + k.White { noise = 0.5 } * k.Polynomial { degree = 2 },
   2 * k.Periodic { length = { 1, 2 }, period = 1.7 } * k.OrnsteinUhlenbeck { length = 2 } + NOISE,
   k.RationalQuadratic { length = 1.2, alpha = 0.7 } ^ 2 + k.Sigmoid { gamma = 0.1, coef0 = 0.2 } + NOISE,
   3 * k.Laplacian { length = { 1, 2 } } + k.Chi2 { gamma = 0.4 } + 2 * k.Cosine {} + NOISE,
}

--- 1, .., n, 1, .., n
local function twice(n)
   local out = {}
   for i = 1, 2 * n do out[i] = (i - 1) % n + 1 end
   return out
end

local function difference(step, value)
   local function slope(h) return (value(h) - value(-h)) / (2 * h) end
   return (4 * slope(step) - slope(2 * step)) / 3
end

describe("SparseGaussianProcessRegressor", function()
   for name, want in pairs(fixture.cases) do
      local kernel, method = KERNELS[name:match "^%l+"], name:match "%l+$"

      it("agrees with GPflow and GPy at given hyperparameters: " .. name, function()
         local model = sparse { kernel = kernel, method = method, inducing_start = Z }:fit(X, y)
         support.near(want.value, model.log_likelihood, 1e-10)
         support.near(want.gpy, model.log_likelihood, 1e-6) -- GPy adds a jitter
         local likelihood = model:log_marginal_likelihood(X, y)
         support.near(want.value, likelihood.value, 1e-10)
         near_all(want.gradient, likelihood.gradient, 1e-7)
         near_rows(want.by_input, likelihood.input_gradient, 1e-7)
         near_all(want.mean, model:predict(new), 1e-8)
         near_all(want.std, model:intervals(new, { kind = "confidence" }).std_error, 1e-8)
         if want.upper then support.near(want.upper, model:bounds().upper, 1e-9) end
      end)
   end

   it("has the gradient of its likelihood, for every kernel", function()
      local x = X:slice(1, 14)
      for i, kernel in ipairs(MANY) do
         for _, method in ipairs(METHODS) do
            local settings = { kernel = kernel, method = method, mean = i % 2 == 0 and "linear" or "zero" }
            local function fit(z)
               return sparse { kernel = kernel, method = method, mean = settings.mean, inducing_start = z }
                  :fit(x, y:slice(1, 14))
            end
            local start = Z:slice(1, 4):copy():add(0.013)
            local model = fit(start)
            local theta = model.fitted_kernel.theta
            local found = model:log_marginal_likelihood(x, y:slice(1, 14))
            for j = 1, #theta do
               local slope = difference(1e-4, function(h)
                  local moved = theta:copy()
                  moved[j] = moved[j] + h
                  return model:log_marginal_likelihood(x, y:slice(1, 14), { theta = moved }).value
               end)
               support.near(slope, found.gradient[j], 2e-6, ("kernel %d, %s, %d"):format(i, method, j), 1)
            end
            for e = 1, 3 do
               local slope = difference(1e-4, function(h)
                  local moved = start:copy()
                  moved:set(e, e % 2 + 1, moved:get(e, e % 2 + 1) + h)
                  return fit(moved).log_likelihood
               end)
               support.near(slope, found.input_gradient:get(e, e % 2 + 1), 2e-6,
                  ("kernel %d, %s, input %d"):format(i, method, e), 1)
            end
         end
      end
   end)

   it("equals the exact model when every row is an inducing input", function()
      for _, method in ipairs(METHODS) do
         for _, mean in ipairs { "zero", "linear" } do
            local settings = { kernel = KERNELS.matern, optimizer = "none", mean = mean, alpha = 0.1 }
            local exact = ml.GaussianProcessRegressor(settings):fit(X, y)
            settings.method = method
            local model = ml.SparseGaussianProcessRegressor(settings):fit(X, y)
            assert.equal(0, model.jitter)
            support.near(exact.log_likelihood, model.log_likelihood, 1e-8)
            near_all(exact:predict(new), model:predict(new), 1e-8)
            near_all(exact:predict_interval(new).std, model:predict_interval(new).std, 1e-8)
            near_rows(exact:posterior(new).covariance, model:posterior(new).covariance, 1e-8)
            near_all(exact:log_marginal_likelihood().gradient, model:log_marginal_likelihood(X, y).gradient, 1e-7)
         end
      end
   end)

   it("bounds the exact likelihood from below and above, ever closer", function()
      local kernel = KERNELS.ard
      local settings = { kernel = kernel, optimizer = "none", alpha = 0 }
      local exact = ml.GaussianProcessRegressor(settings):fit(X, y).log_likelihood
      local last = -math.huge
      for m = 2, 22, 4 do
         local model = sparse { kernel = kernel, inducing_start = X:slice(1, m) }:fit(X, y)
         local bounds = model:bounds()
         assert.equal(model.log_likelihood, bounds.lower)
         assert(bounds.lower <= exact + 1e-9 and bounds.upper >= exact - 1e-9)
         assert(bounds.lower > last)
         assert.near((bounds.upper - bounds.lower) / X.rows, bounds.gap, 1e-12)
         last = bounds.lower
      end
   end)

   it("takes as many inducing inputs as the bounds require", function()
      local x = ml.random(300, 1, 1)
      local t = (x:col(1) * 9):sin() + ml.normal(300, 1, 2):col(1) * 0.1
      local kernel = k.RBF { length = 0.15 } + k.White { noise = 0.01 }
      local model = sparse { kernel = kernel, n_inducing = 2, max_gap = 0.01 }:fit(x, t)
      assert(model.inducing_inputs.rows > 4 and model.inducing_inputs.rows < 40)
      assert(model:bounds().gap <= 0.01)
      refuses("max_gap requires method = \"variational\"", function()
         sparse { kernel = kernel, method = "fitc", max_gap = 1 }:fit(x, t)
      end)
   end)

   it("learns hyperparameters, and inducing inputs on request", function()
      local exact = ml.GaussianProcessRegressor { kernel = KERNELS.ard, alpha = 0 }:fit(X, y).log_likelihood
      local last = -math.huge
      for _, inducing in ipairs { "kmeans", "learned" } do
         local model = sparse { kernel = KERNELS.ard, optimizer = "bfgs", n_inducing = 4, inducing = inducing }
         model:fit(X, y)
         assert(model.converged)
         assert(model.log_likelihood <= exact and model.log_likelihood > last)
         last = model.log_likelihood
         local likelihood = model:log_marginal_likelihood(X, y)
         assert(likelihood.gradient:abs():max() < 0.01)
         if inducing == "learned" then assert(likelihood.input_gradient:abs():max() < 0.01) end
      end
   end)

   it("keeps the likeliest of several searches, whatever the number of threads", function()
      support.same_for_any_threads(function()
         return sparse { kernel = KERNELS.ard, optimizer = "bfgs", n_inducing = 6, n_restarts = 3, seed = 2 }:fit(X, y)
      end)
   end)

   it("adds rows with partial_fit as if all had been there", function()
      for _, method in ipairs(METHODS) do
         for _, mean in ipairs { "zero", "constant" } do
            local settings = { kernel = KERNELS.ard, method = method, mean = mean, inducing_start = Z }
            local all = sparse(settings):fit(X, y)
            local model = sparse(settings):partial_fit(X:slice(1, 10), y:slice(1, 10))
            model = ml.load(model:dump())
            model:partial_fit(X:slice(11, 32), y:slice(11, 32))
            assert.near(all.log_likelihood, model.log_likelihood, 1e-9)
            near_all(all:predict(new), model:predict(new), 1e-9)
            near_all(all:predict_interval(new).std, model:predict_interval(new).std, 1e-9)
         end
      end
   end)

   it("finds the variational optimum by mini-batches", function()
      local x = ml.random(600, 1, 1):mul(6)
      local t = (x:col(1) * 2):sin() + ml.normal(600, 1, 5):col(1) * 0.2
      local settings = { kernel = k.RBF { length = 1 } + k.White { noise = 1 }, n_inducing = 15, optimizer = "bfgs" }
      local best = sparse(settings):fit(x, t)
      settings.method, settings.batch_size, settings.seed, settings.max_iter = "svi", 100, 1, 60
      local model = sparse(settings):fit(x, t)
      assert(model.log_likelihood <= best.log_likelihood + 1e-6)
      assert(model.log_likelihood > best.log_likelihood - 2)
      near_all(best:predict { { 1 }, { 4 } }, model:predict { { 1 }, { 4 } }, 0.02)
      settings.total_rows, settings.inducing_start = 600, best.inducing_inputs
      model = sparse(settings)
      for pass = 1, 20 do
         for i = 1, 501, 100 do model:partial_fit(x:slice(i, i + 99), t:slice(i, i + 99)) end
         if pass == 10 then model = ml.load(model:dump()) end
      end
      near_all(best:predict { { 1 }, { 4 } }, model:predict { { 1 }, { 4 } }, 0.1)
      near_all(best:predict_interval({ { 1 } }).std, model:predict_interval({ { 1 } }).std, 0.05)
      refuses("bounds requires fit", function() model:bounds() end)
   end)

   it("moves the whole way to a batch of all rows at natural_rate 1", function()
      local settings = { kernel = KERNELS.ard, inducing_start = Z, mean = "constant" }
      local whole = sparse(settings):fit(X, y)
      settings.method, settings.natural_rate = "svi", 1
      local model = sparse(settings):fit(X, y)
      assert.equal(whole.log_likelihood, model.log_likelihood)
      model:partial_fit(X:slice(1, 8), y:slice(1, 8))
      model:set_params { total_rows = 32 }
      model:partial_fit(X, y)
      near_all(whole:predict(new), model:predict(new), 1e-9)
      assert.near(whole.log_likelihood, model.log_likelihood, 1e-8)
   end)

   it("counts a row by its weight", function()
      local two = { weights = ml.full(X.rows, 1, 2):col(1) }
      local X2, y2 = X:take(twice(X.rows)), y:take(twice(X.rows))
      for _, method in ipairs(METHODS) do
         local settings = { kernel = KERNELS.linear, method = method, inducing_start = Z, mean = "linear" }
         local both, weighted = sparse(settings):fit(X2, y2), sparse(settings):fit(X, y, two)
         assert.near(both.log_likelihood, weighted.log_likelihood, 1e-8)
         near_all(both:predict(new), weighted:predict(new), 1e-9)
         settings.optimizer = "bfgs"
         both, weighted = sparse(settings):fit(X2, y2), sparse(settings):fit(X, y, two)
         near_all(both.fitted_kernel.theta, weighted.fitted_kernel.theta, 1e-3, method)
      end
   end)

   it("fits constant y, repeated rows, one row and several targets", function()
      assert.near(3, sparse { normalize_y = true }:fit({ { 1 }, { 2 } }, { 3, 3 }):predict({ { 5 } })[1], 1e-12)
      local repeated = sparse { kernel = k.RBF { length = 1 } + k.White { noise = 1 } }
         :fit({ { 1 }, { 1 }, { 1 }, { 2 } }, { 3, 5, 4, 0 })
      assert.equal(2, repeated.inducing_inputs.rows)
      assert.equal(1, sparse {}:fit({ { 1 } }, { 3 }).inducing_inputs.rows)
      local both = ml.hcat(y, y * 2)
      local model = sparse { kernel = KERNELS.ard, inducing_start = Z }:fit(X, both)
      near_all(model:predict(new):col(1) * 2, model:predict(new):col(2), 1e-12)
      refuses("predict_interval requires one target, got 2", function() model:predict_interval(new) end)
   end)

   it("copes with equal inducing inputs by a jitter, which is reported", function()
      local model = sparse { kernel = KERNELS.ard, inducing_start = ml.vcat(Z, Z) }:fit(X, y)
      assert(model.jitter > 0)
      local wanted = sparse { kernel = KERNELS.ard, inducing_start = Z }:fit(X, y).log_likelihood
      assert.near(wanted, model.log_likelihood, 1e-6)
   end)

   it("draws functions with the posterior covariance", function()
      local model = sparse { kernel = KERNELS.ard, inducing_start = Z }:fit(X, y)
      local n <const> = 5000
      local draws, posterior = model:sample_y(new, { n = n, seed = 5 }), model:posterior(new)
      for i = 1, 3 do
         local variance = posterior.covariance:get(i, i)
         assert.near(posterior.mean:get(i, 1), draws:row(i):mean(), 5 * math.sqrt(variance / n))
         assert.near(variance, draws:row(i):std() ^ 2, 5 * variance * math.sqrt(2 / n))
      end
   end)

   it("says in its summary what was found", function()
      local kernel = 30 * k.RBF { length = { 1.5, 0.8 }, bounds = { 0.5, 2 } } + k.White { noise = 4, fixed = true }
      local frame = ml.Frame { weight = cars.wt, power = cars.hp * 0.01 }
      local model = sparse { kernel = kernel, n_inducing = 6, alpha = 0.5 }:fit(frame, y)
      local found = model:summary()
      assert.equal(model.log_likelihood, found.log_likelihood)
      assert.near(4.5, found.noise_variance, 1e-12)
      assert.equal("power", found.hyperparameters.unit[2])
      assert.equal("", found.warnings)
      local text = tostring(found)
      assert.matches("^SparseGaussianProcessRegressor: 6 inducing inputs, 2 features\n", text)
      assert.matches("mean: zero; lower bound on the log marginal likelihood: ", text)
      assert.matches("noise: standard deviation 2.1213", text)
      local fitc = sparse { kernel = kernel, n_inducing = 6, method = "fitc", normalize_y = true }:fit(X, y):summary()
      assert.matches("approximate log marginal likelihood: .* y is normalized", tostring(fitc))
      local bound = ml.SparseGaussianProcessRegressor { kernel = kernel, n_inducing = 6 }:fit(X, y):summary()
      assert.matches("hyperparameters at a bound: 2.RBF.length", bound.warnings)
   end)

   it("refuses what it cannot use", function()
      refuses("the noise must be > 0; add ml.kernel.White", function()
         sparse { kernel = k.RBF { length = 1 } }:fit(X, y)
      end)
      refuses("kernel must not be precomputed", function() sparse { kernel = "precomputed" }:fit({ { 1 } }, { 1 }) end)
      refuses("inducing_start must have a column for each of 2 features, got 1", function()
         sparse { inducing_start = { { 1 } } }:fit(X, y)
      end)
      refuses("bounds requires method = \"variational\"", function()
         sparse { kernel = KERNELS.ard, method = "fitc" }:fit(X, y):bounds()
      end)
   end)
end)
