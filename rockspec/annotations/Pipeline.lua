---@meta _
-- luacheck: ignore
-- ml.Pipeline: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Pipeline.Params
---@field [any] any

---Chain of transformers with a final estimator.
---
---Steps are named by their class in lower case, numbered if it occurs twice, or by { name, step }; "passthrough"
---does nothing. pipe.pca and pipe[2] are steps. pca__n_components is a parameter of a step, in set_params and in
---searches; the fit option pca__weights = w is passed to that step. An error during fit leaves the pipeline
---unchanged.
---@class manilius.Pipeline: manilius.Model
---@field classes any # learned: class labels of the last step
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field n_targets any # learned: number of columns of y
---@field [any] any
local Pipeline = {}

---An unfitted copy with the same parameters.
---@return manilius.Pipeline
function Pipeline:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Pipeline:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Pipeline
function Pipeline:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Pipeline:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function Pipeline:output_names() end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Pipeline
function Pipeline:save(path) end

---Vector with one score per row, such as a log density; low for outliers.
---@param X manilius.X
---@return manilius.Vector
function Pipeline:score_samples(X) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Pipeline.Params
---@return manilius.Pipeline
function Pipeline:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:transform(X) end

---@class manilius
local ml = {}

---Chain of transformers with a final estimator.
---@param params? manilius.Pipeline.Params
---@return manilius.Pipeline
function ml.Pipeline(params) end
