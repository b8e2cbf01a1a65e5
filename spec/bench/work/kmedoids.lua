local P, K = 10, 20

return {
   title = "k-medoids of a matrix of distances, 5k rows, k = 20, FasterPAM from the same start", rows = 5000, bar = 0.5,
   columns = { "loss", "passes" }, -- rounding of float32 makes other swaps
   criterion = { key = "loss", better = "lower", share = 1e-6 },
   peers = { { "kmedoids float32", "kmedoids_fasterpam.py", "float32" },
      { "kmedoids", "kmedoids_fasterpam.py", "float64" } },
   make = function(ml, path, n)
      local class = ml.random(n, nil, 1):mul(K):floor()
      local x = ml.normal(K, P, 2):take(class:add(1)) + ml.normal(n, P, 3) * 0.7
      ml.write_npy(path "D.npy", ml.pairwise_distances(x))
   end,
   ours = function(ml, path)
      local d = ml.read_npy(path "D.npy")
      local model = ml.KMedoids { n_clusters = K, metric = "precomputed", start = ml.range(1, K) }
      return function() return model:clone():fit(d) end
   end,
   quality = function(_, model) return { loss = model.inertia, passes = model.n_iter } end,
}
