---@meta _
-- luacheck: ignore
-- ml.SimpleImputer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SimpleImputer.Params
---@field strategy? "mean"|"median"|"most_frequent"|"constant" # value to insert; factor columns use their most frequent level unless it is constant; default "mean"; one of mean, median, most_frequent, constant
---@field fill_value? number # constant for numeric columns; default 0; a finite number
---@field fill_level? string # constant level for factor columns; nil means missing_value; default nil; a string or nil
---@field missing_values? number # number that represents a missing value in numeric columns, in addition to NaN; nil means none; default nil; a finite number or nil
---@field add_indicator? boolean # add an indicator column for each column with missing values in fit; default false; true or false
---@field keep_empty_features? boolean # fill a column without values in fit with the constant instead of raising an error; default false; true or false

---Replaces missing values by a statistic of their column or a constant.
---
---z = x if x is not missing, else the statistic of its column
---
---A factor column stays a factor, so that an encoder may follow; a level not seen in fit becomes missing. Weights
---are frequencies. Ties of most_frequent are broken by the smallest value. A column without values is an error
---(scikit-learn drops it), or gets the constant with keep_empty_features.
---@class manilius.SimpleImputer: manilius.Model
---@field strategy "mean"|"median"|"most_frequent"|"constant" # value to insert; factor columns use their most frequent level unless it is constant
---@field fill_value number # constant for numeric columns
---@field fill_level? string # constant level for factor columns; nil means missing_value
---@field missing_values? number # number that represents a missing value in numeric columns, in addition to NaN; nil means none
---@field add_indicator boolean # add an indicator column for each column with missing values in fit
---@field keep_empty_features boolean # fill a column without values in fit with the constant instead of raising an error
---@field statistics manilius.Vector # learned: value inserted in each column; NaN for a factor column, features
---@field fill_code manilius.Vector # learned: index of the level inserted; -1 for numbers, features
---@field indicator_features manilius.Vector # learned: columns with an indicator, indicators < features
local SimpleImputer = {}

---An unfitted copy with the same parameters.
---@return manilius.SimpleImputer
function SimpleImputer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SimpleImputer
function SimpleImputer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SimpleImputer:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function SimpleImputer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.SimpleImputer
function SimpleImputer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function SimpleImputer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:transform(X) end

---@class manilius
local ml = {}

---Replaces missing values by a statistic of their column or a constant.
---@param params? manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function ml.SimpleImputer(params) end
