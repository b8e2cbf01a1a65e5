---@meta _
-- luacheck: ignore
-- ml.ElasticNetCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ElasticNetCV.Params
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight; default nil; numbers >= 0 or nil
---@field n_alphas? integer # how many, in equal steps of the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # the last of them as a share of the first; default 0.001; a number > 0 and < 1
---@field cv? integer # folds: runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net, its penalty and share of the L1 norm chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), with alpha and
---l1_ratio of least error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes
---(glmnet's is). fit makes the model of the chosen penalty on all rows. model:errors() is a table of all that
---were tried.
---@class manilius.ElasticNetCV: manilius.Regressor
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight
---@field n_alphas integer # how many, in equal steps of the logarithm
---@field eps number # the last of them as a share of the first
---@field cv integer # folds: runs of consecutive rows
---@field rule "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each penalty
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field alpha number # learned: the chosen penalty
---@field alpha_min number # learned: that of least error
---@field alpha_1se number # learned: the largest within one standard error of it
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 1 for the Lasso
---@field gap manilius.Vector|number # learned: duality gap of the last fit; a number where y is a Vector, targets
---@field grid_alpha manilius.Vector # learned: penalties that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error, candidates
---@field se manilius.Vector # learned: standard error of that mean, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNetCV = {}

---The same settings, not fitted.
---@return manilius.ElasticNetCV
function ElasticNetCV:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNetCV
function ElasticNetCV:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNetCV
function ElasticNetCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNetCV.Params
---@return manilius.ElasticNetCV
function ElasticNetCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ElasticNetCV:summary(options) end

---mean squared errors of the folds for each penalty that was tried. Gives errors (Frame: l1_ratio, alpha, mse,
---se), folds (Matrix: a row for each row of errors, a column for each fold)
---@return table<string, any>
function ElasticNetCV:errors() end

---@class manilius
local ml = {}

---Elastic net, its penalty and share of the L1 norm chosen by cross-validation.
---@param params? manilius.ElasticNetCV.Params
---@return manilius.ElasticNetCV
function ml.ElasticNetCV(params) end
