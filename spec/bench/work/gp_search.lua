local files = require "data"

local P = 5

return {
   title = "Gaussian process, RBF + noise, hyperparameters found from the same start, 1,500 x 5",
   rows = 1500, bar = 0.2,
   columns = { "log_likelihood" }, criterion = { key = "log_likelihood", better = "higher", share = 1e-4 },
   peers = { { "scikit-learn", "gp.py", "search" } },
   make = function(ml, path, n)
      local x = ml.normal(n, P, 81)
      ml.write_npy(path "X.npy", x)
      local y = x:col(1):sin() + x:col(2):mul(x:col(3)) * 0.5 + ml.normal(n, nil, 82) * 0.3
      ml.write_npy(path "y.npy", ml.Matrix(y))
   end,
   ours = function(ml, path)
      local data, k = files.read(ml, path), ml.kernel
      local kernel = k.Constant { value = 1 } * k.RBF { length = 1 } + k.White { noise = 0.1 }
      return function() return ml.GaussianProcessRegressor { kernel = kernel }:fit(data.x, data.y) end
   end,
   quality = function(_, model) return { log_likelihood = model.log_likelihood } end,
}
