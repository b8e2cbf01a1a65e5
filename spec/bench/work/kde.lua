local P, H, RTOL, CHECKED = 2, 0.2, 1e-4, 200

return {
   title = "kernel density, 20k queries, 50k x 2 rows, h = 0.2, relative error 1e-4", rows = 50000, bar = 0.2,
   -- The largest error of the logarithm, against exact sums, for some of the queries; any below the bound is as good.
   columns = { "log_error" }, criterion = { key = "log_error", better = "lower", share = 1e9 },
   peers = { { "scikit-learn", "kde.py", "sklearn" } },
   limit = function(machine, n) return 2 * n * (0.4 * n) * P / machine.gemm / 1e9 end,
   limit_of = "the distances of all pairs, as one product",
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", ml.normal(n, P, 51))
      ml.write_npy(path "Q.npy", ml.normal(n * 2 // 5, P, 53))
   end,
   ours = function(ml, path)
      local data = { x = ml.read_npy(path "X.npy"), q = ml.read_npy(path "Q.npy") }
      local model = ml.KernelDensity { bandwidth = H, rtol = RTOL }:fit(data.x)
      return function() return model:score_samples(data.q) end, data
   end,
   quality = function(ml, scores, data)
      local exact = ml.KernelDensity { bandwidth = H }:fit(data.x):score_samples(data.q:slice(1, CHECKED))
      return { log_error = (exact - scores:slice(1, CHECKED)):abs():max() }
   end,
}
