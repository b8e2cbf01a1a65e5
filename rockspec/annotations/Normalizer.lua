---@meta _
-- luacheck: ignore
-- ml.Normalizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Normalizer.Params
---@field norm? "l1"|"l2"|"max" # norm of a row: sum of absolute values, Euclidean length, or largest absolute value; default "l2"; one of l1, l2, max

---Scales each row to norm 1.
---
---z = x / |x|
---
---Requires no fit. A row of zeros is unchanged. Rows of any magnitude are handled without overflow.
---@class manilius.Normalizer: manilius.Model
---@field norm "l1"|"l2"|"max" # norm of a row: sum of absolute values, Euclidean length, or largest absolute value
local Normalizer = {}

---An unfitted copy with the same parameters.
---@return manilius.Normalizer
function Normalizer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Normalizer
function Normalizer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Normalizer:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function Normalizer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Normalizer
function Normalizer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Normalizer.Params
---@return manilius.Normalizer
function Normalizer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function Normalizer:transform(X) end

---@class manilius
local ml = {}

---Scales each row to norm 1.
---@param params? manilius.Normalizer.Params
---@return manilius.Normalizer
function ml.Normalizer(params) end
