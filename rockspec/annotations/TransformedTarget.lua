---@meta _
-- luacheck: ignore
-- ml.TransformedTarget: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TransformedTarget.Params
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector; default nil
---@field inverse? any # the inverse function, required if func is a function; default nil
---@field regressor? any # the regressor of the transformed y; default nil
---@field transformer? any # alternative to func: a transformer with inverse_transform, such as PowerTransformer; default nil
---@field [integer] any

---Fit a regressor to a transformed y and transform its predictions back.
---@class manilius.TransformedTarget: manilius.Model
---@field func? "log"|"log1p"|"sqrt"|any # "log", "log1p", "sqrt", or a function from a Vector to a Vector
---@field inverse? any # the inverse function, required if func is a function
---@field regressor? any # the regressor of the transformed y
---@field transformer? any # alternative to func: a transformer with inverse_transform, such as PowerTransformer
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local TransformedTarget = {}

---An unfitted copy with the same parameters.
---@return manilius.TransformedTarget
function TransformedTarget:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TransformedTarget
function TransformedTarget:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function TransformedTarget:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function TransformedTarget:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.TransformedTarget
function TransformedTarget:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function TransformedTarget:set_params(values) end

---@class manilius
local ml = {}

---Fit a regressor to a transformed y and transform its predictions back.
---@param params? manilius.TransformedTarget.Params
---@return manilius.TransformedTarget
function ml.TransformedTarget(params) end
