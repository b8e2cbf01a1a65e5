---@meta _
-- luacheck: ignore
-- ml.ScaledLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ScaledLasso.Params
---@field alpha? number # L1 penalty in units of sigma, for columns of variance 1; nil: sqrt(2 log(features) / n); default nil; a number > 0 or nil
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field max_iter? integer # maximum number of alternations between coefficients and sigma; default 100; a whole number >= 1
---@field tol? number # stop when sigma changes by at most this fraction; default 1e-06; a number >= 0

---Lasso that estimates the noise level, so that alpha need not be tuned.
---
---1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j| over b, c and sigma; v_j:
---standard deviation of column j, n = sum_i w_i
---
---Also known as the square-root Lasso (Belloni, Chernozhukov & Wang, Biometrika 98 (2011)). Predictions do not
---depend on the units of X and scale with y.
---@class manilius.ScaledLasso: manilius.Regressor
---@field alpha? number # L1 penalty in units of sigma, for columns of variance 1; nil: sqrt(2 log(features) / n)
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field max_iter integer # maximum number of alternations between coefficients and sigma
---@field tol number # stop when sigma changes by at most this fraction
---@field sigma number # learned: estimated standard deviation of the noise
---@field best_alpha number # learned: penalty in units of sigma: alpha, or its default
---@field gap number # learned: duality gap of the last Lasso fit
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ScaledLasso = {}

---An unfitted copy with the same parameters.
---@return manilius.ScaledLasso
function ScaledLasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ScaledLasso
function ScaledLasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.ScaledLasso
function ScaledLasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ScaledLasso:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ScaledLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso that estimates the noise level, so that alpha need not be tuned.
---@param params? manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ml.ScaledLasso(params) end
