---@meta _
-- luacheck: ignore
-- ml.MaxAbsScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MaxAbsScaler.Params
---@field clip? boolean # keep values that are larger than what fit saw within -1 to 1; default false; true or false

---Each column divided by its largest magnitude.
---
---z = x / max |x|
---
---Missing values are passed over by fit and stay missing.
---@class manilius.MaxAbsScaler: manilius.Model
---@field clip boolean # keep values that are larger than what fit saw within -1 to 1
---@field max_abs manilius.Vector # learned: largest magnitude of each column, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a column of zeros, features
local MaxAbsScaler = {}

---The same settings, not fitted.
---@return manilius.MaxAbsScaler
function MaxAbsScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MaxAbsScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MaxAbsScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MaxAbsScaler
function MaxAbsScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function MaxAbsScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:transform(X) end

---@class manilius
local ml = {}

---Each column divided by its largest magnitude.
---@param params? manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function ml.MaxAbsScaler(params) end
