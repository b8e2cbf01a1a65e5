---@meta _
-- luacheck: ignore
-- ml.HorseshoeRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HorseshoeRegression.Params
---@field tau_scale? number # scale of the half-Cauchy prior of tau; default 1; a number > 0
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

---Linear regression for few large weights among many near 0, by Gibbs sampling, with intervals.
---
---draws from p(b, c, s2, l, tau | y), b_j ~ N(0, s2 tau^2 l_j^2), half-Cauchy l_j and tau; the trace is -2 log
---p(y | b, c, s2), the mean over chains
---
---coef holds posterior means, so that predict is the mean of the predictive distribution; coef_median, coef_lower
---and coef_upper tell more. tau is that of columns of variance 1; where few of the p columns should matter, k
---say, a tau_scale of k / (p - k) / sqrt(n) says so (Piironen & Vehtari 2017), and with more columns than rows
---something should: y could be met exactly. Converged: R-hat of all parameters is at most 1.01 and their
---effective draws are at least min_ess. A constant column has weight 0 and takes no part. The draws are saved
---with the model.
---@class manilius.HorseshoeRegression: manilius.Regressor
---@field tau_scale number # scale of the half-Cauchy prior of tau
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
---@field tau number # learned: posterior median of tau, the scale of all weights in units of the noise
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local HorseshoeRegression = {}

---The same settings, not fitted.
---@return manilius.HorseshoeRegression
function HorseshoeRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HorseshoeRegression
function HorseshoeRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HorseshoeRegression
function HorseshoeRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HorseshoeRegression.Params
---@return manilius.HorseshoeRegression
function HorseshoeRegression:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function HorseshoeRegression:predict_interval(X, options) end

---posterior means and standard deviations of the constant and the weights, with central intervals. Gives
---coefficients (Frame: term, estimate, std, low, high, ess, r_hat); prints as a table
---@param options? { level?: number }
---@return table<string, any>
function HorseshoeRegression:summary(options) end

---the draws that were kept, chain after chain. Gives coef (draws x features), intercept (draws), sigma2 (draws),
---tau (draws), chain (draws)
---@return table<string, any>
function HorseshoeRegression:samples() end

---@class manilius
local ml = {}

---Linear regression for few large weights among many near 0, by Gibbs sampling, with intervals.
---@param params? manilius.HorseshoeRegression.Params
---@return manilius.HorseshoeRegression
function ml.HorseshoeRegression(params) end
