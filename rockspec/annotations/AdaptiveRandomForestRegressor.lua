---@meta _
-- luacheck: ignore
-- ml.AdaptiveRandomForestRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveRandomForestRegressor.Params
---@field n_estimators? integer # number of trees; default 10; a whole number from 1 to 100000
---@field lambda? number # mean number of times that a tree learns a row; default 6; a number from 0.01 to 100
---@field max_features? number # features that a leaf observes, drawn at random; below 1: a fraction of all; nil: the square root of their number, plus one; default nil; a number > 0 or nil
---@field grace_period? integer # weight of the rows between two split attempts of a leaf; default 50; a whole number from 1 to 2147483647
---@field delta? number # probability that the chosen split is not the best one (Hoeffding bound); default 0.01; a number > 0 and < 1
---@field tau? number # tie threshold: the best split is made once the Hoeffding bound on the ratio of gains is below this; default 0.05; a number >= 0
---@field leaf_prediction? "adaptive"|"mean" # adaptive: a linear model in leaves where it was more accurate recently than the mean; mean: always the mean; default "adaptive"; one of adaptive, mean
---@field warning_delta? number # significance level of an increase of the errors that starts a background tree; default 0.01; a number > 0 and < 1
---@field drift_delta? number # significance level of an increase of the errors that replaces the tree; default 0.001; a number > 0 and < 1
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Adaptive random forest regressor for streams, with drift detection.
---
---y(x) = mean over the trees of the mean of y, or a linear model, in the leaf of x
---
---Requires hundreds of samples, because a leaf is split only when the best split is certain enough. Samples are
---not stored; memory grows with the number of leaves. fit is one batch, and batches of any size give the same
---result. Splits reduce the variance of y; linear models are clipped to the range of y. Drift is detected by the
---test of Frias-Blanco et al. (2015) instead of ADWIN. For few samples MondrianForestRegressor learns more, but
---it does not forget.
---@class manilius.AdaptiveRandomForestRegressor: manilius.Regressor
---@field n_estimators integer # number of trees
---@field lambda number # mean number of times that a tree learns a row
---@field max_features? number # features that a leaf observes, drawn at random; below 1: a fraction of all; nil: the square root of their number, plus one
---@field grace_period integer # weight of the rows between two split attempts of a leaf
---@field delta number # probability that the chosen split is not the best one (Hoeffding bound)
---@field tau number # tie threshold: the best split is made once the Hoeffding bound on the ratio of gains is below this
---@field leaf_prediction "adaptive"|"mean" # adaptive: a linear model in leaves where it was more accurate recently than the mean; mean: always the mean
---@field warning_delta number # significance level of an increase of the errors that starts a background tree
---@field drift_delta number # significance level of an increase of the errors that replaces the tree
---@field seed integer # random seed; the same seed gives the same result
---@field n_rows integer # learned: number of rows learned
local AdaptiveRandomForestRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.AdaptiveRandomForestRegressor.Params
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:set_params(values) end

---leaves of each tree, its root mean squared error on rows before they were learned, and how often it was
---replaced. Gives leaves (trees), rmse (trees), drifts (trees)
---@return table<string, any>
function AdaptiveRandomForestRegressor:structure() end

---@class manilius
local ml = {}

---Adaptive random forest regressor for streams, with drift detection.
---@param params? manilius.AdaptiveRandomForestRegressor.Params
---@return manilius.AdaptiveRandomForestRegressor
function ml.AdaptiveRandomForestRegressor(params) end
