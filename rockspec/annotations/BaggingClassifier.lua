---@meta _
-- luacheck: ignore
-- ml.BaggingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BaggingClassifier.Params
---@field bootstrap? boolean # draw rows with replacement; default true
---@field bootstrap_features? boolean # draw columns with replacement; default false
---@field estimator? any # the base estimator; may be given first, without a name; default nil
---@field max_features? number # columns drawn for each model: a fraction (float up to 1.0) or a number (integer); default 1.0
---@field max_samples? number # rows drawn for each model: a fraction (float up to 1.0) or a number (integer); default 1.0
---@field n_estimators? number # number of models (a maximum if boosting stops early); default 10
---@field oob? boolean # compute the out-of-bag score; requires bootstrap = true; default false
---@field seed? integer # random seed; results do not depend on the number of threads; default 0
---@field [integer] any

---Bagging: the mean of classifiers fitted to random rows and columns.
---
---Built-in models are fitted in parallel; a user-defined base needs only fit and predict. If the base has a seed,
---each model gets its own. estimator__max_depth is a parameter of the base, in set_params and in searches. Sample
---weights, if the base supports them, are passed with the drawn rows. on_iter may return "stop" to keep the
---models fitted so far. The default base is DecisionTreeClassifier {}.
---@class manilius.BaggingClassifier: manilius.Model
---@field bootstrap? boolean # draw rows with replacement
---@field bootstrap_features? boolean # draw columns with replacement
---@field estimator? any # the base estimator; may be given first, without a name
---@field max_features? number # columns drawn for each model: a fraction (float up to 1.0) or a number (integer)
---@field max_samples? number # rows drawn for each model: a fraction (float up to 1.0) or a number (integer)
---@field n_estimators? number # number of models (a maximum if boosting stops early)
---@field oob? boolean # compute the out-of-bag score; requires bootstrap = true
---@field seed? integer # random seed; results do not depend on the number of threads
---@field classes any # learned: class labels in ascending order
---@field estimators any # learned: list of fitted models
---@field estimators_features any # learned: list: indices of the columns of each model
---@field estimators_samples any # learned: list: indices of the rows of each model, among rows of weight > 0
---@field feature_importances any # learned: mean of the importances of the models, if they have any
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field oob_prediction manilius.Matrix # learned: Matrix (rows x classes or targets): out-of-bag predictions, nan for rows drawn by all models
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.BaggingClassifier
function BaggingClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingClassifier
function BaggingClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingClassifier:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BaggingClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.BaggingClassifier
function BaggingClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.BaggingClassifier.Params
---@return manilius.BaggingClassifier
function BaggingClassifier:set_params(values) end

---@class manilius
local ml = {}

---Bagging: the mean of classifiers fitted to random rows and columns.
---@param params? manilius.BaggingClassifier.Params
---@return manilius.BaggingClassifier
function ml.BaggingClassifier(params) end
