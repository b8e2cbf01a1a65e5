---@meta _
-- luacheck: ignore
-- ml.StandardScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StandardScaler.Params
---@field with_mean? boolean # subtract the mean; default true; true or false
---@field with_std? boolean # divide by the standard deviation; default true; true or false

---Scales each column to mean 0 and standard deviation 1.
---
---z = (x - mean) / scale
---
---The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. fit ignores
---missing values; they stay missing. A constant column becomes 0. Columns of any magnitude are scaled without
---overflow, even if their variance overflows.
---@class manilius.StandardScaler: manilius.Model
---@field with_mean boolean # subtract the mean
---@field with_std boolean # divide by the standard deviation
---@field mean manilius.Vector # learned: mean of each column, features
---@field var manilius.Vector # learned: variance of each column (divided by the sum of weights), features
---@field scale manilius.Vector # learned: divisor of each column; 1 for a constant column, features
---@field count manilius.Vector # learned: sum of the sample weights of the values of each column, features
local StandardScaler = {}

---An unfitted copy with the same parameters.
---@return manilius.StandardScaler
function StandardScaler:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StandardScaler:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function StandardScaler:output_names() end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.StandardScaler
function StandardScaler:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.StandardScaler.Params
---@return manilius.StandardScaler
function StandardScaler:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:transform(X) end

---@class manilius
local ml = {}

---Scales each column to mean 0 and standard deviation 1.
---@param params? manilius.StandardScaler.Params
---@return manilius.StandardScaler
function ml.StandardScaler(params) end
