---@meta _
-- luacheck: ignore
-- ml.PowerTransformer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PowerTransformer.Params
---@field method? "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0; default "yeo-johnson"; one of yeo-johnson, box-cox
---@field standardize? boolean # to mean 0 and standard deviation 1 afterwards; default true; true or false

---Each column made as normal as a power can make it.
---
---l maximises -n/2 log var f(x; l) + (l - 1) sum log f'(x; 2)
---
---A constant column keeps the power 1. Missing values are passed over by fit and stay missing. Exported to Lua,
---the powers agree within 4 units in the last place before they are standardized.
---@class manilius.PowerTransformer: manilius.Model
---@field method "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0
---@field standardize boolean # to mean 0 and standard deviation 1 afterwards
---@field lambdas manilius.Vector # learned: the power of each column, features
---@field mean manilius.Vector # learned: subtracted afterwards, features
---@field scale manilius.Vector # learned: divided by afterwards, features
local PowerTransformer = {}

---The same settings, not fitted.
---@return manilius.PowerTransformer
function PowerTransformer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PowerTransformer
function PowerTransformer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PowerTransformer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function PowerTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PowerTransformer
function PowerTransformer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function PowerTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:transform(X) end

---@class manilius
local ml = {}

---Each column made as normal as a power can make it.
---@param params? manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function ml.PowerTransformer(params) end
