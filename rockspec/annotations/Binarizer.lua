---@meta _
-- luacheck: ignore
-- ml.Binarizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Binarizer.Params
---@field threshold? number # values above it become 1, all others 0; default 0; a finite number

---Indicator of values above a threshold.
---
---z = 1 if x > threshold else 0
---
---Requires no fit. A value equal to the threshold becomes 0.
---@class manilius.Binarizer: manilius.Model
---@field threshold number # values above it become 1, all others 0
local Binarizer = {}

---An unfitted copy with the same parameters.
---@return manilius.Binarizer
function Binarizer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Binarizer
function Binarizer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Binarizer:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function Binarizer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.Binarizer
function Binarizer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.Binarizer.Params
---@return manilius.Binarizer
function Binarizer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function Binarizer:transform(X) end

---@class manilius
local ml = {}

---Indicator of values above a threshold.
---@param params? manilius.Binarizer.Params
---@return manilius.Binarizer
function ml.Binarizer(params) end
