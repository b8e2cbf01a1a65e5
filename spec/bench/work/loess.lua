local files = require "data"

return {
   title = "Loess of 10k x 2 at its rows, span 0.03, degree 2", rows = 10000,
   -- Distance from the function without noise; R's default interpolates between the vertices of cells.
   columns = { "rmse" }, criterion = { key = "rmse", better = "lower", share = 1e-2 },
   peers = { { "R loess, direct", "loess.R", "direct" }, { "R loess, interpolate", "loess.R", "interpolate" } },
   make = function(ml, path, n)
      local X, noise, y = ml.random(n, 2, 1), ml.normal(n, nil, 2), {}
      for i = 1, n do y[i] = math.sin(6 * X:get(i, 1)) * math.cos(4 * X:get(i, 2)) + 0.3 * noise[i] end
      ml.write_npy(path "X.npy", X)
      ml.write_npy(path "y.npy", ml.Matrix(ml.Vector(y)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function()
         return ml.Loess { span = 0.03, statistics = "none" }:fit(data.x, data.y):predict(data.x)
      end, data
   end,
   quality = function(_, found, data)
      local sum, n = 0, data.x.rows
      for i = 1, n do
         sum = sum + (found[i] - math.sin(6 * data.x:get(i, 1)) * math.cos(4 * data.x:get(i, 2))) ^ 2
      end
      return { rmse = math.sqrt(sum / n) }
   end,
}
