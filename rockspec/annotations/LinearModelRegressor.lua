---@meta _
-- luacheck: ignore
-- ml.LinearModelRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearModelRegressor.Params
---@field loss? "squared_error"|"absolute_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive"|"quantile"|"poisson" # loss of a row; see the notes; default "squared_error"; one of squared_error, absolute_error, huber, epsilon_insensitive, squared_epsilon_insensitive, quantile, poisson
---@field epsilon? number # threshold of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field quantile? number # of loss quantile: the quantile to predict; default 0.5; a number > 0 and < 1
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in elasticnet; default 0.15; a number from 0 to 1
---@field solver? "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # algorithm; auto chooses by loss, penalty and number of columns; default "auto"; one of auto, gradient, sgd, saga, lbfgs, coordinate, interior, dual
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of rounds; default 1000; a whole number from 1 to 2147483647
---@field tol? number # stop when no element of the subgradient, in scaled columns, exceeds tol sqrt(objective of zero coefficients); of interior: duality gap below tol^2 of that objective; of dual: below tol of the current one; of sgd: minimum improvement per round; default 1e-06; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the step size decreases, see SGDRegressor; default "invscaling"; one of optimal, constant, invscaling, adaptive
---@field eta0? number # of sgd: initial step size; default 0.01; a number > 0
---@field power_t? number # of sgd: exponent of invscaling, eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the coefficients from this step on; 0: no average; default 0; a whole number from 0 to 2147483647
---@field n_iter_no_change? integer # of sgd: stop after this many rounds without improvement; default 5; a whole number from 1 to 2147483647
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression with a choice of loss, penalty and solver.
---
---sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2); l1_ratio is 0
---for l2, 1 for l1
---
---Losses with r = y - z: squared_error r^2 / 2; absolute_error |r|; huber r^2 / 2, linear beyond epsilon;
---epsilon_insensitive max(0, |r| - epsilon), or its square; quantile r (quantile - [r < 0]); poisson half the
---deviance, with predictions exp(z). alpha is that of Lasso, and 1 / n of that of Ridge. Unsupported combinations
---of loss, penalty and solver are rejected with a list of the supported solvers. partial_fit is one round of sgd,
---whatever the solver.
---@class manilius.LinearModelRegressor: manilius.Regressor
---@field loss "squared_error"|"absolute_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive"|"quantile"|"poisson" # loss of a row; see the notes
---@field epsilon number # threshold of huber and the epsilon-insensitive losses, in units of y
---@field quantile number # of loss quantile: the quantile to predict
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in elasticnet
---@field solver "auto"|"gradient"|"sgd"|"saga"|"lbfgs"|"coordinate"|"interior"|"dual" # algorithm; auto chooses by loss, penalty and number of columns
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of rounds
---@field tol number # stop when no element of the subgradient, in scaled columns, exceeds tol sqrt(objective of zero coefficients); of interior: duality gap below tol^2 of that objective; of dual: below tol of the current one; of sgd: minimum improvement per round
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive" # of sgd: how the step size decreases, see SGDRegressor
---@field eta0 number # of sgd: initial step size
---@field power_t number # of sgd: exponent of invscaling, eta0 / t^power_t
---@field average integer # average the coefficients from this step on; 0: no average
---@field n_iter_no_change integer # of sgd: stop after this many rounds without improvement
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field t number # learned: 1 + number of steps
---@field gap manilius.Vector|number # learned: duality gap of each score (a number where y is a Vector): its objective is at most this far above the minimum; nan for solvers other than interior and dual, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LinearModelRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.LinearModelRegressor
function LinearModelRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelRegressor
function LinearModelRegressor:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelRegressor
function LinearModelRegressor:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LinearModelRegressor
function LinearModelRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LinearModelRegressor.Params
---@return manilius.LinearModelRegressor
function LinearModelRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LinearModelRegressor:summary(options) end

---@class manilius
local ml = {}

---Linear regression with a choice of loss, penalty and solver.
---@param params? manilius.LinearModelRegressor.Params
---@return manilius.LinearModelRegressor
function ml.LinearModelRegressor(params) end
