---@meta _
-- luacheck: ignore
-- ml.Binarizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Binarizer.Params
---@field threshold? number # values above it become 1, the others 0; default 0; a finite number

---1 where a value is above a threshold, 0 elsewhere.
---
---z = 1 if x > threshold else 0
---
---Needs no fit. A value equal to the threshold becomes 0.
---@class manilius.Binarizer: manilius.Model
---@field threshold number # values above it become 1, the others 0
local Binarizer = {}

---The same settings, not fitted.
---@return manilius.Binarizer
function Binarizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Binarizer
function Binarizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Binarizer:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function Binarizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Binarizer
function Binarizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Binarizer.Params
---@return manilius.Binarizer
function Binarizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Binarizer:transform(X) end

---@class manilius
local ml = {}

---1 where a value is above a threshold, 0 elsewhere.
---@param params? manilius.Binarizer.Params
---@return manilius.Binarizer
function ml.Binarizer(params) end
