local P = 100

return {
   title = "logistic regression, 200k x 100, two classes, C = 1, no constant", rows = 200000, bar = 0.4,
   columns = { "objective", "excess" }, -- excess: bound on what is left to gain, from the gradient
   judge = { key = "objective", better = "lower", share = 1e-9 },
   peers = {
      { "scikit-learn lbfgs tol=1e-8", "logistic.py", "lbfgs" },
      { "scikit-learn newton-cholesky", "logistic.py", "newton" },
      { "scikit-learn liblinear", "logistic.py", "liblinear" },
   },
   limit = function(machine, n) return 6 * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "6 reads of X",
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      local z, u = x * (ml.normal(P, nil, 2) * 0.2), ml.random(n, nil, 3)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(u:lt(z:sigmoid())))
   end,
   ours = function(ml, path)
      local data = { x = ml.read_npy(path "X.npy"), y = ml.read_npy(path "y.npy"):col(1) }
      return function() return ml.LogisticRegression { fit_intercept = false }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b = model.coef:row(1)
      local z = data.x * b
      local sign = 1 - data.y * 2
      local signed = z:mul(sign)
      local loss = signed:clip(0, math.huge) + ((-z:abs()):exp()):log1p()
      local gradient = data.x:t() * (z:sigmoid() - data.y) + b
      return { objective = loss:sum() + b:dot(b) / 2, excess = gradient:dot(gradient) / 2 } -- the Hessian is above I
   end,
}
