---@meta _
-- luacheck: ignore
-- ml.LogisticRegressionCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LogisticRegressionCV.Params
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4; default nil; numbers > 0 or nil
---@field penalty? "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms; default "l2"; one of l2, l1, elasticnet
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field cv? integer # folds: runs of consecutive rows of each class; default 5; a whole number from 2 to 100000
---@field scoring? "accuracy"|"neg_log_loss" # what the folds are judged by; default "accuracy"; one of accuracy, neg_log_loss
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds, for each penalty; default 100; a whole number >= 1
---@field tol? number # stop when a round can lower the objective by less than this share; default 1e-06; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Logistic regression, its penalty chosen by cross-validation.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2, with C and l1_ratio of best score
---on held-out folds
---
---Folds hold the classes in their shares, in the order of the rows, as scikit-learn's StratifiedKFold: shuffle
---rows that are sorted within a class. A row of weight k counts as k rows, which may fall into different folds.
---fit makes the model of the chosen penalty on all rows. model:scores() is a table of all that were tried.
---Exported to Lua, probabilities of two classes agree within 4 units in the last place.
---@class manilius.LogisticRegressionCV: manilius.Classifier
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4
---@field penalty "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5
---@field cv integer # folds: runs of consecutive rows of each class
---@field scoring "accuracy"|"neg_log_loss" # what the folds are judged by
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds, for each penalty
---@field tol number # stop when a round can lower the objective by less than this share
---@field C number # learned: the chosen inverse strength; of equals the least
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 0 for l2, 1 for l1
---@field best_score number # learned: mean score of it over the folds
---@field grid_C manilius.Vector # learned: inverse strengths that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mean_score manilius.Vector # learned: mean score over the folds, candidates
---@field score_path manilius.Matrix # learned: score of each fold, candidates x folds
---@field gap number # learned: with an L1 norm in the penalty, the duality gap, a number: the objective is above its minimum by no more; else nil
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegressionCV = {}

---The same settings, not fitted.
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegressionCV:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegressionCV:summary(options) end

---scores of the folds for each penalty that was tried. Gives scores (Frame: C, l1_ratio, score), folds (Matrix: a
---row for each row of scores, a column for each fold)
---@return table<string, any>
function LogisticRegressionCV:scores() end

---@class manilius
local ml = {}

---Logistic regression, its penalty chosen by cross-validation.
---@param params? manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function ml.LogisticRegressionCV(params) end
