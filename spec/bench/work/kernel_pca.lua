return {
   title = "kernel PCA, RBF, 4k x 20 to 10 components", rows = 4000, bar = 0.4,
   columns = { "eigenvalues" }, criterion = { key = "eigenvalues", better = "higher", share = 1e-9 },
   peers = { { "scikit-learn ARPACK", "kernel_pca.py", "arpack" },
      { "scikit-learn randomized", "kernel_pca.py", "randomized" } },
   make = function(ml, path, n) ml.write_npy(path "X.npy", ml.normal(n, 20, 51)) end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.KernelPCA { kernel = "rbf", gamma = 0.05, n_components = 10 }:fit(x) end
   end,
   quality = function(_, model) return { eigenvalues = model.eigenvalues:sum() } end,
}
