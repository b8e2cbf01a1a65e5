local images = require "images"
local P, K, ITERATIONS = 784, 20, 50

return {
   title = "NMF, 50k x 784 pictures, 20 components, 50 iterations", rows = 50000, bar = 0.4,
   columns = { "error" }, criterion = { key = "error", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn cd", "nmf.py", "cd" }, { "scikit-learn mini batch", "nmf.py", "mini_batch" } },
   limit = function(machine, n) return ITERATIONS * 4 * n * P * K / machine.gemm / 1e9 end,
   limit_of = "the products with X at the speed of GEMM",
   make = function(ml, path, n) ml.write_npy(path "X.npy", (images(ml, n, 31))) end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      ml.warnings(function() end)
      return function()
         return { model = ml.NMF { n_components = K, max_iter = ITERATIONS, tol = 0 }:fit(x), x = x }
      end
   end,
   quality = function(_, result)
      local W = result.model:transform(result.x)
      return { error = (result.x - W * result.model.components):norm() }
   end,
}
