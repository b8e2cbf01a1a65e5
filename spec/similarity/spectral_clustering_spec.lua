local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/similarity/similarity.lua"

local function faithful()
   return ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv":matrix())
end

local function agree(want, got, least)
   local score = ml.metrics.ari(want, got)
   assert(score >= least, ("adjusted Rand index %g"):format(score))
end

describe("SpectralClustering", function()
   for _, assign in ipairs { "kmeans", "discretize", "cluster_qr" } do
      it("finds the clusters of scikit-learn: " .. assign, function()
         local moons = ml.SpectralClustering { n_clusters = 2, gamma = 20, assign_labels = assign }
         agree(oracle["moons_" .. assign], moons:fit(oracle.moons).labels, 1)
         local circles = ml.SpectralClustering { n_clusters = 2, affinity = "nearest_neighbors", n_neighbors = 8,
            assign_labels = assign }
         agree(oracle["circles_" .. assign], circles:fit(oracle.circles).labels, 1)
         -- discretize ends in an optimum that depends on its random start, as in scikit-learn
         local best = 0
         for seed = 0, assign == "discretize" and 9 or 0 do
            local three = ml.SpectralClustering { n_clusters = 3, assign_labels = assign, seed = seed }:fit(faithful())
            best = math.max(best, ml.metrics.ari(oracle["faithful_" .. assign], three.labels))
         end
         assert(best >= 0.99, ("adjusted Rand index %g"):format(best))
      end)
   end

   it("computes the embedding of scikit-learn", function()
      local model = ml.SpectralClustering { n_clusters = 3 }:fit(faithful())
      local rows = {}
      for i = 1, 272, 20 do rows[#rows + 1] = i end
      support.near_rows(oracle.embedding, model.embedding:take(rows), 1e-6, "embedding", 1e-3)
      support.near(0, model.eigenvalues[1], 1e-12, "eigenvalue", 1)
   end)

   it("takes a matrix of similarities", function()
      local X = ml.Matrix(oracle.moons)
      local W = (-20 * ml.pairwise_distances(X):square()):exp()
      local model = ml.SpectralClustering { n_clusters = 2, affinity = "precomputed" }:fit(W)
      agree(oracle.moons_kmeans, model.labels, 1)
      W:set(1, 2, 0.7)
      support.refuses("similarities must be symmetric, got different ones of rows 1 and 2", function()
         ml.SpectralClustering { n_clusters = 2, affinity = "precomputed" }:fit(W)
      end)
      W:set(1, 2, -1)
      support.refuses("similarities must be >= 0, got %-1 in row 1, column 2", function()
         ml.SpectralClustering { n_clusters = 2, affinity = "precomputed" }:fit(W)
      end)
   end)

   it("separates components of a graph that is not connected", function()
      local X = {}
      for i = 1, 30 do X[i] = { i % 3 * 1000 + i / 100 } end
      for _, affinity in ipairs { "rbf", "nearest_neighbors" } do
         local model = ml.SpectralClustering { n_clusters = 3, affinity = affinity, n_neighbors = 4 }:fit(X)
         assert.same({ 10, 10, 10 }, model.counts:totable())
         support.near_all({ 0, 0, 0 }, model.eigenvalues, 1e-9, "eigenvalues", 1)
      end
   end)

   it("handles equal rows, isolated rows and as many clusters as rows, and refuses more", function()
      assert.equal(6, ml.SpectralClustering { n_clusters = 2 }:fit(ml.full(6, 2, 1)).counts:sum())
      assert.equal(3, #ml.SpectralClustering { n_clusters = 3 }:fit({ { 0 }, { 1e5 }, { 3e5 } }).labels)
      support.refuses("n_clusters and n_components must be at most the number of rows, 2, got 3", function()
         ml.SpectralClustering { n_clusters = 3 }:fit({ { 1 }, { 2 } })
      end)
      support.refuses("n_neighbors must be at most the number of rows, 2, got 10", function()
         ml.SpectralClustering { n_clusters = 2, affinity = "nearest_neighbors" }:fit({ { 1 }, { 2 } })
      end)
      support.refuses("n_components must be n_clusters unless assign_labels is 'kmeans'", function()
         ml.SpectralClustering { n_clusters = 2, n_components = 1, assign_labels = "discretize" }:fit({ { 1 }, { 2 } })
      end)
   end)
end)
