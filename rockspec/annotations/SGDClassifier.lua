---@meta _
-- luacheck: ignore
-- ml.SGDClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Linear classifier by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1
---
---Losses, m being the margin y z: hinge max(0, 1 - m), the linear support vector machine; squared_hinge its
---square; log_loss log(1 + exp(-m)); modified_huber, the squared hinge down to m = -1 and linear below;
---perceptron max(0, -m); and those of SGDRegressor with y = -1 and 1. Rates of steps, t counting them: optimal 1
---/ (alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / t^power_t; constant eta0; adaptive eta0, a
---fifth of it each time n_iter_no_change rounds have brought nothing; pa1 and pa2 the passive-aggressive steps,
---eta0 times the weight of the row being their C. Scale the columns first. A weight scales the other steps of its
---row: weight 2 is not the row twice. The objective of a round is the mean over its rows, each taken before its
---step. Definitions are scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the
---constant of sparse X by a hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is
---kept between batches, so that batches in order are one round; objectives are weighted. Of rows with fewer
---values than a 16th of the columns, the objective of a round counts L1 penalties when a row comes by, so that
---the round of the end may be another than with dense rows; the steps are the same. Probabilities are there with
---log_loss and modified_huber, of more than two classes made to add up to 1. class_weight multiplies the weights
---of the rows of a class, wherever they are.
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

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function SGDClassifier:summary(options) end

---@class manilius
local ml = {}

---Linear classifier by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---@param params? manilius.SGDClassifier.Params
---@return manilius.SGDClassifier
function ml.SGDClassifier(params) end
