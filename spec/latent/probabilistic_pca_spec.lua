local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/latent/probabilistic_pca.lua"
local nan = 0 / 0

local function scaled()
   return ml.StandardScaler {}:fit_transform(ml.read_csv("examples/data/wine.csv"):drop({ "class" }):matrix())
end

-- The data of probabilistic_pca.py with missing values.
local function incomplete()
   local X, Y = scaled(), ml.Matrix(60, 4)
   for i = 1, 60 do
      for j = 1, 4 do Y:set(i, j, (3 * i + 5 * j) % 7 == 0 and nan or X:get(i, j)) end
   end
   return Y
end

describe("ProbabilisticPCA", function()
   it("agrees with scikit-learn's PCA in closed form", function()
      local X, wanted = scaled(), oracle.closed
      local model = ml.ProbabilisticPCA { n_components = 4 }:fit(X)
      support.near_rows(wanted.components, model.components, 1e-10, "components", 1)
      support.near_all(wanted.variance, model.explained_variance, 1e-11, "variance")
      support.near(wanted.noise, model.noise_variance, 1e-11, "noise")
      support.near_all(wanted.scores, model:score_samples(X:slice(1, 5)), 1e-10, "log density")
      support.near(wanted.loglike, model.loglike, 1e-11, "log likelihood")
      support.near(wanted.loglike, model:score_samples(X):sum(), 1e-11, "log likelihood")
      support.near_rows(wanted.covariance, model:covariance(), 1e-11, "covariance", 1)
   end)

   it("reaches the same by EM", function()
      local X = scaled()
      local closed = ml.ProbabilisticPCA { n_components = 2 }:fit(X)
      local em = ml.ProbabilisticPCA { n_components = 2, solver = "em", tol = 1e-14, max_iter = 5000 }:fit(X)
      support.near(closed.loglike, em.loglike, 1e-11, "log likelihood")
      support.near_rows(closed:covariance(), em:covariance(), 1e-5, "covariance", 1) -- the root of the tolerance
      support.near_all(closed:score_samples(X), em:score_samples(X), 1e-5, "log density", 1)
      for i = 2, #em.trace do assert.is_true(em.trace[i] <= em.trace[i - 1]) end
   end)

   it("maximizes the likelihood of the observed values", function()
      local Y, wanted = incomplete(), oracle.missing
      local model = ml.ProbabilisticPCA { n_components = 1, tol = 1e-13, max_iter = 20000 }:fit(Y)
      support.near(wanted.loglike, model.loglike, 1e-10, "log likelihood")
      support.near(wanted.loglike, model:score_samples(Y):sum(), 1e-10, "log likelihood")
      -- parameters agree to the root of the tolerance
      support.near_rows(wanted.covariance, model:covariance(), 1e-4, "covariance", 1)
      support.near_all(wanted.mean, model.mean, 1e-4, "mean", 1)
      local row, missing = {}, {}
      for j = 1, 4 do
         row[j] = wanted.row[j] > 1e8 and nan or wanted.row[j]
         if row[j] ~= row[j] then missing[#missing + 1] = j end
      end
      local filled = model:conditional { row }
      for index, j in ipairs(missing) do
         support.near(wanted.filled[index], filled.mean[1][j], 1e-4, "value", 1)
         support.near(wanted.variance[index], filled.variance[1][j], 1e-4, "variance", 1)
      end
      for j = 1, 4 do
         if row[j] == row[j] then
            assert.equal(row[j], filled.mean[1][j])
            assert.equal(0, filled.variance[1][j])
         end
      end
   end)

   it("is PCA with whitening as the noise goes to zero", function()
      local Z = ml.normal(200, 2, 1)
      local A = ml.Matrix { { 3, 1, 0, 2 }, { 0, 1, -1, 0.5 } }
      local whitened, before
      for _, size in ipairs { 1e-1, 1e-3, 1e-5 } do
         local X = Z * A + ml.normal(200, 4, 2) * size
         local pca = ml.PCA { n_components = 2, whiten = true }:fit(X)
         local model = ml.ProbabilisticPCA { n_components = 2 }:fit(X)
         local mine, theirs, worst = model:transform(X), pca:transform(X), 0
         for i = 1, 200 do
            for c = 1, 2 do
               worst = math.max(worst, math.abs(mine:get(i, c) - theirs:get(i, c) * math.sqrt(200 / 199)))
            end
         end
         support.near_rows(pca.components, model.components, 1e-9, "components", 1)
         assert.is_true(not before or worst < before / 100)
         before, whitened = worst, worst
      end
      assert.is_true(whitened < 1e-8)
   end)

   it("projects rows onto the axes", function()
      local X = scaled()
      local pca = ml.PCA { n_components = 3 }:fit(X)
      local model = ml.ProbabilisticPCA { n_components = 3 }:fit(X)
      local few = X:slice(1, 4)
      support.near_rows(pca:inverse_transform(pca:transform(few)), model:inverse_transform(model:transform(few)), 1e-10,
         "row", 1)
   end)

   it("samples from the model", function()
      local model = ml.ProbabilisticPCA { n_components = 2 }:fit(scaled():slice(1, 60))
      local S = ml.EmpiricalCovariance {}:fit(model:sample { n = 20000, seed = 1 })
      -- standard errors are about 0.01
      support.near_rows(model:covariance(), S.covariance, 0.06, "covariance", 1)
      support.near_all(model.mean, S.location, 0.05, "mean", 1)
   end)

   it("counts weights as repeated rows, also with missing values", function()
      local Y, rows, weights = incomplete(), {}, {}
      for i = 1, 60 do
         weights[i] = i % 3
         for _ = 1, weights[i] do rows[#rows + 1] = Y[i] end
      end
      local weighted = ml.ProbabilisticPCA { n_components = 1 }:fit(Y, nil, { weights = weights })
      local repeated = ml.ProbabilisticPCA { n_components = 1 }:fit(rows)
      support.near(repeated.loglike, weighted.loglike, 1e-9, "log likelihood")
   end)

   it("gives the same bytes for any number of threads", function()
      local X = ml.normal(1000, 4, 1)
      for i = 1, 1000, 3 do X:set(i, 1 + i % 4, nan) end
      support.same_for_any_threads(function() return ml.ProbabilisticPCA { n_components = 2, max_iter = 10 }:fit(X) end)
   end)

   it("handles rows without any value, constant columns and few rows", function()
      local Y = incomplete()
      for j = 1, 4 do Y:set(3, j, nan) end
      local model = ml.ProbabilisticPCA { n_components = 1 }:fit(Y)
      assert.equal(0, model:score_samples(Y)[3])
      support.near_all({ 0 }, model:transform(Y)[3], 1e-12, "z", 1)
      for i = 1, 60 do Y:set(i, 2, 5) end
      model = ml.ProbabilisticPCA { n_components = 1 }:fit(Y)
      support.near(5, model.mean[2], 1e-12, "mean")
      local wide = ml.ProbabilisticPCA {}:fit(ml.normal(5, 12, 1))
      assert.equal(3, wide.components.rows)
   end)

   it("refuses what it cannot do", function()
      support.refuses("n_components must be less than columns = 2, got 2", function()
         ml.ProbabilisticPCA { n_components = 2 }:fit(ml.normal(10, 2, 1))
      end)
      support.refuses("X has missing values", function()
         ml.ProbabilisticPCA { solver = "closed_form" }:fit { { 1, nan }, { 2, 3 }, { 4, 4 } }
      end)
      support.refuses("column 2 of X has only missing values", function()
         ml.ProbabilisticPCA {}:fit { { 1, nan }, { 2, nan }, { 4, nan } }
      end)
      support.refuses("all columns of X are constant", function() ml.ProbabilisticPCA {}:fit { { 1, 2 }, { 1, 2 } } end)
   end)
end)
