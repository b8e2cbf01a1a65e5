---@meta _
-- luacheck: ignore
-- ml.Pipeline: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Pipeline.Params
---@field [any] any

---Steps one after the other: each transforms X for the next, the last one predicts.
---
---Steps are called by their class in lower case, numbered where it comes twice, unless { name, step } names them;
---"passthrough" does nothing. pipe.pca and pipe[2] are steps; pca__n_components is a setting within one, in
---set_params and in searches; pca__weights = w among the options of fit goes to that step. Fitting works on
---copies: a failed fit leaves the pipeline as it was.
---@class manilius.Pipeline: manilius.Model
---@field classes any # learned: labels, those of the last step
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field [any] any
local Pipeline = {}

---The same settings, not fitted.
---@return manilius.Pipeline
function Pipeline:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Pipeline:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Pipeline
function Pipeline:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Pipeline:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function Pipeline:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function Pipeline:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function Pipeline:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Pipeline
function Pipeline:save(path) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function Pipeline:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Pipeline.Params
---@return manilius.Pipeline
function Pipeline:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Pipeline:transform(X) end

---@class manilius
local ml = {}

---Steps one after the other: each transforms X for the next, the last one predicts.
---@param params? manilius.Pipeline.Params
---@return manilius.Pipeline
function ml.Pipeline(params) end
