--- KernelRidge, KernelPCA, Nystroem and RBFSampler.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local fixture = dofile "spec/fixtures/kernel_methods/kernel_methods.lua"

local refuses = support.refuses
local function near_all(wanted, got, tolerance) support.near_all(wanted, got, tolerance, nil, 1) end
local function near_rows(wanted, got, tolerance) support.near_rows(wanted, got, tolerance, nil, 1) end
local X = ml.StandardScaler {}:fit_transform((ml.read_csv("examples/data/wine.csv"):split "class"):matrix())
local features, targets = X:slice(1, nil, 1, 11):copy(), X:slice(1, nil, 12, 13):copy()
local few = { 1, 71, 151 }
local weights = {}
for i = 1, X.rows do weights[i] = 1 + (i - 1) % 3 end

local SETTINGS = { linear = {}, poly = { degree = 2, gamma = 0.1, coef0 = 1 }, rbf = { gamma = 0.05 }, rbf_default = {},
   laplacian = { gamma = 0.02 }, sigmoid = { gamma = 0.01, coef0 = 0.2 }, cosine = {} }

local function settings(name, more)
   local out = { kernel = name:match "^%l+" }
   for _, list in ipairs { SETTINGS[name], more } do
      for key, value in pairs(list) do out[key] = value end
   end
   return out
end

--- exp(-gamma |x - y|^2) by loops.
local function rbf(A, B, gamma)
   local out = {}
   for i = 1, A.rows do
      out[i] = {}
      for j = 1, B.rows do
         local d = A:row(i) - B:row(j)
         out[i][j] = math.exp(-gamma * d:dot(d))
      end
   end
   return ml.Matrix(out)
end

describe("KernelRidge", function()
   for name, expected in pairs(fixture.ridge) do
      it("agrees with scikit-learn for the kernel " .. name, function()
         local model = ml.KernelRidge(settings(name, { alpha = 0.5 })):fit(features, targets)
         near_rows(expected.predictions, model:predict(features:take(few)), 1e-9)
         near_rows(expected.dual_coef, model.dual_coef:slice(1, 4), 1e-8)
         local weighted = ml.KernelRidge(settings(name, { alpha = 0.5 })):fit(features, targets:col(1),
            { weights = weights })
         near_all(expected.weighted, weighted:predict(features:take(few)), 1e-9)
      end)
   end

   it("predicts the same for single rows as for many", function()
      for name in pairs(SETTINGS) do
         local model = ml.KernelRidge(settings(name, {})):fit(features, targets:col(1))
         local all = model:predict(features)
         for _, i in ipairs(few) do assert.near(all[i], model:predict(features:slice(i, i))[1], 1e-11) end
      end
   end)

   it("equals Ridge through the origin for the linear kernel", function()
      local y = targets:col(1)
      local primal = ml.Ridge { alpha = 2, fit_intercept = false }:fit(features, y)
      local dual = ml.KernelRidge { kernel = "linear", alpha = 2 }:fit(features, y)
      near_all(primal:predict(features), dual:predict(features), 1e-10)
   end)

   it("interpolates with alpha = 0, also with repeated rows", function()
      local x = ml.Matrix { { 0 }, { 1 }, { 1 }, { 3 } }
      local model = ml.KernelRidge { alpha = 0, gamma = 1 }:fit(x, { 1, 2, 4, 5 })
      near_all({ 1, 3, 3, 5 }, model:predict(x), 1e-8) -- the mean where y differs
      assert.near(model.dual_coef[2][1], model.dual_coef[3][1], 1e-8) -- the solution of smallest norm
   end)

   it("is the same for sparse X and for the precomputed kernel", function()
      local y = targets:col(1)
      local model = ml.KernelRidge { gamma = 0.1 }:fit(features, y)
      local sparse = ml.KernelRidge { gamma = 0.1 }:fit(ml.Sparse(features), y)
      near_all(model:predict(features), sparse:predict(ml.Sparse(features)), 1e-11)
      local K = rbf(features, features, 0.1)
      local precomputed = ml.KernelRidge { kernel = "precomputed" }:fit(K, y)
      near_all(model:predict(features:take(few)), precomputed:predict(K:take(few)), 1e-11)
   end)
end)

