---@meta _
-- luacheck: ignore
-- ml.MultiTaskLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MultiTaskLasso.Params
---@field alpha? number # penalty on the norm of the coefficients of each column; default 1; a number >= 0
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field max_iter? integer # maximum number of sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Lasso for several targets that select the same columns.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha sum_j |B_j|, B_j: coefficients of column j for all targets
---
---A column has nonzero coefficients for all targets or for none. Targets with large values dominate the loss:
---scale them first if their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskLasso: manilius.Regressor
---@field alpha number # penalty on the norm of the coefficients of each column
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field max_iter integer # maximum number of sweeps over the groups
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field gap number # learned: duality gap, an upper bound on the objective minus its minimum
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskLasso = {}

---An unfitted copy with the same parameters.
---@return manilius.MultiTaskLasso
function MultiTaskLasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskLasso
function MultiTaskLasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MultiTaskLasso
function MultiTaskLasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function MultiTaskLasso:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso for several targets that select the same columns.
---@param params? manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function ml.MultiTaskLasso(params) end
