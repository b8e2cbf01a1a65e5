---@meta _
-- luacheck: ignore
-- ml.MixtureOfExperts: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfExperts.Params
---@field n_experts? integer # ways that each gate leads: on one level, how many experts; default 2; a whole number from 2 to 1000
---@field levels? integer # levels of gates, one below the other: n_experts ^ levels experts in all; default 1; a whole number from 1 to 20
---@field gate_penalty? number # half of it times the squared weights of the gates, for columns of variance 1: what keeps a gate finite where it could part the rows without an error; default 0.001; a number >= 0
---@field fit_intercept? boolean # each expert learns a constant term; gates always do; default true; true or false
---@field equal_variance? boolean # all experts have one variance; default false; true or false
---@field min_variance? number # least variance, as a share of that of y; default 1e-06; a number > 0 and <= 1
---@field init? "rows"|"k-means++"|"random" # k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression through a few random rows; random: with random rows; default "k-means++"; one of rows, k-means++, random
---@field n_init? integer # starts, of which the best is kept; default 10; a whole number >= 1
---@field max_iter? integer # most rounds of EM; default 1000; a whole number >= 1
---@field tol? number # done when the mean log likelihood of a row rises by no more; default 1e-08; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regressions among which gates share out the rows by where they lie; hierarchical, too.
---
----sum_i w_i log sum_k g_k(x_i) N(y_i | x_i b_k + c_k, variance_k) + gate_penalty / 2 |v|^2, g a softmax of x v,
---or a product of them along the levels
---
---predict gives sum_k g_k(x) (x b_k + c_k); experts are numbered from left to right. By generalised EM: experts
---by weighted least squares, gates by steps of Newton's method that never raise the objective, which is minus the
---log likelihood with the penalty. A hard border makes steep gates; gate_penalty bounds them. Variances are held
---above min_variance, and a start that ends there is kept only when all do. EM finds local optima: raise n_init,
---or compare seeds.
---@class manilius.MixtureOfExperts: manilius.Regressor
---@field n_experts integer # ways that each gate leads: on one level, how many experts
---@field levels integer # levels of gates, one below the other: n_experts ^ levels experts in all
---@field gate_penalty number # half of it times the squared weights of the gates, for columns of variance 1: what keeps a gate finite where it could part the rows without an error
---@field fit_intercept boolean # each expert learns a constant term; gates always do
---@field equal_variance boolean # all experts have one variance
---@field min_variance number # least variance, as a share of that of y
---@field init "rows"|"k-means++"|"random" # k-means++: each gate begins by parting its rows by spread centers; rows: each expert as the regression through a few random rows; random: with random rows
---@field n_init integer # starts, of which the best is kept
---@field max_iter integer # most rounds of EM
---@field tol number # done when the mean log likelihood of a row rises by no more
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights of each expert, experts x features
---@field intercept manilius.Vector # learned: constant term of each, experts
---@field variance manilius.Vector # learned: variance of y about each, experts
---@field gate_coef manilius.Matrix # learned: weights of the gates, a row for each way that one leads: those of the gate at the root, then those of the gates below it from left to right, and so on; within a gate they add up to 0, ways x features
---@field gate_intercept manilius.Vector # learned: constant terms of the gates, ways
---@field responsibilities manilius.Matrix # learned: probability that each row of fit comes from each, rows x experts
---@field loglik number # learned: log likelihood, without the penalty
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the weights of the rows
---@field n_parameters integer # learned: independent coefficients of experts and gates, and variances
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfExperts = {}

---The same settings, not fitted.
---@return manilius.MixtureOfExperts
function MixtureOfExperts:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfExperts
function MixtureOfExperts:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MixtureOfExperts
function MixtureOfExperts:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MixtureOfExperts.Params
---@return manilius.MixtureOfExperts
function MixtureOfExperts:set_params(values) end

---the share of each expert at each row, which add up to 1. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExperts:gate_proba(X) end

---the mean of y by each expert. Gives Matrix (rows x experts)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfExperts:predict_each(X) end

---from which expert rows come whose y is known, and how likely their y are. Gives responsibilities (rows x
---experts), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfExperts:posterior(X, y) end

---means and standard deviations of the predictive distribution, with the ends of its central interval, which are
---quantiles of the mixture. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfExperts:predict_interval(X, options) end

---@class manilius
local ml = {}

---Linear regressions among which gates share out the rows by where they lie; hierarchical, too.
---@param params? manilius.MixtureOfExperts.Params
---@return manilius.MixtureOfExperts
function ml.MixtureOfExperts(params) end
