---@meta _
-- luacheck: ignore
-- ml.Ridge: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Ridge.Params
---@field alpha? number # penalty on the squared L2 norm of the coefficients; default 1; a number >= 0
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false

---Linear least squares with an L2 penalty.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
---
---The loss is a sum over rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the columns first if their
---units differ. partial_fit gives the same model as fit on all rows so far, and alpha may change between batches.
---It stores p x p numbers even for sparse X; use SGDRegressor for very many columns.
---@class manilius.Ridge: manilius.Regressor
---@field alpha number # penalty on the squared L2 norm of the coefficients
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
local Ridge = {}

---An unfitted copy with the same parameters.
---@return manilius.Ridge
function Ridge:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Ridge
function Ridge:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Ridge.Params
---@return manilius.Ridge
function Ridge:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Ridge:summary(options) end

---@class manilius
local ml = {}

---Linear least squares with an L2 penalty.
---@param params? manilius.Ridge.Params
---@return manilius.Ridge
function ml.Ridge(params) end
