---@meta _
-- luacheck: ignore
-- ml.GammaRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GammaRegressor.Params
---@field alpha? number # strength of the penalty on the coefficients; 0: none; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which sets coefficients to exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... if unnamed) that is added to the linear predictor with coefficient 1, such as the log of the exposure; nil: none; default nil; a string or nil
---@field max_iter? integer # maximum number of iterations; default 100; a whole number >= 1
---@field tol? number # stop when the length of a step, relative to the square root of the objective, is at most this; default 1e-09; a number >= 0

---Gamma regression for positive amounts, with a log link and an L2 or L1 penalty.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---As in scikit-learn. For standard errors, tests and other links use ml.GLM{ family = 'gamma' }. Sparse X is
---never made dense. With more than 500 columns and alpha > 0 no matrix of columns x columns is formed.
---@class manilius.GammaRegressor: manilius.Regressor
---@field alpha number # strength of the penalty on the coefficients; 0: none
---@field l1_ratio number # share of the L1 norm in the penalty, which sets coefficients to exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field offset? string # name of a column of X (x1, x2, ... if unnamed) that is added to the linear predictor with coefficient 1, such as the log of the exposure; nil: none
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when the length of a step, relative to the square root of the objective, is at most this
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field deviance number # learned: twice the difference in log-likelihood to a perfect fit
---@field n number # learned: sum of the sample weights; without weights the number of rows
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of nonzero coefficients
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GammaRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.GammaRegressor
function GammaRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GammaRegressor
function GammaRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.GammaRegressor
function GammaRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.GammaRegressor.Params
---@return manilius.GammaRegressor
function GammaRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function GammaRegressor:summary(options) end

---@class manilius
local ml = {}

---Gamma regression for positive amounts, with a log link and an L2 or L1 penalty.
---@param params? manilius.GammaRegressor.Params
---@return manilius.GammaRegressor
function ml.GammaRegressor(params) end
