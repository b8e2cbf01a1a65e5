local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/decomposition/pca_statistics.lua"

local wine = ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/wine.csv":drop { "class" }:matrix())
local digits = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()

describe("PCA:monitor", function()
   local cases = {
      wine = { X = wine, settings = { n_components = 3 }, confidence = 0.95 },
      digits = { X = digits, settings = { n_components = 10 }, confidence = 0.99 },
   }

   for name, case in pairs(cases) do
      for _, solver in ipairs { "covariance", "full" } do
         it(("agrees with the formulas: %s, %s"):format(name, solver), function()
            local model = ml.PCA(case.settings):set_params { solver = solver }:fit(case.X)
            local got = model:monitor(case.X:slice(1, 5), { confidence = case.confidence })
            local wanted = oracle[name]
            support.near_all(wanted.t_squared, got.rows:col "t_squared", 1e-9, "T squared")
            support.near_all(wanted.q, got.rows:col "q", 1e-8, "Q")
            support.near(wanted.t_squared_limit, got.t_squared_limit, 1e-9, "limit of T squared")
            support.near(wanted.q_limit, got.q_limit, 1e-9, "limit of Q")
         end)
      end
   end

   it("flags the stated fraction of normal rows", function()
      local L = ml.normal(10, 10, 1)
      local model = ml.PCA { n_components = 4 }:fit(ml.normal(4000, 10, 2) * L)
      local got = model:monitor(ml.normal(20000, 10, 3) * L, { confidence = 0.9 })
      local function share(name, limit)
         local count = 0
         for _, value in ipairs(got.rows:col(name):totable()) do count = count + (value > limit and 1 or 0) end
         return count / 20000
      end
      assert.near(0.1, share("t_squared", got.t_squared_limit), 0.01)
      assert.near(0.1, share("q", got.q_limit), 0.01)
   end)

   it("adds up to the squared distance from the mean of whitened rows", function()
      local model = ml.PCA {}:fit(wine)
      local got = model:monitor(wine:slice(1, 4))
      assert.is_true(got.rows:col "q":max() < 1e-20)
      assert.equal(0, got.q_limit)
      local Z = ml.PCA { whiten = true }:fit(wine):transform(wine:slice(1, 4))
      for i = 1, 4 do support.near(Z[i]:dot(Z[i]), got.rows:col "t_squared"[i], 1e-10, "T squared") end
   end)

   it("says when the limits are not known", function()
      local model = ml.PCA { n_components = 2, solver = "randomized" }:fit(wine)
      support.refuses('solver = "covariance" or "full"', function() model:monitor(wine) end)
   end)

   it("works after partial_fit, and is saved", function()
      local model = ml.PCA { n_components = 3 }
      model:partial_fit(wine:slice(1, 100))
      model:partial_fit(wine:slice(101, wine.rows))
      support.near(oracle.wine.q_limit, model:monitor(wine).q_limit, 1e-9, "limit of Q")
      support.near(oracle.wine.q_limit, ml.load(model:dump()):monitor(wine).q_limit, 1e-9, "limit of Q")
   end)
end)

describe("PCA with choose = mle", function()
   it("agrees with scikit-learn", function()
      local model = ml.PCA { choose = "mle" }:fit(wine)
      assert.equal(oracle.mle_wine, model.components.rows)
      local wanted = oracle.evidence
      local got = ml.PCA {}:fit(wine):evidence()
      for k = 1, #wanted do
         support.near(wanted[k] - wanted[1], got[k] - got[1], 1e-10, "evidence of " .. k, 1)
      end
   end)

   it("finds planted components", function()
      local X = ml.normal(500, 3, 1) * ml.normal(3, 12, 2) + ml.normal(500, 12, 3) * 0.3
      assert.equal(3, ml.PCA { choose = "mle" }:fit(X).components.rows)
      local parts = ml.PCA { choose = "mle" }:partial_fit(X:slice(1, 300)):partial_fit(X:slice(301, 500))
      assert.equal(3, parts.components.rows)
   end)

   it("handles equal and zero variances", function()
      local X = ml.vcat(ml.eye(4), ml.eye(4) * -1)
      assert.is_true(ml.PCA { choose = "mle" }:fit(X).components.rows >= 1)
      assert.equal(1, ml.PCA { choose = "mle" }:fit(ml.ones(9, 3)).components.rows)
      assert.equal(1, ml.PCA { choose = "mle" }:fit(ml.normal(9, 1, 1)).components.rows)
   end)

   it("refuses fewer rows than columns", function()
      support.refuses('PCA: choose = "mle" requires at least as many rows as columns, got 3 and 5', function()
         ml.PCA { choose = "mle" }:fit(ml.normal(3, 5, 1))
      end)
      support.refuses("evidence requires the variances of all", function()
         ml.PCA { n_components = 2 }:fit(wine):evidence()
      end)
   end)
end)

describe("PCA of sparse rows", function()
   local X = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix():slice(1, 300)
   local S = ml.Sparse(X)

   it("is that of dense rows, with weights", function()
      local weights = {}
      for i = 1, X.rows do weights[i] = i % 3 end
      for _, options in ipairs { {}, { weights = weights } } do
         local dense = ml.PCA { n_components = 6, solver = "full" }:fit(X, nil, options)
         local sparse = ml.PCA { n_components = 6 }:fit(S, nil, options)
         support.near_rows(dense.components:totable(), sparse.components, 1e-9, "component", 1)
         support.near_all(dense.explained_variance:totable(), sparse.explained_variance, 1e-12, "variance")
         support.near_all(dense.explained_variance_ratio:totable(), sparse.explained_variance_ratio, 1e-12, "ratio")
         support.near(dense.noise_variance, sparse.noise_variance, 1e-10, "noise")
         support.near_rows(dense:transform(X):totable(), sparse:transform(S), 1e-8, "transform", 1)
         support.near_all(dense:score_samples(X):totable(), sparse:score_samples(S), 1e-9, "log density", 1)
         support.near_all(dense:reconstruction_error(X):totable(), sparse:reconstruction_error(S), 1e-8, "error", 1)
      end
   end)

   it("has all components, fractions, and batches", function()
      local all = ml.PCA {}:fit(S)
      assert.equal(64, all.components.rows)
      local most = ml.PCA { n_components = 0.8 }
      assert.equal(most:clone():fit(X).components.rows, most:fit(S).components.rows)
      local parts = ml.PCA { n_components = 4 }
      parts:partial_fit(ml.Sparse(X:slice(1, 100))):partial_fit(ml.Sparse(X:slice(101, 300)))
      support.near_all(all.explained_variance:slice(1, 4):totable(), parts.explained_variance, 1e-10, "variance")
   end)

   it("does not make many columns dense", function()
      local entries = {}
      for i = 1, 2000 do entries[i] = { (i - 1) % 200 + 1, i * 7919 % 50000 + 1, i % 10 + 1 } end
      local wide = ml.Sparse { rows = 200, cols = 50000, entries = entries }
      assert.equal(5, ml.PCA { n_components = 5 }:fit(wide).components.rows)
   end)
end)
