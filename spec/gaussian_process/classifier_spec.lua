--- GaussianProcessClassifier against scikit-learn, other expectation propagation, quadrature, finite differences.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/gaussian_process/classifier.lua"

local k, refuses = ml.kernel, support.refuses
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
X = X:matrix()
local rows = {}
for i = 51, 150 do rows[#rows + 1] = i end
local A, b = X:take(rows), y:take(rows)
local new = A:take { 1, 21, 51, 71 }
local KERNELS = { rbf = 4 * k.RBF { length = 1.5 }, ard = 4 * k.RBF { length = { 1.5, 1, 2, 1 } } }

local function near_all(wanted, got, tolerance) support.near_all(wanted, got, tolerance, nil, 1) end
local function model_of(name, settings)
   settings = settings or {}
   settings.kernel, settings.optimizer = KERNELS[name], settings.optimizer or "none"
   return ml.GaussianProcessClassifier(settings):fit(A, b)
end

describe("GaussianProcessClassifier", function()
   for name, want in pairs(fixture.cases) do
      -- scikit-learn stops Newton's method when the likelihood changes by 1e-10.
      it("has the Laplace approximation of scikit-learn: " .. name, function()
         local model = model_of(name)
         local likelihood, latent = model:log_marginal_likelihood(), model:latent(new)
         support.near(want.value, likelihood.value, 1e-9)
         near_all(want.gradient, likelihood.gradient, 1e-5)
         near_all(want.mean, latent.mean:col(1), 1e-5)
         near_all(want.variance, latent.variance:col(1), 1e-5)
      end)

      it("finds hyperparameters at least as likely: " .. name, function()
         local model = model_of(name, { optimizer = "bfgs" })
         assert(model.converged)
         assert(model.log_likelihood >= want.best - 1e-6)
      end)

      it("agrees with factors that are updated one after the other: " .. name, function()
         local model = model_of(name, { inference = "ep" })
         local latent = model:latent(new)
         support.near(want.ep.value, model.log_likelihood, 1e-8)
         near_all(want.ep.mean, latent.mean:col(1), 1e-7)
         near_all(want.ep.variance, latent.variance:col(1), 1e-7)
         near_all(want.ep.p, model:predict_proba(new):col(2), 1e-8)
      end)

      it("has the gradient of its likelihood: " .. name, function()
         for _, inference in ipairs { "laplace", "ep" } do
            local model = model_of(name, { inference = inference })
            local theta = model.fitted_kernel.theta
            local gradient = model:log_marginal_likelihood({ theta = theta }).gradient
            for j = 1, #theta do
               local up, down = theta:copy(), theta:copy()
               up[j], down[j] = up[j] + 1e-4, down[j] - 1e-4
               local slope = (model:log_marginal_likelihood({ theta = up }).value
                  - model:log_marginal_likelihood({ theta = down }).value) / 2e-4
               support.near(slope, gradient[j], 1e-6, inference, 1)
            end
         end
      end)
   end

   it("integrates the logit link over the latent function", function()
      local model = model_of "rbf"
      local latent, p = model:latent(new), model:predict_proba(new)
      for i = 1, new.rows do
         local m, s, sum = latent.mean:get(i, 1), math.sqrt(latent.variance:get(i, 1)), 0
         for j = -4000, 4000 do
            local z = j / 400
            sum = sum + math.exp(-z * z / 2) / math.sqrt(2 * math.pi) / (1 + math.exp(-m - s * z)) / 400
         end
         assert.near(sum, p:get(i, 2), 1e-12)
      end
   end)

   -- p(y) = integral of Phi(f1) Phi(-f2) N(f; 0, K) by the trapezoidal rule; expectation propagation is known to be
   -- within about 1e-3 of it.
   it("is near the exact likelihood of two rows", function()
      local x, labels, length = { { 0 }, { 1 } }, { "b", "a" }, 1
      local kernel = 2 * k.RBF { length = length }
      local ep = ml.GaussianProcessClassifier { kernel = kernel, optimizer = "none", inference = "ep" }:fit(x, labels)
      local rho, step, sum = math.exp(-0.5), 0.1, 0
      for i = -80, 80 do
         for j = -80, 80 do
            local u, v = i * step, j * step
            local f1, f2 = math.sqrt(2) * u, math.sqrt(2) * (rho * u + math.sqrt(1 - rho * rho) * v)
            sum = sum + math.exp(-(u * u + v * v) / 2) / (2 * math.pi) * ml.special.normal_cdf(f1)
               * ml.special.normal_cdf(-f2) * step * step
         end
      end
      assert.near(math.log(sum), ep.log_likelihood, 2e-3)
   end)

   it("normalizes one function for each of several classes", function()
      local model = ml.GaussianProcessClassifier { kernel = KERNELS.rbf, optimizer = "none" }:fit(X, y)
      assert.near(fixture.three, model.log_likelihood:mean(), 1e-8)
      near_all({ 1, 1, 1 }, model:predict_proba(X:take { 1, 61, 111 }):sum "rows", 1e-12)
      assert(model:score(X, y) > 0.95)
   end)

   it("returns to the prior far from the data, and copes with one row a class and repeated rows", function()
      local model = ml.GaussianProcessClassifier { kernel = KERNELS.rbf, optimizer = "none" }
      model:fit({ { 0 }, { 1 }, { 0 }, { 1 } }, { "a", "b", "b", "b" })
      near_all({ 0.5, 0.5 }, model:predict_proba({ { 1e3 } }):row(1), 1e-12)
      model:fit({ { 0 }, { 1 } }, { "a", "b" })
      near_all({ 0.5, 0.5 }, model:predict_proba({ { 0.5 } }):row(1), 1e-12)
   end)

   it("says what theta must be", function()
      refuses("theta must have a value for each of 2 free hyperparameters, got 1", function()
         model_of "rbf":log_marginal_likelihood { theta = { 1 } }
      end)
   end)
end)
