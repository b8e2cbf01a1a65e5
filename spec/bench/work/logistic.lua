local files = require "data"

local P = 100

return {
   title = "logistic regression, 200k x 100, two classes, C = 1, no constant", rows = 200000, bar = 0.4,
   columns = { "objective", "excess" }, -- excess: bound on what is left to gain, from the gradient
   criterion = { key = "objective", better = "lower", share = 1e-9 },
   peers = {
      { "scikit-learn lbfgs tol=1e-8", "logistic.py", "lbfgs" },
      { "scikit-learn newton-cholesky", "logistic.py", "newton" },
      { "scikit-learn liblinear", "logistic.py", "liblinear" },
   },
   limit = function(machine, n) return 6 * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "6 reads of X",
   make = files.two_classes(P),
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function() return ml.LogisticRegression { fit_intercept = false }:fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b = model.coef
      local z = data.x * b
      local sign = 1 - data.y * 2
      local signed = z:mul(sign)
      local loss = signed:clip(0, math.huge) + ((-z:abs()):exp()):log1p()
      local gradient = data.x:t() * (z:sigmoid() - data.y) + b
      return { objective = loss:sum() + b:dot(b) / 2, excess = gradient:dot(gradient) / 2 } -- the Hessian is above I
   end,
}
