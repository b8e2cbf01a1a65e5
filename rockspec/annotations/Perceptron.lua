---@meta _
-- luacheck: ignore
-- ml.Perceptron: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Perceptron.Params
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none; default "none"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # fit an intercept; it is never penalized; default true; true or false
---@field max_iter? integer # maximum number of rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # minimum decrease of the objective that counts as an improvement; default 0.001; a number >= 0
---@field n_iter_no_change? integer # stop after this many rounds without improvement; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # shuffle the rows before each round; default true; true or false
---@field eta0? number # step size; default 1; a number > 0
---@field early_stopping? boolean # stop by the score on held-out rows instead of the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for early_stopping; default 0.1; a number > 0 and < 1
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Perceptron: a linear classifier that updates on each misclassified row.
---
---1/n sum_i w_i max(0, -y_i (x_i b + c)) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1
---
---SGDClassifier with loss 'perceptron', learning_rate 'constant' and no penalty by default, as in scikit-learn. A
---mistake moves the coefficients by eta0 y x; without a penalty eta0 only scales them. With more than two classes
---each has a score against the rest. If the classes are not separable the steps never settle, and tol decides
---when to stop. Row weights scale the step of a row: weight 2 is not the same as the row twice.
---@class manilius.Perceptron: manilius.Classifier
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet (both) or none
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in elasticnet
---@field fit_intercept boolean # fit an intercept; it is never penalized
---@field max_iter integer # maximum number of rounds over the rows
---@field tol number # minimum decrease of the objective that counts as an improvement
---@field n_iter_no_change integer # stop after this many rounds without improvement
---@field shuffle boolean # shuffle the rows before each round
---@field eta0 number # step size
---@field early_stopping boolean # stop by the score on held-out rows instead of the objective
---@field validation_fraction number # share of the rows held out for early_stopping
---@field seed integer # random seed; the same seed gives the same result
---@field coef manilius.Matrix # learned: coefficients, decisions x features
---@field intercept manilius.Vector # learned: intercept term, decisions
---@field t number # learned: 1 + number of steps
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local Perceptron = {}

---An unfitted copy with the same parameters.
---@return manilius.Perceptron
function Perceptron:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Perceptron:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Perceptron
function Perceptron:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Perceptron
function Perceptron:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Perceptron
function Perceptron:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Perceptron.Params
---@return manilius.Perceptron
function Perceptron:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function Perceptron:summary(options) end

---@class manilius
local ml = {}

---Perceptron: a linear classifier that updates on each misclassified row.
---@param params? manilius.Perceptron.Params
---@return manilius.Perceptron
function ml.Perceptron(params) end
