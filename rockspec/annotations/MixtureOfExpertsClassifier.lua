---@meta _
-- luacheck: ignore
-- ml.MixtureOfExpertsClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfExpertsClassifier.Params
---@field n_experts? integer # ways that each gate leads: on one level, how many experts; 1: one logistic regression; default 2; a whole number from 1 to 1000
---@field levels? integer # levels of gates, one below the other: n_experts ^ levels experts in all; default 1; a whole number from 1 to 20
---@field expert_penalty? number # half of it times the squared weights of the experts, for columns of variance 1: 1 / C of LogisticRegression; default 0.1; a number >= 0
---@field gate_penalty? number # half of it times the squared weights of the gates, for columns of variance 1; where it is far below expert_penalty, it pays to have experts of one class each, and the gate tell the classes; default 0.1; a number >= 0
---@field fit_intercept? boolean # each expert learns a constant term; gates always do; default true; true or false
---@field init? "rows"|"k-means++"|"random" # k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression of a few random rows; random: with random rows; default "k-means++"; one of rows, k-means++, random
---@field n_init? integer # starts, of which the best is kept; default 10; a whole number >= 1
---@field max_iter? integer # most rounds of EM; default 1000; a whole number >= 1
---@field tol? number # done when the mean log likelihood of a row rises by no more; default 1e-08; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Logistic regressions among which gates share out the rows by where they lie; hierarchical, too.
---
----sum_i w_i log sum_k g_k(x_i) p_k(y_i | x_i) + expert_penalty / 2 |B|^2 + gate_penalty / 2 |v|^2, p_k a softmax
---of x B_k + c_k, g a softmax of x v, or a product of them along the levels
---
---predict_proba gives sum_k g_k(x) p_k; experts are numbered from left to right. With one expert it is
---LogisticRegression{ C = 1 / expert_penalty } of columns of variance 1. By generalised EM: experts and gates by
---steps of Newton's method that never raise the objective, which is minus the log likelihood with both penalties.
---Labels tell less of the experts than numbers do, so that EM goes slowly where they overlap, and has local
---optima: raise n_init, or compare seeds. A step of an expert solves for (classes - 1) (columns + 1) unknowns at
---once: up to a few hundred.
---@class manilius.MixtureOfExpertsClassifier: manilius.Classifier
---@field n_experts integer # ways that each gate leads: on one level, how many experts; 1: one logistic regression
---@field levels integer # levels of gates, one below the other: n_experts ^ levels experts in all
---@field expert_penalty number # half of it times the squared weights of the experts, for columns of variance 1: 1 / C of LogisticRegression
---@field gate_penalty number # half of it times the squared weights of the gates, for columns of variance 1; where it is far below expert_penalty, it pays to have experts of one class each, and the gate tell the classes
---@field fit_intercept boolean # each expert learns a constant term; gates always do
---@field init "rows"|"k-means++"|"random" # k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression of a few random rows; random: with random rows
---@field n_init integer # starts, of which the best is kept
---@field max_iter integer # most rounds of EM
---@field tol number # done when the mean log likelihood of a row rises by no more
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights of the experts, one after the other: of two classes a row for each, for the second class; of more, a row for each class of each, outputs x features
---@field intercept manilius.Vector # learned: constant terms, likewise, outputs
---@field gate_coef manilius.Matrix # learned: weights of the gates, a row for each way that one leads: those of the gate at the root, then those of the gates below it from left to right, and so on; within a gate they add up to 0, ways x features
---@field gate_intercept manilius.Vector # learned: constant terms of the gates, ways
---@field responsibilities manilius.Matrix # learned: probability that each row of fit comes from each, rows x experts
---@field loglik number # learned: log likelihood, without the penalties
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the weights of the rows
---@field n_parameters integer # learned: independent coefficients of experts and gates
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfExpertsClassifier = {}

---The same settings, not fitted.
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MixtureOfExpertsClassifier.Params
---@return manilius.MixtureOfExpertsClassifier
function MixtureOfExpertsClassifier:set_params(values) end

---the share of each expert at each row, which add up to 1. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExpertsClassifier:gate_proba(X) end

---the probability of each class by one expert alone. Gives Matrix (rows x classes)
---@param X manilius.X
---@param options? { expert?: integer }
---@return manilius.Matrix
function MixtureOfExpertsClassifier:expert_proba(X, options) end

---from which expert rows come whose label is known, and the log probability of that label. Gives responsibilities
---(rows x experts), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfExpertsClassifier:posterior(X, y) end

---@class manilius
local ml = {}

---Logistic regressions among which gates share out the rows by where they lie; hierarchical, too.
---@param params? manilius.MixtureOfExpertsClassifier.Params
---@return manilius.MixtureOfExpertsClassifier
function ml.MixtureOfExpertsClassifier(params) end
