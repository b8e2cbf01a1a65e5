---@meta _
-- luacheck: ignore
-- ml.RobustScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RobustScaler.Params
---@field with_centering? boolean # subtract the median; default true; true or false
---@field with_scaling? boolean # divide by the quantile range; default true; true or false
---@field quantile_range? manilius.Numbers # quantile range in percent, { low, high }; nil means { 25, 75 }; default nil; numbers from 0 to 100 or nil
---@field unit_variance? boolean # divide by the quantile range of the normal distribution too, so that normal data get variance 1; default false; true or false

---Scales each column to median 0 and interquartile range 1.
---
---z = (x - median) / (Q75 - Q25)
---
---Quantiles are interpolated between order statistics, as in NumPy and R by default. Weights are frequencies; if
---some are below 1, in units of the smallest. fit ignores missing values; they stay missing.
---@class manilius.RobustScaler: manilius.Model
---@field with_centering boolean # subtract the median
---@field with_scaling boolean # divide by the quantile range
---@field quantile_range? manilius.Numbers # quantile range in percent, { low, high }; nil means { 25, 75 }
---@field unit_variance boolean # divide by the quantile range of the normal distribution too, so that normal data get variance 1
---@field center manilius.Vector # learned: median of each column; NaN for a column without values, features
---@field scale manilius.Vector # learned: divisor of each column; 1 if the quantiles are equal, features
local RobustScaler = {}

---An unfitted copy with the same parameters.
---@return manilius.RobustScaler
function RobustScaler:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustScaler
function RobustScaler:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RobustScaler:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function RobustScaler:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.RobustScaler
function RobustScaler:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.RobustScaler.Params
---@return manilius.RobustScaler
function RobustScaler:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:transform(X) end

---@class manilius
local ml = {}

---Scales each column to median 0 and interquartile range 1.
---@param params? manilius.RobustScaler.Params
---@return manilius.RobustScaler
function ml.RobustScaler(params) end
