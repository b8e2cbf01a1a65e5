local files = require "data"

local P, NEW = 5, 1000

return {
   title = "Gaussian process at given hyperparameters, 5,000 x 5, with standard deviations of 1,000 rows", rows = 5000,
   bar = 0.3, columns = { "mean_std" }, criterion = { key = "mean_std", better = "lower", share = 1e-6 },
   peers = { { "scikit-learn", "gp.py", "exact" } },
   limit = function(machine, n) return (n ^ 3 / 3 + n * n * (P + NEW)) / machine.gemm / 1e9 end,
   limit_of = "kernel matrix, Cholesky factorization and one triangular solve at the speed of GEMM",
   make = require "work.gp_search".make,
   ours = function(ml, path)
      local data, k = files.read(ml, path), ml.kernel
      local kernel = 1.2 * k.RBF { length = 1.5 } + k.White { noise = 0.1 }
      local new = data.x:slice(1, math.min(NEW, data.x.rows)) * 0.9
      return function()
         local model = ml.GaussianProcessRegressor { kernel = kernel, optimizer = "none" }:fit(data.x, data.y)
         return model:intervals(new, { kind = "confidence" })
      end
   end,
   quality = function(_, found) return { mean_std = found.std_error:mean() } end,
}
