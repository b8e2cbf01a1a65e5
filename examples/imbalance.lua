-- Imbalanced classes: one digit in ten is an eight. Class weights, a threshold and resampling, each evaluated by
-- cross-validation, whose test folds are never resampled.
--
-- Run from the checkout: make all, then lua5.4 examples/imbalance.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local pixels, digit = ml.read_csv "examples/data/digits.csv":split "digit"
local is_eight = digit:eq(8)
local folds = ml.StratifiedKFold { k = 5, seed = 1 }

local function show_scores(what, ...)
   local result = ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, ... }, pixels, is_eight,
      { cv = folds, scoring = { "balanced_accuracy", "average_precision", "log_loss" } })
   print(("   %-15s balanced accuracy %.3f  average precision %.3f  log loss %.3f"):format(what,
      result.mean.balanced_accuracy, result.mean.average_precision, result.mean.log_loss))
end

-- new(class_weight): the classifier; weights: whether it has class weights
local function compare(name, weights, new)
   print(name)
   show_scores("as given", new())
   if weights then show_scores("class weights", new "balanced") end
   show_scores("threshold", ml.TunedThresholdClassifier { new(), scoring = "balanced_accuracy" })
   show_scores("undersampling", ml.RandomUnderSampler {}, new())
   show_scores("SMOTE", ml.SMOTE {}, new())
   show_scores("BorderlineSMOTE", ml.BorderlineSMOTE {}, new())
   show_scores("SMOTE and ENN", ml.SMOTE {}, ml.EditedNearestNeighbours { sampling_strategy = "all" }, new())
end

compare("Logistic regression: the ranking does not change; a threshold does the same and keeps the probabilities", true,
   function(weight) return ml.LogisticRegression { C = 0.01, class_weight = weight } end)
compare("Nearest neighbors: new rows worsen the ranking and the probabilities", false,
   function() return ml.KNeighborsClassifier {} end)
compare("Forest: weights and new rows improve the ranking, and a threshold finds the eights", true,
   function(weight) return ml.RandomForestClassifier { n_estimators = 30, class_weight = weight } end)
