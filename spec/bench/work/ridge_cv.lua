local files = require "data"

local P, COUNT = 200, 100

return {
   title = "ridge, penalty by leave-one-out, 50k x 200, 100 penalties", rows = 50000, bar = 0.7,
   columns = { "loo_mse", "alpha" }, criterion = { key = "loo_mse", better = "lower", share = 1e-8 },
   peers = { { "scikit-learn RidgeCV", "ridge_cv.py", "sklearn" } },
   limit = function(machine, n) return (n * P * P + 2 * n * P * (P + COUNT)) / machine.gemm / 1e9 end,
   limit_of = "X'X, the rotation of X and a product by all penalties at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1) + 1
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * (ml.normal(P, nil, 2) * 0.02) + ml.normal(n, nil, 3) * 5 + 5))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      local alphas = {}
      for k = 1, COUNT do alphas[k] = 10 ^ (-2 + 8 * (k - 1) / (COUNT - 1)) end
      return function() return ml.RidgeCV { alphas = alphas }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model) return { loo_mse = -model.best_score, alpha = model.alpha } end,
}
