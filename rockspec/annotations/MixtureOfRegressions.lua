---@meta _
-- luacheck: ignore
-- ml.MixtureOfRegressions: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfRegressions.Params
---@field n_components? integer # number of components; default 2; a whole number >= 1
---@field fit_intercept? boolean # learn an intercept for each component; default true; true or false
---@field equal_variance? boolean # use one variance for all components; default false; true or false
---@field min_variance? number # lower bound of the variances, relative to the variance of y; default 1e-06; a number > 0 and <= 1
---@field init? "rows"|"k-means++"|"random" # rows: each component is fitted to a few random rows; k-means++: rows are assigned to k-means++ centers; random: each row is assigned to a random component; default "rows"; one of rows, k-means++, random
---@field n_init? integer # number of starts; the best result is kept; default 30; a whole number >= 1
---@field max_iter? integer # maximum number of EM iterations; default 1000; a whole number >= 1
---@field tol? number # stop when the mean log likelihood per row increases by at most this; default 1e-10; a number >= 0
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Mixture of linear regressions: a linear model for each latent component.
---
----sum_i w_i log sum_k weight_k N(y_i | x_i b_k + c_k, variance_k)
---
---predict returns the mean over the components, sum_k weight_k (x b_k + c_k); see predict_each and posterior for
---single components. The likelihood is unbounded if a component fits a few rows exactly, so variances are at
---least min_variance, and a start that reaches it is kept only if all do. EM finds local optima: increase n_init
---or compare seeds. The model is that of flexmix and mixtools.
---@class manilius.MixtureOfRegressions: manilius.Regressor
---@field n_components integer # number of components
---@field fit_intercept boolean # learn an intercept for each component
---@field equal_variance boolean # use one variance for all components
---@field min_variance number # lower bound of the variances, relative to the variance of y
---@field init "rows"|"k-means++"|"random" # rows: each component is fitted to a few random rows; k-means++: rows are assigned to k-means++ centers; random: each row is assigned to a random component
---@field n_init integer # number of starts; the best result is kept
---@field max_iter integer # maximum number of EM iterations
---@field tol number # stop when the mean log likelihood per row increases by at most this
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix # learned: coefficients of each component, components x features
---@field intercept manilius.Vector # learned: intercept of each component, components
---@field variance manilius.Vector # learned: noise variance of each component, components
---@field weights manilius.Vector # learned: mixing weight of each component, in decreasing order; they sum to 1, components
---@field responsibilities manilius.Matrix # learned: probability of each component for each training row, rows x components
---@field loglik number # learned: log likelihood
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the sample weights
---@field n_parameters integer # learned: number of independent coefficients, variances and mixing weights
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfRegressions = {}

---An unfitted copy with the same parameters.
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MixtureOfRegressions.Params
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:set_params(values) end

---mean of y in each component. Gives Matrix (rows x components)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfRegressions:predict_each(X) end

---responsibilities of the components for rows with known y, and the log density of y. Gives responsibilities
---(rows x components), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfRegressions:posterior(X, y) end

---means, standard deviations and central intervals of the predictive distribution, which are quantiles of the
---mixture. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfRegressions:predict_interval(X, options) end

---@class manilius
local ml = {}

---Mixture of linear regressions: a linear model for each latent component.
---@param params? manilius.MixtureOfRegressions.Params
---@return manilius.MixtureOfRegressions
function ml.MixtureOfRegressions(params) end
