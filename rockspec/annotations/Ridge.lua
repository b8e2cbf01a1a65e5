---@meta _
-- luacheck: ignore
-- ml.Ridge: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Ridge.Params
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Linear least squares with an L2 penalty.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
---
---The sum is not divided by the number of rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the
---columns first where their units differ. partial_fit gives what fit gives for all rows so far; alpha may be
---another one at each batch. It keeps p x p numbers, of sparse X too: for very many columns there is SGDRegressor.
---@class manilius.Ridge: manilius.Regressor
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local Ridge = {}

---The same settings, not fitted.
---@return manilius.Ridge
function Ridge:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Ridge
function Ridge:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Ridge.Params
---@return manilius.Ridge
function Ridge:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Ridge:summary(options) end

---@class manilius
local ml = {}

---Linear least squares with an L2 penalty.
---@param params? manilius.Ridge.Params
---@return manilius.Ridge
function ml.Ridge(params) end
