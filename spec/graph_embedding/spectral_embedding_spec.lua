local ml = require "manilius"
local support = dofile "spec/support.lua"
local common = dofile "spec/graph_embedding/common.lua"
local oracle = dofile "spec/fixtures/graph_embedding/spectral.lua"

local settings = {
   nearest_neighbors = { n_neighbors = 12 },
   tenth = {},
   rbf = { affinity = "rbf", gamma = 0.05, n_components = 3 },
   default_gamma = { affinity = "rbf" },
   many = { n_neighbors = 10 },
}

describe("SpectralEmbedding", function()
   for name, params in pairs(settings) do
      it("gives the embedding of scikit-learn: " .. name, function()
         local wanted, some = oracle[name], {}
         ml.warnings "off"
         local model = ml.SpectralEmbedding(params):fit((common.roll(wanted.rows)))
         ml.warnings "on"
         for i = 1, wanted.rows, math.max(wanted.rows // 50, 1) do some[#some + 1] = model.embedding[i] end
         local largest = model.embedding:abs():max()
         support.near_rows(wanted.embedding, common.with_signs(ml.Matrix(some), wanted.embedding), 1e-6, "coordinates",
            largest)
      end)
   end

   it("has coordinates that satisfy the eigenvalue equation of the graph", function()
      local X = common.roll(60)
      local W = ml.pairwise_distances(X):square():mul(-0.05):exp()
      for i = 1, 60 do W:set(i, i, 0) end
      local model = ml.SpectralEmbedding { affinity = "precomputed" }:fit(W)
      for c = 1, 2 do
         local z, scale = model.embedding:col(c), 1 - model.eigenvalues[c]
         for i = 1, 60 do support.near(scale * z[i] * W[i]:sum(), W[i]:dot(z), 1e-10, "row", 1) end
      end
      -- A training row without an edge to itself is placed where it is.
      support.near_rows(model.embedding, model:transform(W), 1e-9, "coordinates", 1)
      local rbf = ml.SpectralEmbedding { affinity = "rbf", gamma = 0.05 }:fit(X)
      support.near_rows(model.embedding, rbf.embedding, 1e-8, "coordinates", 1)
   end)

   it("places new rows near the training rows that are like them", function()
      local X, length = common.roll(500)
      local model = ml.SpectralEmbedding { n_neighbors = 10 }:fit(X)
      local new = model:transform(X + 0.01)
      local moved = (new - model.embedding):abs():max()
      assert(moved < 0.1 * model.embedding:abs():max(), moved)
      -- The first coordinate follows the roll, as a cosine.
      local half = length:max() / 2 + length:min() / 2
      local sides = 0
      for i = 1, 500 do
         if (model.embedding[i][1] > 0) == (length[i] > half) then sides = sides + 1 end
      end
      assert(math.max(sides, 500 - sides) > 450)
   end)

   it("says when the graph is not connected, and refuses what is not a similarity", function()
      local warned
      ml.warnings(function(text) warned = text end)
      local rows = {}
      for i = 1, 40 do rows[i] = { i % 7 + (i > 20 and 100 or 0), i * i % 11 } end
      local model = ml.SpectralEmbedding { n_neighbors = 6 }:fit(rows)
      ml.warnings "on"
      assert.equal(2, model.n_parts)
      assert.matches("the graph has 2 parts", warned)
      local bad = ml.SpectralEmbedding { affinity = "precomputed", n_components = 1 }
      support.refuses("SpectralEmbedding: similarities must be >= 0", bad.fit, bad, { { 0, -1 }, { -1, 0 } })
      bad = ml.SpectralEmbedding { affinity = "rbf" }
      support.refuses("use the affinity nearest_neighbors, whose graph is sparse", bad.fit, bad, ml.Matrix(100001, 1))
      bad = ml.SpectralEmbedding { n_neighbors = 50000 }
      support.refuses("the graph of 50000 neighbors of each of 100001 rows takes %d+ GB; decrease n_neighbors",
         bad.fit, bad, ml.Matrix(100001, 1))
   end)

   it("takes a sparse graph of similarities, and sparse rows", function()
      local X = common.roll(150)
      local near = ml.NearestNeighbors { n_neighbors = 8 }:fit(X):kneighbors_graph(nil):todense()
      local W = (near + near:t()) * 0.5
      local dense = ml.SpectralEmbedding { affinity = "precomputed" }:fit(W)
      local sparse = ml.SpectralEmbedding { affinity = "precomputed" }:fit(ml.Sparse(W))
      support.near_rows(dense.embedding, sparse.embedding, 1e-9, "coordinates", 0.1)
      support.near_rows(dense:transform(W:slice(1, 5)), sparse:transform(ml.Sparse(W:slice(1, 5))), 1e-9, "new rows",
         0.1)
      local rows = ml.SpectralEmbedding { n_neighbors = 9 }:fit(ml.Sparse(X))
      support.near_rows(dense.embedding, rows.embedding, 1e-9, "coordinates", 0.1)
      support.near_rows(ml.SpectralEmbedding { n_neighbors = 9 }:fit(X):transform(X:slice(1, 5)),
         rows:transform(ml.Sparse(X:slice(1, 5))), 1e-9, "new rows", 0.1)
      support.refuses("similarities must be symmetric", sparse.fit, sparse, ml.Sparse(near))
      support.refuses("similarities must be symmetric, got different ones of rows 1 and 2", sparse.fit, sparse,
         ml.Sparse(ml.Matrix { { 0, 1, 1 }, { 2, 0, 1 }, { 1, 1, 0 } }))
      support.refuses("the affinity rbf requires a dense X", function()
         ml.SpectralEmbedding { affinity = "rbf" }:fit(ml.Sparse(X))
      end)
   end)

   it("gives the same for any number of threads", function()
      local X = common.roll(150)
      support.same_for_any_threads(function() return ml.SpectralEmbedding { n_neighbors = 8 }:fit(X) end)
   end)
end)
