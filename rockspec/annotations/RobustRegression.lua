---@meta _
-- luacheck: ignore
-- ml.RobustRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RobustRegression.Params
---@field loss? "huber"|"bisquare"|"andrews"|"absolute" # huber: large residuals are downweighted; bisquare, andrews: down to weight 0; absolute: median regression; default "huber"; one of huber, bisquare, andrews, absolute
---@field tuning? number # residual from which rows are downweighted, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews; default nil; a number > 0 or nil
---@field fit_intercept? boolean # fit an intercept; default true; true or false
---@field max_iter? integer # maximum number of rounds; default 200; a whole number >= 1
---@field tol? number # stop when the residuals change by at most this share; default 1e-09; a number >= 0

---Linear regression that is robust to outliers in y (M-estimation).
---
---sum_i w_i rho((y_i - x_i b - c) / (tuning s))
---
---As rlm of R's MASS. Since the scale changes from round to round there is no single objective: `objective` and
---`trace` hold the smallest relative change of the residuals so far. bisquare and andrews start at least squares
---and may find a local minimum. Standard errors count weights as rows (wt.method = "case" of rlm); loss absolute
---has none.
---@class manilius.RobustRegression: manilius.Regressor
---@field loss "huber"|"bisquare"|"andrews"|"absolute" # huber: large residuals are downweighted; bisquare, andrews: down to weight 0; absolute: median regression
---@field tuning? number # residual from which rows are downweighted, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews
---@field fit_intercept boolean # fit an intercept
---@field max_iter integer # maximum number of rounds
---@field tol number # stop when the residuals change by at most this share
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field std_error manilius.Vector # learned: standard errors of the intercept and the coefficients, terms
---@field scale number # learned: scale of the errors: median absolute residual / 0.6745
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local RobustRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.RobustRegression
function RobustRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustRegression
function RobustRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.RobustRegression
function RobustRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.RobustRegression.Params
---@return manilius.RobustRegression
function RobustRegression:set_params(values) end

---coefficients with standard errors and t, as summary of rlm in R; no p-values, since t is only asymptotically
---normal. Gives coefficients (Frame: term, estimate, std_error, t), sigma, the residual scale; spread, the unit
---of the standard errors; df; prints as a table
---@return table<string, any>
function RobustRegression:summary() end

---weight of each row in the fit; outliers have weights near 0. Gives Frame: fitted, residual, weight
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function RobustRegression:diagnostics(X, y) end

---@class manilius
local ml = {}

---Linear regression that is robust to outliers in y (M-estimation).
---@param params? manilius.RobustRegression.Params
---@return manilius.RobustRegression
function ml.RobustRegression(params) end
