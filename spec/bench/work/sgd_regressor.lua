local files = require "data"

local P, ALPHA, ROUNDS = 100, 1e-4, 5

return {
   title = "least squares by SGD, 1M x 100, 5 rounds, rates that fall", rows = 1000000, bar = 0.5,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-2 },
   peers = { { "scikit-learn SGDRegressor", "sgd.py", "regressor" } },
   limit = function(machine, n) return ROUNDS * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "5 reads of X",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * (ml.normal(P, nil, 2) * 0.2) + ml.normal(n, nil, 3)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      local settings = { alpha = ALPHA, eta0 = 0.001, max_iter = ROUNDS, n_iter_no_change = ROUNDS }
      return function() return ml.SGDRegressor(settings):fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b = model.coef
      local r = data.y - data.x * b - model.intercept
      return { objective = r:dot(r) / (2 * data.x.rows) + ALPHA / 2 * b:dot(b) }
   end,
}
