---@meta _
-- luacheck: ignore
-- The estimators of linear: settings, learned values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveLasso.Params
---@field alpha? number # penalty on the sizes of the weights, before their factors; default 1; a number >= 0
---@field gamma? number # power of the first weights: 0.5, 1 and 2 are usual; default 1; a number > 0 and <= 100
---@field first? "ridge"|"lasso" # what finds the first weights; default "ridge"; one of ridge, lasso
---@field first_alpha? number # penalty of the first fit, whose loss is a mean, too; default 0.001; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso whose penalty is smaller for weights that a first fit found large.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma, n = sum_i w_i, s: first fit
---
---Large weights are hardly biased, and the right columns are found under weaker conditions than the Lasso needs.
---A column whose first weight is 0 stays out. Scale the columns first where their units differ.
---@class manilius.AdaptiveLasso: manilius.Regressor
---@field alpha number # penalty on the sizes of the weights, before their factors
---@field gamma number # power of the first weights: 0.5, 1 and 2 are usual
---@field first "ridge"|"lasso" # what finds the first weights
---@field first_alpha number # penalty of the first fit, whose loss is a mean, too
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field factor manilius.Vector # learned: by which each penalty was multiplied: 1 / |s|^gamma, features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local AdaptiveLasso = {}

---The same settings, not fitted.
---@return manilius.AdaptiveLasso
function AdaptiveLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveLasso
function AdaptiveLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveLasso
function AdaptiveLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function AdaptiveLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function AdaptiveLasso:summary(options) end

---@class manilius.ARDRegression.Params
---@field max_iter? integer # most rounds; default 300; a whole number >= 1
---@field tol? number # done when the weights change by this share of the sum of their sizes; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior of each lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior of each lambda; default 1e-06; a number >= 0
---@field threshold_lambda? number # a column whose lambda reaches this is taken out; default 10000; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Linear regression that finds by the evidence which columns matter, and leaves the others out.
---
----log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least
---
---tol is relative, scikit-learn's absolute; the trace is the negative log evidence with its priors of the columns
---that are left, which may jump when one is taken out, where scikit-learn's scores_ mixes the covariance of one
---round with the precisions of the next. The standard deviation of a prediction counts the constant term as
---learned, too. Lambda is in the units of the columns, and so is threshold_lambda: scale them first.
---@class manilius.ARDRegression: manilius.Regressor
---@field max_iter integer # most rounds
---@field tol number # done when the weights change by this share of the sum of their sizes
---@field alpha_1 number # shape of the Gamma prior of alpha
---@field alpha_2 number # rate of the Gamma prior of alpha
---@field lambda_1 number # shape of the Gamma prior of each lambda
---@field lambda_2 number # rate of the Gamma prior of each lambda
---@field threshold_lambda number # a column whose lambda reaches this is taken out
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field alpha number # learned: precision of the noise: 1 / its variance
---@field lambda manilius.Vector # learned: precision of each weight; of those taken out, the one they went at, features
---@field relevant manilius.Vector # learned: columns that are left, relevant < features
---@field sigma manilius.Matrix # learned: posterior covariance of the weights that are left, relevant x relevant
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ARDRegression = {}

---The same settings, not fitted.
---@return manilius.ARDRegression
function ARDRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ARDRegression
function ARDRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ARDRegression
function ARDRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ARDRegression.Params
---@return manilius.ARDRegression
function ARDRegression:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function ARDRegression:predict_interval(X, options) end

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

---the draws that were kept, chain after chain. Gives coef (draws x features), intercept (draws), sigma2 (draws),
---lambda (draws), chain (draws)
---@return table<string, any>
function BayesianLasso:samples() end

---@class manilius.BayesianRidge.Params
---@field max_iter? integer # most rounds; default 300; a whole number >= 1
---@field tol? number # done when the weights change by this share of their length; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y; default nil; a number > 0 or nil
---@field lambda_init? number # lambda at the start; default 1; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression that chooses its penalty and the noise by their evidence.
---
----log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least
---
---The penalty of Ridge is lambda / alpha here. tol is relative, scikit-learn's absolute; the standard deviation
---of a prediction counts the constant term as learned, too.
---@class manilius.BayesianRidge: manilius.Regressor
---@field max_iter integer # most rounds
---@field tol number # done when the weights change by this share of their length
---@field alpha_1 number # shape of the Gamma prior of alpha
---@field alpha_2 number # rate of the Gamma prior of alpha
---@field lambda_1 number # shape of the Gamma prior of lambda
---@field lambda_2 number # rate of the Gamma prior of lambda
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y
---@field lambda_init number # lambda at the start
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field alpha number # learned: precision of the noise: 1 / its variance
---@field lambda number # learned: precision of the weights
---@field gamma number # learned: how many weights the data determine
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianRidge = {}

---The same settings, not fitted.
---@return manilius.BayesianRidge
function BayesianRidge:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianRidge
function BayesianRidge:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BayesianRidge
function BayesianRidge:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function BayesianRidge:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:predict_interval(X, options) end

---@class manilius.ElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in it; 1 is the Lasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares with both an L1 and an L2 penalty.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), n = sum_i w_i
---
---The loss is divided by the sum of the weights, as in scikit-learn and glmnet. glmnet divides the columns by
---their standard deviations first unless standardize = FALSE, and y by its own: there lambda is alpha for weights
---of unit scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual:
---gap is then twice what one step could gain; LinearRegression is the better choice.
---@class manilius.ElasticNet: manilius.Regressor
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in it; 1 is the Lasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each target
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNet = {}

---The same settings, not fitted.
---@return manilius.ElasticNet
function ElasticNet:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNet
function ElasticNet:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNet
function ElasticNet:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNet.Params
---@return manilius.ElasticNet
function ElasticNet:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ElasticNet:summary(options) end

---weights along a list of penalties, from the largest down, each begun at the one before. Gives alphas, coefs
---(alphas x features), intercepts, gaps, n_iter, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function ElasticNet:path(X, y, options) end

