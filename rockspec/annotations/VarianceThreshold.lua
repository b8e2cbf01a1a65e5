---@meta _
-- luacheck: ignore
-- ml.VarianceThreshold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VarianceThreshold.Params
---@field threshold? number # columns of at most this variance are left out; default 0; a number >= 0

---Leaves out columns that hardly vary.
---
---keep j where var(x_j) > threshold
---
---The variance divides by the sum of the weights; missing values are passed over. inverse_transform puts 0 for
---what was left out.
---@class manilius.VarianceThreshold: manilius.Model
---@field threshold number # columns of at most this variance are left out
---@field variances manilius.Vector # learned: variance of each column, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
local VarianceThreshold = {}

---The same settings, not fitted.
---@return manilius.VarianceThreshold
function VarianceThreshold:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VarianceThreshold
function VarianceThreshold:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VarianceThreshold:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function VarianceThreshold:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VarianceThreshold
function VarianceThreshold:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function VarianceThreshold:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:transform(X) end

---@class manilius
local ml = {}

---Leaves out columns that hardly vary.
---@param params? manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function ml.VarianceThreshold(params) end
