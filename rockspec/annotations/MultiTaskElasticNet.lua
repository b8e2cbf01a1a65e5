---@meta _
-- luacheck: ignore
-- ml.MultiTaskElasticNet: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MultiTaskElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the norms in it; 1 is the MultiTaskLasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_j |B_j| + (1 - l1_ratio) / 2 |B|^2)
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskElasticNet: manilius.Regressor
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the norms in it; 1 is the MultiTaskLasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap, a number: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskElasticNet = {}

---The same settings, not fitted.
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskElasticNet:summary(options) end

---@class manilius
local ml = {}

---Elastic net of several targets that choose their columns together.
---@param params? manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function ml.MultiTaskElasticNet(params) end
