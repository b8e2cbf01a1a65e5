---@meta _
-- luacheck: ignore
-- ml.MultiTaskLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MultiTaskLasso.Params
---@field alpha? number # penalty on the norms of the weights of a column; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha sum_j |B_j|, B_j: weights of column j for all targets
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskLasso: manilius.Regressor
---@field alpha number # penalty on the norms of the weights of a column
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap, a number: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskLasso = {}

---The same settings, not fitted.
---@return manilius.MultiTaskLasso
function MultiTaskLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskLasso
function MultiTaskLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskLasso
function MultiTaskLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function MultiTaskLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso of several targets that choose their columns together.
---@param params? manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function ml.MultiTaskLasso(params) end
