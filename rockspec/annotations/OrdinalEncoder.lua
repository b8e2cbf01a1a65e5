---@meta _
-- luacheck: ignore
-- ml.OrdinalEncoder: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OrdinalEncoder.Params
---@field handle_unknown? "error"|"use_encoded_value" # categories not seen in fit: raise an error, or encode as unknown_value; default "error"; one of error, use_encoded_value
---@field unknown_value? number # code of unknown categories; nil means missing; default nil; a finite number or nil
---@field encoded_missing_value? number # code of missing values; nil means they stay missing; default nil; a finite number or nil
---@field min_frequency? number # merge categories rarer than this into the last code: a number of rows if at least 1, a share of the rows below 1; nil means none; default nil; a number > 0 or nil
---@field max_categories? integer # maximum number of codes per column; the rarest categories share the last; nil means unlimited; default nil; a whole number from 1 to 2147483647 or nil

---Encodes categories as the integers 1, 2, ...
---
---z = k where x is category k
---
---The categories of a factor column are its levels, even without rows; those of a numeric column are its distinct
---values, ascending. Codes start at 1, so encoder.categories[j][code] is the category (scikit-learn starts at 0).
---Missing values are never infrequent.
---@class manilius.OrdinalEncoder: manilius.Model
---@field handle_unknown "error"|"use_encoded_value" # categories not seen in fit: raise an error, or encode as unknown_value
---@field unknown_value? number # code of unknown categories; nil means missing
---@field encoded_missing_value? number # code of missing values; nil means they stay missing
---@field min_frequency? number # merge categories rarer than this into the last code: a number of rows if at least 1, a share of the rows below 1; nil means none
---@field max_categories? integer # maximum number of codes per column; the rarest categories share the last; nil means unlimited
---@field categories manilius.Label[][] # learned: categories of each column, features
local OrdinalEncoder = {}

---An unfitted copy with the same parameters.
---@return manilius.OrdinalEncoder
function OrdinalEncoder:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OrdinalEncoder
function OrdinalEncoder:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OrdinalEncoder:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function OrdinalEncoder:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.OrdinalEncoder
function OrdinalEncoder:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function OrdinalEncoder:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:transform(X) end

---@class manilius
local ml = {}

---Encodes categories as the integers 1, 2, ...
---@param params? manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function ml.OrdinalEncoder(params) end
