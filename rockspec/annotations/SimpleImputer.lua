---@meta _
-- luacheck: ignore
-- ml.SimpleImputer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SimpleImputer.Params
---@field strategy? "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant; default "mean"; one of mean, median, most_frequent, constant
---@field fill_value? number # the constant of numeric columns; default 0; a finite number
---@field fill_level? string # the constant level of factor columns; nil: missing_value; default nil; a string or nil
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN; default nil; a finite number or nil
---@field add_indicator? boolean # add a column of 0 and 1 for each that had missing values in fit; default false; true or false
---@field keep_empty_features? boolean # fill a column that has no values in fit with the constant, instead of refusing it; default false; true or false

---Missing values replaced by the mean, median, most frequent or a constant value of their column.
---
---z = x if x is there, else the statistic of its column
---
---A factor column stays a factor, so that an encoder may follow; a level that fit did not see becomes missing in
---it. Weights are frequencies. Among equally frequent values the smallest is taken. scikit-learn drops a column
---without values; here that is an error, or the constant with keep_empty_features.
---@class manilius.SimpleImputer: manilius.Model
---@field strategy "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant
---@field fill_value number # the constant of numeric columns
---@field fill_level? string # the constant level of factor columns; nil: missing_value
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN
---@field add_indicator boolean # add a column of 0 and 1 for each that had missing values in fit
---@field keep_empty_features boolean # fill a column that has no values in fit with the constant, instead of refusing it
---@field statistics manilius.Vector # learned: what is put in; NaN for a factor column, features
---@field fill_code manilius.Vector # learned: position of the level that is put in; -1 for numbers, features
---@field indicator_features manilius.Vector # learned: columns that have an indicator, indicators < features
local SimpleImputer = {}

---The same settings, not fitted.
---@return manilius.SimpleImputer
function SimpleImputer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SimpleImputer
function SimpleImputer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SimpleImputer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function SimpleImputer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SimpleImputer
function SimpleImputer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function SimpleImputer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:transform(X) end

---@class manilius
local ml = {}

---Missing values replaced by the mean, median, most frequent or a constant value of their column.
---@param params? manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function ml.SimpleImputer(params) end
