local files = require "data"

local P, ALPHA = 200, 1

return {
   title = "ridge, 200k x 200, alpha = 1, with a constant", rows = 200000, bar = 0.5,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-10 },
   peers = {
      { "numpy normal equations", "ridge.py", "normal" }, { "scikit-learn", "ridge.py", "sklearn" },
      { "scikit-learn svd", "ridge.py", "svd" },
   },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "X'X at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1) + 1
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * ml.normal(P, nil, 2) + ml.normal(n, nil, 3) * 5 + 5))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.Ridge { alpha = ALPHA }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b = model.coef
      local r = data.y - data.x * b - model.intercept
      return { objective = r:dot(r) + ALPHA * b:dot(b) }
   end,
}
