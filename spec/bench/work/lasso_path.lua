local files = require "data"

local P, TOL = 1000, 1e-6

return {
   title = "lasso path, 10k x 1000, 100 penalties down to 1e-3 of the largest, gap 1e-6", rows = 10000, bar = 0.5,
   columns = { "objective", "gap" }, -- sums over the path; gap: the largest, as a share of the variance of y
   criterion = { key = "gap", better = "lower", slack = TOL / 2 }, -- ours is half of TOL or less
   peers = {
      { "scikit-learn lasso_path tol=1e-4", "lasso_path.py", "1e-4" },
      { "scikit-learn lasso_path tol=1e-5", "lasso_path.py", "1e-5" },
      { "scikit-learn lasso_path tol=1e-6", "lasso_path.py", "1e-6" },
      { "scikit-learn lasso_path tol=1e-8", "lasso_path.py", "1e-8" },
   },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "X'X at the speed of GEMM",
   make = files.sparse_line(P),
   ours = function(ml, path)
      local data = files.read(ml, path)
      local model = ml.Lasso { alpha = 1e9, tol = TOL }:fit(data.x:slice(1, 10, 1, P), data.y:slice(1, 10))
      return function() return model:path(data.x, data.y) end, data
   end,
   quality = function(_, path, data)
      local n, sum = data.x.rows, 0
      local about = data.y - data.y:mean()
      for k = 1, #path.alphas do
         local b = path.coefs:row(k)
         local r = data.y - data.x * b - path.intercepts[k]
         sum = sum + r:dot(r) / (2 * n) + path.alphas[k] * b:abs():sum()
      end
      return { objective = sum, gap = path.gaps:max() / (about:dot(about) / n) }
   end,
}
