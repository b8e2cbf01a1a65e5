local files = require "data"

local P, QUANTILE = 20, 0.9

return {
   title = "quantile regression, 10k x 20, the 0.9 quantile", rows = 10000, bar = 0.5,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-8 },
   peers = {
      { "scikit-learn QuantileRegressor highs", "quantile.py", "highs" },
      { "statsmodels QuantReg", "quantile.py", "statsmodels" },
   },
   limit = function(machine, n) return 20 * n * P * P / machine.gemm / 1e9 end,
   limit_of = "20 products X'DX at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      local noise = ml.normal(n, nil, 3):mul(x:col(1):abs() + 0.5)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * ml.normal(P, nil, 2) + noise + 3))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.QuantileRegressor { quantile = QUANTILE }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local r = data.y - data.x * model.coef - model.intercept
      return { objective = (r * QUANTILE - r:clip(-math.huge, 0)):sum() / data.x.rows }
   end,
}
