local P, K, CENTERS, DIRECTIONS, CHECKED = 64, 10, 200, 16, 500

-- Clusters that vary in few directions, with noise in all.
local function rows(ml, n, seed)
   local centers, basis = ml.normal(CENTERS, DIRECTIONS, 71) * 1.5, ml.normal(DIRECTIONS, P, 72)
   local of = {}
   for i = 1, n do of[i] = (i * 7919 + seed) % CENTERS + 1 end
   return (centers:take(of) + ml.normal(n, DIRECTIONS, seed)) * basis + ml.normal(n, P, seed + 1) * 0.1
end

return {
   title = "approximate neighbors, 10k queries in 100k x 64, k = 10, recall 0.95; searches only", rows = 100000,
   bar = 1,
   columns = { "recall" }, criterion = { key = "recall", better = "higher", share = 0.02 },
   peers = { { "hnswlib", "hnsw.py", "hnswlib" } },
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", rows(ml, n, 81))
      ml.write_npy(path "Q.npy", rows(ml, n // 10, 91))
      local exact = ml.NearestNeighbors { n_neighbors = K }:fit(ml.read_npy(path "X.npy"))
      ml.write_npy(path "truth.npy", exact:kneighbors(ml.read_npy(path "Q.npy"):slice(1, CHECKED)).indexes)
   end,
   ours = function(ml, path)
      local data = { q = ml.read_npy(path "Q.npy"), truth = ml.read_npy(path "truth.npy") }
      local model = ml.NearestNeighbors { n_neighbors = K, algorithm = "hnsw" }:fit(ml.read_npy(path "X.npy"))
      return function() return model:kneighbors(data.q) end, data
   end,
   quality = function(_, found, data)
      local hits = 0
      for i = 1, CHECKED do
         local known = {}
         for j = 1, K do known[data.truth:get(i, j)] = true end
         for j = 1, K do hits = hits + (known[found.indexes:get(i, j)] and 1 or 0) end
      end
      return { recall = hits / CHECKED / K }
   end,
}
