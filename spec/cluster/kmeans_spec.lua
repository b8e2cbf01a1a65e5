local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/first.lua".kmeans

-- Four points in two obvious clusters: each point lies 0.5 from the mean of its pair, so J = 4 * 0.25 = 1.
local corners = { { 0, 0 }, { 0, 1 }, { 10, 0 }, { 10, 1 } }

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
end

describe("KMeans", function()
   it("finds the clusters with the lowest inertia", function()
      local model = ml.KMeans { n_clusters = 2, seed = 1 }:fit(corners)
      assert.is_true(model.converged)
      assert.near(1, model.inertia, 1e-12)
      assert.equal(model.labels[1], model.labels[2])
      assert.not_equal(model.labels[1], model.labels[3])
      assert.is_true(model:predict(corners) == model.labels)
   end)

   it("agrees with scikit-learn's Lloyd algorithm from given centers", function()
      local X = digits()
      local model = ml.KMeans { n_clusters = 10, start = X:slice(1, 10), tol = 0 }:fit(X)
      support.near(oracle.inertia, model.inertia, 1e-10, "inertia")
      support.near_all(oracle.counts, model.counts, 0, "count")
      support.near_all(oracle.centers0, model.cluster_centers[1], 1e-10, "center", 1)
      local w = {}
      for i = 1, X.rows do w[i] = 1 + (i - 1) % 3 end
      local weighted = ml.KMeans { n_clusters = 10, start = X:slice(1, 10), tol = 0 }:fit(X, nil, { weights = w })
      support.near(oracle.weighted_inertia, weighted.inertia, 1e-10, "weighted inertia")
   end)

   it("is as good as scikit-learn with ten starts", function()
      local model = ml.KMeans { n_clusters = 10, n_init = 10, seed = 1 }:fit(digits())
      assert.is_true(model.inertia <= oracle.best_of_10 * 1.002)
   end)

   it("never increases the inertia", function()
      local model = ml.KMeans { n_clusters = 10, seed = 3, init = "random" }:fit(digits())
      for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1] * (1 + 1e-12)) end
      assert.equal(model.n_iter, #model.trace)
   end)

   it("gives the same labels for shifted data", function()
      local X = digits()
      local here = ml.KMeans { n_clusters = 10, seed = 2 }:fit(X)
      local there = ml.KMeans { n_clusters = 10, seed = 2 }:fit(X + 64)
      assert.is_true(here.labels == there.labels)
   end)

   it("moves empty centers to new rows", function()
      local start = { { 0, 0.5 }, { 1000, 1000 }, { 10, 0.5 } }
      local model = ml.KMeans { n_clusters = 3, start = start }:fit(corners)
      assert.is_true(model.counts:min() >= 1)
      assert.near(0.5, model.inertia, 1e-12)
   end)

   it("handles fewer distinct rows than clusters", function()
      local model = ml.KMeans { n_clusters = 3 }:fit { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 3, 4 } }
      assert.equal(0.0, model.inertia)
   end)

   it("computes distances to all centers by transform", function()
      local model = ml.KMeans { n_clusters = 2, seed = 1 }:fit(corners)
      local D = model:transform { { 0, 0.5 } }
      support.near_all({ 0, 10 }, D[1]:sort(), 1e-12, "distance", 1)
   end)

   it("warns of clusters without rows, as its relatives do", function()
      local X, heard = { { 1, 2 }, { 1, 2 }, { 3, 4 }, { 3, 4 } }, {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      for _, name in ipairs { "KMeans", "MiniBatchKMeans", "SphericalKMeans", "BisectingKMeans", "KMedoids", "KModes",
         "KPrototypes", "SpectralClustering" } do
         ml[name] { n_clusters = 2 }:fit(X)
         assert.equal(0, #heard, name)
         ml[name] { n_clusters = 3 }:fit(X)
         assert.equal(
            name .. ": only 2 of 3 clusters have rows, as when X has fewer distinct rows; decrease n_clusters",
            table.remove(heard)
         )
      end
      ml.AgglomerativeClustering {}:fit(X)
      ml.Birch { n_clusters = 2 }:fit(X)
      assert.same({}, heard)
      ml.AgglomerativeClustering { n_clusters = 3 }:fit(X)
      assert.matches("rows at distance 0 are in different clusters, as when X has fewer distinct rows than 3",
         table.remove(heard))
      ml.Birch {}:fit(X)
      assert.matches("X has fewer subclusters, 2, than n_clusters, 3; decrease threshold", table.remove(heard))
      ml.warnings(old)
   end)

   it("refuses numbers whose squares overflow, as its relatives and mixtures do", function()
      local X = { { 1e300, 2 }, { -1e300, 4 }, { 1, 6 } }
      for _, name in ipairs { "KMeans", "MiniBatchKMeans", "BisectingKMeans", "KPrototypes" } do
         support.refuses(name .. ": squared distances overflow; scale the columns", function()
            ml[name] { n_clusters = 2 }:fit(X)
         end)
      end
      local others = { "MAPDP", "GaussianMixture", "BayesianGaussianMixture", "AffinityPropagation", "DBSCAN",
         "HDBSCAN", "OPTICS", "AgglomerativeClustering", "KMedoids", "MeanShift", "Birch", "SpectralClustering" }
      local settings = { KMedoids = { n_clusters = 2 }, SpectralClustering = { n_clusters = 2 },
         OPTICS = { min_samples = 2 }, HDBSCAN = { min_cluster_size = 2 } }
      for _, name in ipairs(others) do
         support.refuses(name .. ": X must hold numbers below 1e100 .*got 1e%+300 in column 1", function()
            ml[name](settings[name] or {}):fit(X)
         end)
      end
      support.refuses("GaussianNB: X must hold numbers below 1e100", function()
         ml.GaussianNB {}:fit(X, { "a", "b", "a" })
      end)
   end)

   it("refuses invalid arguments", function()
      support.refuses("KMeans: n_clusters must be at most the number of rows, 4, got 9", function()
         ml.KMeans { n_clusters = 9 }:fit(corners)
      end)
      support.refuses("KMeans: start must be n_clusters x features = 2 x 2, got 1 x 2", function()
         ml.KMeans { n_clusters = 2, start = { { 1, 2 } } }:fit(corners)
      end)
      support.refuses("KMeans: tol must be >= 0, got %-?nan", function() ml.KMeans { tol = 0 / 0 } end)
   end)

   it("skips only rows whose center cannot change", function()
      for _, case in ipairs { { 3000, 5, 1 }, { 3000, 5, 7 }, { 2000, 2, 50 }, { 500, 3, 400 } } do
         local rows, k = ml.normal(case[1], case[2], 3), case[3]
         local whole = ml.KMeans { n_clusters = k, start = rows:slice(1, k), tol = 0, max_iter = 40 }:fit(rows)
         local step, centers = nil, rows:slice(1, k)
         for _ = 1, whole.n_iter do -- a fit of one iteration has no bounds from earlier ones
            step = ml.KMeans { n_clusters = k, start = centers, tol = 0, max_iter = 1 }:fit(rows)
            centers = step.cluster_centers
         end
         assert(whole.cluster_centers == centers and whole.inertia == step.inertia)
         assert(whole.labels == step.labels and whole.labels == whole:predict(rows))
      end
   end)

   it("assigns each row to the nearest center in float64, on data that are difficult for float32", function()
      local blobs = ml.normal(12, 9, 5):take((ml.random(1500, nil, 6) * 12):floor():add(1)) * 3 + ml.normal(1500, 9, 7)
      local outliers, grid = blobs:copy(), (blobs * 0.5):round()
      for j = 1, 9 do outliers:set(700, j, 1e25) end
      local cases = { blobs + 2 ^ 30, blobs * 1e-140, blobs * 1e150, outliers, grid, (grid + 1e-14 * blobs) * 1e5,
         grid:take((ml.random(1500, nil, 8) * 40):floor():add(1)) }
      for case, X in ipairs(cases) do
         local model = ml.KMeans { n_clusters = 40, start = X:slice(1, 40), tol = 0, max_iter = 12 }:fit(X)
         local distances, inertia = model:transform(X), 0
         for i = 1, X.rows do
            local least = distances[i]:min()
            support.near(least, distances:get(i, model.labels[i]), 1e-12, ("case %d, row %d"):format(case, i))
            inertia = inertia + least ^ 2
         end
         support.near(inertia, model.inertia, 1e-9, "inertia of case " .. case)
         assert(model.labels == model:predict(X))
      end
   end)

   it("gives the same bytes by every algorithm", function()
      local centers = ml.normal(30, 16, 1)
      local blobs = centers:take((ml.random(4000, nil, 2) * 30):floor():add(1)) * 1 + ml.normal(4000, 16, 3)
      local grid = (ml.normal(900, 2, 5) * 3):round()
      local w = ml.random(4000, nil, 4):add(0.1)
      for _, case in ipairs { { blobs, 30 }, { blobs, 200 }, { blobs, 30, w }, { grid, 25 }, { grid, 1 },
         { ml.normal(300, 3, 6), 290 }, { ml.normal(300, 800, 7), 9 }, { ml.normal(50, 2, 1), 50 } } do
         local X, k = case[1], case[2]
         local function fit(algorithm)
            return ml.KMeans { n_clusters = k, algorithm = algorithm, tol = 0, max_iter = 60, seed = 2 }
               :fit(X, nil, { weights = case[3] })
         end
         local lloyd = fit "lloyd"
         for _, algorithm in ipairs { "auto", "hamerly", "elkan", "yinyang" } do
            local model = fit(algorithm)
            assert(model.labels == lloyd.labels and model.cluster_centers == lloyd.cluster_centers, algorithm)
            assert.equal(lloyd.inertia, model.inertia)
            assert.equal(lloyd.n_iter, model.n_iter)
         end
      end
   end)

   it("fits sparse X as if it were dense", function()
      local X = ml.normal(2000, 20, 1):maximum(ml.zeros(2000, 20)):mul(ml.random(2000, 20, 2):round())
      local w = ml.random(2000, nil, 4):add(0.1)
      for _, options in ipairs { {}, { weights = w } } do
         local dense = ml.KMeans { n_clusters = 12, seed = 2 }:fit(X, nil, options)
         local sparse = ml.KMeans { n_clusters = 12, seed = 2 }:fit(ml.Sparse.from(X), nil, options)
         assert(dense.labels == sparse.labels and sparse.labels == sparse:predict(X))
         support.near(dense.inertia, sparse.inertia, 1e-12, "inertia")
         assert.near(0, (dense.cluster_centers - sparse.cluster_centers):abs():max(), 1e-12)
         assert(dense:transform(X) == dense:transform(ml.Sparse.from(X)))
      end
   end)

   it("handles n clusters for n rows, and identical rows", function()
      local X = ml.normal(40, 3, 1)
      assert.near(0, ml.KMeans { n_clusters = 40 }:fit(X).inertia, 1e-25)
      for _, identical in ipairs { ml.full(20, 3, 1.5), ml.Sparse.from(ml.full(20, 3, 1.5)) } do
         local model = ml.KMeans { n_clusters = 4 }:fit(identical)
         assert.equal(0.0, model.inertia)
         assert(model.labels == model:predict(identical))
      end
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(20000, 6, 1)
      support.same_for_any_threads(function() return ml.KMeans { n_clusters = 9, max_iter = 20 }:fit(X) end)
      support.same_for_any_threads(function()
         return ml.KMeans { n_clusters = 9, max_iter = 20 }:fit(ml.Sparse.from(X))
      end)
   end)
end)
