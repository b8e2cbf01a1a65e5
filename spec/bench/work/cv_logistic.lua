local files = require "data"

local P = 50

return {
   title = "stratified 5-fold cross-validation of a logistic regression, 200k x 50", rows = 200000, bar = 0.1,
   columns = { "log_loss", "accuracy" }, criterion = { key = "log_loss", better = "lower", share = 1e-6 },
   peers = {
      { "scikit-learn lbfgs", "cross_validation.py", "lbfgs" },
      { "scikit-learn newton-cholesky", "cross_validation.py", "newton" },
      { "scikit-learn lbfgs, n_jobs=2", "cross_validation.py", "lbfgs_2" },
   },
   limit = function(machine, n) return 6 * n * P * 8e-9 / machine.gb_per_s end,
   limit_of = "6 reads of X, each for all folds",
   make = files.two_classes(P),
   ours = function(ml, path)
      local x, y = ml.read_npy(path "X.npy"), ml.Factor(ml.read_npy(path "y.npy"):col(1))
      return function()
         return ml.cross_validate(ml.LogisticRegression {}, x, y, { scoring = { "log_loss", "accuracy" } })
      end
   end,
   quality = function(_, result) return { log_loss = result.mean.log_loss, accuracy = result.mean.accuracy } end,
}
