local files = require "data"

local P = 30

return {
   title = "recursive feature elimination by 5 folds, logistic regression, 20k x 30", rows = 20000, bar = 0.3,
   columns = { "score", "selected" }, criterion = { key = "score", better = "higher", share = 1e-3 },
   peers = { { "scikit-learn RFECV", "rfecv.py", "sklearn" } },
   make = files.two_classes(P),
   ours = function(ml, path)
      local data = files.read(ml, path)
      local labels = ml.Factor(data.y:totable())
      return function() return ml.RFECV { ml.LogisticRegression {} }:fit(data.x, labels) end, data
   end,
   quality = function(_, model) return { score = model.scores.mean:max(), selected = model.n_selected } end,
}
