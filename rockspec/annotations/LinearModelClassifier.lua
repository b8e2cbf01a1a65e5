---@meta _
-- luacheck: ignore
-- ml.LinearModelClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearModelClassifier.Params
---@field loss? "log_loss"|"hinge"|"squared_hinge"|"modified_huber"|"exponential" # loss of a row; see the notes; default "log_loss"; one of log_loss, hinge, squared_hinge, modified_huber, exponential
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
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Linear classifier with a choice of loss, penalty and solver.
---
---sum_i w_i loss(y_i, x_i b + c) / sum_i w_i + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2); l1_ratio is 0
---for l2, 1 for l1, y = -1 or 1
---
---Losses with m = y z: log_loss log(1 + exp(-m)); hinge max(0, 1 - m); squared_hinge its square; modified_huber
---the squared hinge, linear below m = -1; exponential exp(-m). With more than two classes each is fitted against
---the rest. log_loss, modified_huber and exponential have probabilities. alpha is 1 / (C n) of
---LogisticRegression. Unsupported combinations of loss, penalty and solver are rejected with a list of the
---supported solvers. partial_fit is one round of sgd, whatever the solver.
---@class manilius.LinearModelClassifier: manilius.Classifier
---@field loss "log_loss"|"hinge"|"squared_hinge"|"modified_huber"|"exponential" # loss of a row; see the notes
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
---@field coef manilius.Matrix # learned: coefficients, decisions x features
---@field intercept manilius.Vector # learned: intercept term, decisions
---@field t number # learned: 1 + number of steps
---@field gap manilius.Vector # learned: duality gap of each score: its objective is at most this far above the minimum; for solvers interior and dual, and for log_loss with an L1 penalty; else nan, decisions
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LinearModelClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.LinearModelClassifier
function LinearModelClassifier:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearModelClassifier:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelClassifier
function LinearModelClassifier:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearModelClassifier
function LinearModelClassifier:partial_fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function LinearModelClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LinearModelClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LinearModelClassifier
function LinearModelClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LinearModelClassifier.Params
---@return manilius.LinearModelClassifier
function LinearModelClassifier:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LinearModelClassifier:summary(options) end

---@class manilius
local ml = {}

---Linear classifier with a choice of loss, penalty and solver.
---@param params? manilius.LinearModelClassifier.Params
---@return manilius.LinearModelClassifier
function ml.LinearModelClassifier(params) end
