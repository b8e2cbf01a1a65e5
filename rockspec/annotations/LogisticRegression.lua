---@meta _
-- luacheck: ignore
-- ml.LogisticRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LogisticRegression.Params
---@field C? number # inverse strength of the penalty; larger values fit the data more closely; default 1; a number > 0
---@field penalty? "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet (both); default "l2"; one of l2, none, l1, elasticnet
---@field l1_ratio? number # share of the L1 norm in elasticnet; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field solver? "auto"|"newton"|"lbfgs"|"cd"|"saga" # algorithm; auto chooses by the penalty and the shape of X; default "auto"; one of auto, newton, lbfgs, cd, saga
---@field max_iter? integer # maximum number of iterations; default 1000; a whole number >= 1
---@field tol? number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by at most this share; default 1e-10; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Logistic regression for two or more classes, with L2, L1, both or no penalty.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2; l1_ratio is 0 for l2, 1 for l1
---
---Two classes have one row of coefficients, for the second class; more classes have one row each (softmax). For
---one against the rest use OneVsRestClassifier { LogisticRegression {} }. C is that of scikit-learn and
---liblinear; lambda of glmnet is 1 / (C n). Exported Lua programs agree in probabilities of two classes within 4
---units in the last place.
---@class manilius.LogisticRegression: manilius.Classifier
---@field C number # inverse strength of the penalty; larger values fit the data more closely
---@field penalty "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet (both)
---@field l1_ratio number # share of the L1 norm in elasticnet
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field solver "auto"|"newton"|"lbfgs"|"cd"|"saga" # algorithm; auto chooses by the penalty and the shape of X
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by at most this share
---@field gap number # learned: duality gap: the objective is at most this far above its minimum; nil without an L1 penalty
---@field coef manilius.Matrix # learned: coefficients, decisions x features
---@field intercept manilius.Vector # learned: intercept term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.LogisticRegression
function LogisticRegression:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegression:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegression
function LogisticRegression:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LogisticRegression
function LogisticRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function LogisticRegression:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegression:summary(options) end

---@class manilius
local ml = {}

---Logistic regression for two or more classes, with L2, L1, both or no penalty.
---@param params? manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function ml.LogisticRegression(params) end
