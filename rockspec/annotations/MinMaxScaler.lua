---@meta _
-- luacheck: ignore
-- ml.MinMaxScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MinMaxScaler.Params
---@field feature_range? manilius.Numbers # target range, { low, high }; nil means { 0, 1 }; default nil; finite numbers or nil
---@field clip? boolean # clip values outside those of fit to the range; default false; true or false

---Scales each column to a given range, 0 to 1 by default.
---
---z = low + (x - data_min) / (data_max - data_min) * (high - low)
---
---fit ignores missing values; they stay missing. A constant column becomes the lower end of the range. A column
---without values has NaN bounds. Rows of weight 0 are ignored; other weights have no effect.
---@class manilius.MinMaxScaler: manilius.Model
---@field feature_range? manilius.Numbers # target range, { low, high }; nil means { 0, 1 }
---@field clip boolean # clip values outside those of fit to the range
---@field data_min manilius.Vector # learned: minimum of each column, features
---@field data_max manilius.Vector # learned: maximum of each column, features
---@field data_range manilius.Vector # learned: data_max - data_min, features
---@field scale manilius.Vector # learned: factor of each column, features
local MinMaxScaler = {}

---An unfitted copy with the same parameters.
---@return manilius.MinMaxScaler
function MinMaxScaler:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MinMaxScaler:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function MinMaxScaler:output_names() end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MinMaxScaler
function MinMaxScaler:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function MinMaxScaler:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:transform(X) end

---@class manilius
local ml = {}

---Scales each column to a given range, 0 to 1 by default.
---@param params? manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function ml.MinMaxScaler(params) end
