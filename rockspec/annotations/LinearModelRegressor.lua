---@meta _
-- luacheck: ignore
-- ml.LinearModelRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---falling, dual when it is below tol of the objective reached. For sgd tol is the least improvement of a round
---that counts, and a weight scales the step of its row; the objective of a round is what its rows met on the way,
---so that objective and trace may rise from round to round, with corners above all. There converged says that
---n_iter_no_change rounds brought none better, and that the last stands above the best by at most 1 % of its fall
---from weights 0; it does not say how near the minimum is. Quantiles without an L2 penalty QuantileRegressor
---finds sooner, by a method of their own. alpha is that of Lasso and ElasticNet, 1 / n of Ridge's.
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
---@field gap manilius.Vector|number # learned: of interior and dual: the objective of each score is above its minimum by no more than this; nan for other solvers; a number where y is a Vector, targets
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

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LinearModelRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression of any loss, penalty and solver that go together.
---@param params? manilius.LinearModelRegressor.Params
---@return manilius.LinearModelRegressor
function ml.LinearModelRegressor(params) end
