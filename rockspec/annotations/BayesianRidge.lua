---@meta _
-- luacheck: ignore
-- ml.BayesianRidge: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BayesianRidge.Params
---@field max_iter? integer # most rounds; default 300; a whole number >= 1
---@field tol? number # done when the weights change by this share of their length; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y; default nil; a number > 0 or nil
---@field lambda_init? number # lambda at the start; default 1; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression that chooses its penalty and the noise by their evidence.
---
----log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least
---
---The penalty of Ridge is lambda / alpha here. tol is relative, scikit-learn's absolute; the standard deviation
---of a prediction counts the constant term as learned, too.
---@class manilius.BayesianRidge: manilius.Regressor
---@field max_iter integer # most rounds
---@field tol number # done when the weights change by this share of their length
---@field alpha_1 number # shape of the Gamma prior of alpha
---@field alpha_2 number # rate of the Gamma prior of alpha
---@field lambda_1 number # shape of the Gamma prior of lambda
---@field lambda_2 number # rate of the Gamma prior of lambda
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y
---@field lambda_init number # lambda at the start
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field alpha number # learned: precision of the noise: 1 / its variance
---@field lambda number # learned: precision of the weights
---@field gamma number # learned: how many weights the data determine
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianRidge = {}

---The same settings, not fitted.
---@return manilius.BayesianRidge
function BayesianRidge:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianRidge
function BayesianRidge:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BayesianRidge
function BayesianRidge:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function BayesianRidge:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:predict_interval(X, options) end

---posterior means and standard deviations of the constant and the weights, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:summary(options) end

---@class manilius
local ml = {}

---Ridge regression that chooses its penalty and the noise by their evidence.
---@param params? manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function ml.BayesianRidge(params) end
