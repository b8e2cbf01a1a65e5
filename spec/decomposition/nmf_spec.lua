local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/decomposition/decomposition.lua"

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix():slice(1, 300)
end

local function never_increases(model)
   for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] * (1 + 1e-12)) end
end

local cases = {
   nmf_cd = {},
   nmf_cd_nndsvd = { init = "nndsvd" },
   nmf_cd_penalty = { alpha_W = 0.01, alpha_H = 0.02, l1_ratio = 0.4 },
   nmf_mu = { beta_loss = "kullback-leibler" },
   nmf_mu_l1 = { beta_loss = "kullback-leibler", alpha_W = 0.01, alpha_H = 0.005, l1_ratio = 1 },
}

describe("NMF", function()
   for name, settings in pairs(cases) do
      it("agrees with scikit-learn from the same start: " .. name, function()
         settings.n_components, settings.max_iter, settings.tol = 5, 400, 1e-5
         local model = ml.NMF(settings):fit(digits())
         assert.equal(oracle[name].n_iter, model.n_iter)
         support.near(oracle[name].error, model.reconstruction_err, 1e-8, "reconstruction error")
         support.near_rows(oracle[name].components, model.components, 1e-6, "component", 1)
         assert.is_true(model.converged)
         never_increases(model)
      end)
   end

   it("lowers the penalized objective in each iteration, also from random starts", function()
      local X = digits()
      for _, loss in ipairs { "frobenius", "kullback-leibler" } do
         local model = ml.NMF { n_components = 4, beta_loss = loss, init = "random", seed = 3, alpha_W = 0.02,
            l1_ratio = 0.3, max_iter = 60, tol = 1e-3 }:fit(X)
         never_increases(model)
         assert.is_true(model.components:min() >= 0)
         assert.is_true(model:transform(X):min() >= 0)
      end
   end)

   it("transforms rows to the minimum: gradients vanish or point inwards", function()
      local X = digits()
      local model = ml.NMF { n_components = 4, tol = 1e-3 }:fit(X)
      local H, W = model.components, model:transform(X)
      local gradient = (W * H - X) * H:t()
      local scale = (X * H:t()):max()
      for i = 1, X.rows do
         for c = 1, 4 do
            assert.is_true(gradient[i][c] >= -1e-9 * scale)
            assert.is_true(math.abs(gradient[i][c] * W[i][c]) <= 1e-9 * scale)
         end
      end
   end)

   it("recovers a planted factorization", function()
      local W, H = ml.normal(60, 3, 1):abs(), ml.normal(3, 8, 2):abs()
      local X = W * H
      for _, loss in ipairs { "frobenius", "kullback-leibler" } do
         local model = ml.NMF { n_components = 3, beta_loss = loss, tol = 1e-7, max_iter = 20000 }:fit(X)
         assert.is_true(model.reconstruction_err < 0.01 * math.sqrt((X ^ 2):sum()))
      end
   end)

   it("gives the same for sparse rows, and for dense rows that are mostly zero", function()
      local X = digits()
      local noisy = X + 0.01
      for _, loss in ipairs { "frobenius", "kullback-leibler" } do
         local settings = { n_components = 11, beta_loss = loss, max_iter = 30, tol = 0.01, alpha_W = 0.01,
            l1_ratio = 0.5 }
         local dense, sparse = ml.NMF(settings):fit(X), ml.NMF(settings):fit(ml.Sparse(X))
         support.near_rows(dense.components:totable(), sparse.components, 1e-8, "component", 1)
         support.near(dense.reconstruction_err, sparse.reconstruction_err, 1e-10, "error")
         support.near_rows(dense:transform(X):totable(), sparse:transform(ml.Sparse(X)), 1e-8, "transform", 1)
         -- without zeros the dense path, which gives nearly the same
         local full = ml.NMF(settings):fit(noisy)
         support.near(dense.reconstruction_err, full.reconstruction_err, 0.05, "error of X + 0.01")
      end
   end)

   it("reports the error of the residuals", function()
      local X = digits()
      for _, k in ipairs { 3, 17 } do
         local model = ml.NMF { n_components = k, max_iter = 20, tol = 1 }:fit(X)
         local W = model:transform(X)
         local error = math.sqrt(((X - W * model.components) ^ 2):sum())
         assert.is_true(error <= model.reconstruction_err * (1 + 1e-9)) -- transform solves for W to the end
         support.near(error, model.reconstruction_err, 0.2, "error")
      end
   end)

   it("finds topics of texts", function()
      local texts = ml.read_csv "examples/data/sms_spam.csv":col "text"
      local X = ml.TfidfVectorizer { min_df = 5 }:fit_transform(texts)
      local model = ml.NMF { n_components = 4, max_iter = 10, tol = 0.1 }:fit(X)
      assert.equal(4, model.components.rows)
      assert.is_true(model.reconstruction_err < math.sqrt(X.rows))
      assert.equal(4, model:transform(X).cols)
   end)

   it("handles zeros, constant columns and more components than columns", function()
      for _, loss in ipairs { "frobenius", "kullback-leibler" } do
         local zero = ml.NMF { n_components = 2, beta_loss = loss }:fit(ml.zeros(4, 3))
         assert.equal(0, zero.reconstruction_err)
         assert.equal(0, zero:transform(ml.zeros(1, 3))[1][1])
         local constant = ml.NMF { n_components = 1, beta_loss = loss }:fit { { 3, 4 }, { 3, 4 }, { 6, 8 } }
         assert.is_true(constant.reconstruction_err < 1e-6)
         local wide = ml.NMF { n_components = 4, beta_loss = loss, tol = 1e-3, max_iter = 5000 }
         wide:fit(ml.normal(9, 2, 1):abs())
         assert.equal(4, wide.components.rows)
      end
      assert.error_matches(function() ml.NMF { n_components = 4, init = "nndsvd" }:fit(ml.normal(9, 2, 1):abs()) end,
         'NMF: init = "nndsvd" requires n_components of at most min%(rows, columns%) = 2, got 4')
      assert.error_matches(function() ml.NMF {}:fit { { 1, -1 }, { 2, 3 } } end, "NMF: .*>= 0")
   end)
end)
