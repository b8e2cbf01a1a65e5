---@meta _
-- luacheck: ignore
-- ml.StackingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StackingClassifier.Params
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # the final model sees the columns of X, too; default false
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has; default "auto"
---@field [integer] any

---A classifier of what other classifiers say of rows that they were not fitted to.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. final_estimator
---(default LogisticRegression {}) is a part of that name. Of two classes the probability of the second is used.
---transform gives what the final model sees.
---@class manilius.StackingClassifier: manilius.Model
---@field cv? integer|table # number of folds (stratified for a classifier, whole groups where the option groups of fit tells them), a way to split such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # the final model sees the columns of X, too
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # what members say: "predict_proba", "decision_function" or "predict" (places of labels, from 0); "auto": the first of these that a member has
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field final_estimator any # learned: the model of what the members say, fitted
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field stack_methods any # learned: list: the method whose answers the final model sees, of each member
---@field [any] any
local StackingClassifier = {}

---The same settings, not fitted.
---@return manilius.StackingClassifier
function StackingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function StackingClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingClassifier
function StackingClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingClassifier:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function StackingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StackingClassifier
function StackingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function StackingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingClassifier:transform(X) end

---@class manilius
local ml = {}

---A classifier of what other classifiers say of rows that they were not fitted to.
---@param params? manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function ml.StackingClassifier(params) end
