---@meta _
-- luacheck: ignore
-- ml.MixtureOfRegressions: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MixtureOfRegressions.Params
---@field n_components? integer # how many regressions; default 2; a whole number >= 1
---@field fit_intercept? boolean # each learns a constant term; default true; true or false
---@field equal_variance? boolean # all components have one variance; default false; true or false
---@field min_variance? number # least variance, as a share of that of y; default 1e-06; a number > 0 and <= 1
---@field init? "rows"|"k-means++"|"random" # rows: each component begins as the regression through a few random rows; k-means++: with the rows nearest to spread centers; random: with random rows; default "rows"; one of rows, k-means++, random
---@field n_init? integer # starts, of which the best is kept; default 30; a whole number >= 1
---@field max_iter? integer # most rounds of EM; default 1000; a whole number >= 1
---@field tol? number # done when the mean log likelihood of a row rises by no more; default 1e-10; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Several linear regressions at once, when it is not known which row follows which.
---
----sum_i w_i log sum_k weight_k N(y_i | x_i b_k + c_k, variance_k)
---
---predict gives the mean over the components, sum_k weight_k (x b_k + c_k): predict_each and posterior tell them
---apart. The likelihood has no bound where a component passes through few rows exactly, so variances are held
---above min_variance, and a start that ends there is kept only when all do. EM finds local optima: raise n_init,
---or compare seeds. As flexmix and mixtools define it; the objective is minus the log likelihood.
---@class manilius.MixtureOfRegressions: manilius.Regressor
---@field n_components integer # how many regressions
---@field fit_intercept boolean # each learns a constant term
---@field equal_variance boolean # all components have one variance
---@field min_variance number # least variance, as a share of that of y
---@field init "rows"|"k-means++"|"random" # rows: each component begins as the regression through a few random rows; k-means++: with the rows nearest to spread centers; random: with random rows
---@field n_init integer # starts, of which the best is kept
---@field max_iter integer # most rounds of EM
---@field tol number # done when the mean log likelihood of a row rises by no more
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights of each regression, components x features
---@field intercept manilius.Vector # learned: constant term of each, components
---@field variance manilius.Vector # learned: variance of y about each, components
---@field weights manilius.Vector # learned: share of each; they add up to 1, the largest first, components
---@field responsibilities manilius.Matrix # learned: probability that each row of fit comes from each, rows x components
---@field loglik number # learned: log likelihood
---@field aic number # learned: 2 n_parameters - 2 loglik
---@field bic number # learned: n_parameters log(n) - 2 loglik, n being the sum of the weights of the rows
---@field n_parameters integer # learned: independent coefficients, variances and shares
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MixtureOfRegressions = {}

---The same settings, not fitted.
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MixtureOfRegressions.Params
---@return manilius.MixtureOfRegressions
function MixtureOfRegressions:set_params(values) end

---the mean of y in each component. Gives Matrix (rows x components)
---@param X manilius.X
---@return manilius.Matrix
function MixtureOfRegressions:predict_each(X) end

---from which component rows come whose y is known, and how likely their y are. Gives responsibilities (rows x
---components), log_density (rows)
---@param X manilius.X
---@param y manilius.Y
---@return table<string, any>
function MixtureOfRegressions:posterior(X, y) end

---means and standard deviations of the predictive distribution, with the ends of its central interval, which are
---quantiles of the mixture. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfRegressions:predict_interval(X, options) end

---@class manilius
local ml = {}

---Several linear regressions at once, when it is not known which row follows which.
---@param params? manilius.MixtureOfRegressions.Params
---@return manilius.MixtureOfRegressions
function ml.MixtureOfRegressions(params) end
