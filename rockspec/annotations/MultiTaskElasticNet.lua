---@meta _
-- luacheck: ignore
-- ml.MultiTaskElasticNet: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MultiTaskElasticNet.Params
---@field alpha? number # strength of the combined penalty; default 1; a number >= 0
---@field l1_ratio? number # fraction of the norm penalty in alpha; 1 equals MultiTaskLasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field max_iter? integer # maximum number of sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Elastic net for several targets that select the same columns.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_j |B_j| + (1 - l1_ratio) / 2 |B|^2)
---
---A column has nonzero coefficients for all targets or for none. Targets with large values dominate the loss:
---scale them first if their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskElasticNet: manilius.Regressor
---@field alpha number # strength of the combined penalty
---@field l1_ratio number # fraction of the norm penalty in alpha; 1 equals MultiTaskLasso
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field max_iter integer # maximum number of sweeps over the groups
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field gap number # learned: duality gap, an upper bound on the objective minus its minimum
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskElasticNet = {}

---An unfitted copy with the same parameters.
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskElasticNet:summary(options) end

---@class manilius
local ml = {}

---Elastic net for several targets that select the same columns.
---@param params? manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function ml.MultiTaskElasticNet(params) end
