---@meta _
-- luacheck: ignore
-- ml.StackingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StackingClassifier.Params
---@field cv? integer|table # number of folds (stratified for classifiers, grouped by the fit option groups), a splitter such as KFold { k = 10 }, or a list of splits; each row must be tested once; default 5
---@field passthrough? boolean # also pass the columns of X to the final model; default false
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # method of the members: "predict_proba", "decision_function" or "predict" (0-based class indices); "auto": the first of these that the member has; default "auto"
---@field [integer] any

---Stacking: a classifier fitted to out-of-fold predictions of classifiers.
---
---Members are named by their class in lower case or by { name, estimator }; "drop" removes one. model.svc and
---model[2] are members; svc__C is a parameter of one. Built-in members are fitted in parallel. Options of fit:
---on_iter, and weights if all members support them (user-defined ones declare takes = { "weights" }). The default
---final_estimator is LogisticRegression {}. transform returns its inputs.
---@class manilius.StackingClassifier: manilius.Model
---@field cv? integer|table # number of folds (stratified for classifiers, grouped by the fit option groups), a splitter such as KFold { k = 10 }, or a list of splits; each row must be tested once
---@field passthrough? boolean # also pass the columns of X to the final model
---@field stack_method? "predict_proba"|"decision_function"|"predict"|"auto"|any # method of the members: "predict_proba", "decision_function" or "predict" (0-based class indices); "auto": the first of these that the member has
---@field classes any # learned: class labels in ascending order
---@field estimators any # learned: list of fitted members, without dropped ones
---@field feature_names any # learned: column names of X, if X is a Frame
---@field final_estimator any # learned: the fitted final model
---@field n_features any # learned: number of columns of X
---@field named_estimators any # learned: fitted members by name
---@field stack_methods any # learned: list: the prediction method of each member that the final model uses
---@field [any] any
local StackingClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.StackingClassifier
function StackingClassifier:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function StackingClassifier:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StackingClassifier
function StackingClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StackingClassifier:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function StackingClassifier:output_names() end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function StackingClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function StackingClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.StackingClassifier
function StackingClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function StackingClassifier:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function StackingClassifier:transform(X) end

---@class manilius
local ml = {}

---Stacking: a classifier fitted to out-of-fold predictions of classifiers.
---@param params? manilius.StackingClassifier.Params
---@return manilius.StackingClassifier
function ml.StackingClassifier(params) end
