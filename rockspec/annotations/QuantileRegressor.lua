---@meta _
-- luacheck: ignore
-- ml.QuantileRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuantileRegressor.Params
---@field quantile? number # quantile of y to predict; 0.5: the median; default 0.5; a number > 0 and < 1
---@field alpha? number # strength of the L1 penalty on the coefficients; 0: none; default 0; a number >= 0
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of steps of the interior-point method; default 100; a whole number >= 1
---@field tol? number # stop when the duality gap is below this share of the objective; default 1e-10; a number >= 0

---Linear regression for the median or another quantile of y.
---
---sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])
---
---alpha is that of scikit-learn, but 0 by default. The optimum need not be unique; then one of its vertices is
---returned, which may differ from that of other programs.
---@class manilius.QuantileRegressor: manilius.Regressor
---@field quantile number # quantile of y to predict; 0.5: the median
---@field alpha number # strength of the L1 penalty on the coefficients; 0: none
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of steps of the interior-point method
---@field tol number # stop when the duality gap is below this share of the objective
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local QuantileRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.QuantileRegressor
function QuantileRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileRegressor
function QuantileRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.QuantileRegressor
function QuantileRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function QuantileRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function QuantileRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression for the median or another quantile of y.
---@param params? manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function ml.QuantileRegressor(params) end
