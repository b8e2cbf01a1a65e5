---@meta _
-- luacheck: ignore
-- ml.OneVsRestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OneVsRestClassifier.Params
---@field estimator? any # the classifier of two classes; may stand first, without a name; default nil
---@field [integer] any

---A classifier of two classes for each class, which tells it from all others.
---
---Classes are compared by the decision function of their models, or by their probabilities where there is none;
---the first class wins among equals. Probabilities are those of the models over their sum. The base is
---LogisticRegression {} unless given: scikit-learn's multi_class = "ovr". estimator__C is a setting of the base,
---in set_params and in searches. Weights go where the base takes them.
---@class manilius.OneVsRestClassifier: manilius.Model
---@field estimator? any # the classifier of two classes; may stand first, without a name
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the fitted models, one for each class; of two classes one, for the second
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local OneVsRestClassifier = {}

---The same settings, not fitted.
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function OneVsRestClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function OneVsRestClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneVsRestClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function OneVsRestClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function OneVsRestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function OneVsRestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OneVsRestClassifier.Params
---@return manilius.OneVsRestClassifier
function OneVsRestClassifier:set_params(values) end

---@class manilius
local ml = {}

---A classifier of two classes for each class, which tells it from all others.
---@param params? manilius.OneVsRestClassifier.Params
---@return manilius.OneVsRestClassifier
function ml.OneVsRestClassifier(params) end
