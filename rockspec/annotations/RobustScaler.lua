---@meta _
-- luacheck: ignore
-- ml.RobustScaler: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RobustScaler.Params
---@field with_centering? boolean # subtract the median; default true; true or false
---@field with_scaling? boolean # divide by the range between the quantiles; default true; true or false
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }; default nil; numbers from 0 to 100 or nil
---@field unit_variance? boolean # make the scale that of the standard deviation of normal data; default false; true or false

---Each column to median 0 and interquartile range 1.
---
---z = (x - median) / (Q75 - Q25)
---
---Quantiles are interpolated between order statistics, as in NumPy and R's default. Weights are frequencies:
---weight 2 is the row twice; where some are below 1, the least is one row. Missing values are passed over by fit
---and stay missing.
---@class manilius.RobustScaler: manilius.Model
---@field with_centering boolean # subtract the median
---@field with_scaling boolean # divide by the range between the quantiles
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }
---@field unit_variance boolean # make the scale that of the standard deviation of normal data
---@field center manilius.Vector # learned: median of each column; NaN for one without values, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 where the quantiles are equal, features
local RobustScaler = {}

---The same settings, not fitted.
---@return manilius.RobustScaler
function RobustScaler:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustScaler
function RobustScaler:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RobustScaler:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function RobustScaler:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustScaler
function RobustScaler:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustScaler.Params
---@return manilius.RobustScaler
function RobustScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:transform(X) end

---@class manilius
local ml = {}

---Each column to median 0 and interquartile range 1.
---@param params? manilius.RobustScaler.Params
---@return manilius.RobustScaler
function ml.RobustScaler(params) end
