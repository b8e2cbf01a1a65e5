---@meta _
-- luacheck: ignore
-- ml.LassoCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LassoCV.Params
---@field alphas? manilius.Numbers # candidate penalties; nil: n_alphas, from the smallest one that makes all coefficients 0; default nil; numbers >= 0 or nil
---@field n_alphas? integer # number of candidates, evenly spaced in the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # smallest candidate divided by the largest; default 0.001; a number > 0 and < 1
---@field cv? integer # number of folds, which are runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: alpha with the smallest error; 1se: largest alpha within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false
---@field positive? boolean # constrain the coefficients to be non-negative; default false; true or false
---@field max_iter? integer # maximum number of sweeps over the coefficients, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this fraction of the mean square of the centered y; default 0.0001; a number >= 0

---Lasso with alpha chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, with alpha of smallest error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes, unlike
---in glmnet. The final model is fitted to all rows with the selected penalty. model:errors() returns a table of
---all candidates.
---@class manilius.LassoCV: manilius.Regressor
---@field alphas? manilius.Numbers # candidate penalties; nil: n_alphas, from the smallest one that makes all coefficients 0
---@field n_alphas integer # number of candidates, evenly spaced in the logarithm
---@field eps number # smallest candidate divided by the largest
---@field cv integer # number of folds, which are runs of consecutive rows
---@field rule "min"|"1se" # min: alpha with the smallest error; 1se: largest alpha within one standard error of it
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field positive boolean # constrain the coefficients to be non-negative
---@field max_iter integer # maximum number of sweeps over the coefficients, for each penalty
---@field tol number # stop when the duality gap is at most this fraction of the mean square of the centered y
---@field alpha number # learned: selected penalty
---@field alpha_min number # learned: penalty with the smallest error
---@field alpha_1se number # learned: largest penalty within one standard error of the smallest error
---@field best_l1_ratio number # learned: selected fraction of the L1 penalty; 1 for LassoCV
---@field gap manilius.Vector|number # learned: duality gap of the final fit; a number if y is a Vector, targets
---@field grid_alpha manilius.Vector # learned: candidate penalties, candidates
---@field grid_l1_ratio manilius.Vector # learned: fraction of the L1 penalty of each candidate, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error of each candidate, candidates
---@field se manilius.Vector # learned: standard error of mse, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each candidate and fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoCV = {}

---An unfitted copy with the same parameters.
---@return manilius.LassoCV
function LassoCV:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoCV
function LassoCV:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LassoCV
function LassoCV:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LassoCV.Params
---@return manilius.LassoCV
function LassoCV:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LassoCV:summary(options) end

---mean squared errors of the folds for each candidate penalty. Gives errors (Frame: l1_ratio, alpha, mse, se),
---folds (Matrix: rows as in errors, one column for each fold)
---@return table<string, any>
function LassoCV:errors() end

---@class manilius
local ml = {}

---Lasso with alpha chosen by cross-validation.
---@param params? manilius.LassoCV.Params
---@return manilius.LassoCV
function ml.LassoCV(params) end
