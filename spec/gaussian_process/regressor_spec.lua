--- GaussianProcessRegressor against scikit-learn, closed formulas and finite differences.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/gaussian_process/regressor.lua"

local k, refuses = ml.kernel, support.refuses
local cars = ml.read_csv "examples/data/mtcars.csv"
local X, y = ml.hcat(cars.wt, cars.hp * 0.01), cars.mpg
local new = { { 2.5, 1.0 }, { 3.2, 1.5 }, { 5.5, 3.5 } }

local function near_all(wanted, got, tolerance) support.near_all(wanted, got, tolerance, nil, 1) end
local function near_rows(wanted, got, tolerance) support.near_rows(wanted, got, tolerance, nil, 1) end

local KERNELS = {
   rbf = 30 * k.RBF { length = 1.5 } + k.White { noise = 4 },
   ard = 30 * k.RBF { length = { 1.5, 0.8 } } + k.White { noise = 4 },
   matern = 30 * k.Matern { length = 2, nu = 1.5 } + k.White { noise = 4 },
   rational = 30 * k.RationalQuadratic { length = 1, alpha = 0.7 } + k.White { noise = 4 },
}

describe("GaussianProcessRegressor", function()
   for name, want in pairs(fixture.cases) do
      local kernel, normalize = KERNELS[name:match "^%l+"], name:find "normalized" ~= nil

      it("agrees with scikit-learn at given hyperparameters: " .. name, function()
         local model = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none", normalize_y = normalize }
         model:fit(X, y)
         local likelihood = model:log_marginal_likelihood()
         support.near(want.value, likelihood.value, 1e-12)
         local gradient = want.gradient
         if name:find "rational" then -- scikit-learn sorts hyperparameters by name
            gradient = { gradient[1], gradient[3], gradient[2], gradient[4] }
         end
         near_all(gradient, likelihood.gradient, 1e-9)
         near_all(want.mean, model:predict(new), 1e-10)
         near_all(want.std, model:predict_interval(new).std, 1e-10)
         assert.equal(0, model.jitter)
      end)

      it("finds hyperparameters at least as likely: " .. name, function()
         local model = ml.GaussianProcessRegressor { kernel = kernel, normalize_y = normalize }:fit(X, y)
         assert(model.converged)
         assert(model.log_likelihood >= want.best - 1e-5, ("%.9f is less than %.9f"):format(model.log_likelihood,
            want.best))
      end)
   end

   it("has the gradient of its likelihood", function()
      for _, mean in ipairs { "zero", "constant", "linear" } do
         local model = ml.GaussianProcessRegressor { kernel = KERNELS.ard, optimizer = "none", mean = mean }:fit(X, y)
         local theta = model.fitted_kernel.theta
         local gradient = model:log_marginal_likelihood({ theta = theta }).gradient
         for j = 1, #theta do
            local up, down = theta:copy(), theta:copy()
            up[j], down[j] = up[j] + 1e-5, down[j] - 1e-5
            local slope = (model:log_marginal_likelihood({ theta = up }).value
               - model:log_marginal_likelihood({ theta = down }).value) / 2e-5
            support.near(slope, gradient[j], 1e-5, mean, 1)
         end
      end
   end)

   it("has the posterior of the formulas, with a covariance", function()
      local x, t, at = ml.Matrix { { 0 }, { 1 }, { 3 } }, ml.Vector { 1, -1, 2 }, ml.Matrix { { 0.5 }, { 2 } }
      local kernel = k.RBF { length = 1 }
      local model = ml.GaussianProcessRegressor { kernel = kernel, alpha = 0.1, optimizer = "none" }:fit(x, t)
      local A = kernel:matrix(x) + ml.eye(3) * 0.1
      local cross = kernel:matrix(at, x)
      near_all(cross * A:solve(t), model:predict(at), 1e-12)
      local posterior = model:posterior(at)
      near_rows(kernel:matrix(at) - cross * A:inverse() * cross:t(), posterior.covariance, 1e-12)
      local band = model:intervals(at, { kind = "confidence", level = 0.9 })
      for i = 1, 2 do
         local sd = math.sqrt(posterior.covariance:get(i, i))
         assert.near(band.fit[i] + 1.6448536269514722 * sd, band.high[i], 1e-10)
      end
   end)

   it("is generalized least squares with a mean function, and universal kriging", function()
      local kernel = 5 * k.RBF { length = 2 } + k.White { noise = 1 }
      local model = ml.GaussianProcessRegressor { kernel = kernel, mean = "linear", optimizer = "none" }:fit(X, y)
      local A = kernel:matrix(X)
      local H = ml.hcat(ml.full(X.rows, 1, 1), X)
      local W = H:t() * A:inverse()
      local b = (W * H):solve(W * y)
      near_all(b, model.mean_coef:col(1), 1e-9)
      local at = ml.Matrix(new)
      local h, cross = ml.hcat(ml.full(3, 1, 1), at), kernel:matrix(at, X)
      near_all(h * b + cross * A:solve(y - H * b), model:predict(new), 1e-9)
      local r = h:t() - W * cross:t()
      local plain = (5 * k.RBF { length = 2 }):matrix(at)
      local covariance = plain - cross * A:inverse() * cross:t() + r:t() * (W * H):inverse() * r
      near_rows(covariance, model:posterior(new).covariance, 1e-8)
   end)

   it("leaves one row out in closed form", function()
      for _, mean in ipairs { "zero", "linear" } do
         local settings = { kernel = KERNELS.rbf, optimizer = "none", mean = mean, normalize_y = false }
         local found = ml.GaussianProcessRegressor(settings):fit(X, y):leave_one_out()
         for _, i in ipairs { 1, 17, 32 } do
            local rest = {}
            for j = 1, X.rows do rest[#rest + 1] = j ~= i and j or nil end
            local model = ml.GaussianProcessRegressor(settings):fit(X:take(rest), y:take(rest))
            local one = model:predict_interval(X:slice(i, i))
            assert.near(one.mean[1], found.mean[i], 1e-8)
            assert.near(one.std[1], found.std[i], 1e-8)
         end
      end
   end)

   it("draws functions with the posterior mean and covariance", function()
      local model = ml.GaussianProcessRegressor { kernel = KERNELS.rbf, optimizer = "none" }:fit(X, y)
      local n <const> = 20000
      local draws, posterior = model:sample_y(new, { n = n, seed = 5 }), model:posterior(new)
      for i = 1, 3 do
         local variance = posterior.covariance:get(i, i)
         assert.near(posterior.mean:get(i, 1), draws:row(i):mean(), 5 * math.sqrt(variance / n))
         assert.near(variance, draws:row(i):std() ^ 2, 5 * variance * math.sqrt(2 / n))
      end
   end)

   it("copes with repeated rows and no noise by a jitter, which is reported", function()
      local x = { { 0 }, { 0 }, { 1 }, { 2 } }
      local model = ml.GaussianProcessRegressor { kernel = k.RBF { length = 1 }, alpha = 0, optimizer = "none" }
      model:fit(x, { 1, 1, 2, 3 })
      assert(model.jitter > 0 and model.jitter <= 1e-8)
      near_all({ 1, 1, 2, 3 }, model:predict(x), 1e-4)
   end)

   it("takes a name as value * kernel + noise", function()
      local model = ml.GaussianProcessRegressor { normalize_y = true }:fit(X, y)
      assert.matches("^%d.* %* RBF { length = .* } %+ White { noise = .* }$", tostring(model.fitted_kernel))
      assert(model:score(X, y) > 0.8)
   end)

   it("fits constant y, one row and several targets", function()
      assert.near(3, ml.GaussianProcessRegressor { normalize_y = true }:fit({ { 1 }, { 2 } }, { 3, 3 })
         :predict({ { 5 } })[1], 1e-12)
      local constant = ml.GaussianProcessRegressor { normalize_y = true }:fit(X, y * 0 + 0.1) -- its mean is rounded
      assert.is_true(constant:intervals(new).std_error:min() > 1e-4)
      assert.near(0, ml.GaussianProcessRegressor { kernel = k.RBF { length = 1 } }:fit({ { 1 } }, { 3 })
         :predict({ { 100 } })[1], 1e-12)
      local both = ml.hcat(y, y * 2)
      local model = ml.GaussianProcessRegressor { kernel = KERNELS.rbf, optimizer = "none" }:fit(X, both)
      local P = model:predict(new)
      near_all(P:col(1) * 2, P:col(2), 1e-12)
      refuses("predict_interval requires one target, got 2; use posterior", function() model:predict_interval(new) end)
   end)

   it("is loaded with its factors", function()
      local model = ml.GaussianProcessRegressor { kernel = KERNELS.rbf, mean = "constant" }:fit(X, y)
      local loaded = require "manilius.core".load_model(model:dump())
      near_all(model:predict_interval(new).std, loaded:predict_interval(new).std, 1e-15)
   end)

   it("predicts by the settings of the fit after parameters have changed", function()
      local model = ml.GaussianProcessRegressor { kernel = KERNELS.rbf, optimizer = "none" }:fit(X, y)
      local before = model:predict_interval(new)
      model:set_params { mean = "linear", alpha = 7 }
      local after = model:predict_interval(new)
      near_all(before.mean, after.mean, 0)
      near_all(before.std, after.std, 0)
      near_all(before.std, ml.load(model:dump()):predict_interval(new).std, 0)
   end)

   it("keeps the likeliest of several searches, reproducibly", function()
      local settings = { kernel = KERNELS.rational, n_restarts = 4, seed = 3 }
      local first = ml.GaussianProcessRegressor(settings):fit(X, y)
      assert(first.log_likelihood >= ml.GaussianProcessRegressor { kernel = KERNELS.rational }:fit(X, y).log_likelihood)
      assert.equal(first:dump(), ml.GaussianProcessRegressor(settings):fit(X, y):dump())
   end)

   it("refuses what it cannot use", function()
      refuses("kernel must not be precomputed", function()
         ml.GaussianProcessRegressor { kernel = "precomputed" }:fit({ { 1, 0 }, { 0, 1 } }, { 1, 2 })
      end)
      refuses("theta must have a value for each of 3 free hyperparameters, got 1", function()
         ml.GaussianProcessRegressor { kernel = KERNELS.rbf }:fit(X, y):log_marginal_likelihood { theta = { 1 } }
      end)
   end)

   it("warns with the largest derivative when a search stops early, as its relatives do", function()
      local heard, line = {}, ml.linspace(0, 3, 40):as_column()
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      for _, class in ipairs { "", "Sparse", "Iterative", "StateSpace", "Vecchia" } do
         ml[class .. "GaussianProcessRegressor"] { max_iter = 1 }:fit(line, line:col(1):sin())
      end
      ml.warnings(old)
      assert.equal(5, #heard)
      for _, message in ipairs(heard) do
         assert(tonumber(message:match "last change (%S+)%)") > 1e-5, message)
      end
   end)
end)
