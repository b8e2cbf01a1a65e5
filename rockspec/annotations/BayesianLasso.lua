---@meta _
-- luacheck: ignore
-- ml.BayesianLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BayesianLasso.Params
---@field penalty? number # fixed lambda; nil means that lambda is sampled with the coefficients; default nil; a number > 0 or nil
---@field lambda_shape? number # shape of the Gamma prior on lambda^2; ignored if penalty is set; default 1; a number > 0
---@field lambda_rate? number # rate of the Gamma prior on lambda^2; ignored if penalty is set; default 1.78; a number > 0
---@field chains? integer # number of chains, each with its own random stream; default 4; a whole number from 1 to 1000
---@field burn_in? integer # sweeps discarded at the start of each chain; default 250; a whole number >= 0
---@field draws? integer # sweeps of each chain before the first convergence check; doubled until the check passes; default 250; a whole number >= 1
---@field thin? integer # keep every thin-th sweep; default 1; a whole number >= 1
---@field max_iter? integer # maximum number of sweeps of each chain after burn_in; default 4000; a whole number >= 1
---@field min_ess? number # effective sample size that every parameter must reach; default 400; a number > 0
---@field level? number # posterior probability between coef_lower and coef_upper; default 0.95; a number > 0 and < 1
---@field standardize? boolean # scale the columns first, so that the prior does not depend on the units of X; default true; true or false
---@field fit_intercept? boolean # learn an intercept, with a flat prior; default true; true or false
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression with a Laplace prior, by Gibbs sampling (Bayesian lasso).
---
---draws from p(b, c, s2, lambda | y), p(b_j | s2) = lambda / (2 s) exp(-lambda |b_j| / s); the trace is -2 log
---p(y | b, c, s2), averaged over the chains
---
---coef holds posterior means, so predict returns the mean of the predictive distribution; see also coef_median,
---coef_lower and coef_upper. lambda and the defaults of its prior refer to columns scaled to length 1, as in the
---paper. Converged means that the R-hat of every parameter is at most 1.01 and its effective sample size at least
---min_ess. A constant column gets coefficient 0. The draws are saved with the model.
---@class manilius.BayesianLasso: manilius.Regressor
---@field penalty? number # fixed lambda; nil means that lambda is sampled with the coefficients
---@field lambda_shape number # shape of the Gamma prior on lambda^2; ignored if penalty is set
---@field lambda_rate number # rate of the Gamma prior on lambda^2; ignored if penalty is set
---@field chains integer # number of chains, each with its own random stream
---@field burn_in integer # sweeps discarded at the start of each chain
---@field draws integer # sweeps of each chain before the first convergence check; doubled until the check passes
---@field thin integer # keep every thin-th sweep
---@field max_iter integer # maximum number of sweeps of each chain after burn_in
---@field min_ess number # effective sample size that every parameter must reach
---@field level number # posterior probability between coef_lower and coef_upper
---@field standardize boolean # scale the columns first, so that the prior does not depend on the units of X
---@field fit_intercept boolean # learn an intercept, with a flat prior
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field coef_median manilius.Vector # learned: posterior medians of the coefficients, features
---@field coef_lower manilius.Vector # learned: lower ends of the central posterior intervals, features
---@field coef_upper manilius.Vector # learned: upper ends of the central posterior intervals, features
---@field sigma2 number # learned: posterior median of the noise variance
---@field r_hat manilius.Vector # learned: rank-normalized split R-hat of each coefficient; nan for a constant column, features
---@field ess manilius.Vector # learned: bulk effective sample size of each coefficient, features
---@field ess_tail manilius.Vector # learned: tail effective sample size of each coefficient (5% and 95% quantiles), features
---@field worst_r_hat number # learned: largest R-hat of the coefficients, sigma2 and the global parameter of the prior
---@field least_ess number # learned: smallest effective sample size of these parameters, bulk or tail
---@field kept integer # learned: number of draws kept from each chain
---@field n number # learned: sum of the sample weights; the number of rows if there are none
---@field lambda number # learned: posterior median of lambda, or penalty if it is set
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianLasso = {}

---An unfitted copy with the same parameters.
---@return manilius.BayesianLasso
function BayesianLasso:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianLasso
function BayesianLasso:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.BayesianLasso
function BayesianLasso:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.BayesianLasso.Params
---@return manilius.BayesianLasso
function BayesianLasso:set_params(values) end

---means, standard deviations and central intervals of the predictive distribution. Gives mean (rows), std (rows),
---low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianLasso:predict_interval(X, options) end

---posterior means and standard deviations of the intercept and the coefficients, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high, ess, r_hat); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function BayesianLasso:summary(options) end

---the posterior draws, chain after chain. Gives coef (draws x features), intercept (draws), sigma2 (draws),
---lambda (draws), chain (draws)
---@return table<string, any>
function BayesianLasso:samples() end

---@class manilius
local ml = {}

---Linear regression with a Laplace prior, by Gibbs sampling (Bayesian lasso).
---@param params? manilius.BayesianLasso.Params
---@return manilius.BayesianLasso
function ml.BayesianLasso(params) end
