---@meta _
-- luacheck: ignore
-- ml.BoostedClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BoostedClassifier.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves; default nil
---@field init? any # what is fitted first; with predict_proba where it is a classifier; default nil
---@field [integer] any

---Gradient boosting that begins with the probabilities of another classifier.
---
---fit fits clones, to be found as model.init and model.boosting; fields of the boosting are those of this model
---too. Rows that the boosting holds out are known to init, which scikit-learn fits without them. With warm_start
---init stays as it is. Rows that another model has judged already can be given to a boosting estimator of the
---core itself: fit(X, y, { init_score = ... }), which then learns and predicts what is to be added.
---@class manilius.BoostedClassifier: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves
---@field init? any # what is fitted first; with predict_proba where it is a classifier
---@field classes any # learned: labels, ascending
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local BoostedClassifier = {}

---The same settings, not fitted.
---@return manilius.BoostedClassifier
function BoostedClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function BoostedClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedClassifier
function BoostedClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedClassifier:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function BoostedClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BoostedClassifier
function BoostedClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function BoostedClassifier:set_params(values) end

---The prediction after each round, of a classifier the decision function: Matrix (rows x rounds; of several
---classes rows x rounds classes).
---@param X manilius.X
---@return any
function BoostedClassifier:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting that begins with the probabilities of another classifier.
---@param params? manilius.BoostedClassifier.Params
---@return manilius.BoostedClassifier
function ml.BoostedClassifier(params) end
