---@meta _
-- luacheck: ignore
-- ml.OrdinalEncoder: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OrdinalEncoder.Params
---@field handle_unknown? "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value; default "error"; one of error, use_encoded_value
---@field unknown_value? number # the code of unknown categories; nil: missing; default nil; a finite number or nil
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing; default nil; a finite number or nil
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most codes of a column; the rarest categories share the last; default nil; a whole number from 1 to 2147483647 or nil

---Categories as the numbers 1, 2, ...
---
---z = k where x is category k
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values in ascending order. Codes count from 1, so that encoder.categories[j][code] is the category
---(scikit-learn counts from 0). Missing values are never infrequent.
---@class manilius.OrdinalEncoder: manilius.Model
---@field handle_unknown "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value
---@field unknown_value? number # the code of unknown categories; nil: missing
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most codes of a column; the rarest categories share the last
---@field categories manilius.Label[][] # learned: categories of each column, features
local OrdinalEncoder = {}

---The same settings, not fitted.
---@return manilius.OrdinalEncoder
function OrdinalEncoder:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OrdinalEncoder
function OrdinalEncoder:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OrdinalEncoder:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OrdinalEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OrdinalEncoder
function OrdinalEncoder:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function OrdinalEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:transform(X) end

---@class manilius
local ml = {}

---Categories as the numbers 1, 2, ...
---@param params? manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function ml.OrdinalEncoder(params) end