---@class manilius.ElasticNetCV.Params
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight; default nil; numbers >= 0 or nil
---@field n_alphas? integer # how many, in equal steps of the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # the last of them as a share of the first; default 0.001; a number > 0 and < 1
---@field cv? integer # folds: runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net, its penalty and share of the L1 norm chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), with alpha and
---l1_ratio of least error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes
---(glmnet's is). fit makes the model of the chosen penalty on all rows. model:errors() is a table of all that
---were tried.
---@class manilius.ElasticNetCV: manilius.Regressor
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight
---@field n_alphas integer # how many, in equal steps of the logarithm
---@field eps number # the last of them as a share of the first
---@field cv integer # folds: runs of consecutive rows
---@field rule "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each penalty
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field alpha number # learned: the chosen penalty
---@field alpha_min number # learned: that of least error
---@field alpha_1se number # learned: the largest within one standard error of it
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 1 for the Lasso
---@field gap manilius.Vector|number # learned: duality gap of the last fit, targets
---@field grid_alpha manilius.Vector # learned: penalties that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error, candidates
---@field se manilius.Vector # learned: standard error of that mean, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNetCV = {}

---The same settings, not fitted.
---@return manilius.ElasticNetCV
function ElasticNetCV:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNetCV
function ElasticNetCV:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNetCV
function ElasticNetCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNetCV.Params
---@return manilius.ElasticNetCV
function ElasticNetCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ElasticNetCV:summary(options) end

---mean squared errors of the folds for each penalty that was tried. Gives errors (Frame: l1_ratio, alpha, mse,
---se), folds (Matrix: a row for each row of errors, a column for each fold)
---@return table<string, any>
function ElasticNetCV:errors() end

---@class manilius.GammaRegressor.Params
---@field alpha? number # penalty on the weights; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Positive amounts with a logarithmic link and an L2 penalty, L1, or both.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'gamma' }. X may be sparse and
---is never made dense: up to 500 columns the equations of a step are solved by a matrix of columns x columns;
---more of them, with alpha > 0, by conjugate gradients, or with an L1 penalty by coordinate descent on the
---columns, without such a matrix.
---@class manilius.GammaRegressor: manilius.Regressor
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GammaRegressor = {}

---The same settings, not fitted.
---@return manilius.GammaRegressor
function GammaRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GammaRegressor
function GammaRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GammaRegressor
function GammaRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GammaRegressor.Params
---@return manilius.GammaRegressor
function GammaRegressor:set_params(values) end

---@class manilius.GLM.Params
---@field family? "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y; default "gaussian"; one of gaussian, binomial, poisson, gamma, inverse_gaussian, tweedie, negative_binomial
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the weights; default 0; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row; default nil; a string or nil
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 1.5; a number >= 0
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated; default nil; a number > 0 or nil
---@field link_power? number # of link power: mean^link_power is linear in X; default 1; a finite number
---@field quasi? boolean # estimate the dispersion of binomial, poisson and negative_binomial too; default false; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---Links by default are the canonical ones, as in R: identity, logit, log, inverse (gamma), inverse_squared; log
---for tweedie and negative_binomial. An offset is a column of X that is named, so that predict has it too; its
---coefficient is 1. Weights count rows, in degrees of freedom too; R's weights of binomial proportions are the
---column `trials` here. Standard errors use the expected information; tests are z where the dispersion is known,
---t where it is estimated (R's way; statsmodels uses z). With alpha > 0 estimates are biased on purpose: then
---there are no standard errors. Where columns determine each other the shortest coefficients are given, in units
---of the columns' spread, without standard errors. w_i in the objective is the weight times the trials. X may be
---sparse and is never made dense: up to 500 columns the equations of a step are solved by a matrix of columns x
---columns; more of them, with alpha > 0, by conjugate gradients, or with an L1 penalty by coordinate descent on
---the columns, without such a matrix. inference = true needs the matrix whatever the number of columns: set it to
---false where there are thousands. Exported to Lua, predictions with link probit, cloglog, power or
---inverse_squared agree within 4 units in the last place.
---@class manilius.GLM: manilius.Regressor
---@field family "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated
---@field link_power number # of link power: mean^link_power is linear in X
---@field quasi boolean # estimate the dispersion of binomial, poisson and negative_binomial too
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field null_deviance number # learned: deviance of the constant (and the offset) alone
---@field pearson_chi2 number # learned: sum of squared Pearson residuals
---@field dispersion number # learned: pearson_chi2 / df_residual where the family has one, else 1
---@field df_residual number # learned: n less the number of coefficients
---@field df_null number # learned: n less 1, or n without an intercept
---@field theta_estimate number # learned: theta of negative_binomial; nan for other families
---@field loglik number # learned: log-likelihood; nan for tweedie and quasi
---@field aic number # learned: -2 loglik + 2 parameters, as R's glm counts them
---@field bic number # learned: -2 loglik + log(n) parameters
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GLM = {}

---The same settings, not fitted.
---@return manilius.GLM
function GLM:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GLM
function GLM:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GLM
function GLM:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GLM.Params
---@return manilius.GLM
function GLM:set_params(values) end

---coefficients with standard errors, z or t and p, and how good the fit is, as R prints it. Gives coefficients
---(Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, null_deviance, df_residual,
---df_null, pearson_chi2, loglik, aic, bic, n; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function GLM:summary(options) end

---confidence interval of the mean at each row of X, made on the scale of the link. Gives Frame: fit, low, high,
---std_error (of the mean), link (the linear predictor)
---@param X manilius.X
---@param options? { level?: number, kind?: "confidence" }
---@return manilius.Frame
function GLM:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted. Gives Frame: fitted, link, response, pearson,
---deviance, leverage, standardized (deviance), cooks_distance
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function GLM:diagnostics(X, y) end

---@class manilius.GroupLasso.Params
---@field alpha? number # penalty on the norms of the groups; default 1; a number >= 0
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one; default nil; finite numbers or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares whose penalty makes the weights of whole groups of columns 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_g sqrt(size of g) |b_g|, n = sum_i w_i
---
---For columns that belong together, such as those of one factor. The Gram matrix of the columns is held in memory.
---@class manilius.GroupLasso: manilius.Regressor
---@field alpha number # penalty on the norms of the groups
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GroupLasso = {}

---The same settings, not fitted.
---@return manilius.GroupLasso
function GroupLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GroupLasso
function GroupLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GroupLasso
function GroupLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GroupLasso.Params
---@return manilius.GroupLasso
function GroupLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function GroupLasso:summary(options) end

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

---the draws that were kept, chain after chain. Gives coef (draws x features), intercept (draws), sigma2 (draws),
---tau (draws), chain (draws)
---@return table<string, any>
function HorseshoeRegression:samples() end

---@class manilius.IsotonicRegression.Params
---@field direction? "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says; default "increasing"; one of increasing, decreasing, auto
---@field out_of_bounds? "clip"|"nan" # beyond the x of fit: the value at the end, or nan; default "clip"; one of clip, nan
---@field y_min? number # least value of f; nil: none; default nil; a finite number or nil
---@field y_max? number # largest value of f; nil: none; default nil; a finite number or nil

---The monotone function of one column that lies nearest to y.
---
---sum_i w_i (y_i - f(x_i))^2, f monotone
---
---X has one column. As in scikit-learn, but that out_of_bounds is 'clip' unless said otherwise, and that there is
---no 'raise': nan tells which rows.
---@class manilius.IsotonicRegression: manilius.Regressor
---@field direction "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says
---@field out_of_bounds "clip"|"nan" # beyond the x of fit: the value at the end, or nan
---@field y_min? number # least value of f; nil: none
---@field y_max? number # largest value of f; nil: none
---@field x_thresholds manilius.Vector # learned: where f bends, ascending, thresholds
---@field y_thresholds manilius.Vector # learned: f there, thresholds
---@field slope number # learned: 1 when f rises, -1 when it falls
local IsotonicRegression = {}

---The same settings, not fitted.
---@return manilius.IsotonicRegression
function IsotonicRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.IsotonicRegression
function IsotonicRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.IsotonicRegression
function IsotonicRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function IsotonicRegression:set_params(values) end

---@class manilius.KernelInteractionRegression.Params
---@field max_iter? integer # most rounds; each brings one or two columns in; default 100; a whole number >= 1
---@field tol? number # done when no column lowers the objective by more; default 0.001; a number >= 0
---@field sparsity? number # evidence that a column must bring: the larger, the fewer matter; default 1; a number > 0
---@field squares? boolean # squares of columns, too; default false; true or false

---Bayesian regression on all columns and all products of two, which finds the few that matter.
---
----log p(y | kappa, eta_1, eta_2, sigma), the constant term integrated out and sigma at its best, + sum_j log(1 +
---sparsity n log(1 + p) v_j) + log(omega)^2 / 8, at its least; v_j: what column j and its products are expected
---to add to the variance of y, over that of the noise; omega: eta_2 sigma / eta_1^2
---
---y = intercept + sum_j b_j x_j + sum_{i<j} b_ij x_i x_j + noise, all x about their means (center). Over standard
---deviations of the columns, b_j has the prior variance eta_1^2 kappa_j^2, and b_ij eta_2^2 kappa_i^2 kappa_j^2.
---Time and memory of a round are linear in the number of columns, O(n^2 p + n^3), for the products enter through
---a kernel. Where the paper draws from the posterior of the hyperparameters, this takes its best point: sigma,
---std and intervals are for these kappa, and do not know that others might do. With sparsity 1 about one data set
---of pure noise in five shows a column; with 2 hardly any does, and weaker effects are missed. Products of
---columns that have no effect of their own are looked for, too, but show only when they are strong. coef has the
---main effects, at the means of the other columns; predict is not X coef + intercept, for it has the products.
---@class manilius.KernelInteractionRegression: manilius.Regressor
---@field max_iter integer # most rounds; each brings one or two columns in
---@field tol number # done when no column lowers the objective by more
---@field sparsity number # evidence that a column must bring: the larger, the fewer matter
---@field squares boolean # squares of columns, too
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field kappa manilius.Vector # learned: how much a column matters: the largest is 1, and most are 0, features
---@field eta_1 number # learned: prior standard deviation of main effects, for a column of kappa 1
---@field eta_2 number # learned: prior standard deviation of interactions, for columns of kappa 1
---@field sigma number # learned: standard deviation of the noise
---@field relevant manilius.Vector # learned: columns whose kappa is not 0, relevant < features
---@field center manilius.Vector # learned: means of the columns, about which effects are meant, features
---@field scale manilius.Vector # learned: standard deviations of the columns; 0 of constant ones, features
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KernelInteractionRegression = {}

---The same settings, not fitted.
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KernelInteractionRegression.Params
---@return manilius.KernelInteractionRegression
function KernelInteractionRegression:set_params(values) end

---the strongest effects of single columns, a unit of the column, at the means of the others. Gives a Frame, the
---strongest (by standard deviations of the column) first: term, column, estimate, std, low and high: posterior
---mean, standard deviation and central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:main_effects(options) end

---the strongest effects of products of two columns (about their means), among those of the largest kappa. Gives a
---Frame, the strongest (by standard deviations of the columns) first: term ("a:b", "a^2" where there are
---squares), first and second (columns), estimate, std, low and high: posterior mean, standard deviation and
---central interval
---@param options? { columns?: integer, most?: integer, level?: number }
---@return manilius.Frame
function KernelInteractionRegression:interactions(options) end

---the effect of the product of two columns about their means; 0 of a column whose kappa is 0. Gives estimate and
---std, its posterior mean and standard deviation
---@param options? { first?: integer, second?: integer }
---@return table<string, any>
function KernelInteractionRegression:interaction(options) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function KernelInteractionRegression:predict_interval(X, options) end

---@class manilius.Lars.Params
---@field n_nonzero_coefs? integer # most columns that become active, one a step; default 500; a whole number >= 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Least angle regression: columns join one at a time, the most correlated first.
---
---max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| falls to 0, alike for all active columns, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Weights may pass through 0; from
---there on scikit-learn's Lars turns the sign of the column, and its path is another.
---@class manilius.Lars: manilius.Regressor
---@field n_nonzero_coefs integer # most columns that become active, one a step
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local Lars = {}

---The same settings, not fitted.
---@return manilius.Lars
function Lars:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lars
function Lars:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Lars
function Lars:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Lars.Params
---@return manilius.Lars
function Lars:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Lars:summary(options) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function Lars:path(X, y, options) end

---@class manilius.Lasso.Params
---@field alpha? number # penalty on the sum of the sizes of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares with an L1 penalty, which makes weights exactly 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---The loss is divided by the sum of the weights, as in scikit-learn and glmnet. glmnet divides the columns by
---their standard deviations first unless standardize = FALSE, and y by its own: there lambda is alpha for weights
---of unit scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual:
---gap is then twice what one step could gain; LinearRegression is the better choice.
---@class manilius.Lasso: manilius.Regressor
---@field alpha number # penalty on the sum of the sizes of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each target
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local Lasso = {}

---The same settings, not fitted.
---@return manilius.Lasso
function Lasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lasso
function Lasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Lasso
function Lasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Lasso.Params
---@return manilius.Lasso
function Lasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Lasso:summary(options) end

---weights along a list of penalties, from the largest down, each begun at the one before. Gives alphas, coefs
---(alphas x features), intercepts, gaps, n_iter, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function Lasso:path(X, y, options) end

---@class manilius.LassoCV.Params
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight; default nil; numbers >= 0 or nil
---@field n_alphas? integer # how many, in equal steps of the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # the last of them as a share of the first; default 0.001; a number > 0 and < 1
---@field cv? integer # folds: runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso, its penalty chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, with alpha of least error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes
---(glmnet's is). fit makes the model of the chosen penalty on all rows. model:errors() is a table of all that
---were tried.
---@class manilius.LassoCV: manilius.Regressor
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight
---@field n_alphas integer # how many, in equal steps of the logarithm
---@field eps number # the last of them as a share of the first
---@field cv integer # folds: runs of consecutive rows
---@field rule "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each penalty
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field alpha number # learned: the chosen penalty
---@field alpha_min number # learned: that of least error
---@field alpha_1se number # learned: the largest within one standard error of it
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 1 for the Lasso
---@field gap manilius.Vector|number # learned: duality gap of the last fit, targets
---@field grid_alpha manilius.Vector # learned: penalties that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error, candidates
---@field se manilius.Vector # learned: standard error of that mean, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoCV = {}

---The same settings, not fitted.
---@return manilius.LassoCV
function LassoCV:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoCV
function LassoCV:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LassoCV
function LassoCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LassoCV.Params
---@return manilius.LassoCV
function LassoCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LassoCV:summary(options) end

---mean squared errors of the folds for each penalty that was tried. Gives errors (Frame: l1_ratio, alpha, mse,
---se), folds (Matrix: a row for each row of errors, a column for each fold)
---@return table<string, any>
function LassoCV:errors() end

---@class manilius.LassoLars.Params
---@field alpha? number # penalty on the sum of the sizes of the weights; default 1; a number >= 0
---@field max_iter? integer # most steps, in each of which a column comes or leaves; default 500; a whole number >= 1
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Lasso by least angle regression: all minima down to alpha, to rounding.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Lasso is faster where thousands
---of columns are active, and takes sparse X and several targets.
---@class manilius.LassoLars: manilius.Regressor
---@field alpha number # penalty on the sum of the sizes of the weights
---@field max_iter integer # most steps, in each of which a column comes or leaves
---@field positive boolean # hold the weights at 0 or above
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoLars = {}

---The same settings, not fitted.
---@return manilius.LassoLars
function LassoLars:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoLars
function LassoLars:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LassoLars
function LassoLars:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LassoLars.Params
---@return manilius.LassoLars
function LassoLars:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LassoLars:summary(options) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function LassoLars:path(X, y, options) end

---@class manilius.LinearDiscriminantAnalysis.Params
---@field solver? "svd"|"lsqr"|"eigen" # svd: accurate for any data, no shrinkage; lsqr and eigen: by the covariance, with shrinkage; default "svd"; one of svd, lsqr, eigen
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell (scikit-learn's shrinkage = 'auto'); default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil
---@field n_components? integer # columns of transform; there are at most classes - 1, and no more than features; nil: all; default nil; a whole number >= 1 or nil
---@field tol? number # svd: directions whose standard deviation within classes, of columns scaled to 1, is less count as constant; default 0.0001; a number >= 0

---Classifier of normal classes with one covariance, and the projection that sets them apart best.
---
---log p(c | x) = log prior_c + x' inv(S) mean_c - 1/2 mean_c' inv(S) mean_c + constant
---
---As in scikit-learn, with two additions: weights, and transform for solver lsqr too. Outputs of transform are
---about 0 for every solver (scikit-learn's eigen leaves them uncentred); the sign of each direction makes its
---largest element positive. Covariances divide by the rows, not by rows - 1.
---@class manilius.LinearDiscriminantAnalysis: manilius.Classifier
---@field solver "svd"|"lsqr"|"eigen" # svd: accurate for any data, no shrinkage; lsqr and eigen: by the covariance, with shrinkage
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell (scikit-learn's shrinkage = 'auto')
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field n_components? integer # columns of transform; there are at most classes - 1, and no more than features; nil: all
---@field tol number # svd: directions whose standard deviation within classes, of columns scaled to 1, is less count as constant
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field xbar manilius.Vector # learned: mean of the class means by their probabilities, features
---@field scalings manilius.Matrix # learned: directions of transform, features x components
---@field explained_variance_ratio manilius.Vector # learned: share of the variance between classes along each, components
---@field covariance manilius.Matrix # learned: within the classes (lsqr, eigen), features x features
local LinearDiscriminantAnalysis = {}

---The same settings, not fitted.
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearDiscriminantAnalysis:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function LinearDiscriminantAnalysis:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function LinearDiscriminantAnalysis:output_names() end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function LinearDiscriminantAnalysis:transform(X) end

---@class manilius.LinearModelClassifier.Params
---@field loss? "log_loss"|"hinge"|"squared_hinge"|"modified_huber"|"exponential" # loss of a row; see the notes; default "log_loss"; one of log_loss, hinge, squared_hinge, modified_huber, exponential
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field solver? "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # how the minimum is found; see the notes; default "auto"; one of auto, gradient, sgd, saga, lbfgs, coordinate, interior, dual
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds; default 1000; a whole number from 1 to 2147483647
---@field tol? number # how near to the minimum; see the notes; default 1e-06; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the rate of steps falls, see SGDRegressor; default "invscaling"; one of optimal, constant, invscaling, adaptive
---@field eta0? number # of sgd: first rate; default 0.01; a number > 0
---@field power_t? number # of sgd: exponent of invscaling, eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field n_iter_no_change? integer # of sgd: rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier of any loss, penalty and solver that go together.
---
---sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2); l1_ratio is 0
---for l2, 1 for l1, y = -1 or 1
---
---Losses, m being the margin y z: log_loss log(1 + exp(-m)); hinge max(0, 1 - m); squared_hinge its square;
---modified_huber, the squared hinge down to m = -1 and linear below; exponential exp(-m). Of more than two
---classes each has a score of its own against all others. Solvers: gradient, steps down the gradient whose length
---is halved until the objective falls (proximal with an L1 penalty); lbfgs (OWL-QN with an L1 penalty);
---coordinate, one weight at a time on quadratic models, columns that stay 0 left out; these three take smooth
---losses, and their objective never rises. Losses with corners (hinge, absolute_error, epsilon_insensitive,
---quantile) have interior, an interior-point method for every penalty that makes matrices of columns x columns,
---and dual, coordinate ascent on the dual for any number of columns, with an L2 part in the penalty (liblinear's
---way; the constant is not penalised); gap says how near to the minimum they are. saga, random rows with the
---gradients of all kept, takes losses of bounded curvature. sgd takes all and comes near only; partial_fit is a
---round of it whatever the solver. auto: with corners interior, beyond 3000 columns dual, and sgd where neither
---can; else coordinate where there is an L1 penalty; else lbfgs. A combination that cannot work is refused, with
---the solvers that can. Columns are taken about their means and in units of their spread inside, dual and sgd
---excepted. The end: no element of the least subgradient, by weights in units of the curvature along them, is
---above tol sqrt(objective of weights 0); what a step can gain is about tol^2 of that. interior ends when the
---duality gap is below tol^2 of it, or rounding keeps it from falling, dual when it is below tol of it. For sgd
---tol is the least improvement of a round that counts, and a weight scales the step of its row. Probabilities are
---there with log_loss, modified_huber and exponential, of more than two classes made to add up to 1; what is
---exported gives labels and scores. alpha is 1 / (C n) of LogisticRegression.
---@class manilius.LinearModelClassifier: manilius.Classifier
---@field loss "log_loss"|"hinge"|"squared_hinge"|"modified_huber"|"exponential" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field solver "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # how the minimum is found; see the notes
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds
---@field tol number # how near to the minimum; see the notes
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the rate of steps falls, see SGDRegressor
---@field eta0 number # of sgd: first rate
---@field power_t number # of sgd: exponent of invscaling, eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field n_iter_no_change integer # of sgd: rounds without improvement before the end
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field t number # learned: steps so far, and 1
---@field gap manilius.Vector # learned: of interior and dual: the objective of each score is above its minimum by no more than this; nan for other solvers, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LinearModelClassifier = {}

---The same settings, not fitted.
---@return manilius.LinearModelClassifier
function LinearModelClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearModelClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelClassifier
function LinearModelClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelClassifier
function LinearModelClassifier:partial_fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LinearModelClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LinearModelClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearModelClassifier
function LinearModelClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearModelClassifier.Params
---@return manilius.LinearModelClassifier
function LinearModelClassifier:set_params(values) end

---@class manilius.LinearModelRegressor.Params
---@field loss? "squared_error"|"absolute_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive"|"quantile"|"poisson" # loss of a row; see the notes; default "squared_error"; one of squared_error, absolute_error, huber, epsilon_insensitive, squared_epsilon_insensitive, quantile, poisson
---@field epsilon? number # of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field quantile? number # of loss quantile: which one of y is predicted; default 0.5; a number > 0 and < 1
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field solver? "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # how the minimum is found; see the notes; default "auto"; one of auto, gradient, sgd, saga, lbfgs, coordinate, interior, dual
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds; default 1000; a whole number from 1 to 2147483647
---@field tol? number # how near to the minimum; see the notes; default 1e-06; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the rate of steps falls, see SGDRegressor; default "invscaling"; one of optimal, constant, invscaling, adaptive
---@field eta0? number # of sgd: first rate; default 0.01; a number > 0
---@field power_t? number # of sgd: exponent of invscaling, eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field n_iter_no_change? integer # of sgd: rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression of any loss, penalty and solver that go together.
---
---sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2); l1_ratio is 0
---for l2, 1 for l1
---
---Losses, r being y - z: squared_error r^2 / 2; absolute_error |r|; huber, r^2 / 2 up to epsilon and linear
---beyond; epsilon_insensitive, what |r| exceeds epsilon by, or its square; quantile r (quantile - [r < 0]);
---poisson exp(z) - y z and what makes it 0 where exp(z) = y >= 0: half the deviance, predictions being exp(z).
---Solvers: gradient, steps down the gradient whose length is halved until the objective falls (proximal with an
---L1 penalty); lbfgs (OWL-QN with an L1 penalty); coordinate, one weight at a time on quadratic models, columns
---that stay 0 left out; these three take smooth losses, and their objective never rises. Losses with corners
---(hinge, absolute_error, epsilon_insensitive, quantile) have interior, an interior-point method for every
---penalty that makes matrices of columns x columns, and dual, coordinate ascent on the dual for any number of
---columns, with an L2 part in the penalty (liblinear's way; the constant is not penalised); gap says how near to
---the minimum they are. saga, random rows with the gradients of all kept, takes losses of bounded curvature. sgd
---takes all and comes near only; partial_fit is a round of it whatever the solver. auto: with corners interior,
---beyond 3000 columns dual, and sgd where neither can; else coordinate where there is an L1 penalty; else lbfgs.
---A combination that cannot work is refused, with the solvers that can. Columns are taken about their means and
---in units of their spread inside, dual and sgd excepted. The end: no element of the least subgradient, by
---weights in units of the curvature along them, is above tol sqrt(objective of weights 0); what a step can gain
---is about tol^2 of that. interior ends when the duality gap is below tol^2 of it, or rounding keeps it from
---falling, dual when it is below tol of it. For sgd tol is the least improvement of a round that counts, and a
---weight scales the step of its row. Losses absolute_error and quantile with penalty none or l1 are linear
---programmes, for which interior is the method of QuantileRegressor. alpha is that of Lasso and ElasticNet, 1 / n
---of Ridge's.
---@class manilius.LinearModelRegressor: manilius.Regressor
---@field loss "squared_error"|"absolute_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive"|"quantile"|"poisson" # loss of a row; see the notes
---@field epsilon number # of huber and the epsilon-insensitive losses, in units of y
---@field quantile number # of loss quantile: which one of y is predicted
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field solver "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # how the minimum is found; see the notes
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds
---@field tol number # how near to the minimum; see the notes
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the rate of steps falls, see SGDRegressor
---@field eta0 number # of sgd: first rate
---@field power_t number # of sgd: exponent of invscaling, eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field n_iter_no_change integer # of sgd: rounds without improvement before the end
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field t number # learned: steps so far, and 1
---@field gap manilius.Vector|number # learned: of interior and dual: the objective of each score is above its minimum by no more than this; nan for other solvers, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LinearModelRegressor = {}

---The same settings, not fitted.
---@return manilius.LinearModelRegressor
function LinearModelRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelRegressor
function LinearModelRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelRegressor
function LinearModelRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearModelRegressor
function LinearModelRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearModelRegressor.Params
---@return manilius.LinearModelRegressor
function LinearModelRegressor:set_params(values) end

---@class manilius.LinearRegression.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false

---Ordinary least squares, with the inference of a statistics package.
---
---sum_i w_i |y_i - x_i b - c|^2
---
---Weights count rows: weight 2 is the same as the row twice, in the standard errors too (R's lm takes weights for
---precisions and counts rows). Where columns determine each other the coefficients of minimum norm are given, and
---standard errors are nan. partial_fit gives what fit gives for all rows so far, from p (p + 1) / 2 numbers, and
---summary and intervals too, but for the quartiles of the residuals; diagnostics can be asked about any rows.
---@class manilius.LinearRegression: manilius.Regressor
---@field fit_intercept boolean # learn a constant term
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field rank integer # learned: number of independent columns of X
---@field rcond number # learned: 1 / condition number of the columns of X, scaled to norm 1
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field dependent manilius.Vector # learned: columns that follow from the others, dependent < features
---@field rss manilius.Vector|number # learned: residual sum of squares, targets
---@field tss manilius.Vector|number # learned: total sum of squares (about the mean with an intercept), targets
local LinearRegression = {}

---The same settings, not fitted.
---@return manilius.LinearRegression
function LinearRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearRegression
function LinearRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearRegression.Params
---@return manilius.LinearRegression
function LinearRegression:set_params(values) end

---coefficients with standard errors, t and p, and how good the fit is, as R prints it. Gives coefficients (Frame:
---term, estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p, loglik, aic, bic, n; prints as
---a table
---@param options? { level?: number, target?: integer }
---@return table<string, any>
function LinearRegression:summary(options) end

---prediction or confidence interval for each row of X. Gives Frame: fit, low, high, std_error
---@param X manilius.X
---@param options? { level?: number, kind?: "prediction"|"confidence", target?: integer }
---@return manilius.Frame
function LinearRegression:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted, and tests of the assumptions. Gives rows
---(Frame: fitted, residual, leverage, standardized, studentized, cooks_distance), durbin_watson,
---condition_number, vif, breusch_pagan, breusch_pagan_p
---@param X manilius.X
---@param y manilius.Y
---@param options? { target?: integer }
---@return table<string, any>
function LinearRegression:diagnostics(X, y, options) end

---@class manilius.LogisticRegression.Params
---@field C? number # inverse strength of the penalty: larger fits closer; default 1; a number > 0
---@field penalty? "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms; default "l2"; one of l2, none, l1, elasticnet
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field solver? "auto"|"newton"|"lbfgs"|"cd"|"saga" # auto chooses by the shape of X; default "auto"; one of auto, newton, lbfgs, cd, saga
---@field max_iter? integer # most iterations; default 1000; a whole number >= 1
---@field tol? number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by less than this share; default 1e-10; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier with probabilities, for two classes or many, with an L2 penalty, L1, both, or none.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2; l1_ratio is 0 for l2, 1 for l1
---
---Two classes have one row of weights, for the second class; more classes have one row each (softmax). C as in
---scikit-learn and liblinear; glmnet's lambda is 1 / (C n). tol is relative to the objective. Exported to Lua,
---probabilities of two classes agree within 4 units in the last place.
---@class manilius.LogisticRegression: manilius.Classifier
---@field C number # inverse strength of the penalty: larger fits closer
---@field penalty "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field solver "auto"|"newton"|"lbfgs"|"cd"|"saga" # auto chooses by the shape of X
---@field max_iter integer # most iterations
---@field tol number # stop when an iteration can lower (newton, cd, saga) or has lowered (lbfgs) the objective by less than this share
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegression = {}

---The same settings, not fitted.
---@return manilius.LogisticRegression
function LogisticRegression:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegression:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegression
function LogisticRegression:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegression
function LogisticRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function LogisticRegression:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegression:summary(options) end

---@class manilius.LogisticRegressionCV.Params
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4; default nil; numbers > 0 or nil
---@field penalty? "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms; default "l2"; one of l2, l1, elasticnet
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field cv? integer # folds: runs of consecutive rows of each class; default 5; a whole number from 2 to 100000
---@field scoring? "accuracy"|"neg_log_loss" # what the folds are judged by; default "accuracy"; one of accuracy, neg_log_loss
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds, for each penalty; default 100; a whole number >= 1
---@field tol? number # stop when a round can lower the objective by less than this share; default 1e-06; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Logistic regression, its penalty chosen by cross-validation.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2, with C and l1_ratio of best score
---on held-out folds
---
---Folds hold the classes in their shares, in the order of the rows, as scikit-learn's StratifiedKFold: shuffle
---rows that are sorted within a class. A row of weight k counts as k rows, which may fall into different folds.
---fit makes the model of the chosen penalty on all rows. model:scores() is a table of all that were tried.
---Exported to Lua, probabilities of two classes agree within 4 units in the last place.
---@class manilius.LogisticRegressionCV: manilius.Classifier
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4
---@field penalty "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5
---@field cv integer # folds: runs of consecutive rows of each class
---@field scoring "accuracy"|"neg_log_loss" # what the folds are judged by
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds, for each penalty
---@field tol number # stop when a round can lower the objective by less than this share
---@field C number # learned: the chosen inverse strength; of equals the least
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 0 for l2, 1 for l1
---@field best_score number # learned: mean score of it over the folds
---@field grid_C manilius.Vector # learned: inverse strengths that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mean_score manilius.Vector # learned: mean score over the folds, candidates
---@field score_path manilius.Matrix # learned: score of each fold, candidates x folds
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegressionCV = {}

---The same settings, not fitted.
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegressionCV:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LogisticRegressionCV:summary(options) end

---scores of the folds for each penalty that was tried. Gives scores (Frame: C, l1_ratio, score), folds (Matrix: a
---row for each row of scores, a column for each fold)
---@return table<string, any>
function LogisticRegressionCV:scores() end

---@class manilius.MARS.Params
---@field degree? integer # most columns in a product; 1: no interactions; default 1; a whole number >= 1
---@field nk? integer # most terms of the forward pass, the constant among them, counted as if they came in pairs; nil: 1 more than twice the columns, within 21 and 201; default nil; a whole number >= 1 or nil
---@field penalty? number # GCV's price of a knot; 0: of terms only, -1: none at all; nil: 2, or 3 with degree above 1; default nil; a number >= -1 or nil
---@field thresh? number # the forward pass ends when R2 grows by less, or is within this of 1; 0: neither ends it; default 0.001; a number from 0 to 1
---@field minspan? integer # rows from knot to knot; 0: by Friedman's equation 43; -k: at most k knots a column, evenly spaced; default 0; a whole number from -1000000000 to 1000000000
---@field endspan? integer # rows before the first and after the last knot; 0: by Friedman's equation 45; default 0; a whole number from 0 to 1000000000
---@field adjust_endspan? number # endspan grows by this many times itself where terms interact; default 2; a number from 0 to 1000000
---@field fast_k? integer # most parents that are tried at each step; 0: all; default 20; a whole number >= 0
---@field fast_beta? number # ranks that an untried parent goes up by at each step; default 1; a number from 0 to 1000000000
---@field newvar_penalty? number # what a column not yet in the model gains is divided by 1 + this; default 0; a number from 0 to 1000000000
---@field linpreds? manilius.Numbers # numbers of columns that enter without knots, if at all; nil: none; default nil; numbers >= 1 or nil
---@field auto_linpreds? boolean # where no knot is better than none, x itself enters rather than a hinge at its least value; default true; true or false
---@field scale_y? boolean # of several targets, the forward pass takes each in units of its standard deviation; default false; true or false
---@field pmethod? "backward"|"none" # backward: down to the least GCV; none: keep all terms; default "backward"; one of backward, none
---@field nprune? integer # most terms that are left, the constant among them; nil: no limit; default nil; a whole number >= 1 or nil

---Multivariate adaptive regression splines: sums of products of hinges, chosen by the data.
---
---GCV = RSS / (n (1 - C / n)^2), C = terms + penalty (terms - 1) / 2, over subsets of the terms that a greedy
---search for the least RSS has made
---
---Names, defaults and terms are those of R's earth, with underscores. summary() prints the equation, evimp()
---tells what columns matter. Differences: weights count rows, for the spans between knots too; a linear term is
---dropped as a copy of others by its share of variance, not in the units of X; terms that cannot become parents
---take no place among fast_k. Factor columns come as 0/1 columns, through ml.OneHotEncoder{ drop = 'first' } or a
---formula.
---@class manilius.MARS: manilius.Regressor
---@field degree integer # most columns in a product; 1: no interactions
---@field nk? integer # most terms of the forward pass, the constant among them, counted as if they came in pairs; nil: 1 more than twice the columns, within 21 and 201
---@field penalty? number # GCV's price of a knot; 0: of terms only, -1: none at all; nil: 2, or 3 with degree above 1
---@field thresh number # the forward pass ends when R2 grows by less, or is within this of 1; 0: neither ends it
---@field minspan integer # rows from knot to knot; 0: by Friedman's equation 43; -k: at most k knots a column, evenly spaced
---@field endspan integer # rows before the first and after the last knot; 0: by Friedman's equation 45
---@field adjust_endspan number # endspan grows by this many times itself where terms interact
---@field fast_k integer # most parents that are tried at each step; 0: all
---@field fast_beta number # ranks that an untried parent goes up by at each step
---@field newvar_penalty number # what a column not yet in the model gains is divided by 1 + this
---@field linpreds? manilius.Numbers # numbers of columns that enter without knots, if at all; nil: none
---@field auto_linpreds boolean # where no knot is better than none, x itself enters rather than a hinge at its least value
---@field scale_y boolean # of several targets, the forward pass takes each in units of its standard deviation
---@field pmethod "backward"|"none" # backward: down to the least GCV; none: keep all terms
---@field nprune? integer # most terms that are left, the constant among them; nil: no limit
---@field dirs manilius.Matrix # learned: each term of the forward pass: 1 max(0, x - cut), -1 max(0, cut - x), 2 x, 0 not there, forward x features
---@field cuts manilius.Matrix # learned: their knots, forward x features
---@field selected_terms manilius.Vector # learned: the terms of the model, the constant first, terms < forward
---@field coef manilius.Matrix|manilius.Vector # learned: what each of selected_terms is multiplied by, targets x terms
---@field prune_terms manilius.Matrix # learned: the best subsets of 1, 2, ... terms that pruning met, in the rows: 1 for each of their terms, forward x forward
---@field rss_per_subset manilius.Vector # learned: sum of squared residuals of the subsets in prune_terms, forward
---@field gcv_per_subset manilius.Vector # learned: GCV of these; infinite with more parameters than rows, forward
---@field rss number # learned: sum of squared residuals, over all targets
---@field rsq number # learned: share of the squares of y that is explained
---@field gcv number # learned: generalised cross validation: what rss / n would be on new rows, about
---@field grsq number # learned: rsq by gcv instead of rss
local MARS = {}

---The same settings, not fitted.
---@return manilius.MARS
function MARS:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MARS
function MARS:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MARS
function MARS:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MARS.Params
---@return manilius.MARS
function MARS:set_params(values) end

---the equation: h(x) is max(0, x), terms sorted by degree, columns and knots. Gives terms (texts), coef (targets
---x terms), text
---@return table<string, any>
function MARS:summary() end

---importance of the columns, by the subsets of the backward pass that have them. Gives a Frame sorted by
---nsubsets: feature, column, nsubsets (how many subsets have it), gcv and rss (what they fall by with it, the
---root, the largest 100)
---@return manilius.Frame
function MARS:evimp() end

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

---mean and standard deviation of y, and the ends of its central interval, which are quantiles of the mixture.
---Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfExperts:predict_interval(X, options) end

---@class manilius.MixtureOfRegressions.Params
---@field n_components? integer # how many regressions; default 2; a whole number >= 1
---@field fit_intercept? boolean # each learns a constant term; default true; true or false
---@field equal_variance? boolean # all components have one variance; default false; true or false
---@field min_variance? number # least variance, as a share of that of y; default 1e-06; a number > 0 and <= 1
---@field init? "rows"|"k-means++"|"random" # rows: each component begins as the regression through a few random rows; k-means++: with the rows nearest to spread centers; random: with random rows; default "rows"; one of rows, k-means++, random
---@field n_init? integer # starts, of which the best is kept; default 10; a whole number >= 1
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

---mean and standard deviation of y, and the ends of its central interval, which are quantiles of the mixture.
---Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MixtureOfRegressions:predict_interval(X, options) end

---@class manilius.MultiTaskElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the norms in it; 1 is the MultiTaskLasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_j |B_j| + (1 - l1_ratio) / 2 |B|^2)
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskElasticNet: manilius.Regressor
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the norms in it; 1 is the MultiTaskLasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskElasticNet = {}

---The same settings, not fitted.
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskElasticNet:summary(options) end

---@class manilius.MultiTaskLasso.Params
---@field alpha? number # penalty on the norms of the weights of a column; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha sum_j |B_j|, B_j: weights of column j for all targets
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskLasso: manilius.Regressor
---@field alpha number # penalty on the norms of the weights of a column
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskLasso = {}

---The same settings, not fitted.
---@return manilius.MultiTaskLasso
function MultiTaskLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskLasso
function MultiTaskLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskLasso
function MultiTaskLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function MultiTaskLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function MultiTaskLasso:summary(options) end

---@class manilius.PassiveAggressiveClassifier.Params
---@field C? number # how far a row may move the weights: small where rows are noisy; default 1; a number > 0
---@field loss? "hinge"|"squared_hinge" # hinge: PA-I, or squared_hinge: PA-II; default "hinge"; one of hinge, squared_hinge
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier whose every step puts one row right, and goes no further: for rows that keep coming.
---
---least |b' - b|^2 / 2 + C max(0, 1 - y (x b' + c')) at each row, y = -1 or 1; or with the loss squared
---
---With the loss l of a row, PA-I steps by min(C, l / |x|^2) and PA-II by l / (|x|^2 + 1 / (2 C)); the constant
---moves by the same length, as in scikit-learn, though the paper's |x|^2 would count its 1. Names and defaults
---are scikit-learn's, which keeps the class until its version 1.10 only. A weight scales the step of its row:
---weight 2 is not the row twice. Scale the columns first. SGDClassifier { learning_rate = 'pa1' or 'pa2', penalty
---= 'none', eta0 = C } is the same.
---@class manilius.PassiveAggressiveClassifier: manilius.Classifier
---@field C number # how far a row may move the weights: small where rows are noisy
---@field loss "hinge"|"squared_hinge" # hinge: PA-I, or squared_hinge: PA-II
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field t number # learned: steps so far, and 1
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local PassiveAggressiveClassifier = {}

---The same settings, not fitted.
---@return manilius.PassiveAggressiveClassifier
function PassiveAggressiveClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function PassiveAggressiveClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveClassifier
function PassiveAggressiveClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveClassifier
function PassiveAggressiveClassifier:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PassiveAggressiveClassifier
function PassiveAggressiveClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PassiveAggressiveClassifier.Params
---@return manilius.PassiveAggressiveClassifier
function PassiveAggressiveClassifier:set_params(values) end

---@class manilius.PassiveAggressiveRegressor.Params
---@field C? number # how far a row may move the weights: small where rows are noisy; default 1; a number > 0
---@field loss? "epsilon_insensitive"|"squared_epsilon_insensitive" # epsilon_insensitive: PA-I, or squared_epsilon_insensitive: PA-II; default "epsilon_insensitive"; one of epsilon_insensitive, squared_epsilon_insensitive
---@field epsilon? number # errors up to this change nothing, in units of y; default 0.1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression whose every step puts one row right, and goes no further: for rows that keep coming.
---
---least |b' - b|^2 / 2 + C max(0, |y - x b' - c'| - epsilon) at each row; or with the loss squared
---
---With the loss l of a row, PA-I steps by min(C, l / |x|^2) and PA-II by l / (|x|^2 + 1 / (2 C)); the constant
---moves by the same length, as in scikit-learn, though the paper's |x|^2 would count its 1. Names and defaults
---are scikit-learn's, which keeps the class until its version 1.10 only. A weight scales the step of its row:
---weight 2 is not the row twice. Scale the columns first. SGDRegressor { loss = 'epsilon_insensitive',
---learning_rate = 'pa1' or 'pa2', penalty = 'none', eta0 = C } is the same.
---@class manilius.PassiveAggressiveRegressor: manilius.Regressor
---@field C number # how far a row may move the weights: small where rows are noisy
---@field loss "epsilon_insensitive"|"squared_epsilon_insensitive" # epsilon_insensitive: PA-I, or squared_epsilon_insensitive: PA-II
---@field epsilon number # errors up to this change nothing, in units of y
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field t number # learned: steps so far, and 1
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local PassiveAggressiveRegressor = {}

---The same settings, not fitted.
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PassiveAggressiveRegressor.Params
---@return manilius.PassiveAggressiveRegressor
function PassiveAggressiveRegressor:set_params(values) end

---@class manilius.Perceptron.Params
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "none"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field eta0? number # rate of the steps; default 1; a number > 0
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier that learns from its mistakes, one row at a time.
---
---1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1
---
---SGDClassifier with the loss 'perceptron', the learning_rate 'constant' and no penalty by default, as in
---scikit-learn. A mistake moves the weights by eta0 y x; without a penalty eta0 sets their length only. Of more
---than two classes each has a score of its own against all others. Where no line parts the classes the steps
---never come to rest, and the end is that of tol. A weight scales the step of its row: weight 2 is not the row
---twice. Sparse rows give what dense ones give.
---@class manilius.Perceptron: manilius.Classifier
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field eta0 number # rate of the steps
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field t number # learned: steps so far, and 1
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local Perceptron = {}

---The same settings, not fitted.
---@return manilius.Perceptron
function Perceptron:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Perceptron:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Perceptron
function Perceptron:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Perceptron
function Perceptron:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Perceptron
function Perceptron:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Perceptron.Params
---@return manilius.Perceptron
function Perceptron:set_params(values) end

---@class manilius.PoissonRegressor.Params
---@field alpha? number # penalty on the weights; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Counts with a logarithmic link and an L2 penalty, L1, or both.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'poisson' }. X may be sparse
---and is never made dense: up to 500 columns the equations of a step are solved by a matrix of columns x columns;
---more of them, with alpha > 0, by conjugate gradients, or with an L1 penalty by coordinate descent on the
---columns, without such a matrix.
---@class manilius.PoissonRegressor: manilius.Regressor
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local PoissonRegressor = {}

---The same settings, not fitted.
---@return manilius.PoissonRegressor
function PoissonRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PoissonRegressor
function PoissonRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PoissonRegressor
function PoissonRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PoissonRegressor.Params
---@return manilius.PoissonRegressor
function PoissonRegressor:set_params(values) end

---@class manilius.QuadraticDiscriminantAnalysis.Params
---@field reg_param? number # covariances become (1 - reg_param) S_c + reg_param I; default 0; a number from 0 to 1
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell; default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil
---@field tol? number # a covariance of which a direction's variance is no more than this share of the largest counts as singular: of columns scaled to 1, where nothing is mixed in; default 1e-09; a number >= 0

---Classifier of normal classes, each with a covariance of its own.
---
---log p(c | x) = log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c) + constant
---
---Covariances divide by the rows of the class, as in scikit-learn since 1.8. reg_param mixes in the identity, so
---scale the columns first.
---@class manilius.QuadraticDiscriminantAnalysis: manilius.Classifier
---@field reg_param number # covariances become (1 - reg_param) S_c + reg_param I
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field tol number # a covariance of which a direction's variance is no more than this share of the largest counts as singular: of columns scaled to 1, where nothing is mixed in
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field log_det manilius.Vector # learned: logarithm of the determinant of each covariance, classes
---@field whitening manilius.Matrix # learned: for each class in turn features rows W with W W' the inverse of its covariance, stacked x features
local QuadraticDiscriminantAnalysis = {}

---The same settings, not fitted.
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function QuadraticDiscriminantAnalysis:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:set_params(values) end

---@class manilius.QuantileRegressor.Params
---@field quantile? number # which one of y is predicted; 0.5: the median; default 0.5; a number > 0 and < 1
---@field alpha? number # penalty on the L1 norm of the weights; default 0; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most steps of the interior-point method; default 100; a whole number >= 1
---@field tol? number # stop when the gap to the optimum is below this share of the objective; default 1e-10; a number >= 0

---Linear regression for a quantile of y, such as the median.
---
---sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])
---
---alpha as in scikit-learn, but 0 unless said otherwise. The optimum need not be unique: then one of its vertices
---is given, which other programs may not choose.
---@class manilius.QuantileRegressor: manilius.Regressor
---@field quantile number # which one of y is predicted; 0.5: the median
---@field alpha number # penalty on the L1 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most steps of the interior-point method
---@field tol number # stop when the gap to the optimum is below this share of the objective
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local QuantileRegressor = {}

---The same settings, not fitted.
---@return manilius.QuantileRegressor
function QuantileRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileRegressor
function QuantileRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileRegressor
function QuantileRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function QuantileRegressor:set_params(values) end

---@class manilius.Ridge.Params
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Linear least squares with an L2 penalty.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
---
---The sum is not divided by the number of rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the
---columns first where their units differ. partial_fit gives what fit gives for all rows so far; alpha may be
---another one at each batch. It keeps p x p numbers, of sparse X too: for very many columns there is SGDRegressor.
---@class manilius.Ridge: manilius.Regressor
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local Ridge = {}

---The same settings, not fitted.
---@return manilius.Ridge
function Ridge:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Ridge
function Ridge:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Ridge.Params
---@return manilius.Ridge
function Ridge:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Ridge:summary(options) end

---@class manilius.RidgeCV.Params
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10; default nil; numbers > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, with alpha of least sum_i w_i (y_i - yhat without i)^2
---
---The errors are those of leaving out each row and fitting again, in closed form. A weight counts equal rows, of
---which one is left out; scikit-learn leaves out all of them, and divides by the number of rows, not by the sum
---of the weights. All targets share one alpha. Scale the columns first where their units differ.
---@class manilius.RidgeCV: manilius.Regressor
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10
---@field fit_intercept boolean # learn a constant term, never penalised
---@field alpha number # learned: the chosen penalty; the first of equals
---@field best_score number # learned: minus the mean squared leave-one-out error of it
---@field scores manilius.Vector # learned: the same for each of alphas, alphas
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local RidgeCV = {}

---The same settings, not fitted.
---@return manilius.RidgeCV
function RidgeCV:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RidgeCV
function RidgeCV:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RidgeCV
function RidgeCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RidgeCV.Params
---@return manilius.RidgeCV
function RidgeCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function RidgeCV:summary(options) end

---@class manilius.RobustRegression.Params
---@field loss? "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression; default "huber"; one of huber, bisquare, andrews, absolute
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews; default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_iter? integer # most rounds; default 200; a whole number >= 1
---@field tol? number # stop when residuals move by less than this share; default 1e-09; a number >= 0

---Linear regression that outliers in y do not pull along.
---
---sum_i w_i rho((y_i - x_i b - c) / (tuning s))
---
---As rlm of R's MASS. The scale moves from round to round, so there is no one objective: `objective` and `trace`
---hold the least share by which residuals have moved in a round. bisquare and andrews begin at least squares and
---may find a local minimum.
---@class manilius.RobustRegression: manilius.Regressor
---@field loss "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews
---@field fit_intercept boolean # learn a constant term
---@field max_iter integer # most rounds
---@field tol number # stop when residuals move by less than this share
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field scale number # learned: of the errors: median of the absolute residuals over 0.6745
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local RobustRegression = {}

---The same settings, not fitted.
---@return manilius.RobustRegression
function RobustRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustRegression
function RobustRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustRegression
function RobustRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustRegression.Params
---@return manilius.RobustRegression
function RobustRegression:set_params(values) end

---how much each row counts: those that the fit holds for outliers have a weight near 0. Gives Frame: fitted,
---residual, weight
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function RobustRegression:diagnostics(X, y) end

---@class manilius.ScaledLasso.Params
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n); default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most turns of weights and noise; default 100; a whole number >= 1
---@field tol? number # stop when the noise changes by no more than this share; default 1e-06; a number >= 0

---Lasso that finds the noise together with the weights, so that its penalty need not be tuned.
---
---1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j| over b, c and sigma; v_j:
---standard deviation of column j, n = sum_i w_i
---
---Also known as the square-root Lasso (Belloni, Chernozhukov & Wang, Biometrika 98 (2011)). Does not change with
---the units of X or y.
---@class manilius.ScaledLasso: manilius.Regressor
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n)
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most turns of weights and noise
---@field tol number # stop when the noise changes by no more than this share
---@field sigma number # learned: standard deviation of the noise
---@field best_alpha number # learned: the penalty in units of sigma: alpha, or what nil stood for
---@field gap number # learned: duality gap of the last Lasso
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ScaledLasso = {}

---The same settings, not fitted.
---@return manilius.ScaledLasso
function ScaledLasso:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ScaledLasso
function ScaledLasso:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ScaledLasso
function ScaledLasso:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ScaledLasso:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function ScaledLasso:summary(options) end

---@class manilius.SegmentedRegression.Params
---@field column? integer # the column that is broken; the others are linear; default 1; a whole number >= 1
---@field n_breakpoints? integer # how many; nil: chosen by BIC; default nil; a whole number >= 0 or nil
---@field max_breakpoints? integer # most that BIC may choose; default 3; a whole number from 0 to 1000
---@field segments? "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines, levels: a line, or a level, of its own in each segment; default "joined"; one of joined, lines, levels
---@field min_segment? number # least share of the rows in a segment; default 0.05; a number > 0 and < 1

---A column whose line breaks at places that are estimated, or jumps there.
---
---sum_i w_i (y_i - x_i b - a_s - d_s z_i)^2, s counting the breakpoints below z_i
---
---Joined: from the best places of a grid, and again from each breakpoint's best place given the others, by the
---steps of R's segmented, which agree on breakpoints, slopes and standard errors; no random restarts, so no seed.
---A breakpoint's standard error tells nothing where the slope hardly changes. Lines and levels: the exact minimum
---by dynamic programming, in time that grows with the square of the rows, as strucchange has it; the other
---columns and the breakpoints take turns, a breakpoint is the last z before it, and slopes have the errors of
---known breakpoints.
---@class manilius.SegmentedRegression: manilius.Regressor
---@field column integer # the column that is broken; the others are linear
---@field n_breakpoints? integer # how many; nil: chosen by BIC
---@field max_breakpoints integer # most that BIC may choose
---@field segments "joined"|"lines"|"levels" # joined: lines that meet at the breakpoints; lines, levels: a line, or a level, of its own in each segment
---@field min_segment number # least share of the rows in a segment
---@field breakpoints manilius.Vector # learned: where the column is broken, ascending, breaks
---@field breakpoint_se manilius.Vector # learned: their standard errors; nan unless joined, breaks
---@field slope manilius.Vector # learned: of y along the column in each segment, segments
---@field slope_se manilius.Vector # learned: standard errors of the slopes, segments
---@field intercept manilius.Vector # learned: constant term of each segment, segments
---@field coef manilius.Vector # learned: weights of the other columns; 0 for the one that is broken, features
---@field bic_path manilius.Vector # learned: BIC of 0, 1, ... breakpoints, tried
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field df number # learned: n less all coefficients and breakpoints
---@field rss number # learned: sum of squared residuals
---@field tss number # learned: sum of squares of y about its mean
---@field loglik number # learned: log likelihood of normal errors
---@field bic number # learned: log(n) times all parameters, breakpoints and variance among them, - 2 loglik
local SegmentedRegression = {}

---The same settings, not fitted.
---@return manilius.SegmentedRegression
function SegmentedRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SegmentedRegression
function SegmentedRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SegmentedRegression
function SegmentedRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SegmentedRegression.Params
---@return manilius.SegmentedRegression
function SegmentedRegression:set_params(values) end

---breakpoints and slopes with standard errors and confidence intervals, and how good the fit is. Gives
---breakpoints and slopes (Frames: estimate, std_error, low, high), sigma, df, r2, loglik, bic; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function SegmentedRegression:summary(options) end

---@class manilius.SGDClassifier.Params
---@field loss? "hinge"|"log_loss"|"modified_huber"|"squared_hinge"|"perceptron"|"squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes; default "hinge"; one of hinge, log_loss, modified_huber, squared_hinge, perceptron, squared_error, huber, epsilon_insensitive, squared_epsilon_insensitive
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; sets the rate of 'optimal', too; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field epsilon? number # of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes; default "optimal"; one of optimal, constant, invscaling, adaptive, pa1, pa2
---@field eta0? number # first rate; the aggressiveness C of pa1 and pa2; default 0.01; a number > 0
---@field power_t? number # exponent of invscaling: eta0 / t^power_t; default 0.5; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1
---
---Losses, m being the margin y z: hinge max(0, 1 - m), the linear support vector machine; squared_hinge its
---square; log_loss log(1 + exp(-m)); modified_huber, the squared hinge down to m = -1 and linear below;
---perceptron max(0, -m); and those of SGDRegressor with y = -1 and 1. Rates of steps, t counting them: optimal 1
---/ (alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / t^power_t; constant eta0; adaptive eta0, a
---fifth of it each time n_iter_no_change rounds have brought nothing; pa1 and pa2 the passive-aggressive steps,
---eta0 being their C. Scale the columns first. A weight scales the step of its row: weight 2 is not the row
---twice. The objective of a round is the mean over its rows, each taken before its step. Definitions are
---scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the constant of sparse X by a
---hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is kept between batches, so
---that batches in order are one round; objectives are weighted. Of rows with fewer values than a 16th of the
---columns, the objective of a round counts L1 penalties when a row comes by, so that the round of the end may be
---another than with dense rows; the steps are the same. Probabilities are there with log_loss and modified_huber,
---of more than two classes made to add up to 1; what is exported gives labels and scores. class_weight multiplies
---the weights of the rows of a class, wherever they are.
---@class manilius.SGDClassifier: manilius.Classifier
---@field loss "hinge"|"log_loss"|"modified_huber"|"squared_hinge"|"perceptron"|"squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty; sets the rate of 'optimal', too
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field epsilon number # of huber and the epsilon-insensitive losses, in units of y
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes
---@field eta0 number # first rate; the aggressiveness C of pa1 and pa2
---@field power_t number # exponent of invscaling: eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field t number # learned: steps so far, and 1
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local SGDClassifier = {}

---The same settings, not fitted.
---@return manilius.SGDClassifier
function SGDClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function SGDClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDClassifier
function SGDClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDClassifier
function SGDClassifier:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SGDClassifier
function SGDClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SGDClassifier.Params
---@return manilius.SGDClassifier
function SGDClassifier:set_params(values) end

---@class manilius.SGDRegressor.Params
---@field loss? "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes; default "squared_error"; one of squared_error, huber, epsilon_insensitive, squared_epsilon_insensitive
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; sets the rate of 'optimal', too; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field epsilon? number # of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes; default "invscaling"; one of optimal, constant, invscaling, adaptive, pa1, pa2
---@field eta0? number # first rate; the aggressiveness C of pa1 and pa2; default 0.01; a number > 0
---@field power_t? number # exponent of invscaling: eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
---
---Losses, r being y - z: squared_error r^2 / 2; huber, r^2 / 2 up to epsilon and linear beyond;
---epsilon_insensitive, what |r| exceeds epsilon by, or its square. Rates of steps, t counting them: optimal 1 /
---(alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / t^power_t; constant eta0; adaptive eta0, a
---fifth of it each time n_iter_no_change rounds have brought nothing; pa1 and pa2 the passive-aggressive steps,
---eta0 being their C. Scale the columns first. A weight scales the step of its row: weight 2 is not the row
---twice. The objective of a round is the mean over its rows, each taken before its step. Definitions are
---scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the constant of sparse X by a
---hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is kept between batches, so
---that batches in order are one round; objectives are weighted. Of rows with fewer values than a 16th of the
---columns, the objective of a round counts L1 penalties when a row comes by, so that the round of the end may be
---another than with dense rows; the steps are the same. 
---@class manilius.SGDRegressor: manilius.Regressor
---@field loss "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty; sets the rate of 'optimal', too
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field epsilon number # of huber and the epsilon-insensitive losses, in units of y
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes
---@field eta0 number # first rate; the aggressiveness C of pa1 and pa2
---@field power_t number # exponent of invscaling: eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field t number # learned: steps so far, and 1
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local SGDRegressor = {}

---The same settings, not fitted.
---@return manilius.SGDRegressor
function SGDRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SGDRegressor
function SGDRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SGDRegressor.Params
---@return manilius.SGDRegressor
function SGDRegressor:set_params(values) end

---@class manilius.StratifiedRegression.Params
---@field column? integer # the column whose values are the strata; default 1; a whole number >= 1
---@field graph? "chain"|"ring"|"complete" # which strata are neighbours: chain: those of values next to each other; ring: the first and the last, too; complete: all; default "chain"; one of chain, ring, complete
---@field smoothness? number # half of it times the squared differences between neighbours; 0: separate regressions; default 1; a number >= 0
---@field alpha? number # half of it times the squared weights of each stratum; default 0; a number >= 0

---A linear regression for each value of a column, which lean on those of neighbouring values.
---
---1/2 sum_k sum_i(k) w_i (y_i - x_i b_k - c_k)^2 + alpha/2 sum_k |b_k|^2 + smoothness/2 sum_(k,l) (|b_k - b_l|^2
---+ (c_k - c_l)^2)
---
---Weights in the penalties are those of columns about their means and of variance 1, over all rows, and the
---constants are at those means: units do not matter. smoothness = 0 fits each stratum by itself, a large one all
---together. Solved exactly, at a cost that grows with the strata as such. A value that fit did not see is
---predicted by common_coef and common_intercept. Strata that are text go through OrdinalEncoder first.
---@class manilius.StratifiedRegression: manilius.Regressor
---@field column integer # the column whose values are the strata
---@field graph "chain"|"ring"|"complete" # which strata are neighbours: chain: those of values next to each other; ring: the first and the last, too; complete: all
---@field smoothness number # half of it times the squared differences between neighbours; 0: separate regressions
---@field alpha number # half of it times the squared weights of each stratum
---@field levels manilius.Vector # learned: values of the column, ascending, strata
---@field coef manilius.Matrix # learned: weights in each; 0 for the column itself, strata x features
---@field intercept manilius.Vector # learned: constant term of each, strata
---@field counts manilius.Vector # learned: weight of the rows of each, strata
---@field common_coef manilius.Vector # learned: mean of the weights over the strata, features
---@field common_intercept number # learned: mean of the constant terms
local StratifiedRegression = {}

---The same settings, not fitted.
---@return manilius.StratifiedRegression
function StratifiedRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StratifiedRegression
function StratifiedRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StratifiedRegression
function StratifiedRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function StratifiedRegression:set_params(values) end

---@class manilius.TheilSenRegressor.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_subpopulation? integer # most subsets; where there are more, they are drawn; default 10000; a whole number >= 1
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares; default nil; a whole number >= 1 or nil
---@field max_iter? integer # most rounds for the median; default 300; a whole number >= 1
---@field tol? number # stop when the median moves by no more than this share of the spread; default 0.001; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by the median of the fits to small subsets of rows: outliers in X and y do little.
---
---sum_s |b_s - b| over b, with b_s the least squares of subset s; b with the constant
---
---Subsets that determine fewer weights than others (two rows of the same x) are left out, as Theil and Sen do;
---scikit-learn gives them the weights of least norm. tol is a share of the mean distance of the subsets' weights
---from their median; scikit-learn's is in the units of the weights. Scale the columns first where their units
---differ. With many columns hardly any outliers are withstood: see breakdown.
---@class manilius.TheilSenRegressor: manilius.Regressor
---@field fit_intercept boolean # learn a constant term
---@field max_subpopulation integer # most subsets; where there are more, they are drawn
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares
---@field max_iter integer # most rounds for the median
---@field tol number # stop when the median moves by no more than this share of the spread
---@field seed integer # names the random stream: same seed, same result
---@field breakdown number # learned: share of the rows that may be anything without spoiling the fit
---@field n_subpopulation integer # learned: subsets that the median is of
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TheilSenRegressor = {}

---The same settings, not fitted.
---@return manilius.TheilSenRegressor
function TheilSenRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TheilSenRegressor
function TheilSenRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TheilSenRegressor
function TheilSenRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function TheilSenRegressor:set_params(values) end

---@class manilius.TweedieRegressor.Params
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 0; a number >= 0
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the weights; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm; default 0; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Amounts whose variance is a power of their mean, with an L2 penalty, L1, or both.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), link(mu_i) = x_i b
---+ c + offset_i
---
---As in scikit-learn; link auto: identity for power 0, log for the others. For standard errors, tests and other
---links: ml.GLM{ family = 'tweedie' }. X may be sparse and is never made dense: up to 500 columns the equations
---of a step are solved by a matrix of columns x columns; more of them, with alpha > 0, by conjugate gradients, or
---with an L1 penalty by coordinate descent on the columns, without such a matrix. Exported to Lua, predictions
---with link power or inverse_squared agree within 4 units in the last place.
---@class manilius.TweedieRegressor: manilius.Regressor
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the weights
---@field l1_ratio number # share of the L1 norm in the penalty, which makes weights exactly 0; the rest is half the squared L2 norm
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X; with an L1 penalty, of weights that are not 0
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TweedieRegressor = {}

---The same settings, not fitted.
---@return manilius.TweedieRegressor
function TweedieRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TweedieRegressor
function TweedieRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TweedieRegressor
function TweedieRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TweedieRegressor.Params
---@return manilius.TweedieRegressor
function TweedieRegressor:set_params(values) end
