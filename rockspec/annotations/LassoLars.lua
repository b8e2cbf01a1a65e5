---@meta _
-- luacheck: ignore
-- ml.LassoLars: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LassoLars.Params
---@field alpha? number # penalty on the sum of the sizes of the weights; default 1; a number >= 0
---@field max_iter? integer # most steps, in each of which a column comes or leaves; default 500; a whole number >= 1
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Lasso by least angle regression: all minima down to alpha, to rounding.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Lasso is faster where thousands
---of columns are active, and takes sparse X and several targets.
---@class manilius.LassoLars: manilius.Regressor
---@field alpha number # penalty on the sum of the sizes of the weights
---@field max_iter integer # most steps, in each of which a column comes or leaves
---@field positive boolean # hold the weights at 0 or above
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoLars = {}

---The same settings, not fitted.
---@return manilius.LassoLars
function LassoLars:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoLars
function LassoLars:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LassoLars
function LassoLars:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LassoLars.Params
---@return manilius.LassoLars
function LassoLars:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LassoLars:summary(options) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function LassoLars:path(X, y, options) end

---@class manilius
local ml = {}

---Lasso by least angle regression: all minima down to alpha, to rounding.
---@param params? manilius.LassoLars.Params
---@return manilius.LassoLars
function ml.LassoLars(params) end
