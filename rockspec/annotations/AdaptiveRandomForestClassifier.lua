---@meta _
-- luacheck: ignore
-- ml.AdaptiveRandomForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveRandomForestClassifier.Params
---@field n_estimators? integer # number of trees; default 10; a whole number from 1 to 100000
---@field lambda? number # mean number of times that a tree learns a row; default 6; a number from 0.01 to 100
---@field max_features? number # features that a leaf observes, drawn at random; below 1: a fraction of all; nil: the square root of their number, plus one; default nil; a number > 0 or nil
---@field grace_period? integer # weight of the rows between two split attempts of a leaf; default 50; a whole number from 1 to 2147483647
---@field delta? number # probability that the chosen split is not the best one (Hoeffding bound); default 0.01; a number > 0 and < 1
---@field tau? number # tie threshold: the best split is made once the Hoeffding bound on the difference of gains, in bits, is below this; default 0.05; a number >= 0
---@field leaf_prediction? "adaptive"|"majority" # adaptive: naive Bayes in leaves where it was more accurate than the majority class; majority: always the majority class; default "adaptive"; one of adaptive, majority
---@field warning_delta? number # significance level of an increase of the errors that starts a background tree; default 0.01; a number > 0 and < 1
---@field drift_delta? number # significance level of an increase of the errors that replaces the tree; default 0.001; a number > 0 and < 1
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Adaptive random forest for streams: Hoeffding trees with drift detection.
---
---p(c | x) = mean over the trees, weighted by their accuracy, of the probabilities in the leaf of x
---
---Requires thousands of samples, because a leaf is split only when the best split is certain enough. Samples are
---not stored; memory grows with the number of leaves. fit is one batch, and batches of any size give the same
---result. Drift is detected by the test of Frias-Blanco et al. (2015) instead of ADWIN. Splits and naive Bayes
---assume normal features within each class. For few samples MondrianForestClassifier learns more, but it does not
---forget.
---@class manilius.AdaptiveRandomForestClassifier: manilius.Classifier
---@field n_estimators integer # number of trees
---@field lambda number # mean number of times that a tree learns a row
---@field max_features? number # features that a leaf observes, drawn at random; below 1: a fraction of all; nil: the square root of their number, plus one
---@field grace_period integer # weight of the rows between two split attempts of a leaf
---@field delta number # probability that the chosen split is not the best one (Hoeffding bound)
---@field tau number # tie threshold: the best split is made once the Hoeffding bound on the difference of gains, in bits, is below this
---@field leaf_prediction "adaptive"|"majority" # adaptive: naive Bayes in leaves where it was more accurate than the majority class; majority: always the majority class
---@field warning_delta number # significance level of an increase of the errors that starts a background tree
---@field drift_delta number # significance level of an increase of the errors that replaces the tree
---@field seed integer # random seed; the same seed gives the same result
---@field n_rows integer # learned: number of rows learned
local AdaptiveRandomForestClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:partial_fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:set_params(values) end

---leaves of each tree, its accuracy on rows before they were learned, and how often it was replaced. Gives leaves
---(trees), accuracy (trees), drifts (trees)
---@return table<string, any>
function AdaptiveRandomForestClassifier:structure() end

---@class manilius
local ml = {}

---Adaptive random forest for streams: Hoeffding trees with drift detection.
---@param params? manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function ml.AdaptiveRandomForestClassifier(params) end
