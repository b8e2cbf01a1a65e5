---@meta _
-- luacheck: ignore
-- ml.Normalizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.Normalizer.Params
---@field norm? "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude; default "l2"; one of l1, l2, max

---Each row to length 1.
---
---z = x / |x|
---
---Needs no fit. A row of zeros stays as it is. Rows of any magnitude are handled without overflow.
---@class manilius.Normalizer: manilius.Model
---@field norm "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude
local Normalizer = {}

---The same settings, not fitted.
---@return manilius.Normalizer
function Normalizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Normalizer
function Normalizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Normalizer:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function Normalizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Normalizer
function Normalizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Normalizer.Params
---@return manilius.Normalizer
function Normalizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Normalizer:transform(X) end

---@class manilius
local ml = {}

---Each row to length 1.
---@param params? manilius.Normalizer.Params
---@return manilius.Normalizer
function ml.Normalizer(params) end
