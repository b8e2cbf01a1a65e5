---@meta _
-- luacheck: ignore
-- ml.Lars: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Lars.Params
---@field n_nonzero_coefs? integer # maximum number of steps, in each of which one column becomes active; default 500; a whole number >= 1
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field eps? number # exclude a column if at most this fraction of its square is independent of the active columns; default 2.220446049e-16; a number from 0 to 1

---Least angle regression: adds columns in the order of their correlations.
---
---max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| decreases to 0, equal for all active columns, n = sum_i w_i
---
---alpha is divided by the sum of the sample weights, as in scikit-learn; R's lars reports n times that for
---columns of norm 1. Columns are not scaled: scale them first if their units differ. A column that depends
---linearly on the active ones is excluded, and of two equal columns the first is added. Coefficients may pass
---through 0; from there on scikit-learn's Lars flips the sign of the column and follows another path.
---@class manilius.Lars: manilius.Regressor
---@field n_nonzero_coefs integer # maximum number of steps, in each of which one column becomes active
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field eps number # exclude a column if at most this fraction of its square is independent of the active columns
---@field alphas manilius.Vector # learned: knots, at which columns were added or removed, in decreasing order, knots
---@field coef_path manilius.Matrix # learned: coefficients at each of alphas; piecewise linear between knots, knots x features
---@field active manilius.Vector # learned: active columns at the end of the path, in the order in which they were added, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
local Lars = {}

---An unfitted copy with the same parameters.
---@return manilius.Lars
function Lars:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lars
function Lars:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Lars
function Lars:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Lars.Params
---@return manilius.Lars
function Lars:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Lars:summary(options) end

---coefficients along the whole path, at its knots or at given alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: for ml.plot.coef_path
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function Lars:path(X, y, options) end

---@class manilius
local ml = {}

---Least angle regression: adds columns in the order of their correlations.
---@param params? manilius.Lars.Params
---@return manilius.Lars
function ml.Lars(params) end
