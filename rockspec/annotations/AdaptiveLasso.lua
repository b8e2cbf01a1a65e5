---@meta _
-- luacheck: ignore
-- ml.AdaptiveLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveLasso.Params
---@field alpha? number # L1 penalty on the coefficients, before it is multiplied by factor; default 1; a number >= 0
---@field gamma? number # exponent of the first coefficients; 0.5, 1 and 2 are common; default 1; a number > 0 and <= 100
---@field first? "ridge"|"lasso" # estimator of the first coefficients; default "ridge"; one of ridge, lasso
---@field first_alpha? number # penalty of the first fit, whose loss is also a mean over rows; default 0.001; a number > 0
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field positive? boolean # constrain the coefficients to be non-negative; default false; true or false
---@field max_iter? integer # maximum number of sweeps over the coefficients; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Lasso that penalizes coefficients less if a first fit found them large.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma, n = sum_i w_i, s: coefficients of
---the first fit
---
---Large coefficients are hardly biased, and the relevant columns are selected under weaker conditions than the
---Lasso requires. A column whose first coefficient is 0 is excluded. Scale the columns first if their units
---differ.
---@class manilius.AdaptiveLasso: manilius.Regressor
---@field alpha number # L1 penalty on the coefficients, before it is multiplied by factor
---@field gamma number # exponent of the first coefficients; 0.5, 1 and 2 are common
---@field first "ridge"|"lasso" # estimator of the first coefficients
---@field first_alpha number # penalty of the first fit, whose loss is also a mean over rows
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field positive boolean # constrain the coefficients to be non-negative
---@field max_iter integer # maximum number of sweeps over the coefficients
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field gap manilius.Vector|number # learned: duality gap, an upper bound on the objective minus its minimum; a number if y is a Vector, targets
---@field factor manilius.Vector # learned: factor of the penalty on each coefficient: 1 / |s|^gamma, features
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local AdaptiveLasso = {}

---An unfitted copy with the same parameters.
---@return manilius.AdaptiveLasso
function AdaptiveLasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveLasso
function AdaptiveLasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.AdaptiveLasso
function AdaptiveLasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function AdaptiveLasso:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function AdaptiveLasso:summary(options) end

---@class manilius
local ml = {}

---Lasso that penalizes coefficients less if a first fit found them large.
---@param params? manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function ml.AdaptiveLasso(params) end
