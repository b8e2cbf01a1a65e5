local P = 1000

return {
   title = "lasso, penalty by 5 folds, 10k x 1000, 100 penalties", rows = 10000, bar = 0.4,
   columns = { "cv_mse" }, judge = { key = "cv_mse", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn LassoCV", "lasso_cv.py", "sklearn" } },
   limit = function(machine, n) return n * P * P / machine.gemm / 1e9 end,
   limit_of = "X'X at the speed of GEMM",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      local b = ml.normal(P, nil, 2)
      for j = P // 10 + 1, P do b[j] = 0 end
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * b + ml.normal(n, nil, 3) * 5))
   end,
   ours = function(ml, path)
      local data = { x = ml.read_npy(path "X.npy"), y = ml.read_npy(path "y.npy"):col(1) }
      return function() return ml.LassoCV {}:fit(data.x, data.y) end, data
   end,
   quality = function(_, model) return { cv_mse = model.mse:min() } end,
}
