---@meta _
-- luacheck: ignore
-- ml.VotingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VotingClassifier.Params
---@field voting? "hard"|"soft" # "hard": majority vote, ties are broken by the lowest index; "soft": mean probabilities; default "hard"
---@field weights? manilius.Numbers # list of one number >= 0 per member; nil: all 1; default nil
---@field [integer] any

---Majority vote or mean probabilities of several classifiers.
---
---Members are named by their class in lower case or by { name, estimator }; "drop" removes one. model.svc and
---model[2] are members; svc__C is a parameter of one. Built-in members are fitted in parallel. Options of fit:
---on_iter, and weights if all members support them (user-defined ones declare takes = { "weights" }). transform
---returns the probabilities (soft) or class indices (hard) of the members.
---@class manilius.VotingClassifier: manilius.Model
---@field voting? "hard"|"soft" # "hard": majority vote, ties are broken by the lowest index; "soft": mean probabilities
---@field weights? manilius.Numbers # list of one number >= 0 per member; nil: all 1
---@field classes any # learned: class labels in ascending order
---@field estimators any # learned: list of fitted members, without dropped ones
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field named_estimators any # learned: fitted members by name
---@field [any] any
local VotingClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.VotingClassifier
function VotingClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingClassifier
function VotingClassifier:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingClassifier:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function VotingClassifier:output_names() end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingClassifier:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function VotingClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.VotingClassifier
function VotingClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function VotingClassifier:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingClassifier:transform(X) end

---@class manilius
local ml = {}

---Majority vote or mean probabilities of several classifiers.
---@param params? manilius.VotingClassifier.Params
---@return manilius.VotingClassifier
function ml.VotingClassifier(params) end
