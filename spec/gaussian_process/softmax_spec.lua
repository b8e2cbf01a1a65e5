--- GaussianProcessClassifier with multi_class = "softmax": the equations of the mode, finite differences, and
--- probabilities against Markov chain Monte Carlo.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local mcmc = dofile "spec/fixtures/gaussian_process/mcmc.lua".cases

local k, refuses = ml.kernel, support.refuses
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local rows = {}
for i = 1, 150, 5 do rows[#rows + 1] = i end
local A, b = X:matrix():take(rows):slice(1, 30, 1, 2), y:take(rows)
local new = { { 5.0, 3.5 }, { 5.8, 2.8 }, { 6.5, 3.0 }, { 5.5, 2.5 }, { 8.0, 4.5 } }
local KERNEL = 4 * k.RBF { length = 0.8 }

local function fitted(settings)
   settings.kernel, settings.optimizer = KERNEL, "none"
   return ml.GaussianProcessClassifier(settings):fit(A, b)
end

-- At the mode dual_coef = y - pi, f = K dual_coef; and the likelihood is that of Rasmussen & Williams, equation 3.44,
-- with the determinant of the whole matrix I + W^(1/2) K W^(1/2), here of I + K W.
local function check_equations(model, n, classes)
   local K, total = KERNEL:matrix(A), 0
   local F, pi = {}, ml.zeros(classes, n)
   for c = 1, classes do F[c] = K * model.dual_coef:row(c) end
   for i = 1, n do
      local sum = 0
      for c = 1, classes do sum = sum + math.exp(F[c][i]) end
      total = total - math.log(sum)
      for c = 1, classes do
         pi:set(c, i, math.exp(F[c][i]) / sum)
         local is = b[i] == model.classes[c]
         assert.near((is and 1 or 0) - pi:get(c, i), model.dual_coef:get(c, i), 1e-6)
         total = total + (is and F[c][i] or 0) - F[c][i] * model.dual_coef:get(c, i) / 2
      end
   end
   local B = ml.eye(n * classes)
   for a = 1, classes do
      for c = 1, classes do
         for i = 1, n do
            for j = 1, n do -- block (a, c) of K W
               local w = (a == c and pi:get(a, j) or 0) - pi:get(a, j) * pi:get(c, j)
               local at = (a - 1) * n + i
               B:set(at, (c - 1) * n + j, B:get(at, (c - 1) * n + j) + K:get(i, j) * w)
            end
         end
      end
   end
   local _, values = B:svd() -- the determinant of I + K W is positive
   return total - values:log():sum() / 2
end

describe("GaussianProcessClassifier with softmax", function()
   it("satisfies the equations of Laplace's approximation", function()
      local model = fitted { multi_class = "softmax" }
      support.near(check_equations(model, 30, 3), model.log_likelihood[1], 1e-8)
   end)

   it("has the gradient of its likelihood", function()
      local kernel = 4 * k.RBF { length = { 0.8, 1.2 } }
      local model = ml.GaussianProcessClassifier { kernel = kernel, optimizer = "none", multi_class = "softmax" }
      model:fit(A, b)
      local theta, gradient = model.fitted_kernel.theta, model:log_marginal_likelihood().gradient
      for j = 1, #theta do
         local up, down = theta:copy(), theta:copy()
         up[j], down[j] = up[j] + 1e-4, down[j] - 1e-4
         local slope = (model:log_marginal_likelihood({ theta = up }).value
            - model:log_marginal_likelihood({ theta = down }).value) / 2e-4
         support.near(slope, gradient[j], 1e-6, nil, 1)
      end
   end)

   -- Laplace's approximation is known to be too near to equal probabilities, here by up to 0.06; expectation
   -- propagation is nearly exact. The standard errors of the chains are below 0.003.
   it("has the probabilities of Markov chain Monte Carlo", function()
      local P = fitted { multi_class = "softmax" }:predict_proba(new)
      for i = 1, #new do
         for c = 1, 3 do assert.near(mcmc.softmax.p[i][c], P:get(i, c), 0.08) end
      end
      local is_versicolor = {}
      for i = 1, 30 do is_versicolor[i] = b[i] == "versicolor" and "yes" or "no" end
      for inference, case in pairs { laplace = "logit", ep = "probit" } do
         local model = ml.GaussianProcessClassifier { kernel = KERNEL, optimizer = "none", inference = inference }
         local p = model:fit(A, is_versicolor):predict_proba(new):col(2)
         for i = 1, #new do assert.near(mcmc[case].p[i], p[i], inference == "ep" and 0.01 or 0.05) end
      end
   end)

   it("has probabilities that sum to 1, and is saved", function()
      local model = ml.GaussianProcessClassifier { multi_class = "softmax" }:fit(A, b)
      assert(model.converged and model:score(A, b) > 0.8)
      local P = model:predict_proba(new)
      for i = 1, #new do assert.near(1, P:row(i):sum(), 1e-12) end
      local loaded = ml.load(model:dump())
      assert.equal(0, (loaded:predict_proba(new) - P):abs():max())
      local latent = model:latent(new)
      assert(latent.mean.cols == 3 and latent.variance:min() > 0)
   end)

   it("is the binary model for two classes", function()
      local two = {}
      for i = 1, 30 do two[i] = b[i] == "setosa" and "a" or "b" end
      local one = ml.GaussianProcessClassifier { kernel = KERNEL, optimizer = "none" }:fit(A, two)
      local other = ml.GaussianProcessClassifier { kernel = KERNEL, optimizer = "none", multi_class = "softmax" }
      assert.equal(0, (one:predict_proba(new) - other:fit(A, two):predict_proba(new)):abs():max())
   end)

   it("refuses expectation propagation", function()
      refuses("multi_class = \"softmax\" requires inference = \"laplace\"", function()
         ml.GaussianProcessClassifier { multi_class = "softmax", inference = "ep" }:fit(A, b)
      end)
   end)
end)
