---@meta _
-- luacheck: ignore
-- ml.VotingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VotingClassifier.Params
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities; default "hard"
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several classifiers, and the label that most of them give, or their mean probabilities.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member says: probabilities where voting is soft, else the place of its label in classes.
---@class manilius.VotingClassifier: manilius.Model
---@field voting? "hard"|"soft" # "hard": the label with most votes, the first class among equals; "soft": mean probabilities
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field classes any # learned: labels, ascending
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingClassifier = {}

---The same settings, not fitted.
---@return manilius.VotingClassifier
function VotingClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingClassifier
function VotingClassifier:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingClassifier:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function VotingClassifier:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingClassifier
function VotingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function VotingClassifier:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingClassifier:transform(X) end

---@class manilius
local ml = {}

---Several classifiers, and the label that most of them give, or their mean probabilities.
---@param params? manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function ml.VotingClassifier(params) end
