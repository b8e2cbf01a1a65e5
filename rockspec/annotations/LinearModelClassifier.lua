---@meta _
-- luacheck: ignore
-- ml.LinearModelClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

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
---duality gap is below tol^2 of it, or rounding keeps it from falling, dual when it is below tol of the objective
---reached. For sgd tol is the least improvement of a round that counts, and a weight scales the step of its row;
---the objective of a round is what its rows met on the way, so that objective and trace may rise from round to
---round, with corners above all. There converged says that n_iter_no_change rounds brought none better, and that
---the last stands above the best by at most 1 % of its fall from weights 0; it does not say how near the minimum
---is. Probabilities are there with log_loss, modified_huber and exponential, of more than two classes made to add
---up to 1. alpha is 1 / (C n) of LogisticRegression.
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
---@field gap manilius.Vector # learned: the objective of each score is above its minimum by no more than this: of interior and dual, and of log_loss with an L1 norm in the penalty; else, and for sgd, nan, decisions
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

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function LinearModelClassifier:summary(options) end

---@class manilius
local ml = {}

---Linear classifier of any loss, penalty and solver that go together.
---@param params? manilius.LinearModelClassifier.Params
---@return manilius.LinearModelClassifier
function ml.LinearModelClassifier(params) end
