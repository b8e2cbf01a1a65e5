---@meta _
-- luacheck: ignore
-- ml.BoostedRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BoostedRegressor.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator, fitted to the residuals of init; default nil
---@field init? any # the estimator fitted first; a classifier must have predict_proba; default nil
---@field [integer] any

---Gradient boosting that starts from the predictions of another regressor.
---
---fit stores fitted clones as model.init and model.boosting; learned fields of the boosting are fields of this
---model too. Unlike in scikit-learn, init is also fitted to rows that the boosting holds out. With warm_start
---init is not refitted. To start from known scores instead, pass fit(X, y, { init_score = ... }) to a boosting
---estimator.
---@class manilius.BoostedRegressor: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator, fitted to the residuals of init
---@field init? any # the estimator fitted first; a classifier must have predict_proba
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local BoostedRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.BoostedRegressor
function BoostedRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedRegressor
function BoostedRegressor:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedRegressor:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.BoostedRegressor
function BoostedRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function BoostedRegressor:set_params(values) end

---Predictions or decision function after each round, as a Matrix.
---@param X manilius.X
---@return any
function BoostedRegressor:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting that starts from the predictions of another regressor.
---@param params? manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function ml.BoostedRegressor(params) end
