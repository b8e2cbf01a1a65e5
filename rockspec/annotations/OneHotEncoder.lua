---@meta _
-- luacheck: ignore
-- ml.OneHotEncoder: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.OneHotEncoder.Params
---@field drop? "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1; default "none"; one of none, first, if_binary
---@field handle_unknown? "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones; default "error"; one of error, ignore, infrequent_if_exist
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most columns that one column may become; the rarest categories share one; default nil; a whole number from 1 to 2147483647 or nil
---@field sparse_output? boolean # give a Sparse instead of a Matrix; default false; true or false

---A column of 0 and 1 for each category.
---
---z_jk = 1 if x_j is category k else 0
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values. A missing value is a category of its own where fit meets one. The result is dense unless sparse_output
---is set (scikit-learn: sparse). Nothing is grouped where max_categories holds anyway (scikit-learn then calls
---the rarest category infrequent). inverse_transform gives a missing value for infrequent and unknown categories.
---@class manilius.OneHotEncoder: manilius.Model
---@field drop "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1
---@field handle_unknown "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most columns that one column may become; the rarest categories share one
---@field sparse_output boolean # give a Sparse instead of a Matrix
---@field categories manilius.Label[][] # learned: categories of each column, features
local OneHotEncoder = {}

---The same settings, not fitted.
---@return manilius.OneHotEncoder
function OneHotEncoder:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneHotEncoder
function OneHotEncoder:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneHotEncoder:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OneHotEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OneHotEncoder
function OneHotEncoder:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function OneHotEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:transform(X) end

---@class manilius
local ml = {}

---A column of 0 and 1 for each category.
---@param params? manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function ml.OneHotEncoder(params) end
