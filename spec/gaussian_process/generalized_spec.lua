--- GeneralizedGaussianProcess: finite differences, the equations of the mode, and what its models are for.
local ml = require "manilius"
local support = dofile "spec/support.lua"

local k, refuses = ml.kernel, support.refuses
local quakes = ml.read_csv "examples/data/quakes.csv"
local X = ml.linspace(0, 10, 50):as_column()
local kernel = 2 * k.RBF { length = 1.3 }
local counts, noisy = ml.Vector(50), X:col(1):sin()
for i = 1, 50 do counts[i] = math.floor(math.exp(noisy[i] + 1) + (i * 7 % 5) / 5) end
for i = 1, 50 do noisy[i] = noisy[i] + 0.1 * math.cos(37 * i) + (i % 8 == 1 and 8 or 0) end
local Y = { poisson = counts, student_t = noisy }

local function model_of(likelihood, settings)
   settings = settings or { kernel = kernel, optimizer = "none" }
   settings.likelihood = likelihood
   return ml.GeneralizedGaussianProcess(settings):fit(X, Y[likelihood])
end

describe("GeneralizedGaussianProcess", function()
   for likelihood, y in pairs(Y) do
      it("has the gradient of its likelihood: " .. likelihood, function()
         local model = model_of(likelihood)
         local theta = model.fitted_kernel.theta
         local gradient = model:log_marginal_likelihood({ theta = theta }).gradient
         for j = 1, #theta do
            local up, down = theta:copy(), theta:copy()
            up[j], down[j] = up[j] + 1e-4, down[j] - 1e-4
            local slope = (model:log_marginal_likelihood({ theta = up }).value
               - model:log_marginal_likelihood({ theta = down }).value) / 2e-4
            support.near(slope, gradient[j], 1e-6, nil, 1)
         end
      end)

      -- At the mode inv(K) f is the derivative of log p(y | f), which dual_coef is; the approximate likelihood is
      -- log p(y | f) - f' inv(K) f / 2 - log |I + W^(1/2) K W^(1/2)| / 2 (Rasmussen & Williams, equations 3.17, 3.32).
      it("satisfies the equations of Laplace's approximation: " .. likelihood, function()
         local model = model_of(likelihood)
         local K, a = kernel:matrix(X), model.dual_coef:row(1)
         local f, value = K * a, 0
         local W = ml.zeros(50, 50)
         for i = 1, 50 do
            local at, slope, w = model.offset + f[i]
            if likelihood == "poisson" then
               slope, w = y[i] - math.exp(at), math.exp(at)
               value = value + ml.dist.poisson { mean = math.exp(at) }:log_density(y[i])
            else
               local r, s2 = y[i] - at, model.scale ^ 2
               slope, w = 5 * r / (4 * s2 + r * r), 5 / (7 * s2)
               value = value + ml.dist.student_t { df = 4, location = at, scale = model.scale }:log_density(y[i])
            end
            W:set(i, i, math.sqrt(w))
            assert.near(slope, a[i], 1e-6) -- scoring converges linearly for student_t
         end
         local normal = ml.dist.multivariate_normal { mean = ml.Vector(50), covariance = ml.eye(50) + W * K * W }
         value = value - a:dot(f) / 2 + normal:log_density(ml.Vector(50)) + 25 * math.log(2 * math.pi)
         assert.near(value, model:log_marginal_likelihood().value, 1e-7)
      end)
   end

   it("estimates a rate and its intervals", function()
      local model = model_of("poisson", {})
      assert(model.converged)
      local found, inside = model:intervals(X, { level = 0.95 }), 0
      local truth = (X:col(1):sin() + 1):exp()
      for i = 1, 50 do
         if found.low[i] <= truth[i] and truth[i] <= found.high[i] then inside = inside + 1 end
      end
      assert(inside >= 44, inside .. " of 50")
      local latent, mean = model:latent(X), model:predict(X)
      assert.near(math.exp(latent.mean:get(7, 1) + latent.variance:get(7, 1) / 2), mean[7], 1e-10)
   end)

   it("is not drawn to outliers", function()
      local robust, plain = model_of("student_t", {}), ml.GaussianProcessRegressor {}:fit(X, noisy)
      local truth = X:col(1):sin()
      assert((robust:predict(X) - truth):abs():mean() < 0.05, (robust:predict(X) - truth):abs():mean())
      assert((plain:predict(X) - truth):abs():mean() > 0.3)
   end)

   it("fits counts of real data", function()
      local at = ml.hcat(quakes.mag, quakes.depth * 0.01):slice(1, 200)
      local model = ml.GeneralizedGaussianProcess {}:fit(at, quakes.stations:slice(1, 200))
      assert(model.converged and model:score(at, quakes.stations:slice(1, 200)) > 0.7)
   end)

   it("says what is wrong with y and the kernel", function()
      refuses("y must be >= 0 for likelihood 'poisson', got %-1 in row 2", function()
         ml.GeneralizedGaussianProcess {}:fit({ { 1 }, { 2 } }, { 0, -1 })
      end)
      refuses("the values of y are too large; divide them by a constant", function()
         ml.GeneralizedGaussianProcess {}:fit({ { 1 }, { 2 } }, { 0, 1e304 })
      end)
      assert(ml.GeneralizedGaussianProcess {}:fit({ { 1 }, { 2 } }, { 0, 0 }):predict({ { 1 } })[1] < 1)
   end)
end)
