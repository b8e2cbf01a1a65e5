local files = require "data"

local P, K, TEST = 50, 5, 100000

return {
   title = "Gaussian naive Bayes, 1M x 50, 5 classes", rows = 1000000, bar = 0.1,
   columns = { "logloss", "accuracy" }, criterion = { key = "logloss", better = "lower", share = 1e-6 },
   peers = { { "scikit-learn", "gaussian_nb.py", "sklearn" } },
   limit = function(machine, n) return n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "one read of X",
   make = function(ml, path, n)
      local y = ml.random(n, nil, 1):mul(K):floor()
      local center = ml.normal(K, P, 2) * 0.45
      ml.write_npy(path "y.npy", ml.Matrix(y))
      ml.write_npy(path "X.npy", center:take(y:add(1)) + ml.normal(n, P, 3))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.GaussianNB {}:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local n, sum, right = math.min(TEST, #data.y), 0, 0
      local x = data.x:slice(1, n)
      local log_p, said = model:predict_log_proba(x), model:predict(x)
      for i = 1, n do
         sum = sum - log_p:get(i, data.y[i] // 1 + 1 | 0)
         if said[i] == data.y[i] then right = right + 1 end
      end
      return { logloss = sum / n, accuracy = right / n }
   end,
}
