---@meta _
-- luacheck: ignore
-- ml.AdaBoostClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaBoostClassifier.Params
---@field estimator? any # the base estimator; may be given first, without a name; default nil
---@field learning_rate? number # factor for the weight of each model, > 0; default 1.0
---@field n_estimators? number # number of models (a maximum if boosting stops early); default 50
---@field seed? integer # random seed; results do not depend on the number of threads; default 0
---@field [integer] any

---AdaBoost classification (SAMME): a sequence of reweighted classifiers.
---
---The base is fitted with weights if it supports them (user-defined estimators declare takes = { "weights" }),
---otherwise to rows drawn in proportion to the weights. Boosting stops early if a model is perfect or no better
---than chance. The objective passed to on_iter is the error of the model; it may return "stop". The default base
---is DecisionTreeClassifier { max_depth = 1 }.
---@class manilius.AdaBoostClassifier: manilius.Model
---@field estimator? any # the base estimator; may be given first, without a name
---@field learning_rate? number # factor for the weight of each model, > 0
---@field n_estimators? number # number of models (a maximum if boosting stops early)
---@field seed? integer # random seed; results do not depend on the number of threads
---@field classes any # learned: class labels in ascending order
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of fitted models
---@field feature_importances any # learned: weighted mean of the importances of the models, if they have any
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local AdaBoostClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function AdaBoostClassifier:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostClassifier:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:set_params(values) end

---List of the decision functions after each model.
---@param X manilius.X
---@return any
function AdaBoostClassifier:staged_decision_function(X) end

---List of the predictions after each model.
---@param X manilius.X
---@return any
function AdaBoostClassifier:staged_predict(X) end

---Vector: the score after each model.
---@param X manilius.X
---@param y manilius.Y
---@param options? table
---@return any
function AdaBoostClassifier:staged_score(X, y, options) end

---@class manilius
local ml = {}

---AdaBoost classification (SAMME): a sequence of reweighted classifiers.
---@param params? manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function ml.AdaBoostClassifier(params) end
