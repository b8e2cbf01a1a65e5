-- Metrics: evaluate two classifiers of breast tumors by precision and recall, a significance test, confidence
-- intervals, and the quality of their probabilities.
--
-- Run from the checkout: make all, then lua5.4 examples/metrics.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"
local metrics = ml.metrics

local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local folds = { cv = ml.StratifiedKFold { k = 5, seed = 1 } }
local linear = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
local bayes = ml.GaussianNB {}

-- Out-of-fold predictions: each row is predicted by a model that has not seen it.
local by_linear, by_bayes = ml.cross_val_predict(linear, X, y, folds), ml.cross_val_predict(bayes, X, y, folds)

print "Logistic regression:\n"
print(metrics.report(y, by_linear))
print "\nConfusion matrix:\n"
print(metrics.confusion_matrix(y, by_linear))

local wrong = metrics.error_interval(y, by_bayes)
print(("\nNaive Bayes errs on %.1f%% of the rows; 95%% interval %.1f%% to %.1f%%."):format(100 * wrong.error,
   100 * wrong.low, 100 * wrong.high))
local test = metrics.mcnemar(y, by_linear, by_bayes)
print(("Only logistic regression is wrong on %d rows, only naive Bayes on %d: p = %.2g by McNemar's test."):format(
   test.only_first_wrong, test.only_second_wrong, test.p_value))

-- Both models rank the rows well, but the probabilities of naive Bayes are overconfident.
folds.method = "predict_proba"
local proba_linear, proba_bayes = ml.cross_val_predict(linear, X, y, folds), ml.cross_val_predict(bayes, X, y, folds)
print(("\n%-22s  %8s  %8s  %8s"):format("", "ROC AUC", "log loss", "Brier"))
for _, row in ipairs { { "logistic regression", proba_linear }, { "naive Bayes", proba_bayes } } do
   print(("%-22s  %8.4f  %8.4f  %8.4f"):format(row[1], metrics.roc_auc(y, row[2]), metrics.log_loss(y, row[2]),
      metrics.brier(y, row[2])))
end
print "\nPredicted and observed frequencies, naive Bayes:\n"
print(metrics.calibration_curve(y, proba_bayes, { bins = 5 }))
