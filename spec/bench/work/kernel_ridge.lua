local files = require "data"

local P, ALPHA, GAMMA = 15, 0.1, 1 / 15

return {
   title = "kernel ridge regression, RBF, 5k x 15", rows = 5000, bar = 0.6,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-9 },
   peers = { { "scikit-learn", "kernel_ridge.py", "sklearn" } },
   limit = function(machine, n) return (n ^ 3 / 3 + n * n * P) / machine.gemm / 1e9 end,
   limit_of = "kernel matrix and Cholesky factorization at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 41)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x:col(1):sin() + x:col(2):mul(x:col(3)) * 0.5 + ml.normal(n, nil, 42) * 0.3))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.KernelRidge { alpha = ALPHA, gamma = GAMMA }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data) -- at the minimum the objective is alpha y'c
      return { objective = ALPHA * data.y:dot(model.dual_coef:col(1)) }
   end,
}
