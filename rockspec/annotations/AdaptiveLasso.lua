---@meta _
-- luacheck: ignore
-- ml.AdaptiveLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveLasso.Params
---@field alpha? number # penalty on the sizes of the weights, before their factors; default 1; a number >= 0
---@field gamma? number # power of the first weights: 0.5, 1 and 2 are usual; default 1; a number > 0 and <= 100
---@field first? "ridge"|"lasso" # what finds the first weights; default "ridge"; one of ridge, lasso
---@field first_alpha? number # penalty of the first fit, whose loss is a mean, too; default 0.001; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso whose penalty is smaller for weights that a first fit found large.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma, n = sum_i w_i, s: first fit
---
---Large weights are hardly biased, and the right columns are found under weaker conditions than the Lasso needs.
---A column whose first weight is 0 stays out. Scale the columns first where their units differ.
---@class manilius.AdaptiveLasso: manilius.Regressor
---@field alpha number # penalty on the sizes of the weights, before their factors
---@field gamma number # power of the first weights: 0.5, 1 and 2 are usual
---@field first "ridge"|"lasso" # what finds the first weights
---@field first_alpha number # penalty of the first fit, whose loss is a mean, too
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more; a number where y is a Vector, targets
---@field factor manilius.Vector # learned: by which each penalty was multiplied: 1 / |s|^gamma, features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local AdaptiveLasso = {}

---The same settings, not fitted.
---@return manilius.AdaptiveLasso
function AdaptiveLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveLasso
function AdaptiveLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveLasso
function AdaptiveLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function AdaptiveLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function AdaptiveLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso whose penalty is smaller for weights that a first fit found large.
---@param params? manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function ml.AdaptiveLasso(params) end
