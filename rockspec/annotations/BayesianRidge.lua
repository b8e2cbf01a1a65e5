---@meta _
-- luacheck: ignore
-- ml.BayesianRidge: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BayesianRidge.Params
---@field max_iter? integer # maximum number of iterations; default 300; a whole number >= 1
---@field tol? number # stop when the coefficients change by less than this, relative to their norm; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior on alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior on alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior on lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior on lambda; default 1e-06; a number >= 0
---@field alpha_init? number # initial alpha; nil means 1 / variance of y; default nil; a number > 0 or nil
---@field lambda_init? number # initial lambda; default 1; a number > 0
---@field fit_intercept? boolean # learn an intercept, which is not penalized; default true; true or false

---Ridge regression with penalty and noise chosen by maximum evidence.
---
----log p(y | alpha, lambda) - log priors, minimized over alpha and lambda
---
---The equivalent penalty of Ridge is lambda / alpha. tol is relative (absolute in scikit-learn). The standard
---deviation of a prediction includes the uncertainty of the intercept.
---@class manilius.BayesianRidge: manilius.Regressor
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when the coefficients change by less than this, relative to their norm
---@field alpha_1 number # shape of the Gamma prior on alpha
---@field alpha_2 number # rate of the Gamma prior on alpha
---@field lambda_1 number # shape of the Gamma prior on lambda
---@field lambda_2 number # rate of the Gamma prior on lambda
---@field alpha_init? number # initial alpha; nil means 1 / variance of y
---@field lambda_init number # initial lambda
---@field fit_intercept boolean # learn an intercept, which is not penalized
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field alpha number # learned: precision (1 / variance) of the noise
---@field lambda number # learned: precision of the prior on the coefficients
---@field gamma number # learned: effective number of coefficients determined by the data
---@field n number # learned: sum of the sample weights; the number of rows if there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianRidge = {}

---An unfitted copy with the same parameters.
---@return manilius.BayesianRidge
function BayesianRidge:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianRidge
function BayesianRidge:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.BayesianRidge
function BayesianRidge:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function BayesianRidge:set_params(values) end

---means, standard deviations and central intervals of the predictive distribution. Gives mean (rows), std (rows),
---low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:predict_interval(X, options) end

---posterior means and standard deviations of the intercept and the coefficients, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:summary(options) end

---@class manilius
local ml = {}

---Ridge regression with penalty and noise chosen by maximum evidence.
---@param params? manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function ml.BayesianRidge(params) end
