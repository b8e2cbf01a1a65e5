---@meta _
-- luacheck: ignore
-- ml.PassiveAggressiveClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Linear classifier whose every step puts one row right, and goes no further: for rows that keep coming.
---
---least |b' - b|^2 / 2 + C max(0, 1 - y (x b' + c')) at each row, y = -1 or 1; or with the loss squared
---
---With the loss l of a row, PA-I steps by min(C, l / |x|^2) and PA-II by l / (|x|^2 + 1 / (2 C)); the constant
---moves by the same length, as in scikit-learn, though the paper's |x|^2 would count its 1. Names and defaults
---are scikit-learn's, which keeps the class until its version 1.10 only. The weight of a row multiplies C: a row
---of large weight is put right, and no further. Scale the columns first. SGDClassifier { learning_rate = 'pa1' or
---'pa2', penalty = 'none', eta0 = C } is the same.
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

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function PassiveAggressiveClassifier:summary(options) end

---@class manilius
local ml = {}

---Linear classifier whose every step puts one row right, and goes no further: for rows that keep coming.
---@param params? manilius.PassiveAggressiveClassifier.Params
---@return manilius.PassiveAggressiveClassifier
function ml.PassiveAggressiveClassifier(params) end
