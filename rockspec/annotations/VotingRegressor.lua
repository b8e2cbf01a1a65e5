---@meta _
-- luacheck: ignore
-- ml.VotingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VotingRegressor.Params
---@field weights? manilius.Numbers # list of one number >= 0 per member; nil: all 1; default nil
---@field [integer] any

---Weighted mean of the predictions of several regressors.
---
---Members are named by their class in lower case or by { name, estimator }; "drop" removes one. model.svc and
---model[2] are members; svc__C is a parameter of one. Built-in members are fitted in parallel. Options of fit:
---on_iter, and weights if all members support them (user-defined ones declare takes = { "weights" }). transform
---returns the predictions of the members.
---@class manilius.VotingRegressor: manilius.Model
---@field weights? manilius.Numbers # list of one number >= 0 per member; nil: all 1
---@field estimators any # learned: list of fitted members, without dropped ones
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field n_targets any # learned: number of columns of y
---@field named_estimators any # learned: fitted members by name
---@field [any] any
local VotingRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.VotingRegressor
function VotingRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingRegressor
function VotingRegressor:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingRegressor:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function VotingRegressor:output_names() end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.VotingRegressor
function VotingRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function VotingRegressor:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingRegressor:transform(X) end

---@class manilius
local ml = {}

---Weighted mean of the predictions of several regressors.
---@param params? manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function ml.VotingRegressor(params) end
