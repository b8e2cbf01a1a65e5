---@meta _
-- luacheck: ignore
-- ml.ScaledLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ScaledLasso.Params
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n); default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most turns of weights and noise; default 100; a whole number >= 1
---@field tol? number # stop when the noise changes by no more than this share; default 1e-06; a number >= 0

---Lasso that finds the noise together with the weights, so that its penalty need not be tuned.
---
---1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j| over b, c and sigma; v_j:
---standard deviation of column j, n = sum_i w_i
---
---Also known as the square-root Lasso (Belloni, Chernozhukov & Wang, Biometrika 98 (2011)). Does not change with
---the units of X or y.
---@class manilius.ScaledLasso: manilius.Regressor
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n)
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most turns of weights and noise
---@field tol number # stop when the noise changes by no more than this share
---@field sigma number # learned: standard deviation of the noise
---@field best_alpha number # learned: the penalty in units of sigma: alpha, or what nil stood for
---@field gap number # learned: duality gap of the last Lasso, a number
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ScaledLasso = {}

---The same settings, not fitted.
---@return manilius.ScaledLasso
function ScaledLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ScaledLasso
function ScaledLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ScaledLasso
function ScaledLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ScaledLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ScaledLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso that finds the noise together with the weights, so that its penalty need not be tuned.
---@param params? manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ml.ScaledLasso(params) end
