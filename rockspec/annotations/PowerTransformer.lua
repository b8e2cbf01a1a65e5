---@meta _
-- luacheck: ignore
-- ml.PowerTransformer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PowerTransformer.Params
---@field method? "yeo-johnson"|"box-cox" # yeo-johnson: for any numbers; box-cox: for positive numbers; default "yeo-johnson"; one of yeo-johnson, box-cox
---@field standardize? boolean # scale the result to mean 0 and standard deviation 1; default true; true or false

---Transforms each column by a power toward a normal distribution.
---
---l maximizes -n/2 log var f(x; l) + (l - 1) sum log f'(x; 2)
---
---A constant column gets the power 1. fit ignores missing values; they stay missing. Exported to Lua, the powers
---agree within 4 units in the last place before they are standardized.
---@class manilius.PowerTransformer: manilius.Model
---@field method "yeo-johnson"|"box-cox" # yeo-johnson: for any numbers; box-cox: for positive numbers
---@field standardize boolean # scale the result to mean 0 and standard deviation 1
---@field lambdas manilius.Vector # learned: power of each column, features
---@field mean manilius.Vector # learned: mean of each transformed column, features
---@field scale manilius.Vector # learned: standard deviation of each transformed column, features
local PowerTransformer = {}

---An unfitted copy with the same parameters.
---@return manilius.PowerTransformer
function PowerTransformer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PowerTransformer
function PowerTransformer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PowerTransformer:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function PowerTransformer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.PowerTransformer
function PowerTransformer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function PowerTransformer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:transform(X) end

---@class manilius
local ml = {}

---Transforms each column by a power toward a normal distribution.
---@param params? manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function ml.PowerTransformer(params) end
