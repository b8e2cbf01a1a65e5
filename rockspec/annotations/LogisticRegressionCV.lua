---@meta _
-- luacheck: ignore
-- ml.LogisticRegressionCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LogisticRegressionCV.Params
---@field Cs? manilius.Numbers # candidates for C, the inverse strength of the penalty; nil: 10 values from 1e-4 to 1e4; default nil; numbers > 0 or nil
---@field penalty? "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet (both); default "l2"; one of l2, l1, elasticnet
---@field l1_ratios? manilius.Numbers # candidates for the share of the L1 norm in elasticnet; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field cv? integer # number of folds: stratified, consecutive rows of each class; default 5; a whole number from 2 to 100000
---@field scoring? "accuracy"|"neg_log_loss" # score on the held-out folds: accuracy or negative log loss; default "accuracy"; one of accuracy, neg_log_loss
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of rounds for each penalty; default 100; a whole number >= 1
---@field tol? number # stop when a round can lower the objective by at most this share; default 1e-06; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Logistic regression with the penalty chosen by cross-validation.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2, with C and l1_ratio chosen by the
---score on held-out folds
---
---Folds are stratified and keep the order of the rows, like StratifiedKFold of scikit-learn: shuffle rows that
---are sorted within a class. A row of weight k counts as k rows, which may fall into different folds. The final
---model is fitted to all rows with the chosen penalty; model:scores() lists all candidates. Exported Lua programs
---agree in probabilities of two classes within 4 units in the last place.
---@class manilius.LogisticRegressionCV: manilius.Classifier
---@field Cs? manilius.Numbers # candidates for C, the inverse strength of the penalty; nil: 10 values from 1e-4 to 1e4
---@field penalty "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet (both)
---@field l1_ratios? manilius.Numbers # candidates for the share of the L1 norm in elasticnet; nil: 0.5
---@field cv integer # number of folds: stratified, consecutive rows of each class
---@field scoring "accuracy"|"neg_log_loss" # score on the held-out folds: accuracy or negative log loss
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of rounds for each penalty
---@field tol number # stop when a round can lower the objective by at most this share
---@field C number # learned: chosen C; ties are broken in favor of the stronger penalty
---@field best_l1_ratio number # learned: chosen share of the L1 norm; 0 for l2, 1 for l1
---@field best_score number # learned: its mean score over the folds
---@field grid_C manilius.Vector # learned: C of each candidate, candidates
---@field grid_l1_ratio manilius.Vector # learned: l1_ratio of each candidate, candidates
---@field mean_score manilius.Vector # learned: mean score of each candidate over the folds, candidates
---@field score_path manilius.Matrix # learned: score of each candidate on each fold, candidates x folds
---@field gap number # learned: duality gap: the objective is at most this far above its minimum; nil without an L1 penalty
---@field coef manilius.Matrix # learned: coefficients, decisions x features
---@field intercept manilius.Vector # learned: intercept term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegressionCV = {}

---An unfitted copy with the same parameters.
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegressionCV:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegressionCV:summary(options) end

---scores of all folds for each candidate penalty. Gives scores (Frame: C, l1_ratio, score), folds (Matrix: one
---row for each row of scores, one column per fold)
---@return table<string, any>
function LogisticRegressionCV:scores() end

---@class manilius
local ml = {}

---Logistic regression with the penalty chosen by cross-validation.
---@param params? manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function ml.LogisticRegressionCV(params) end
