local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/manifold/classical_mds.lua"

local function iris()
   return (support.data("iris", "species")):matrix()
end

-- The sign of a coordinate is arbitrary: that of the first row decides.
local function near_up_to_signs(wanted, got, tolerance)
   local same = {}
   for i = 1, got.rows do
      same[i] = {}
      for c = 1, got.cols do same[i][c] = wanted[1][c] * got[1][c] < 0 and -got[i][c] or got[i][c] end
   end
   support.near_rows(wanted, ml.Matrix(same), tolerance, "coordinates", 1)
end

describe("ClassicalMDS", function()
   for _, metric in ipairs { "euclidean", "manhattan" } do
      it("computes the coordinates of scikit-learn: " .. metric, function()
         local model = ml.ClassicalMDS { n_components = 3, metric = metric }:fit(iris())
         local rows = {}
         for i = 1, 150, 10 do rows[#rows + 1] = i end
         near_up_to_signs(oracle[metric].embedding, model.embedding:take(rows), 1e-9)
         support.near_all(oracle[metric].eigenvalues, model.eigenvalues, 1e-10, "eigenvalues")
      end)
   end

   it("computes the coordinates of R's cmdscale for road distances", function()
      local model = ml.ClassicalMDS { metric = "precomputed" }:fit(oracle.eurodist)
      near_up_to_signs(oracle.eurodist_points, model.embedding, 1e-9)
      local all, kept, trace = 0, 0, 0
      for c, value in ipairs(oracle.eurodist_eigenvalues) do
         all, trace, kept = all + value ^ 2, trace + value, kept + (c <= 2 and value ^ 2 or 0)
      end
      assert.near(kept / all, model.goodness_of_fit, 1e-12)
      assert.near(oracle.eurodist_eigenvalues[1] / trace, model.explained_variance_ratio[1], 1e-12)
   end)

   it("gives coordinates of 0 for negative eigenvalues", function()
      local model = ml.ClassicalMDS { n_components = 21, metric = "precomputed" }:fit(oracle.eurodist)
      assert.equal(0, model.eigenvalues[21])
      assert.equal(0, model.embedding[3][21])
      assert.equal(0, model:transform(oracle.eurodist)[3][21])
   end)

   it("equals PCA for Euclidean distances, also at new rows", function()
      local X = iris()
      local old, new = X:slice(1, 120), X:slice(121, 150)
      local pca = ml.PCA { n_components = 3 }:fit(old)
      local mds = ml.ClassicalMDS { n_components = 3 }:fit(old)
      near_up_to_signs(pca:transform(old), mds.embedding, 1e-9)
      near_up_to_signs(pca:transform(new), mds:transform(new), 1e-9)
      support.near_all(pca.explained_variance_ratio, mds.explained_variance_ratio, 1e-10, "ratio")
   end)

   for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "mahalanobis" } do
      it("places training rows where they are: " .. metric, function()
         local X = iris()
         local model = ml.ClassicalMDS { n_components = 3, metric = metric, p = 3 }:fit(X)
         support.near_rows(model.embedding, model:transform(X), 1e-9, "coordinates", 1)
      end)
   end

   it("places rows by their distances to the training rows", function()
      local X = iris()
      local distances = ml.pairwise_distances(X, X:slice(1, 100))
      local given = ml.ClassicalMDS { metric = "precomputed" }:fit(distances:slice(1, 100))
      local measured = ml.ClassicalMDS {}:fit(X:slice(1, 100))
      support.near_rows(measured:transform(X), given:transform(distances), 1e-9, "coordinates", 1)
   end)

   it("finds the same by Lanczos for many rows", function()
      local rows, draw = {}, support.draws "Lanczos"
      for i = 1, 600 do rows[i] = { 3 * draw(), 2 * draw(), draw() } end
      local X = ml.Matrix(rows)
      near_up_to_signs(ml.PCA { n_components = 2 }:fit(X):transform(X), ml.ClassicalMDS {}:fit(X).embedding, 1e-8)
   end)

   it("takes rows that are all equal, and duplicates", function()
      local model = ml.ClassicalMDS {}:fit { { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert.equal(0, model.goodness_of_fit)
      assert.equal(0, model.embedding[2][1])
      model = ml.ClassicalMDS { n_components = 1 }:fit { { 0 }, { 0 }, { 3 } }
      assert.near(3, math.abs(model.embedding[3][1] - model.embedding[1][1]), 1e-12)
      assert.near(1, model.goodness_of_fit, 1e-12)
   end)

   it("refuses what are not distances", function()
      local model = ml.ClassicalMDS { metric = "precomputed" }
      support.refuses("square X of distances, got 2 x 3", model.fit, model, { { 0, 1, 2 }, { 1, 0, 1 } })
      support.refuses("ClassicalMDS", model.fit, model, { { 0, 1 }, { 2, 0 } })
      support.refuses("n_components must be at most the number of rows, 2", model.fit,
         ml.ClassicalMDS { n_components = 3 }, { { 0, 1 }, { 2, 0 } })
   end)
end)
