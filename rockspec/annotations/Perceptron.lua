---@meta _
-- luacheck: ignore
-- ml.Perceptron: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

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

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Perceptron:summary(options) end

---@class manilius
local ml = {}

---Linear classifier that learns from its mistakes, one row at a time.
---@param params? manilius.Perceptron.Params
---@return manilius.Perceptron
function ml.Perceptron(params) end
