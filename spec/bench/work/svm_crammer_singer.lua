local files = require "data"

local P, K, C = 50, 10, 0.1

return {
   title = "linear SVM of Crammer and Singer, 10k x 50, 10 classes, C = 0.1, no constant", rows = 10000, bar = 1,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-6 },
   peers = { { "scikit-learn (liblinear -s 4 -e 1e-3)", "crammer_singer.py", "liblinear" },
      { "scikit-learn (liblinear -s 4 -e 1e-5)", "crammer_singer.py", "liblinear-exact" } },
   make = function(ml, path, n)
      local X, y = ml.normal(n, P, 1), {}
      local scores = X * ml.normal(P, K, 2) + 5 * ml.normal(n, K, 3)
      for i = 1, n do y[i] = scores[i]:argmax() end
      ml.write_npy(path "X.npy", X)
      ml.write_npy(path "y.npy", ml.Matrix(ml.Vector(y)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      local settings = { multi_class = "crammer_singer", loss = "hinge", C = C, fit_intercept = false, tol = 1e-6 }
      return function() return ml.LinearSVC(settings):fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local scores, sum = data.x * model.coef:t(), 0
      for i = 1, data.x.rows do
         local own, most = scores:get(i, data.y[i] // 1 | 0), 0
         for m = 1, K do
            if m ~= data.y[i] then most = math.max(most, 1 - own + scores:get(i, m)) end
         end
         sum = sum + most
      end
      return { objective = C * sum + model.coef:pow(2):sum() / 2 }
   end,
}
