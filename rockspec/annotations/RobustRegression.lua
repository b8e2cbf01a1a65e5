---@meta _
-- luacheck: ignore
-- ml.RobustRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RobustRegression.Params
---@field loss? "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression; default "huber"; one of huber, bisquare, andrews, absolute
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews; default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_iter? integer # most rounds; default 200; a whole number >= 1
---@field tol? number # stop when residuals move by less than this share; default 1e-09; a number >= 0

---Linear regression that outliers in y do not pull along.
---
---sum_i w_i rho((y_i - x_i b - c) / (tuning s))
---
---As rlm of R's MASS. The scale moves from round to round, so there is no one objective: `objective` and `trace`
---hold the least share by which residuals have moved in a round. bisquare and andrews begin at least squares and
---may find a local minimum. Standard errors count weights as rows (wt.method = "case" of rlm); loss absolute has
---none.
---@class manilius.RobustRegression: manilius.Regressor
---@field loss "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews
---@field fit_intercept boolean # learn a constant term
---@field max_iter integer # most rounds
---@field tol number # stop when residuals move by less than this share
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field std_error manilius.Vector # learned: standard errors of the constant and the weights, terms
---@field scale number # learned: of the errors: median of the absolute residuals over 0.6745
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local RobustRegression = {}

---The same settings, not fitted.
---@return manilius.RobustRegression
function RobustRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustRegression
function RobustRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustRegression
function RobustRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustRegression.Params
---@return manilius.RobustRegression
function RobustRegression:set_params(values) end

---coefficients with standard errors and t, as summary of R's rlm; no p-values, for the distribution of t is known
---for many rows only. Gives coefficients (Frame: term, estimate, std_error, t), sigma, the residual scale;
---spread, the unit of the standard errors; df; prints as a table
---@return table<string, any>
function RobustRegression:summary() end

---how much each row counts: those that the fit holds for outliers have a weight near 0. Gives Frame: fitted,
---residual, weight
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function RobustRegression:diagnostics(X, y) end

---@class manilius
local ml = {}

---Linear regression that outliers in y do not pull along.
---@param params? manilius.RobustRegression.Params
---@return manilius.RobustRegression
function ml.RobustRegression(params) end
