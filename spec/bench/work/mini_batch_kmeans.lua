local P, K = 32, 64

return {
   title = "mini-batch k-means, 1M x 32, k = 64, batches of 1024, same start", rows = 1000000, bar = 0.3,
   columns = { "inertia", "steps" }, -- other random batches
   criterion = { key = "inertia", better = "lower", share = 0.01 },
   peers = { { "scikit-learn float32", "mini_batch_kmeans.py", "float32" },
      { "scikit-learn", "mini_batch_kmeans.py", "float64" } },
   make = function(ml, path, n)
      local class = ml.random(n, nil, 1):mul(K):floor()
      ml.write_npy(path "X.npy", ml.normal(K, P, 2):take(class:add(1)) + ml.normal(n, P, 3) * 1.2)
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      local start = x:slice(1, K):copy()
      return function() return ml.MiniBatchKMeans { n_clusters = K, start = start, seed = 1 }:fit(x) end
   end,
   quality = function(_, model) return { inertia = model.inertia, steps = model.n_steps } end,
}
