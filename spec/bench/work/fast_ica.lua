local K = 20

-- Laplace sources, mixed. Quality: the mean of log cosh of the sources, whose distance from that of normal ones FastICA
-- maximizes; here it is less.
return {
   title = "FastICA, 200k x 20, parallel, log cosh", rows = 200000, bar = 0.4,
   columns = { "contrast", "iterations" }, criterion = { key = "contrast", better = "lower", share = 1e-4 },
   peers = { { "scikit-learn svd", "fast_ica.py", "svd" }, { "scikit-learn eigh", "fast_ica.py", "eigh" } },
   limit = function(machine, n) return 8 * 4 * n * K * K / machine.gemm / 1e9 end,
   limit_of = "the products of 8 iterations",
   make = function(ml, path, n)
      local u = ml.random(n, K, 1):sub(0.5)
      ml.write_npy(path "X.npy", u:sign():mul((u:abs() * -2 + 1):log()) * ml.normal(K, K, 2))
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.FastICA {}:fit(x) end, x
   end,
   quality = function(_, model, x)
      local s = model:transform(x)
      return { contrast = (s:exp() + (s * -1):exp()):log():mean() - math.log(2), iterations = model.n_iter }
   end,
}
