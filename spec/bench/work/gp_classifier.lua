local files = require "data"

return {
   title = "Gaussian process classification, Laplace, hyperparameters found from the same start, 1,000 x 10",
   rows = 1000, bar = 0.2, columns = { "log_likelihood" },
   criterion = { key = "log_likelihood", better = "higher", share = 1e-4 },
   peers = { { "scikit-learn", "gp.py", "classifier" } },
   make = function(ml, path, n) -- a function plain enough that no search ends at the likelihood of noise
      local x = ml.normal(n, 10, 91)
      local z, u = x:col(1) * 3 + x:col(2) * 2 - x:col(3) * 2, ml.random(n, nil, 92)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(u:lt(z:sigmoid())))
   end,
   ours = function(ml, path)
      local data, k = files.read(ml, path), ml.kernel
      local kernel = k.Constant { value = 1 } * k.RBF { length = 1 }
      return function() return ml.GaussianProcessClassifier { kernel = kernel }:fit(data.x, data.y) end
   end,
   quality = function(_, model) return { log_likelihood = model:log_marginal_likelihood().value } end,
}
