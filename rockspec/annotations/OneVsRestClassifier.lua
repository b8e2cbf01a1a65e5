---@meta _
-- luacheck: ignore
-- ml.OneVsRestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OneVsRestClassifier.Params
---@field estimator? any # the binary classifier, default LogisticRegression {}; may be given first, without a name; default nil
---@field [integer] any

---Multiclass classification with one binary classifier per class.
---
---Classes are compared by the decision function of their models, or by probability if they have none; ties are
---broken by the lowest index. Probabilities are normalized to sum to 1. estimator__C is a parameter of the base
---estimator, in set_params and in searches. Sample weights are supported if the base supports them.
---@class manilius.OneVsRestClassifier: manilius.Model
---@field estimator? any # the binary classifier, default LogisticRegression {}; may be given first, without a name
---@field classes any # learned: class labels in ascending order
---@field estimators any # learned: list of fitted models, one per class; a single one, for the second class, if there are two
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local OneVsRestClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function OneVsRestClassifier:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function OneVsRestClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneVsRestClassifier:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function OneVsRestClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function OneVsRestClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function OneVsRestClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.OneVsRestClassifier.Params
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:set_params(values) end

---@class manilius
local ml = {}

---Multiclass classification with one binary classifier per class.
---@param params? manilius.OneVsRestClassifier.Params
---@return manilius.OneVsRestClassifier
function ml.OneVsRestClassifier(params) end
