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

---Has it this method?
---@param name string
---@return boolean
function Model:can(name) end

---The model as bytes, for ml.load.
---@return string
function Model:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Model:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Model:export_lua() end

---Boosted trees, a forest or a decision tree as JSON that XGBoost loads: a string, or the model when it is
---written to a path.
---@return any
function Model:export_xgboost() end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Model:fit_async() end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Model:get_params() end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names; of one that ranks rows
---ndcg, by the options k, lengths and weights (of queries or rows).
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Model:score(X, y, options) end

---What every classifier has.
---@class manilius.Classifier: manilius.Model
---@field classes manilius.Label[] # learned: the labels, ascending
local Classifier = {}

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function Classifier:fit_predict(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function Classifier:predict(X) end

---What every regressor has.
---@class manilius.Regressor: manilius.Model
local Regressor = {}

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function Regressor:fit_predict(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Regressor:predict(X) end
