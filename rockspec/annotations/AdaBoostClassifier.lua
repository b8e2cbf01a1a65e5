---@meta _
-- luacheck: ignore
-- ml.AdaBoostClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaBoostClassifier.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1.0
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).
---
---The base is fitted with weights where it takes them (one of your own says so by takes = { "weights" }), else to
---rows drawn in proportion to the weights. Boosting ends early where a model is perfect, or no better than
---chance. on_iter has the error of the model as objective, and may return "stop". The base is
---DecisionTreeClassifier { max_depth = 1 } unless given.
---@class manilius.AdaBoostClassifier: manilius.Model
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field classes any # learned: labels, ascending
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostClassifier = {}

---The same settings, not fitted.
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function AdaBoostClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaBoostClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function AdaBoostClassifier:set_params(values) end

---List: the decision function after each model.
---@param X manilius.X
---@return any
function AdaBoostClassifier:staged_decision_function(X) end

---List: the predictions after each model.
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

---Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).
---@param params? manilius.AdaBoostClassifier.Params
---@return manilius.AdaBoostClassifier
function ml.AdaBoostClassifier(params) end
