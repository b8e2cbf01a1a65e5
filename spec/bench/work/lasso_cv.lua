local files = require "data"

local P = 1000

return {
   title = "lasso, penalty by 5 folds, 10k x 1000, 100 penalties", rows = 10000, bar = 0.4,
   columns = { "cv_mse" }, criterion = { key = "cv_mse", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn LassoCV", "lasso_cv.py", "sklearn" } },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "X'X at the speed of GEMM",
   make = files.sparse_line(P),
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.LassoCV {}:fit(data.x, data.y) end, data
   end,
   quality = function(_, model) return { cv_mse = model.mse:min() } end,
}
