local texts = require "texts"

return {
   title = "multinomial naive Bayes, sparse 200k x 50k: fit, and log probabilities of all rows",
   rows = 200000, bar = 0.3,
   columns = { "logloss" }, criterion = { key = "logloss", better = "lower", share = 1e-9 },
   peers = { { "scikit-learn", "multinomial_nb.py", "sklearn" } },
   limit = function(machine, n) return 2 * n * texts.values * 12e-9 / machine.gb_per_s end,
   limit_of = "two reads of X",
   make = texts.make,
   ours = function(ml, path)
      local data = texts.read(ml, path)
      return function() return ml.MultinomialNB {}:fit(data.x, data.y):predict_log_proba(data.x) end, data
   end,
   quality = function(_, log_proba, data)
      local is_second = data.y:gt(0)
      local own = log_proba:col(2):mul(is_second) + log_proba:col(1):mul(1 - is_second)
      return { logloss = -own:mean() }
   end,
}
