local files = require "data"

local P = 10

return {
   title = "support vector regression, RBF, 10k x 10, C = 1", rows = 10000, bar = 0.2,
   columns = { "objective", "vectors" }, criterion = { key = "objective", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn (libsvm)", "svm.py", "libsvm_svr" }, { "scikit-learn-intelex", "svm.py", "intelex_svr" } },
   make = function(ml, path, n)
      local x = ml.normal(n, P, 74)
      local z = (x:col(1) * 2):sin() + x:col(2):mul(x:col(3)) + x:col(4) + ml.normal(n, nil, 75) * 0.4
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(z))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.SVR { gamma = 0.1 }:fit(data.x, data.y) end
   end,
   quality = function(_, model) return { objective = model.objective, vectors = #model.support } end,
}
