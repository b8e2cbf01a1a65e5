---@meta _
-- luacheck: ignore
-- ml.QuantileTransformer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuantileTransformer.Params
---@field n_quantiles? integer # size of the table of quantiles; at most the number of rows; default 1000; a whole number from 2 to 1000000
---@field output_distribution? "uniform"|"normal" # distribution of the transformed columns; default "uniform"; one of uniform, normal

---Transforms each column to a uniform or normal distribution by ranks.
---
---z = F(x), or the normal quantile of F(x), F the distribution function of the column
---
---All rows are used (scikit-learn subsamples 10000). Values outside the range of fit are mapped to its ends. fit
---ignores missing values; they stay missing. Weights are frequencies; if some are below 1, in units of the
---smallest.
---@class manilius.QuantileTransformer: manilius.Model
---@field n_quantiles integer # size of the table of quantiles; at most the number of rows
---@field output_distribution "uniform"|"normal" # distribution of the transformed columns
---@field quantiles manilius.Matrix # learned: quantiles of each column, from the minimum to the maximum, features x levels
local QuantileTransformer = {}

---An unfitted copy with the same parameters.
---@return manilius.QuantileTransformer
function QuantileTransformer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileTransformer
function QuantileTransformer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function QuantileTransformer:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function QuantileTransformer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.QuantileTransformer
function QuantileTransformer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function QuantileTransformer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:transform(X) end

---@class manilius
local ml = {}

---Transforms each column to a uniform or normal distribution by ranks.
---@param params? manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function ml.QuantileTransformer(params) end
