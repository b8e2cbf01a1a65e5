local ml = require "manilius"
local support = dofile "spec/support.lua"
local common = dofile "spec/graph_embedding/common.lua"
local oracle = dofile "spec/fixtures/graph_embedding/isomap.lua"

local settings = {
   nearest = { n_neighbors = 6 },
   radius = { radius = 5, n_components = 3 },
   manhattan = { n_neighbors = 8, metric = "manhattan" },
}

describe("Isomap", function()
   for name, params in pairs(settings) do
      it("gives the embedding and the places of new rows of scikit-learn: " .. name, function()
         local model = ml.Isomap(params):fit(oracle.roll)
         local wanted = oracle[name]
         support.near_rows(wanted.embedding, common.with_signs(model.embedding, wanted.embedding), 1e-8,
            "coordinates", 10)
         support.near_rows(wanted.new, common.with_signs(model:transform(oracle.new), wanted.new), 1e-8, "new rows", 10)
         support.near(wanted.error, model.reconstruction_error, 1e-9, "error")
         support.near_all(wanted.row, model:geodesic_distances()[4], 1e-12, "distances", 1)
         assert.equal(1, model.n_parts)
      end)
   end

   it("joins the parts of a graph that is not connected, and says so", function()
      local warned
      ml.warnings(function(text) warned = text end)
      local model = ml.Isomap { n_neighbors = 4 }:fit(oracle.apart)
      ml.warnings "on"
      assert.matches("the graph of neighbors has 3 parts, which were joined", warned)
      assert.equal(3, model.n_parts)
      local wanted = oracle.parts
      support.near_all(wanted.row, model:geodesic_distances()[4], 1e-12, "distances", 1)
      support.near_rows(wanted.embedding, common.with_signs(model.embedding, wanted.embedding), 1e-8, "coordinates", 10)
      support.near(wanted.error, model.reconstruction_error, 1e-9, "error")
   end)

   it("gives training rows their embedding, also from distances", function()
      local X = ml.Matrix(oracle.roll)
      local model = ml.Isomap { n_neighbors = 6 }:fit(X)
      support.near_rows(model.embedding, model:transform(X), 1e-9, "coordinates", 10)
      local D = ml.pairwise_distances(X)
      local other = ml.Isomap { n_neighbors = 6, metric = "precomputed" }:fit(D)
      support.near_rows(model.embedding, other.embedding, 1e-9, "coordinates", 10)
      support.near_rows(model:transform(oracle.new), other:transform(ml.pairwise_distances(oracle.new, X)), 1e-9, "new",
         10)
   end)

   it("is classical scaling if all rows are neighbors", function()
      local X = ml.Matrix(oracle.roll):slice(1, 40)
      support.near_rows(ml.ClassicalMDS {}:fit(X).embedding, ml.Isomap { n_neighbors = 39 }:fit(X).embedding, 1e-8,
         "coordinates", 10)
   end)

   it("unrolls a roll", function()
      local roll, length = common.roll(500)
      local along = ml.Isomap { n_neighbors = 6 }:fit(roll).embedding:slice(1, 500, 1, 1)
      assert(ml.LinearRegression {}:fit(along, length):score(along, length) > 0.98)
   end)

   it("places a row far from all others by the nearest one, and takes equal rows", function()
      local model = ml.Isomap { radius = 5 }:fit(oracle.roll)
      local far = model:transform { { 100, 100, 100 } }
      assert(far[1][1] == far[1][1])
      local same = ml.Isomap { n_neighbors = 2 }:fit { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert.equal(0, same.embedding[1][1])
   end)

   it("takes the graph of neighbors in place of rows", function()
      local X, new = common.roll(200), common.roll(200):slice(1, 6) * 1.01
      local neighbors = ml.NearestNeighbors { n_neighbors = 7 }:fit(X)
      local function graph(rows) return neighbors:kneighbors_graph(rows, { mode = "distance" }) end
      local rows, given = ml.Isomap { n_neighbors = 7 }:fit(X), ml.Isomap { metric = "precomputed" }:fit(graph())
      support.near_rows(rows.embedding, given.embedding, 0, "coordinates", 1)
      support.near_rows(rows:transform(new), given:transform(graph(new)), 0, "new rows", 1)
      support.near_rows(rows.embedding, ml.load(given:dump()).embedding, 0, "a loaded model", 1)
      support.refuses("X must be sparse, as in fit", given.transform, given, ml.pairwise_distances(new, X))
      local groups = ml.vcat(X:slice(1, 20), X:slice(21, 40) + 1000)
      local apart = ml.NearestNeighbors { n_neighbors = 5 }:fit(groups):kneighbors_graph(nil, { mode = "distance" })
      support.refuses("the graph has 2 parts, and X no distances that join them", given.fit, given, apart)
      local negative = ml.Sparse(ml.Matrix { { 0, -1 }, { -1, 0 } })
      support.refuses("distances must be >= 0, got %-1 in row 1, column 2", given.fit, given, negative)
   end)

   it("refuses too many neighbors and too many rows", function()
      local model = ml.Isomap { n_neighbors = 3 }
      support.refuses("n_neighbors must be less than the number of rows, 3, got 3", model.fit, model,
         { { 1 }, { 2 }, { 3 } })
      support.refuses("or use LocallyLinearEmbedding", model.fit, model, ml.Matrix(100001, 1))
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.Isomap {}:fit(oracle.roll) end)
   end)
end)
