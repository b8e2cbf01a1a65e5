-- Feature selection: which of the 30 measurements of breast tumors are needed to distinguish benign from malignant
-- ones?
--
-- Run from the checkout: make all, then lua5.4 examples/selection.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"

local function names_of(selector) return table.concat(selector:output_names(), ", ") end

-- Single columns: the F test detects differences of means, mutual information any difference.
for _, score in ipairs { "f_classif", "mutual_info_classif" } do
   print(("%-20s %s"):format(score, names_of(ml.SelectKBest { k = 5, score_func = score }:fit(X, y))))
end

-- Many of these columns are correlated. MRMR selects columns that are not redundant.
print(("%-20s %s"):format("MRMR", names_of(ml.MRMR { k = 5, score_func = "mutual_info_classif",
   form = "difference" }:fit(X, y))))

-- Cross-validation chooses the number of columns: the smallest within one standard error of the best score.
local logistic = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
local rfe = ml.RFECV { logistic, cv = 10, one_standard_error = true }:fit(X, y)
print(("\nRFECV selects %d columns: %s"):format(rfe.n_selected, names_of(rfe)))
print(rfe.scores:select { "n_features", "mean", "sd" }:head(8))

-- Columns that are among the first five in most halves of the rows, and how many of them may be false.
local stable = ml.StabilitySelection { logistic, max_features = 5, threshold = 0.75 }:fit(X, y)
print(("\nStable columns: %s; at most %.2g of them false on average"):format(names_of(stable), stable.unimodal_bound))

-- All columns that a forest finds more useful than shuffled ones.
local boruta = ml.Boruta { ml.RandomForestClassifier { n_estimators = 30 }, max_iter = 30, include_tentative = true }
boruta:fit(X, y)
print(("\nBoruta confirms %d columns, rejects %d"):format(#boruta.support - #boruta.tentative,
   X.cols - #boruta.support))

-- Select columns inside the folds. On noise, selection before cross-validation gives a score that is too good.
local noise, coin = ml.normal(100, 1000, 4), {}
for i = 1, 100 do coin[i] = i % 2 == 0 and "heads" or "tails" end
local best = ml.SelectKBest { k = 20 }
local outside = ml.cross_validate(ml.LogisticRegression {}, best:fit(noise, coin):transform(noise), coin)
local inside = ml.cross_validate(ml.Pipeline { best, ml.LogisticRegression {} }, noise, coin)
print(("\nNoise: accuracy %.2f if columns are selected before the folds, %.2f inside them"):format(
   outside.mean.accuracy, inside.mean.accuracy))
