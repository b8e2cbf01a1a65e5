---@meta _
-- luacheck: ignore
-- ml.OneHotEncoder: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OneHotEncoder.Params
---@field drop? "none"|"first"|"if_binary" # drop the first category of each column, or of columns with two categories, so that the columns are not collinear; default "none"; one of none, first, if_binary
---@field handle_unknown? "error"|"ignore"|"infrequent_if_exist" # categories not seen in fit: raise an error, encode as zeros, or as the infrequent group; default "error"; one of error, ignore, infrequent_if_exist
---@field min_frequency? number # merge categories rarer than this: a number of rows if at least 1, a share of the rows below 1; nil means none; default nil; a number > 0 or nil
---@field max_categories? integer # maximum number of output columns per column; the rarest categories are merged; nil means unlimited; default nil; a whole number from 1 to 2147483647 or nil
---@field sparse_output? boolean # return a Sparse instead of a Matrix; default false; true or false

---Encodes categories as indicator columns of 0 and 1.
---
---z_jk = 1 if x_j is category k else 0
---
---The categories of a factor column are its levels, even without rows; those of a numeric column are its distinct
---values. Missing values seen in fit form a category. The result is dense unless sparse_output is set (sparse in
---scikit-learn). No group is formed if max_categories holds anyway (scikit-learn then calls the rarest category
---infrequent). inverse_transform returns missing values for infrequent and unknown categories.
---@class manilius.OneHotEncoder: manilius.Model
---@field drop "none"|"first"|"if_binary" # drop the first category of each column, or of columns with two categories, so that the columns are not collinear
---@field handle_unknown "error"|"ignore"|"infrequent_if_exist" # categories not seen in fit: raise an error, encode as zeros, or as the infrequent group
---@field min_frequency? number # merge categories rarer than this: a number of rows if at least 1, a share of the rows below 1; nil means none
---@field max_categories? integer # maximum number of output columns per column; the rarest categories are merged; nil means unlimited
---@field sparse_output boolean # return a Sparse instead of a Matrix
---@field categories manilius.Label[][] # learned: categories of each column, features
local OneHotEncoder = {}

---An unfitted copy with the same parameters.
---@return manilius.OneHotEncoder
function OneHotEncoder:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneHotEncoder
function OneHotEncoder:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneHotEncoder:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function OneHotEncoder:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.OneHotEncoder
function OneHotEncoder:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function OneHotEncoder:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:transform(X) end

---@class manilius
local ml = {}

---Encodes categories as indicator columns of 0 and 1.
---@param params? manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function ml.OneHotEncoder(params) end
