local ml = require "manilius"
local support = dofile "spec/support.lua"

local function neighbors(X, k, settings)
   local options = { n_neighbors = k, algorithm = "neighbor_descent" }
   for key, value in pairs(settings or {}) do options[key] = value end
   return ml.NearestNeighbors(options):fit(X):kneighbors(nil)
end

--- The fraction of the found rows of a sample that are no farther than the true k-th nearest.
local function recall(X, k, settings)
   local found = neighbors(X, k, settings)
   local exact = neighbors(X, k, { algorithm = "brute", metric = settings and settings.metric })
   local hits, rows = 0, 0
   for i = 1, X.rows, 37 do
      rows = rows + 1
      for j = 1, k do
         assert.is_true(found.indexes[i][j] ~= i)
         if found.distances[i][j] <= exact.distances[i][k] * (1 + 1e-12) then hits = hits + 1 end
      end
   end
   return hits / (rows * k)
end

local N = 8500
local function labels(groups, seed) return ml.random(N, nil, seed):mul(groups):floor():add(1) end

describe("neighbor_descent", function()
   local data = {
      ["blobs"] = function()
         local group = labels(20, 1)
         return ml.random(20, 30, 2):take(group) * 6 + ml.normal(N, 30, 3)
      end,
      ["a curved surface"] = function()
         return ((ml.random(N, 3, 1) * ml.normal(3, 40, 2) * 2):sin() + ml.normal(N, 40, 3) * 0.01)
      end,
      ["groups of fewer rows than neighbors"] = function()
         return (ml.normal(N // 8, 20, 1) * 100):take(labels(N // 8, 2)) + ml.normal(N, 20, 3)
      end,
      ["every row many times"] = function() return ml.normal(N // 40, 20, 1):take(labels(N // 40, 2)) end,
      ["integers with many ties"] = function() return (ml.random(N, 16, 1) * 3):floor() end,
      ["uniform rows without structure"] = function() return ml.random(N, 20, 1) end,
   }
   for name, make in pairs(data) do
      it("finds at least 98% of the neighbors: " .. name, function()
         assert.is_true(recall(make(), 15) >= 0.98) -- the target of its own estimate, which is 0.98
      end)
   end

   it("finds neighbors by angle, and in real pictures with noise", function()
      local X = ml.Matrix((support.data("digits", "digit")))
      X = X:take(labels(X.rows, 1)) + ml.normal(N, X.cols, 2)
      assert.is_true(recall(X, 10, { metric = "cosine" }) >= 0.98)
      assert.is_true(recall(X, 40) >= 0.98)
   end)

   it("searches projections of many columns, and measures the rows", function()
      local X = ml.normal(N, 12, 1) * ml.normal(12, 300, 2) + ml.normal(N, 300, 3) * 0.05
      assert.is_true(recall(X, 10) >= 0.98)
   end)

   it("returns exact distances in order, and no row twice", function()
      local X = ml.normal(N, 12, 4)
      local found = neighbors(X, 12)
      for i = 1, N, 97 do
         local seen = {}
         for j = 1, 12 do
            local row, square = found.indexes[i][j], 0
            for c = 1, 12 do square = square + (X:get(i, c) - X:get(row, c)) ^ 2 end
            support.near(math.sqrt(square), found.distances[i][j], 1e-13, "distance")
            assert.is_true(j == 1 or found.distances[i][j - 1] <= found.distances[i][j])
            assert.is_nil(seen[row])
            seen[row] = true
         end
      end
   end)

   it("gives the same for any number of threads", function()
      local X = ml.random(N, 20, 5)
      local first
      for threads = 1, 3 do
         ml.threads(threads)
         local found = neighbors(X, 15)
         first = first or found
         assert.is_true(found.indexes == first.indexes and found.distances == first.distances)
      end
      ml.threads(0)
   end)

   it("finds k rows at distance 0 if all rows are equal", function()
      local found = neighbors(ml.ones(N, 5), 7)
      local seen = {}
      for j = 1, 7 do
         assert.equal(0.0, found.distances[N][j])
         assert.is_nil(seen[found.indexes[N][j]])
         seen[found.indexes[N][j]] = true
      end
   end)

   it("is exact for few rows, for many neighbors, and for other rows", function()
      local X = ml.random(900, 20, 6)
      for _, k in ipairs { 1, 10, 898, 899 } do
         assert.is_true(neighbors(X, k).indexes == neighbors(X, k, { algorithm = "brute" }).indexes)
      end
      local Y, Q = ml.random(N, 20, 7), ml.random(5, 20, 8)
      local function ask(algorithm)
         return ml.NearestNeighbors { algorithm = algorithm }:fit(Y):kneighbors(Q).indexes
      end
      assert.is_true(ask "neighbor_descent" == ask "brute")
   end)

   it("keeps rows apart that are near each other and far from the others", function()
      local X = (ml.normal(10, 20, 1) * 1e3):take(labels(10, 2)) + ml.normal(N, 20, 3)
      assert.is_true(recall(X, 10) >= 0.98)
      assert.is_true(recall(X * 1e150, 10) >= 0.98)
      assert.is_true(recall(X * 1e-150, 10) >= 0.98)
   end)

   it("gives maps the same neighbors for any number of threads", function()
      local X = ml.random(20, 30, 2):take(labels(20, 1)) * 6 + ml.normal(N, 30, 3)
      local exact = ml.PaCMAP { num_iters = 1, seed = 1, algorithm = "brute" }:fit(X)
      local same = 0
      local maps = {
         ml.UMAP { n_epochs = 1, init = "pca", seed = 1, algorithm = "neighbor_descent" },
         ml.PaCMAP { num_iters = 1, seed = 1, algorithm = "neighbor_descent" },
      }
      for _, model in ipairs(maps) do
         ml.threads(1)
         local one = model:fit(X).embedding:copy()
         ml.threads(2)
         assert.is_true(one == model:fit(X).embedding)
         ml.threads(0)
      end
      local pairs_found = maps[2].near_pairs
      for i = 1, #pairs_found do same = same + (exact.near_pairs[i] == pairs_found[i] and 1 or 0) end
      assert.is_true(same >= 0.9 * #pairs_found) -- one missing pair moves those after it
   end)

   it("refuses sparse rows and metrics without squares", function()
      support.refuses("NearestNeighbors: algorithm 'neighbor_descent' requires a dense X and the metric euclidean",
         function()
            ml.NearestNeighbors { algorithm = "neighbor_descent", metric = "manhattan" }:fit { { 1 }, { 2 } }
         end)
   end)
end)
