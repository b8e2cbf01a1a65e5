local P, K, ROUNDS = 32, 64, 30

return {
   title = "k-means, 500k x 32, k = 64, 30 Lloyd iterations from the same start", rows = 500000, bar = 0.5,
   columns = { "inertia", "iterations" }, -- rounding sends the iterations to slightly different places
   criterion = { key = "inertia", better = "lower", share = 1e-4 },
   peers = {
      { "scikit-learn lloyd float32", "kmeans.py", "lloyd32" }, { "scikit-learn lloyd", "kmeans.py", "lloyd" },
      { "scikit-learn elkan", "kmeans.py", "elkan" }, { "faiss float32", "kmeans.py", "faiss" },
   },
   limit = function(machine, n) return ROUNDS * 2 * n * P * K / machine.gemm_f32 / 1e9 end,
   limit_of = "30 products in float32",
   make = function(ml, path, n)
      local class = ml.random(n, nil, 1):mul(K):floor()
      ml.write_npy(path "X.npy", ml.normal(K, P, 2):take(class:add(1)) + ml.normal(n, P, 3) * 1.2)
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      local start = x:slice(1, K):copy()
      return function() return ml.KMeans { n_clusters = K, start = start, max_iter = ROUNDS, tol = 0 }:fit(x) end
   end,
   quality = function(_, model) return { inertia = model.inertia, iterations = model.n_iter } end,
}
