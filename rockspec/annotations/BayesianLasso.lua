---@meta _
-- luacheck: ignore
-- ml.BayesianLasso: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BayesianLasso.Params
---@field penalty? number # lambda; nil: drawn with the weights; default nil; a number > 0 or nil
---@field lambda_shape? number # shape of the Gamma prior of lambda^2; default 1; a number > 0
---@field lambda_rate? number # rate of the Gamma prior of lambda^2; default 1.78; a number > 0
---@field chains? integer # chains, each with a random stream of its own; default 4; a whole number from 1 to 1000
---@field burn_in? integer # sweeps of a chain at the start that are thrown away; default 250; a whole number >= 0
---@field draws? integer # sweeps of a chain after which it is asked whether the chains agree; if not, twice as many; default 250; a whole number >= 1
---@field thin? integer # of so many sweeps one is kept; default 1; a whole number >= 1
---@field max_iter? integer # most sweeps of a chain after burn_in; default 4000; a whole number >= 1
---@field min_ess? number # effective draws that every parameter must have; default 400; a number > 0
---@field level? number # probability between coef_lower and coef_upper; default 0.95; a number > 0 and < 1
---@field standardize? boolean # the prior is that of scaled columns, whatever the units of X; default true; true or false
---@field fit_intercept? boolean # learn a constant term, of flat prior; default true; true or false
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression with Laplace priors of the weights, by Gibbs sampling: the lasso with intervals.
---
---draws from p(b, c, s2, lambda | y), p(b_j | s2) = lambda / (2 s) exp(-lambda |b_j| / s); the trace is -2 log
---p(y | b, c, s2), the mean over chains
---
---coef holds posterior means, so that predict is the mean of the predictive distribution; coef_median, coef_lower
---and coef_upper tell more. lambda is that of columns of length 1, as in the paper, and so are the defaults of
---its prior. Converged: R-hat of all parameters is at most 1.01 and their effective draws are at least min_ess. A
---constant column has weight 0 and takes no part. The draws are saved with the model.
---@class manilius.BayesianLasso: manilius.Regressor
---@field penalty? number # lambda; nil: drawn with the weights
---@field lambda_shape number # shape of the Gamma prior of lambda^2
---@field lambda_rate number # rate of the Gamma prior of lambda^2
---@field chains integer # chains, each with a random stream of its own
---@field burn_in integer # sweeps of a chain at the start that are thrown away
---@field draws integer # sweeps of a chain after which it is asked whether the chains agree; if not, twice as many
---@field thin integer # of so many sweeps one is kept
---@field max_iter integer # most sweeps of a chain after burn_in
---@field min_ess number # effective draws that every parameter must have
---@field level number # probability between coef_lower and coef_upper
---@field standardize boolean # the prior is that of scaled columns, whatever the units of X
---@field fit_intercept boolean # learn a constant term, of flat prior
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field coef_median manilius.Vector # learned: posterior medians of the weights, features
---@field coef_lower manilius.Vector # learned: lower ends of their central posterior intervals, features
---@field coef_upper manilius.Vector # learned: upper ends, features
---@field sigma2 number # learned: posterior median of the variance of the noise
---@field r_hat manilius.Vector # learned: rank-normalised split R-hat of each weight; nan: a constant column, features
---@field ess manilius.Vector # learned: effective draws for the middle of each weight, features
---@field ess_tail manilius.Vector # learned: effective draws for its quantiles of 5 and 95 %, features
---@field worst_r_hat number # learned: the largest R-hat of the weights, sigma2 and the parameter of the prior
---@field least_ess number # learned: their fewest effective draws, middle or tails
---@field kept integer # learned: draws that were kept of each chain
---@field n number # learned: sum of the weights of rows: their number when there are none
---@field lambda number # learned: posterior median of lambda, or the one given
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianLasso = {}

---The same settings, not fitted.
---@return manilius.BayesianLasso
function BayesianLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianLasso
function BayesianLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BayesianLasso
function BayesianLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BayesianLasso.Params
---@return manilius.BayesianLasso
function BayesianLasso:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianLasso:predict_interval(X, options) end

---posterior means and standard deviations of the constant and the weights, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high, ess, r_hat); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function BayesianLasso:summary(options) end

---the draws that were kept, chain after chain. Gives coef (draws x features), intercept (draws), sigma2 (draws),
---lambda (draws), chain (draws)
---@return table<string, any>
function BayesianLasso:samples() end

---@class manilius
local ml = {}

---Linear regression with Laplace priors of the weights, by Gibbs sampling: the lasso with intervals.
---@param params? manilius.BayesianLasso.Params
---@return manilius.BayesianLasso
function ml.BayesianLasso(params) end
