---@meta _
-- luacheck: ignore
-- ml.Lasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Lasso.Params
---@field alpha? number # L1 penalty on the coefficients; default 1; a number >= 0
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field positive? boolean # constrain the coefficients to be non-negative; default false; true or false
---@field max_iter? integer # maximum number of sweeps over the coefficients, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Linear least squares with an L1 penalty, which sets coefficients exactly to 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---The loss is divided by the sum of the sample weights, as in scikit-learn and glmnet. Unless standardize =
---FALSE, glmnet scales the columns to unit variance first, and its lambda is alpha for coefficients on that
---scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual problem and
---gap is twice the largest gain of one step; LinearRegression is the better choice.
---@class manilius.Lasso: manilius.Regressor
---@field alpha number # L1 penalty on the coefficients
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field positive boolean # constrain the coefficients to be non-negative
---@field max_iter integer # maximum number of sweeps over the coefficients, for each target
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field gap manilius.Vector|number # learned: duality gap, an upper bound on the objective minus its minimum; a number if y is a Vector, targets
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local Lasso = {}

---An unfitted copy with the same parameters.
---@return manilius.Lasso
function Lasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lasso
function Lasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Lasso
function Lasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Lasso.Params
---@return manilius.Lasso
function Lasso:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Lasso:summary(options) end

---coefficients along a path of decreasing penalties. Gives alphas, coefs (alphas x features), intercepts, gaps,
---n_iter, nonzero: for ml.plot.coef_path
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function Lasso:path(X, y, options) end

---@class manilius
local ml = {}

---Linear least squares with an L1 penalty, which sets coefficients exactly to 0.
---@param params? manilius.Lasso.Params
---@return manilius.Lasso
function ml.Lasso(params) end
