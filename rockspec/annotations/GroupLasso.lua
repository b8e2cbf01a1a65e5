---@meta _
-- luacheck: ignore
-- ml.GroupLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupLasso.Params
---@field alpha? number # penalty on the norms of the groups; default 1; a number >= 0
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one; default nil; finite numbers or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares whose penalty makes the weights of whole groups of columns 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_g sqrt(size of g) |b_g|, n = sum_i w_i
---
---For columns that belong together, such as those of one factor. The Gram matrix of the columns is held in memory.
---@class manilius.GroupLasso: manilius.Regressor
---@field alpha number # penalty on the norms of the groups
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap, a number: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GroupLasso = {}

---The same settings, not fitted.
---@return manilius.GroupLasso
function GroupLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GroupLasso
function GroupLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GroupLasso
function GroupLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GroupLasso.Params
---@return manilius.GroupLasso
function GroupLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function GroupLasso:summary(options) end

---@class manilius
local ml = {}

---Linear least squares whose penalty makes the weights of whole groups of columns 0.
---@param params? manilius.GroupLasso.Params
---@return manilius.GroupLasso
function ml.GroupLasso(params) end
