local texts = require "texts"

local C = 1

return {
   title = "logistic regression with an L1 penalty, sparse 200k x 50k, C = 1, no constant", rows = 200000, bar = 0.8,
   columns = { "objective", "used" }, -- used: coefficients that are not 0
   criterion = { key = "objective", better = "lower", share = 1e-6 },
   peers = {
      { "liblinear -s 6 -e 0.01", "logistic_l1.py", "library" },
      { "liblinear -s 6 -e 1e-4", "logistic_l1.py", "library-exact" },
      { "scikit-learn liblinear tol=0.01", "logistic_l1.py", "sklearn" },
      { "scikit-learn liblinear tol=1e-4", "logistic_l1.py", "sklearn-exact" },
   },
   limit = function(machine, n) return 10 * n * texts.values * 12e-9 / machine.gb_per_s end,
   limit_of = "10 reads of X",
   make = texts.make,
   ours = function(ml, path)
      local data = texts.read(ml, path)
      local settings = { penalty = "l1", C = C, fit_intercept = false, tol = 1e-6 }
      return function() return ml.LogisticRegression(settings):fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b, y = model.coef, data.y
      local z = data.x * b
      local loss = z:mul(-y):clip(0, math.huge) + ((-z:abs()):exp()):log1p()
      return { objective = C * loss:sum() + b:abs():sum(), used = #b - b:eq(0):sum() }
   end,
}
