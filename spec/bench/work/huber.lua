local files = require "data"

local P = 50

local function weights(ml) return ml.normal(P, nil, 2) end

return {
   title = "Huber regression, 100k x 50, a tenth of the rows far out", rows = 100000, bar = 0.5,
   columns = { "error" }, -- root mean square of what the weights are off
   criterion = { key = "error", better = "lower", share = 0.1 },
   peers = {
      { "scikit-learn HuberRegressor", "huber.py", "sklearn" },
      { "statsmodels RLM HuberT", "huber.py", "statsmodels" },
   },
   limit = function(machine, n) return 10 * n * P * P / machine.gemm / 1e9 end,
   limit_of = "10 products X'DX at the speed of GEMM",
   make = function(ml, path, n)
      local x, far = ml.normal(n, P, 1), ml.random(n, nil, 4):lt(0.1)
      local noise = ml.normal(n, nil, 3) + far:mul(ml.random(n, nil, 5)) * 100
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "b.npy", ml.Matrix(weights(ml)))
      ml.write_npy(path "y.npy", ml.Matrix(x * weights(ml) + noise + 5))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.RobustRegression { loss = "huber" }:fit(data.x, data.y) end, data
   end,
   quality = function(ml, model)
      local d = model.coef - weights(ml)
      return { error = math.sqrt(d:dot(d) / P) }
   end,
}
