-- Calibration: correct overconfident probabilities, choose a threshold by cost, and predict intervals and sets of
-- labels with guaranteed coverage.
--
-- Run from the checkout: make all, then lua5.4 examples/calibration.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"
local metrics = ml.metrics

local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.4, seed = 1, stratify = true })

print "Probabilities of naive Bayes, before and after calibration:\n"
local function show(name, model)
   local p = model:fit(X_train, y_train):predict_proba(X_test)
   print(("%-12s log loss %.3f, calibration error %.3f"):format(name, metrics.log_loss(y_test, p),
      metrics.expected_calibration_error(y_test, p)))
end
show("none", ml.GaussianNB {})
for _, method in ipairs { "sigmoid", "isotonic", "temperature", "beta", "venn_abers" } do
   show(method, ml.CalibratedClassifier { ml.GaussianNB {}, method = method })
end

print "\nA missed tumor costs 10 times as much as a false alarm:\n"
local tuned = ml.TunedThresholdClassifier { ml.GaussianNB {}, costs = { fn = 10, fp = 1 } }:fit(X_train, y_train)
print(tuned)
print(metrics.confusion_matrix(y_test, tuned:predict(X_test)))

print "\nIntervals of level 0.9 for the progression of diabetes:\n"
local D, progression = ml.read_csv "examples/data/diabetes.csv":split "progression"
local D_train, D_test, p_train, p_test = ml.train_test_split(D, progression, { test = 0.4, seed = 1 })
for _, method in ipairs { "split", "normalized", "cv+", "jackknife+" } do
   local model = ml.ConformalRegressor { ml.Ridge { alpha = 0.1 }, method = method, level = 0.9 }
   local interval = model:fit(D_train, p_train):predict_interval(D_test)
   print(("%-11s coverage %.3f, mean width %.0f"):format(method, metrics.coverage(p_test, interval.low, interval.high),
      metrics.interval_width(interval.low, interval.high)))
end

print "\nSets of labels of level 0.9 for handwritten digits:\n"
local Z, digit = ml.read_csv "examples/data/digits.csv":split "digit"
local Z_train, Z_test, d_train, d_test = ml.train_test_split(Z, ml.Factor(digit:totable()), { test = 0.5, seed = 1 })
for _, method in ipairs { "lac", "aps", "raps" } do
   local forest = ml.RandomForestClassifier { n_estimators = 30 }
   local model = ml.ConformalClassifier { forest, method = method, level = 0.9 }
   local sets = model:fit(Z_train, d_train):predict_set(Z_test)
   print(("%-5s coverage %.3f, mean size %.2f"):format(method, metrics.set_coverage(d_test, sets),
      metrics.set_size(sets)))
end
