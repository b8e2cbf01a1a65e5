---@meta _
-- luacheck: ignore
-- ml.MixtureOfExperts: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfExperts.Params
---@field n_experts? integer # branches of each gate; with one level, the number of experts; default 2; a whole number from 2 to 1000
---@field levels? integer # levels of gates; there are n_experts ^ levels experts in all; default 1; a whole number from 1 to 20
---@field gate_penalty? number # L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); keeps gates finite if they can separate the rows; default 0.001; a number >= 0
---@field fit_intercept? boolean # learn an intercept for each expert; gates always have one; default true; true or false
---@field equal_variance? boolean # use one variance for all experts; default false; true or false
---@field min_variance? number # lower bound of the variances, relative to the variance of y; default 1e-06; a number > 0 and <= 1
---@field init? "rows"|"k-means++"|"random" # k-means++: each gate splits its rows by k-means++ centers; rows: each expert is fitted to a few random rows; random: each row is assigned to a random expert; default "k-means++"; one of rows, k-means++, random
---@field n_init? integer # number of starts; the best result is kept; default 10; a whole number >= 1
---@field max_iter? integer # maximum number of EM iterations; default 1000; a whole number >= 1
---@field tol? number # stop when the mean log likelihood per row increases by at most this; default 1e-08; a number >= 0
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Mixture of linear experts whose gates depend on x, on one or several levels.
---
----sum_i w_i log sum_k g_k(x_i) N(y_i | x_i b_k + c_k, variance_k) + gate_penalty / 2 |v|^2, g a softmax of x v,
---or the product of softmaxes along the levels
---
---predict returns sum_k g_k(x) (x b_k + c_k); experts are numbered from left to right. Fitted by generalized EM:
---experts by weighted least squares, gates by Newton steps that never increase the objective. gate_penalty bounds
---the slopes of gates at hard borders. Variances are at least min_variance, and a start that reaches it is kept
---only if all do. EM finds local optima: increase n_init or compare seeds.
---@class manilius.MixtureOfExperts: manilius.Regressor
---@field n_experts integer # branches of each gate; with one level, the number of experts
---@field levels integer # levels of gates; there are n_experts ^ levels experts in all
---@field gate_penalty number # L2 penalty on the coefficients of the gates (gate_penalty / 2 times their squares, for columns of variance 1); keeps gates finite if they can separate the rows
---@field fit_intercept boolean # learn an intercept for each expert; gates always have one
---@field equal_variance boolean # use one variance for all experts
---@field min_variance number # lower bound of the variances, relative to the variance of y
---@field init "rows"|"k-means++"|"random" # k-means++: each gate splits its rows by k-means++ centers; rows: each expert is fitted to a few random rows; random: each row is assigned to a random expert
---@field n_init integer # number of starts; the best result is kept
---@field max_iter integer # maximum number of EM iterations
---@field tol number # stop when the mean log likelihood per row increases by at most this
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix # learned: coefficients of each expert, experts x features
---@field intercept manilius.Vector # learned: intercept of each expert, experts
---@field variance manilius.Vector # learned: noise variance of each expert, experts
---@field gate_coef manilius.Matrix # learned: coefficients of the gates, a row for each branch, level by level from the root and left to right; within a gate they sum to 0, ways x features
---@field gate_intercept manilius.Vector # learned: intercepts of the gates, ways
---@field responsibilities manilius.Matrix # learned: probability of each expert for each training row, rows x experts
---@field loglik number # learned: log likelihood, without the penalty
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the sample weights
---@field n_parameters integer # learned: number of independent coefficients of experts and gates, and variances
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfExperts = {}

---An unfitted copy with the same parameters.
---@return manilius.MixtureOfExperts
function MixtureOfExperts:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfExperts
function MixtureOfExperts:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MixtureOfExperts
function MixtureOfExperts:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MixtureOfExperts.Params
---@return manilius.MixtureOfExperts
function MixtureOfExperts:set_params(values) end

---probability of each expert at each row. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExperts:gate_proba(X) end

---mean of y by each expert. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExperts:predict_each(X) end

---responsibilities of the experts for rows with known y, and the log density of y. Gives responsibilities (rows x
---experts), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfExperts:posterior(X, y) end

---means, standard deviations and central intervals of the predictive distribution, which are quantiles of the
---mixture. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfExperts:predict_interval(X, options) end

---@class manilius
local ml = {}

---Mixture of linear experts whose gates depend on x, on one or several levels.
---@param params? manilius.MixtureOfExperts.Params
---@return manilius.MixtureOfExperts
function ml.MixtureOfExperts(params) end
