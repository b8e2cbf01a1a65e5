---@meta _
-- luacheck: ignore
-- ml.LogisticRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LogisticRegression.Params
---@field C? number # inverse strength of the penalty: larger fits closer; default 1; a number > 0
---@field penalty? "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms; default "l2"; one of l2, none, l1, elasticnet
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field solver? "auto"|"newton"|"lbfgs"|"cd"|"saga" # auto chooses by the shape of X; default "auto"; one of auto, newton, lbfgs, cd, saga
---@field max_iter? integer # most iterations; default 1000; a whole number >= 1
---@field tol? number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by less than this share; default 1e-10; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Linear classifier with probabilities, for two classes or many, with an L2 penalty, L1, both, or none.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2; l1_ratio is 0 for l2, 1 for l1
---
---Two classes have one row of weights, for the second class; more classes have one row each (softmax); one
---against the rest is OneVsRestClassifier { LogisticRegression {} }. C as in scikit-learn and liblinear; glmnet's
---lambda is 1 / (C n). tol is relative to the objective. Exported to Lua, probabilities of two classes agree
---within 4 units in the last place.
---@class manilius.LogisticRegression: manilius.Classifier
---@field C number # inverse strength of the penalty: larger fits closer
---@field penalty "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field solver "auto"|"newton"|"lbfgs"|"cd"|"saga" # auto chooses by the shape of X
---@field max_iter integer # most iterations
---@field tol number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by less than this share
---@field gap number # learned: with an L1 norm in the penalty, the duality gap, a number: the objective is above its minimum by no more; else nil
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegression = {}

---The same settings, not fitted.
---@return manilius.LogisticRegression
function LogisticRegression:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegression:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegression
function LogisticRegression:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegression
function LogisticRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function LogisticRegression:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegression:summary(options) end

---@class manilius
local ml = {}

---Linear classifier with probabilities, for two classes or many, with an L2 penalty, L1, both, or none.
---@param params? manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function ml.LogisticRegression(params) end
