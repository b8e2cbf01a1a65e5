---@meta _
-- luacheck: ignore
-- ml.ARDRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ARDRegression.Params
---@field max_iter? integer # most rounds; default 300; a whole number >= 1
---@field tol? number # done when the weights change by this share of the sum of their sizes; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior of each lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior of each lambda; default 1e-06; a number >= 0
---@field threshold_lambda? number # a column whose lambda reaches this is taken out; default 10000; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Linear regression that finds by the evidence which columns matter, and leaves the others out.
---
----log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least
---
---tol is relative, scikit-learn's absolute; the trace is the negative log evidence with its priors of the columns
---that are left, which may jump when one is taken out, where scikit-learn's scores_ mixes the covariance of one
---round with the precisions of the next. The standard deviation of a prediction counts the constant term as
---learned, too. Lambda is in the units of the columns, and so is threshold_lambda: scale them first.
---@class manilius.ARDRegression: manilius.Regressor
---@field max_iter integer # most rounds
---@field tol number # done when the weights change by this share of the sum of their sizes
---@field alpha_1 number # shape of the Gamma prior of alpha
---@field alpha_2 number # rate of the Gamma prior of alpha
---@field lambda_1 number # shape of the Gamma prior of each lambda
---@field lambda_2 number # rate of the Gamma prior of each lambda
---@field threshold_lambda number # a column whose lambda reaches this is taken out
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field alpha number # learned: precision of the noise: 1 / its variance
---@field lambda manilius.Vector # learned: precision of each weight; of those taken out, the one they went at, features
---@field relevant manilius.Vector # learned: columns that are left, relevant < features
---@field sigma manilius.Matrix # learned: posterior covariance of the weights that are left, relevant x relevant
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ARDRegression = {}

---The same settings, not fitted.
---@return manilius.ARDRegression
function ARDRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ARDRegression
function ARDRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ARDRegression
function ARDRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ARDRegression:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function ARDRegression:predict_interval(X, options) end

---posterior means and standard deviations of the constant and the weights, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function ARDRegression:summary(options) end

---@class manilius
local ml = {}

---Linear regression that finds by the evidence which columns matter, and leaves the others out.
---@param params? manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ml.ARDRegression(params) end
