---@meta _
-- luacheck: ignore
-- ml.Lars: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Lars.Params
---@field n_nonzero_coefs? integer # most columns that become active, one a step; default 500; a whole number >= 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Least angle regression: columns join one at a time, the most correlated first.
---
---max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| falls to 0, alike for all active columns, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Weights may pass through 0; from
---there on scikit-learn's Lars turns the sign of the column, and its path is another.
---@class manilius.Lars: manilius.Regressor
---@field n_nonzero_coefs integer # most columns that become active, one a step
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local Lars = {}

---The same settings, not fitted.
---@return manilius.Lars
function Lars:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lars
function Lars:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Lars
function Lars:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Lars.Params
---@return manilius.Lars
function Lars:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Lars:summary(options) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function Lars:path(X, y, options) end

---@class manilius
local ml = {}

---Least angle regression: columns join one at a time, the most correlated first.
---@param params? manilius.Lars.Params
---@return manilius.Lars
function ml.Lars(params) end
