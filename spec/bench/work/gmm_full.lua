local P, K, ROUNDS = 20, 10, 50

return {
   title = "Gaussian mixture, 200k x 20, 10 full covariances, 50 iterations, same start", rows = 200000, bar = 0.05,
   columns = { "log_likelihood", "iterations" },
   criterion = { key = "log_likelihood", better = "higher", share = 1e-9 },
   peers = { { "scikit-learn", "gmm.py", "full" } },
   limit = function(machine, n) return ROUNDS * 2 * n * K * P * (P + 1) / machine.gemm / 1e9 end,
   limit_of = "the triangles of 100 products",
   make = function(ml, path, n)
      local class = ml.random(n, nil, 1):mul(K):floor()
      ml.write_npy(path "X.npy", ml.normal(K, P, 2):take(class:add(1)) + ml.normal(n, P, 3) * 0.7)
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      local precisions = {}
      for i = 1, K * P do
         precisions[i] = {}
         for j = 1, P do precisions[i][j] = (i - 1) % P + 1 == j and 1 or 0 end
      end
      local start = { n_components = K, max_iter = ROUNDS, tol = 0, means_init = x:slice(1, K):copy(),
         weights_init = ml.ones(K, 1):col(1) / K, precisions_init = precisions }
      return function() return ml.GaussianMixture(start):fit(x) end
   end,
   quality = function(_, model) return { log_likelihood = model.loglik, iterations = model.n_iter } end,
}
