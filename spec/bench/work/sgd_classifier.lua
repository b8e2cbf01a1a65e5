local files = require "data"

local P, ALPHA, ROUNDS = 100, 1e-4, 5

return {
   title = "logistic regression by SGD, 1M x 100, 5 rounds, optimal rates", rows = 1000000, bar = 0.5,
   columns = { "objective" }, criterion = { key = "objective", better = "lower", share = 1e-2 },
   peers = { { "scikit-learn SGDClassifier", "sgd.py", "classifier" } },
   limit = function(machine, n) return ROUNDS * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "5 reads of X",
   make = files.two_classes(P),
   ours = function(ml, path)
      local data = files.read(ml, path)
      local settings = { loss = "log_loss", alpha = ALPHA, max_iter = ROUNDS, n_iter_no_change = ROUNDS }
      return function() return ml.SGDClassifier(settings):fit(data.x, data.y) end, data
   end,
   quality = function(_, model, data)
      local b = model.coef
      local z = data.x * b + model.intercept
      local loss = z:mul(1 - data.y * 2):clip(0, math.huge) + ((-z:abs()):exp()):log1p()
      return { objective = loss:sum() / data.x.rows + ALPHA / 2 * b:dot(b) }
   end,
}
