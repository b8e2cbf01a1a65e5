---@meta _
-- luacheck: ignore
-- ml.StackingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StackingRegressor.Params
---@field cv? integer|table # number of folds (stratified for classifiers, grouped by the fit option groups), a splitter such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # also pass the columns of X to the final model; default false
---@field [integer] any

---Stacking: a regressor fitted to out-of-fold predictions of regressors.
---
---Members are named by their class in lower case or by { name, estimator }; "drop" removes one. model.svc and
---model[2] are members; svc__C is a parameter of one. Built-in members are fitted in parallel. Options of fit:
---on_iter, and weights if all members support them (user-defined ones declare takes = { "weights" }). The default
---final_estimator is RidgeCV {}. transform returns its inputs.
---@class manilius.StackingRegressor: manilius.Model
---@field cv? integer|table # number of folds (stratified for classifiers, grouped by the fit option groups), a splitter such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # also pass the columns of X to the final model
---@field estimators any # learned: list of fitted members, without dropped ones
---@field feature_names any # learned: column names of X, if X is a Frame
---@field final_estimator any # learned: the fitted final model
---@field n_features any # learned: number of columns of X
---@field named_estimators any # learned: fitted members by name
---@field stack_methods any # learned: list: the prediction method of each member that the final model uses
---@field [any] any
local StackingRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.StackingRegressor
function StackingRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingRegressor
function StackingRegressor:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingRegressor:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function StackingRegressor:output_names() end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingRegressor:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.StackingRegressor
function StackingRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.StackingRegressor.Params
---@return manilius.StackingRegressor
function StackingRegressor:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingRegressor:transform(X) end

---@class manilius
local ml = {}

---Stacking: a regressor fitted to out-of-fold predictions of regressors.
---@param params? manilius.StackingRegressor.Params
---@return manilius.StackingRegressor
function ml.StackingRegressor(params) end
