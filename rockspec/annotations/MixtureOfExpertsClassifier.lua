---@meta _
-- luacheck: ignore
-- ml.MixtureOfExpertsClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfExpertsClassifier.Params
---@field n_experts? integer # branches of each gate; with one level, the number of experts; 1 means a single logistic regression; default 2; a whole number from 1 to 1000
---@field levels? integer # levels of gates; there are n_experts ^ levels experts in all; default 1; a whole number from 1 to 20
---@field expert_penalty? number # L2 penalty on the coefficients of the experts (expert_penalty / 2 times their squares, for columns of variance 1); equals 1 / C of LogisticRegression; default 0.1; a number >= 0
---@field gate_penalty? number # L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); far below expert_penalty, each expert tends to predict one class; default 0.1; a number >= 0
---@field fit_intercept? boolean # learn an intercept for each expert; gates always have one; default true; true or false
---@field init? "rows"|"k-means++"|"random" # k-means++: each gate splits its rows by k-means++ centers; rows: each expert is fitted to a few random rows; random: each row is assigned to a random expert; default "k-means++"; one of rows, k-means++, random
---@field n_init? integer # number of starts; the best result is kept; default 10; a whole number >= 1
---@field max_iter? integer # maximum number of EM iterations; default 1000; a whole number >= 1
---@field tol? number # stop when the mean log likelihood per row increases by at most this; default 1e-08; a number >= 0
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Mixture of logistic experts whose gates depend on x, on one or several levels.
---
----sum_i w_i log sum_k g_k(x_i) p_k(y_i | x_i) + expert_penalty / 2 |B|^2 + gate_penalty / 2 |v|^2, p_k a softmax
---of x B_k + c_k, g a softmax of x v, or the product of softmaxes along the levels
---
---predict_proba returns sum_k g_k(x) p_k; experts are numbered from left to right. One expert equals
---LogisticRegression{ C = 1 / expert_penalty } on columns of variance 1. Fitted by generalized EM with Newton
---steps that never increase the objective. EM is slow if experts overlap and has local optima: increase n_init or
---compare seeds. A step of an expert solves for (classes - 1) (columns + 1) unknowns at once: practical up to a
---few hundred.
---@class manilius.MixtureOfExpertsClassifier: manilius.Classifier
---@field n_experts integer # branches of each gate; with one level, the number of experts; 1 means a single logistic regression
---@field levels integer # levels of gates; there are n_experts ^ levels experts in all
---@field expert_penalty number # L2 penalty on the coefficients of the experts (expert_penalty / 2 times their squares, for columns of variance 1); equals 1 / C of LogisticRegression
---@field gate_penalty number # L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); far below expert_penalty, each expert tends to predict one class
---@field fit_intercept boolean # learn an intercept for each expert; gates always have one
---@field init "rows"|"k-means++"|"random" # k-means++: each gate splits its rows by k-means++ centers; rows: each expert is fitted to a few random rows; random: each row is assigned to a random expert
---@field n_init integer # number of starts; the best result is kept
---@field max_iter integer # maximum number of EM iterations
---@field tol number # stop when the mean log likelihood per row increases by at most this
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix # learned: coefficients of the experts, expert after expert: with two classes one row for the second class, with more a row for each class, outputs x features
---@field intercept manilius.Vector # learned: intercepts, in the same order, outputs
---@field gate_coef manilius.Matrix # learned: coefficients of the gates, a row for each branch, level by level from the root and left to right; within a gate they sum to 0, ways x features
---@field gate_intercept manilius.Vector # learned: intercepts of the gates, ways
---@field responsibilities manilius.Matrix # learned: probability of each expert for each training row, rows x experts
---@field loglik number # learned: log likelihood, without the penalties
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the sample weights
---@field n_parameters integer # learned: number of independent coefficients of experts and gates
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfExpertsClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MixtureOfExpertsClassifier.Params
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:set_params(values) end

---probability of each expert at each row. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:gate_proba(X) end

---class probabilities by one expert alone. Gives Matrix (rows x classes)
---@param X manilius.X
---@param options? { expert?: integer }
---@return manilius.Matrix
function MixtureOfExpertsClassifier:expert_proba(X, options) end

---responsibilities of the experts for rows with known labels, and the log probability of the label. Gives
---responsibilities (rows x experts), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfExpertsClassifier:posterior(X, y) end

---@class manilius
local ml = {}

---Mixture of logistic experts whose gates depend on x, on one or several levels.
---@param params? manilius.MixtureOfExpertsClassifier.Params
---@return manilius.MixtureOfExpertsClassifier
function ml.MixtureOfExpertsClassifier(params) end
