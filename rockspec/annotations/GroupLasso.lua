---@meta _
-- luacheck: ignore
-- ml.GroupLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupLasso.Params
---@field alpha? number # penalty on the norms of the groups; default 1; a number >= 0
---@field groups? manilius.Numbers # group number of each column of X; nil: each column is its own group; default nil; finite numbers or nil
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field max_iter? integer # maximum number of sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Linear least squares with a penalty that sets whole groups of columns to 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_g sqrt(size of g) |b_g|, n = sum_i w_i
---
---For columns that belong together, such as the indicator columns of one factor. The Gram matrix of the columns
---is held in memory.
---@class manilius.GroupLasso: manilius.Regressor
---@field alpha number # penalty on the norms of the groups
---@field groups? manilius.Numbers # group number of each column of X; nil: each column is its own group
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field max_iter integer # maximum number of sweeps over the groups
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field gap number # learned: duality gap, an upper bound on the objective minus its minimum
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GroupLasso = {}

---An unfitted copy with the same parameters.
---@return manilius.GroupLasso
function GroupLasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GroupLasso
function GroupLasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.GroupLasso
function GroupLasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.GroupLasso.Params
---@return manilius.GroupLasso
function GroupLasso:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function GroupLasso:summary(options) end

---@class manilius
local ml = {}

---Linear least squares with a penalty that sets whole groups of columns to 0.
---@param params? manilius.GroupLasso.Params
---@return manilius.GroupLasso
function ml.GroupLasso(params) end
