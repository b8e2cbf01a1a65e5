---@meta _
-- luacheck: ignore
-- ml.LinearRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearRegression.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false

---Ordinary least squares, with the inference of a statistics package.
---
---sum_i w_i |y_i - x_i b - c|^2
---
---Weights count rows: weight 2 is the same as the row twice, in the standard errors too (R's lm takes weights for
---precisions and counts rows). Where columns determine each other the coefficients of minimum norm are given, and
---standard errors are nan. partial_fit gives what fit gives for all rows so far, from p (p + 1) / 2 numbers, and
---summary and intervals too, but for the quartiles of the residuals; diagnostics can be asked about any rows.
---@class manilius.LinearRegression: manilius.Regressor
---@field fit_intercept boolean # learn a constant term
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field rank integer # learned: number of independent columns of X
---@field rcond number # learned: 1 / condition number of the columns of X, scaled to norm 1
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field dependent manilius.Vector # learned: columns that follow from the others, dependent < features
---@field rss manilius.Vector|number # learned: residual sum of squares, targets
---@field tss manilius.Vector|number # learned: total sum of squares (about the mean with an intercept), targets
local LinearRegression = {}

---The same settings, not fitted.
---@return manilius.LinearRegression
function LinearRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearRegression
function LinearRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearRegression.Params
---@return manilius.LinearRegression
function LinearRegression:set_params(values) end

---coefficients with standard errors, t and p, and how good the fit is, as R prints it. Gives coefficients (Frame:
---term, estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p, loglik, aic, bic, n; prints as
---a table
---@param options? { level?: number, target?: integer }
---@return table<string, any>
function LinearRegression:summary(options) end

---prediction or confidence interval for each row of X. Gives Frame: fit, low, high, std_error
---@param X manilius.X
---@param options? { level?: number, kind?: "prediction"|"confidence", target?: integer }
---@return manilius.Frame
function LinearRegression:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted, and tests of the assumptions. Gives rows
---(Frame: fitted, residual, leverage, standardized, studentized, cooks_distance), durbin_watson,
---condition_number, vif, breusch_pagan, breusch_pagan_p
---@param X manilius.X
---@param y manilius.Y
---@param options? { target?: integer }
---@return table<string, any>
function LinearRegression:diagnostics(X, y, options) end

---@class manilius
local ml = {}

---Ordinary least squares, with the inference of a statistics package.
---@param params? manilius.LinearRegression.Params
---@return manilius.LinearRegression
function ml.LinearRegression(params) end
