---@meta _
-- luacheck: ignore
-- What estimators have in common.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---What every estimator has.
---@class manilius.Model
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local Model = {}

---Does the model support this method?
---@param name string
---@return boolean
function Model:can(name) end

---Serialize the model to a string for ml.load.
---@return string
function Model:dump() end

---Export the fitted model as a self-contained C99 file.
---@return any
function Model:export_c() end

---Export the fitted model as a self-contained Lua file (Lua 5.1 to 5.5, LuaJIT).
---@return any
function Model:export_lua() end

---Export trees as a JSON model file for XGBoost 2.1 or later.
---@return any
function Model:export_xgboost() end

---Fit in the background and return a job.
---@return any
function Model:fit_async() end

---Parameters by name; nested ones as step__name.
---@return table<string, any>
function Model:get_params() end

---Score of the predictions for X: accuracy, r2, or the metric given as scoring.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Model:score(X, y, options) end

---What every classifier has.
---@class manilius.Classifier: manilius.Model
---@field classes manilius.Label[] # learned: the labels, ascending
local Classifier = {}

---Fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function Classifier:fit_predict(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor
function Classifier:predict(X) end

---What every regressor has.
---@class manilius.Regressor: manilius.Model
local Regressor = {}

---Fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function Regressor:fit_predict(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Regressor:predict(X) end
