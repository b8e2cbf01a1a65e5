---@meta _
-- luacheck: ignore
-- ml.ColumnTransformer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ColumnTransformer.Params
---@field prefix? boolean # prefix output column names with the name of their part and "__"; default true
---@field sparse_threshold? number # return a Sparse if some part does and the fraction of nonzero values is below this; default 0.3
---@field [integer] any

---Apply a transformer to each group of columns and concatenate the results.
---
---columns are names, indices, "numeric", "factor", or a function of X that returns one of these. A part may be
---"passthrough" or "drop". remainder (default "drop") is the transformer for columns that no part selects.
---@class manilius.ColumnTransformer: manilius.Model
---@field prefix? boolean # prefix output column names with the name of their part and "__"
---@field sparse_threshold? number # return a Sparse if some part does and the fraction of nonzero values is below this
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local ColumnTransformer = {}

---An unfitted copy with the same parameters.
---@return manilius.ColumnTransformer
function ColumnTransformer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ColumnTransformer
function ColumnTransformer:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function ColumnTransformer:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function ColumnTransformer:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function ColumnTransformer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.ColumnTransformer
function ColumnTransformer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.ColumnTransformer.Params
---@return manilius.ColumnTransformer
function ColumnTransformer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function ColumnTransformer:transform(X) end

---@class manilius
local ml = {}

---Apply a transformer to each group of columns and concatenate the results.
---@param params? manilius.ColumnTransformer.Params
---@return manilius.ColumnTransformer
function ml.ColumnTransformer(params) end
