---@meta _
-- luacheck: ignore
-- ml.FeatureUnion: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FeatureUnion.Params
---@field prefix? boolean # put the name of its part and "__" before the name of each column; default true
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this; default 0.3
---@field [integer] any

---Several transformers of the same X; their results stand side by side.
---@class manilius.FeatureUnion: manilius.Model
---@field prefix? boolean # put the name of its part and "__" before the name of each column
---@field sparse_threshold? number # the result is Sparse when a part is and the share of values that are not 0 is below this
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local FeatureUnion = {}

---The same settings, not fitted.
---@return manilius.FeatureUnion
function FeatureUnion:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FeatureUnion
function FeatureUnion:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FeatureUnion:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FeatureUnion:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function FeatureUnion:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FeatureUnion
function FeatureUnion:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function FeatureUnion:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function FeatureUnion:transform(X) end

---@class manilius
local ml = {}

---Several transformers of the same X; their results stand side by side.
---@param params? manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function ml.FeatureUnion(params) end
