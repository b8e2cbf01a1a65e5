local files = require "data"

local P = 100

return {
   title = "least squares, 500k x 100, with a constant", rows = 500000, bar = 0.4,
   columns = { "R2", "max_cos" }, -- max_cos: largest cosine between the residuals and a column about its mean
   criterion = { key = "max_cos", better = "lower", slack = 1e-9 },
   peers = {
      { "numpy normal equations", "ols.py", "normal" }, { "numpy lstsq", "ols.py", "lstsq" },
      { "scikit-learn", "ols.py", "sklearn" }, { "statsmodels OLS", "ols.py", "statsmodels" },
   },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "X'X at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1) + 1
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * ml.normal(P, nil, 2) + ml.normal(n, nil, 3) * 3.2 + 5))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.LinearRegression {}:fit(data.x, data.y) end, data
   end,
   quality = function(ml, model, data)
      local x, y, n = data.x, data.y, #data.y
      local r = y - x * model.coef - model.intercept
      local rss, center = r:dot(r), y - y:mean()
      r = r - r:mean()
      local along, largest = x:t() * r, 0
      local ones = ml.full(n, 1, 1):col(1)
      local mean = x:t() * ones * (1 / n)
      for j = 1, P do
         local norm = math.sqrt(x:col(j):dot(x:col(j)) - n * mean[j] ^ 2)
         largest = math.max(largest, math.abs(along[j]) / norm / math.sqrt(rss))
      end
      return { R2 = 1 - rss / center:dot(center), max_cos = largest }
   end,
}
