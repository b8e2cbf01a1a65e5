local images = require "images"
local P, K, CHECKED = 784, 10, 200

return {
   title = "nearest neighbors, 5k queries in 20k x 784 pictures, k = 10, exact", rows = 20000, bar = 0.9,
   -- The distances of the neighbors named, computed again in float64 for some of the queries.
   columns = { "mean_distance" }, criterion = { key = "mean_distance", better = "lower", share = 1e-9 },
   peers = {
      { "faiss IndexFlatL2 float32", "knn_brute.py", "faiss" }, { "scikit-learn brute", "knn_brute.py", "sklearn" },
      { "scikit-learn brute float32", "knn_brute.py", "sklearn32" },
   },
   limit = function(machine, n) return 2 * n * (n / 4) * P / machine.gemm_f32 / 1e9 end,
   limit_of = "one product in float32",
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", (images(ml, n, 41)))
      ml.write_npy(path "Q.npy", (images(ml, n // 4, 43)))
   end,
   ours = function(ml, path, n)
      local data = { x = ml.read_npy(path "X.npy"), q = ml.read_npy(path "Q.npy") }
      local model = ml.KNeighborsRegressor { n_neighbors = K }:fit(data.x, ml.zeros(n, 1):col(1))
      return function() return model:kneighbors(data.q) end, data
   end,
   quality = function(_, found, data)
      local sum, count = 0, math.min(CHECKED, #data.q)
      for i = 1, count do
         for j = 1, K do
            local difference = data.q:row(i) - data.x:row(found.indexes:get(i, j) // 1 | 0)
            sum = sum + difference:norm()
         end
      end
      return { mean_distance = sum / count / K }
   end,
}
