---@meta _
-- luacheck: ignore
-- ml.QuantileRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuantileRegressor.Params
---@field quantile? number # which one of y is predicted; 0.5: the median; default 0.5; a number > 0 and < 1
---@field alpha? number # penalty on the L1 norm of the weights; default 0; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most steps of the interior-point method; default 100; a whole number >= 1
---@field tol? number # stop when the gap to the optimum is below this share of the objective; default 1e-10; a number >= 0

---Linear regression for a quantile of y, such as the median.
---
---sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])
---
---alpha as in scikit-learn, but 0 unless said otherwise. The optimum need not be unique: then one of its vertices
---is given, which other programs may not choose.
---@class manilius.QuantileRegressor: manilius.Regressor
---@field quantile number # which one of y is predicted; 0.5: the median
---@field alpha number # penalty on the L1 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most steps of the interior-point method
---@field tol number # stop when the gap to the optimum is below this share of the objective
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local QuantileRegressor = {}

---The same settings, not fitted.
---@return manilius.QuantileRegressor
function QuantileRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileRegressor
function QuantileRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileRegressor
function QuantileRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function QuantileRegressor:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function QuantileRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression for a quantile of y, such as the median.
---@param params? manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function ml.QuantileRegressor(params) end
