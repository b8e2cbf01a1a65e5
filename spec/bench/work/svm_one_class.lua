local P = 10

return {
   title = "one-class support vector machine, RBF, 10k x 10, nu = 0.1", rows = 10000, bar = 0.3,
   columns = { "objective", "vectors" }, criterion = { key = "objective", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn (libsvm)", "svm.py", "libsvm_one_class" } },
   make = function(ml, path, n)
      ml.write_npy(path "X.npy", ml.normal(n, P, 76))
   end,
   ours = function(ml, path)
      local x = ml.read_npy(path "X.npy")
      return function() return ml.OneClassSVM { nu = 0.1, gamma = 0.1 }:fit(x) end
   end,
   quality = function(_, model) return { objective = model.objective, vectors = #model.support } end,
}