describe("KernelPCA", function()
   for name, expected in pairs(fixture.pca) do
      it("agrees with scikit-learn for the kernel " .. name, function()
         local model = ml.KernelPCA(settings(name, { n_components = 4, fit_inverse_transform = true, alpha = 0.3 }))
         local Z = model:fit(X):transform(X:take(few))
         near_all(expected.eigenvalues, model.eigenvalues, 1e-10)
         near_rows(expected.size, Z:abs(), 1e-8)
         near_rows(expected.inverse, model:inverse_transform(Z), 1e-8)
      end)
   end

   it("is PCA with the linear kernel", function()
      local Z, W = ml.PCA { n_components = 3 }:fit_transform(X), ml.KernelPCA { n_components = 3 }:fit_transform(X)
      near_rows(Z:abs(), W:abs(), 1e-10)
   end)

   it("has as many components as eigenvalues above 0", function()
      local lines = ml.Matrix { { 0, 0 }, { 1, 2 }, { 2, 4 }, { 5, 10 } }
      assert.equal(1, #ml.KernelPCA {}:fit(lines).eigenvalues)
      local both = ml.KernelPCA { n_components = 2 }:fit(lines)
      assert.equal(2, #both.eigenvalues)
      assert.equal(0, both.eigenvalues[2])
      assert.equal(0, both:transform(lines):col(2):abs():max())
   end)

   it("has one component, which is 0, if no eigenvalue is above rounding error", function()
      local negative = ml.kernel.Function(function(x, z) return -x:dot(z) end)
      for _, setting in ipairs { { kernel = ml.kernel.Constant {} }, { kernel = negative } } do
         local model = ml.KernelPCA(setting):fit(X)
         assert.same({ 0 }, model.eigenvalues:totable())
         assert.equal(0, model:transform(X):abs():max())
      end
      local equal = ml.full(4, 2, 3)
      assert.same({ { 0 }, { 0 }, { 0 }, { 0 } }, ml.KernelPCA {}:fit_transform(equal):totable())
   end)

   it("finds the same components by block Lanczos, with equal eigenvalues as well", function()
      local digits = (ml.read_csv("examples/data/digits.csv"):split "digit"):matrix():slice(1, 600):copy()
      for _, setting in ipairs { { kernel = "rbf", gamma = 1e-3 }, { kernel = "poly", degree = 2, gamma = 0.01 } } do
         setting.n_components, setting.eigen_solver = 6, "dense"
         local dense = ml.KernelPCA(setting):fit(digits)
         setting.eigen_solver = "lanczos"
         local lanczos = ml.KernelPCA(setting):fit(digits)
         near_all(dense.eigenvalues, lanczos.eigenvalues, 1e-10)
         near_rows(dense:transform(digits:slice(1, 20)), lanczos:transform(digits:slice(1, 20)), 1e-7)
      end
      -- three groups of 100 equal rows, far apart: the eigenvalue 100 has multiplicity 2, all others are 0
      local groups = {}
      for i = 1, 300 do groups[i] = { i % 3 * 100 } end
      local model = ml.KernelPCA { kernel = "rbf", gamma = 1, n_components = 4, eigen_solver = "lanczos" }:fit(groups)
      near_all({ 100, 100, 0, 0 }, model.eigenvalues, 1e-9)
   end)

   it("gives the same bytes for any number of threads", function()
      support.same_for_any_threads(function()
         return ml.KernelPCA { kernel = "rbf", gamma = 0.05, n_components = 2, eigen_solver = "lanczos" }:fit(
            ml.normal(700, 5, 1))
      end)
   end)

   it("centers the kernel: transformed training rows sum to 0", function()
      local Z = ml.KernelPCA { kernel = "rbf", gamma = 0.1, n_components = 5 }:fit_transform(X)
      for c = 1, 5 do assert.near(0, Z:col(c):sum(), 1e-9) end
   end)

   it("refuses more components than rows, and pre-images without fit_inverse_transform", function()
      refuses("n_components must be at most the number of rows, 3, got 4", function()
         ml.KernelPCA { n_components = 4 }:fit { { 1 }, { 2 }, { 3 } }
      end)
      refuses("inverse_transform", function() ml.KernelPCA {}:fit(X):inverse_transform(X) end)
   end)
end)

describe("Nystroem", function()
   it("reproduces the kernel matrix when all rows are drawn", function()
      local x = X:slice(1, 40):copy()
      local Z = ml.Nystroem { gamma = 0.1, n_components = 40 }:fit_transform(x)
      near_rows(rbf(x, x, 0.1), Z * Z:t(), 1e-10)
   end)

   it("is exact for the rows that were drawn", function()
      local map = ml.Nystroem { gamma = 0.1, n_components = 25, seed = 3 }:fit(X)
      local drawn = X:take(map.component_indices)
      local Z = map:transform(drawn)
      near_rows(rbf(drawn, drawn, 0.1), Z * Z:t(), 1e-10)
      local seen = {}
      for _, i in ipairs(map.component_indices:totable()) do
         assert.is_nil(seen[i]) -- drawn without replacement
         seen[i] = true
      end
   end)

   it("copes with repeated rows", function()
      local Z = ml.Nystroem { gamma = 1, n_components = 4 }:fit_transform { { 1 }, { 1 }, { 2 }, { 2 } }
      near_rows(rbf(ml.Matrix { { 1 }, { 2 } }, ml.Matrix { { 1 }, { 2 } }, 1),
         Z:take { 1, 3 } * Z:take({ 1, 3 }):t(), 1e-12)
   end)

   it("names the row of X that the kernel cannot take, also if it was not drawn", function()
      local rows = ml.normal(50, 2, 1):square():totable()
      rows[37][2] = -3
      refuses("Nystroem: kernel chi2: X must be >= 0, got %-3 in row 37", function()
         ml.Nystroem { kernel = "chi2", n_components = 5 }:fit(rows)
      end)
   end)

   it("accepts a precomputed kernel", function()
      local K = rbf(X, X, 0.1)
      local map = ml.Nystroem { gamma = 0.1, n_components = 20, seed = 1 }:fit(X)
      local pre = ml.Nystroem { kernel = "precomputed", n_components = 20, seed = 1 }:fit(K)
      near_rows(map:transform(X:take(few)), pre:transform(K:take(few)), 1e-9)
   end)
end)

describe("RBFSampler", function()
   -- Inner products of D features have a standard error of at most sqrt(1 / D) k(0); 5 of them are allowed.
   local x = ml.normal(12, 2, 4)
   local D <const> = 20000

   local function worst(kernel, exact)
      local Z = ml.RBFSampler { kernel = kernel, gamma = 0.7, n_components = D, seed = 2 }:fit_transform(x)
      return (Z * Z:t() - exact):abs():max()
   end

   it("approximates the kernel rbf", function()
      assert(worst("rbf", rbf(x, x, 0.7)) < 5 / math.sqrt(D))
   end)

   it("approximates all shift-invariant kernels and their compositions", function()
      local k = ml.kernel
      for _, kernel in ipairs { k.Laplacian { length = 0.8 }, k.OrnsteinUhlenbeck { length = 2 },
         k.Matern { length = 1.5, nu = 1.5 }, k.Matern { length = { 1, 3 }, nu = 2.5 },
         k.RationalQuadratic { length = 1, alpha = 0.7 }, 0.5 * k.RBF { length = 0.5 } + 2 * k.RBF { length = 3 },
         k.RBF { length = 1 } * k.Laplacian { length = 2 }, k.RBF { length = 2 } ^ 2,
         k.RBF { length = 1, columns = { 2 } } } do
         local exact = kernel:matrix(x)
         assert(worst(kernel, exact) < 5 * exact:get(1, 1) / math.sqrt(D), tostring(kernel))
      end
   end)

   it("refuses kernels that are not shift-invariant", function()
      refuses("got Linear; use Nystroem", function() ml.RBFSampler { kernel = "linear" }:fit(x) end)
      refuses("must be a kernel, or one of rbf, laplacian, got 'gauss'", ml.RBFSampler, { kernel = "gauss" })
   end)

   it("refuses X whose products with the frequencies overflow", function()
      local map = ml.RBFSampler {}:fit(x)
      for _, rows in ipairs { 1, 20 } do
         refuses("RBFSampler: X is too large", function() map:transform(ml.full(rows, x.cols, 1.7e308)) end)
      end
   end)

   it("is the same for sparse X", function()
      local map = ml.RBFSampler { n_components = 5, seed = 1 }:fit(x)
      near_rows(map:transform(x), map:transform(ml.Sparse(x)), 1e-13)
   end)
end)
