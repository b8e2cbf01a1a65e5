local files = require "data"

local P, TEST = 20, 50000

return {
   title = "Calibrated naive Bayes, isotonic, 5 folds, 200k x 20", rows = 200000, bar = 0.5,
   columns = { "logloss" }, criterion = { key = "logloss", better = "lower", share = 1e-3 },
   peers = { { "scikit-learn", "calibration.py", "sklearn" } },
   make = function(ml, path, n)
      local mix, b = ml.eye(P), ml.normal(P, nil, 82) * 0.4
      for j = 2, 6 do mix:set(1, j, 2) end -- dependent columns, which naive Bayes miscounts
      local x = ml.normal(n, P, 81) * mix
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix((x * b + ml.normal(n, nil, 83) * 2):gt(0)))
   end,
   ours = function(ml, path)
      local data = files.read(ml, path)
      return function()
         return ml.CalibratedClassifier { ml.GaussianNB {}, method = "isotonic" }:fit(data.x, data.y)
      end, data
   end,
   quality = function(ml, model, data)
      local n = math.min(TEST, #data.y)
      return { logloss = ml.metrics.log_loss(data.y:slice(1, n), model:predict_proba(data.x:slice(1, n))) }
   end,
}
