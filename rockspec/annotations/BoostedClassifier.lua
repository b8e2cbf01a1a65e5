---@meta _
-- luacheck: ignore
-- ml.BoostedClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BoostedClassifier.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator, fitted to the residuals of init; default nil
---@field init? any # the estimator fitted first; a classifier must have predict_proba; default nil
---@field [integer] any

---Gradient boosting that starts from the probabilities of another classifier.
---
---fit stores fitted clones as model.init and model.boosting; learned fields of the boosting are fields of this
---model too. Unlike in scikit-learn, init is also fitted to rows that the boosting holds out. With warm_start
---init is not refitted. To start from known scores instead, pass fit(X, y, { init_score = ... }) to a boosting
---estimator.
---@class manilius.BoostedClassifier: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator, fitted to the residuals of init
---@field init? any # the estimator fitted first; a classifier must have predict_proba
---@field classes any # learned: class labels in ascending order
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local BoostedClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.BoostedClassifier
function BoostedClassifier:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function BoostedClassifier:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedClassifier
function BoostedClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedClassifier:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.BoostedClassifier
function BoostedClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function BoostedClassifier:set_params(values) end

---Predictions or decision function after each round, as a Matrix.
---@param X manilius.X
---@return any
function BoostedClassifier:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting that starts from the probabilities of another classifier.
---@param params? manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function ml.BoostedClassifier(params) end
