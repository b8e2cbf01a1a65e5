local files = require "data"

local P, INDUCING = 5, 200

return {
   title = "sparse Gaussian process, bound and gradient, 100k x 5, 200 inducing inputs", rows = 100000, bar = 0.5,
   columns = { "bound" }, criterion = { key = "bound", better = "higher", share = 1e-5 },
   peers = { { "GPflow", "gp_sparse.py", "sparse" } },
   limit = function(machine, n) return 5 * n * INDUCING ^ 2 / machine.gemm / 1e9 end,
   limit_of = "products and triangular solves with the inducing inputs at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 51)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix((x:col(1) * 2):sin() + x:col(2):mul(x:col(3)) + ml.normal(n, nil, 52) * 0.2))
   end,
   ours = function(ml, path)
      local data, k = files.read(ml, path), ml.kernel
      local model = ml.SparseGaussianProcessRegressor {
         kernel = 1 * k.RBF { length = { 1, 1, 1, 1, 1 } } + k.White { noise = 0.5 }, optimizer = "none",
         inducing_start = data.x:slice(1, math.min(INDUCING, data.x.rows)),
      }:fit(data.x:slice(1, 1000), data.y:slice(1, 1000))
      return function() return model:log_marginal_likelihood(data.x, data.y) end
   end,
   quality = function(_, found) return { bound = found.value } end,
}
