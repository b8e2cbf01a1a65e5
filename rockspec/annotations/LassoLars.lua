---@meta _
-- luacheck: ignore
-- ml.LassoLars: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LassoLars.Params
---@field alpha? number # L1 penalty on the coefficients; default 1; a number >= 0
---@field max_iter? integer # maximum number of steps, in each of which a column is added or removed; default 500; a whole number >= 1
---@field positive? boolean # constrain the coefficients to be non-negative; default false; true or false
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field eps? number # exclude a column if at most this fraction of its square is independent of the active columns; default 2.220446049e-16; a number from 0 to 1

---Lasso by least angle regression: the exact path down to alpha.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---alpha is divided by the sum of the sample weights, as in scikit-learn; R's lars reports n times that for
---columns of norm 1. Columns are not scaled: scale them first if their units differ. A column that depends
---linearly on the active ones is excluded, and of two equal columns the first is added. Lasso is faster if
---thousands of columns are active, and accepts sparse X and several targets.
---@class manilius.LassoLars: manilius.Regressor
---@field alpha number # L1 penalty on the coefficients
---@field max_iter integer # maximum number of steps, in each of which a column is added or removed
---@field positive boolean # constrain the coefficients to be non-negative
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field eps number # exclude a column if at most this fraction of its square is independent of the active columns
---@field alphas manilius.Vector # learned: knots, at which columns were added or removed, in decreasing order, knots
---@field coef_path manilius.Matrix # learned: coefficients at each of alphas; piecewise linear between knots, knots x features
---@field active manilius.Vector # learned: active columns at the end of the path, in the order in which they were added, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoLars = {}

---An unfitted copy with the same parameters.
---@return manilius.LassoLars
function LassoLars:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoLars
function LassoLars:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LassoLars
function LassoLars:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LassoLars.Params
---@return manilius.LassoLars
function LassoLars:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LassoLars:summary(options) end

---coefficients along the whole path, at its knots or at given alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: for ml.plot.coef_path
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function LassoLars:path(X, y, options) end

---@class manilius
local ml = {}

---Lasso by least angle regression: the exact path down to alpha.
---@param params? manilius.LassoLars.Params
---@return manilius.LassoLars
function ml.LassoLars(params) end
