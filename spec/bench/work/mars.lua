local files = require "data"

local P = 10

return {
   title = "MARS with interactions (Friedman's function), 20k x 10, degree 2", rows = 20000, bar = 0.5,
   columns = { "gcv", "terms" }, criterion = { key = "gcv", better = "lower", share = 1e-6 },
   peers = { { "R earth", "earth.R", "earth" } },
   make = function(ml, path, n)
      local X, noise = ml.random(n, P, 1), ml.normal(n, nil, 2)
      local y = {}
      for i = 1, n do
         local r = X[i]
         y[i] = 10 * math.sin(math.pi * r[1] * r[2]) + 20 * (r[3] - 0.5) ^ 2 + 10 * r[4] + 5 * r[5] + noise[i]
      end
      ml.write_npy(path "X.npy", X)
      ml.write_npy(path "y.npy", ml.Matrix(ml.Vector(y)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.MARS { degree = 2 }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model) return { gcv = model.gcv, terms = #model.selected_terms } end,
}
