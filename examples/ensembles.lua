-- Ensembles: voting, stacking, bagging and boosting of any estimators, including a custom classifier.
--
-- Run from the checkout: make all, then lua5.4 examples/ensembles.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local X, y = ml.read_csv("examples/data/breast_cancer.csv"):split "diagnosis"

-- A custom member is a table with fit and predict. This one is a threshold on one column.
local threshold_rule = { name = "ThresholdRule", column = "worst_radius", does = "classify" }
function threshold_rule:fit(rows, labels)
   local radius = rows[self.column]
   local benign, malignant = labels:eq "benign", labels:eq "malignant"
   self.threshold = (radius:dot(benign) / benign:sum() + radius:dot(malignant) / malignant:sum()) / 2
   return self
end
function threshold_rule:predict(rows)
   return ml.Factor { "benign", "malignant" }:take(rows[self.column]:gt(self.threshold) + 1)
end

local logistic = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
local members = { { "logistic", logistic }, { "bayes", ml.GaussianNB {} }, { "threshold", threshold_rule } }
local vote = ml.VotingClassifier(members)
print(vote)

local stack = ml.StackingClassifier { members[1], members[2], members[3], cv = 5 }
local bag = ml.BaggingClassifier { ml.DecisionTreeClassifier {}, n_estimators = 30, max_features = 0.5, oob = true }
local boost = ml.AdaBoostClassifier { n_estimators = 40, learning_rate = 0.8 }

local folds = ml.StratifiedKFold { k = 5, seed = 1 }
for _, entry in ipairs { { "threshold", threshold_rule }, { "vote", vote }, { "stack", stack }, { "bag", bag },
   { "boost", boost } } do
   local cv = ml.cross_validate(entry[2], X, y, { cv = folds })
   print(("%-9s accuracy %.3f"):format(entry[1], cv.mean.accuracy))
end

-- The inputs of the final model of the stack, and its coefficients.
stack:fit(X, y)
print(table.concat(stack:output_names(), ", "), stack.final_estimator.coef)

-- The out-of-bag score uses the rows that a bagged tree did not draw, so it needs no test set.
print(("out of bag: %.3f"):format(bag:fit(X, y).oob_score))

-- Parameters of the boosted trees can be searched like any others.
local search = ml.GridSearch { boost, { estimator__max_depth = { 1, 2 }, n_estimators = { 10, 40 } }, cv = folds }
print(search:fit(X, y).best)
