local images = require "images"
local P, K = 784, 50

return {
   title = "PCA, 50k x 784 pictures to 50 components", rows = 50000, bar = 0.8,
   columns = { "explained" }, criterion = { key = "explained", better = "higher", share = 1e-9 },
   peers = {
      { "numpy covariance, eigh", "pca.py", "eigh" }, { "scikit-learn auto", "pca.py", "auto" },
      { "scikit-learn randomized", "pca.py", "randomized" }, { "scikit-learn full", "pca.py", "full" },
   },
   limit = function(machine, n) return (n * P * P + 4 / 3 * P ^ 3) / machine.gemm / 1e9 end,
   limit_of = "covariance and tridiagonal form at the speed of GEMM",
   make = function(ml, path, n)
      local x = images(ml, n, 31)
      ml.write_npy(path "X.npy", x + ml.normal(n, P, 33) * 0.05) -- noise of a sensor, for a full rank
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.PCA { n_components = K }:fit(x) end
   end,
   quality = function(_, model) return { explained = model.explained_variance_ratio:sum() } end,
}
