---@meta _
-- luacheck: ignore
-- ml.ElasticNet: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in it; 1 is the Lasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares with both an L1 and an L2 penalty.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), n = sum_i w_i
---
---The loss is divided by the sum of the weights, as in scikit-learn and glmnet. glmnet divides the columns by
---their standard deviations first unless standardize = FALSE, and y by its own: there lambda is alpha for weights
---of unit scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual:
---gap is then twice what one step could gain; LinearRegression is the better choice.
---@class manilius.ElasticNet: manilius.Regressor
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in it; 1 is the Lasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each target
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more; a number where y is a Vector, targets
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNet = {}

---The same settings, not fitted.
---@return manilius.ElasticNet
function ElasticNet:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNet
function ElasticNet:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNet
function ElasticNet:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNet.Params
---@return manilius.ElasticNet
function ElasticNet:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ElasticNet:summary(options) end

---weights along a list of penalties, from the largest down, each begun at the one before. Gives alphas, coefs
---(alphas x features), intercepts, gaps, n_iter, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function ElasticNet:path(X, y, options) end

---@class manilius
local ml = {}

---Linear least squares with both an L1 and an L2 penalty.
---@param params? manilius.ElasticNet.Params
---@return manilius.ElasticNet
function ml.ElasticNet(params) end
