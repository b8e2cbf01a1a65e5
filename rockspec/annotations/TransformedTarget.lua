---@meta _
-- luacheck: ignore
-- ml.TransformedTarget: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TransformedTarget.Params
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector; default nil
---@field inverse? any # the way back, where func is a function; default nil
---@field regressor? any # what predicts the transformed y; default nil
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer; default nil
---@field [integer] any

---A regressor that is fitted to a transformed y; its predictions are transformed back.
---@class manilius.TransformedTarget: manilius.Model
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector
---@field inverse? any # the way back, where func is a function
---@field regressor? any # what predicts the transformed y
---@field transformer? any # in place of func: a transformer with inverse_transform, such as PowerTransformer
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local TransformedTarget = {}

---The same settings, not fitted.
---@return manilius.TransformedTarget
function TransformedTarget:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TransformedTarget
function TransformedTarget:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function TransformedTarget:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TransformedTarget
function TransformedTarget:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function TransformedTarget:set_params(values) end

---@class manilius
local ml = {}

---A regressor that is fitted to a transformed y; its predictions are transformed back.
---@param params? manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function ml.TransformedTarget(params) end
