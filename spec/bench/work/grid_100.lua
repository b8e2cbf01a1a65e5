local files = require "data"

local P, CANDIDATES = 20, 100

return {
   title = "grid search of 100 candidates, scaler and logistic regression, 20k x 20, 5 folds", rows = 20000, bar = 0.3,
   columns = { "accuracy" }, criterion = { key = "accuracy", better = "higher", share = 1e-3 },
   peers = {
      { "scikit-learn, n_jobs=2", "cross_validation.py", "grid_2" },
      { "scikit-learn", "cross_validation.py", "grid" },
   },
   limit = function(machine, n) return CANDIDATES * 5 * 6 * 0.8 * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "6 reads of the training rows of each fold and candidate",
   make = files.two_classes(P),
   ours = function(ml, path)
      local x, y = ml.read_npy(path "X.npy"), ml.Factor(ml.read_npy(path "y.npy"):col(1))
      local values = {}
      for i = 1, CANDIDATES do values[i] = 10 ^ (-4 + 8 * (i - 1) / (CANDIDATES - 1)) end
      return function()
         local model = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
         return ml.GridSearch { model, { logisticregression__C = values } }:fit(x, y)
      end
   end,
   quality = function(_, search) return { accuracy = search.best_score } end,
}
