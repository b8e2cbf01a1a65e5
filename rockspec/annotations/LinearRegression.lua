---@meta _
-- luacheck: ignore
-- ml.LinearRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearRegression.Params
---@field fit_intercept? boolean # fit an intercept; default true; true or false
---@field inference? boolean # store what summary, intervals and diagnostics require; default true; true or false

---Ordinary least squares with standard errors, tests and diagnostics.
---
---sum_i w_i |y_i - x_i b - c|^2
---
---A sample weight counts rows: weight 2 equals the row twice, also in the standard errors (R's lm treats weights
---as precisions). If X is rank-deficient the coefficients are the minimum-norm solution and the standard errors
---are nan. partial_fit gives the same model as fit on all rows so far, including summary and intervals but not
---the residual quartiles; it stores about p^2 / 2 numbers. diagnostics accepts any rows.
---@class manilius.LinearRegression: manilius.Regressor
---@field fit_intercept boolean # fit an intercept
---@field inference boolean # store what summary, intervals and diagnostics require
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field rank integer # learned: number of linearly independent columns of X
---@field rcond number # learned: 1 / condition number of the columns of X, scaled to norm 1
---@field n number # learned: sum of the sample weights; the number of rows without weights
---@field dependent manilius.Vector # learned: columns that are linear combinations of others, dependent < features
---@field rss manilius.Vector|number # learned: residual sum of squares, targets
---@field tss manilius.Vector|number # learned: total sum of squares (about the mean with an intercept), targets
local LinearRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.LinearRegression
function LinearRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LinearRegression
function LinearRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LinearRegression.Params
---@return manilius.LinearRegression
function LinearRegression:set_params(values) end

---coefficients with standard errors, t and p values, and goodness of fit. Gives coefficients (Frame: term,
---estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p, loglik, aic, bic, n; prints as a
---table
---@param options? { level?: number, target?: integer }
---@return table<string, any>
function LinearRegression:summary(options) end

---prediction or confidence interval for each row of X. Gives Frame: fit, low, high, std_error
---@param X manilius.X
---@param options? { level?: number, kind?: "prediction"|"confidence", target?: integer }
---@return manilius.Frame
function LinearRegression:intervals(X, options) end

---residuals, leverage and influence of the rows, and tests of the assumptions. Gives rows (Frame: fitted,
---residual, leverage, standardized, studentized, cooks_distance), durbin_watson, condition_number, vif,
---breusch_pagan, breusch_pagan_p
---@param X manilius.X
---@param y manilius.Y
---@param options? { target?: integer }
---@return table<string, any>
function LinearRegression:diagnostics(X, y, options) end

---@class manilius
local ml = {}

---Ordinary least squares with standard errors, tests and diagnostics.
---@param params? manilius.LinearRegression.Params
---@return manilius.LinearRegression
function ml.LinearRegression(params) end
