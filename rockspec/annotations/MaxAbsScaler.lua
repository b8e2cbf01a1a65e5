---@meta _
-- luacheck: ignore
-- ml.MaxAbsScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MaxAbsScaler.Params
---@field clip? boolean # clip values larger than those of fit to -1 to 1; default false; true or false

---Scales each column by its largest absolute value.
---
---z = x / max |x|
---
---fit ignores missing values; they stay missing.
---@class manilius.MaxAbsScaler: manilius.Model
---@field clip boolean # clip values larger than those of fit to -1 to 1
---@field max_abs manilius.Vector # learned: largest absolute value of each column, features
---@field scale manilius.Vector # learned: divisor of each column; 1 for a column of zeros, features
local MaxAbsScaler = {}

---An unfitted copy with the same parameters.
---@return manilius.MaxAbsScaler
function MaxAbsScaler:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MaxAbsScaler:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function MaxAbsScaler:output_names() end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MaxAbsScaler
function MaxAbsScaler:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function MaxAbsScaler:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:transform(X) end

---@class manilius
local ml = {}

---Scales each column by its largest absolute value.
---@param params? manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function ml.MaxAbsScaler(params) end
