---@meta _
-- luacheck: ignore
-- ml.StandardScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StandardScaler.Params
---@field with_mean? boolean # subtract the mean; default true; true or false
---@field with_std? boolean # divide by the standard deviation; default true; true or false

---Each column to mean 0 and standard deviation 1.
---
---z = (x - mean) / scale
---
---The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. Missing
---values are passed over by fit and stay missing. A column whose values are all equal becomes 0. Columns of any
---magnitude are scaled without overflow, even where their variance has none as a double.
---@class manilius.StandardScaler: manilius.Model
---@field with_mean boolean # subtract the mean
---@field with_std boolean # divide by the standard deviation
---@field mean manilius.Vector # learned: mean of each column, features
---@field var manilius.Vector # learned: variance of each column (divided by the sum of weights), features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a constant one, features
---@field count manilius.Vector # learned: weight of the values that were there, features
local StandardScaler = {}

---The same settings, not fitted.
---@return manilius.StandardScaler
function StandardScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StandardScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function StandardScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StandardScaler
function StandardScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StandardScaler.Params
---@return manilius.StandardScaler
function StandardScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:transform(X) end

---@class manilius
local ml = {}

---Each column to mean 0 and standard deviation 1.
---@param params? manilius.StandardScaler.Params
---@return manilius.StandardScaler
function ml.StandardScaler(params) end
