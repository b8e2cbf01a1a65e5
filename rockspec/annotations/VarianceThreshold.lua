---@meta _
-- luacheck: ignore
-- ml.VarianceThreshold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VarianceThreshold.Params
---@field threshold? number # remove columns whose variance is at most this; default 0; a number >= 0

---Removes columns with low variance.
---
---keep j where var(x_j) > threshold
---
---The variance divides by the sum of the weights and ignores missing values. inverse_transform returns 0 for
---removed columns.
---@class manilius.VarianceThreshold: manilius.Model
---@field threshold number # remove columns whose variance is at most this
---@field variances manilius.Vector # learned: variance of each column, features
---@field support manilius.Vector # learned: indices of the selected columns, kept < features
local VarianceThreshold = {}

---An unfitted copy with the same parameters.
---@return manilius.VarianceThreshold
function VarianceThreshold:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VarianceThreshold
function VarianceThreshold:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VarianceThreshold:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function VarianceThreshold:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.VarianceThreshold
function VarianceThreshold:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function VarianceThreshold:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:transform(X) end

---@class manilius
local ml = {}

---Removes columns with low variance.
---@param params? manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function ml.VarianceThreshold(params) end
