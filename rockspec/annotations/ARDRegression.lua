---@meta _
-- luacheck: ignore
-- ml.ARDRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ARDRegression.Params
---@field max_iter? integer # maximum number of iterations; default 300; a whole number >= 1
---@field tol? number # stop when the coefficients change by less than this, relative to the sum of their magnitudes; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior on alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior on alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior on each lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior on each lambda; default 1e-06; a number >= 0
---@field threshold_lambda? number # remove a column when its lambda reaches this; default 10000; a number >= 0
---@field fit_intercept? boolean # learn an intercept, which is not penalized; default true; true or false

---Linear regression that selects columns by maximum evidence.
---
----log p(y | alpha, lambda) - log priors, minimized over alpha and lambda
---
---lambda and threshold_lambda depend on the units of the columns: scale them first. tol is relative (absolute in
---scikit-learn). The trace is the negative log evidence with its priors; it may jump when a column is removed.
---The standard deviation of a prediction includes the uncertainty of the intercept.
---@class manilius.ARDRegression: manilius.Regressor
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when the coefficients change by less than this, relative to the sum of their magnitudes
---@field alpha_1 number # shape of the Gamma prior on alpha
---@field alpha_2 number # rate of the Gamma prior on alpha
---@field lambda_1 number # shape of the Gamma prior on each lambda
---@field lambda_2 number # rate of the Gamma prior on each lambda
---@field threshold_lambda number # remove a column when its lambda reaches this
---@field fit_intercept boolean # learn an intercept, which is not penalized
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field alpha number # learned: precision (1 / variance) of the noise
---@field lambda manilius.Vector # learned: prior precision of each coefficient; of a removed column, the value at its removal, features
---@field relevant manilius.Vector # learned: indices of the remaining columns, relevant < features
---@field sigma manilius.Matrix # learned: posterior covariance of the remaining coefficients, relevant x relevant
---@field n number # learned: sum of the sample weights; the number of rows if there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ARDRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.ARDRegression
function ARDRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ARDRegression
function ARDRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.ARDRegression
function ARDRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ARDRegression:set_params(values) end

---means, standard deviations and central intervals of the predictive distribution. Gives mean (rows), std (rows),
---low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function ARDRegression:predict_interval(X, options) end

---posterior means and standard deviations of the intercept and the coefficients, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function ARDRegression:summary(options) end

---@class manilius
local ml = {}

---Linear regression that selects columns by maximum evidence.
---@param params? manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ml.ARDRegression(params) end
