---@meta _
-- luacheck: ignore
-- ml.MinMaxScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MinMaxScaler.Params
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }; default nil; finite numbers or nil
---@field clip? boolean # keep values that lie outside of what fit saw within the range; default false; true or false

---Each column to a given range, 0 to 1 by default.
---
---z = low + (x - data_min) / (data_max - data_min) * (high - low)
---
---Missing values are passed over by fit and stay missing. A constant column goes to the lower end. A column
---without any value has NaN for its ends. Weights only say which rows count: rows of weight 0 do not.
---@class manilius.MinMaxScaler: manilius.Model
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }
---@field clip boolean # keep values that lie outside of what fit saw within the range
---@field data_min manilius.Vector # learned: least value of each column, features
---@field data_max manilius.Vector # learned: largest value of each column, features
---@field data_range manilius.Vector # learned: data_max - data_min, features
---@field scale manilius.Vector # learned: by how much a column grows, features
local MinMaxScaler = {}

---The same settings, not fitted.
---@return manilius.MinMaxScaler
function MinMaxScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MinMaxScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MinMaxScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MinMaxScaler
function MinMaxScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function MinMaxScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:transform(X) end

---@class manilius
local ml = {}

---Each column to a given range, 0 to 1 by default.
---@param params? manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function ml.MinMaxScaler(params) end
