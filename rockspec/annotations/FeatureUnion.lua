---@meta _
-- luacheck: ignore
-- ml.FeatureUnion: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FeatureUnion.Params
---@field prefix? boolean # prefix output column names with the name of their part and "__"; default true
---@field sparse_threshold? number # return a Sparse if some part does and the fraction of nonzero values is below this; default 0.3
---@field [integer] any

---Apply several transformers to the same X and concatenate the results.
---@class manilius.FeatureUnion: manilius.Model
---@field prefix? boolean # prefix output column names with the name of their part and "__"
---@field sparse_threshold? number # return a Sparse if some part does and the fraction of nonzero values is below this
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local FeatureUnion = {}

---An unfitted copy with the same parameters.
---@return manilius.FeatureUnion
function FeatureUnion:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FeatureUnion
function FeatureUnion:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FeatureUnion:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FeatureUnion:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function FeatureUnion:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.FeatureUnion
function FeatureUnion:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function FeatureUnion:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function FeatureUnion:transform(X) end

---@class manilius
local ml = {}

---Apply several transformers to the same X and concatenate the results.
---@param params? manilius.FeatureUnion.Params
---@return manilius.FeatureUnion
function ml.FeatureUnion(params) end
