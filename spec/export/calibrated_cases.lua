-- Calibrated classifiers to export. The logarithms and exponentials of a Matrix and of a single number may differ in
-- rounding.
local ml = require "manilius"

local PROBABILITIES = { predict_log_proba = true, predict_proba = true }

return function(add)
   local iris, species = ml.read_csv "examples/data/iris.csv":split "species"
   local X, two = iris:matrix(), {}
   for i = 1, 150 do two[i] = X:get(i, 2) > 3 and "wide" or "narrow" end
   for _, method in ipairs { "sigmoid", "isotonic", "temperature", "beta", "venn_abers" } do
      add("calibrated_" .. method, ml.CalibratedClassifier { ml.GaussianNB {}, method = method, cv = 3 }:fit(X,
         species), X:take { 1, 53, 71, 84, 120, 134 }, true, PROBABILITIES)
      add("calibrated_two_" .. method, ml.CalibratedClassifier { ml.LinearSVC {}, method = method, cv = 3 }:fit(X, two),
         X:take { 1, 53, 71, 84, 120 }, true, PROBABILITIES)
   end
end
