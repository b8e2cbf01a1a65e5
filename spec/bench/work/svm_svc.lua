local files = require "data"

local P = 20

return {
   title = "support vector classification, RBF, 15k x 20, C = 1", rows = 15000, bar = 0.2,
   columns = { "objective", "vectors" }, criterion = { key = "objective", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn (libsvm)", "svm.py", "libsvm_svc" }, { "scikit-learn-intelex", "svm.py", "intelex_svc" } },
   make = function(ml, path, n)
      local x, b = ml.normal(n, P, 71), ml.normal(P, nil, 72) * 0.3
      local z = x * b + (x:col(1) * 2):sin() + x:col(2):mul(x:col(3)) + ml.normal(n, nil, 73)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(z:gt(0)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.SVC { gamma = 0.05 }:fit(data.x, data.y) end
   end,
   quality = function(_, model) return { objective = model.objective, vectors = #model.support } end,
}
