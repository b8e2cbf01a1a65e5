---@meta _
-- luacheck: ignore
-- ml.QuantileTransformer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuantileTransformer.Params
---@field n_quantiles? integer # entries of the table of quantiles; at most as many as rows; default 1000; a whole number from 2 to 1000000
---@field output_distribution? "uniform"|"normal" # what the columns become; default "uniform"; one of uniform, normal

---Each column to a uniform or normal distribution, by its ranks.
---
---z = F(x), or the normal quantile of F(x), F the distribution function of the column
---
---All rows count (scikit-learn draws 10000 of them). Values beyond those of fit go to the ends. Missing values
---are passed over by fit and stay missing. Weights are frequencies; where some are below 1, in units of the least.
---@class manilius.QuantileTransformer: manilius.Model
---@field n_quantiles integer # entries of the table of quantiles; at most as many as rows
---@field output_distribution "uniform"|"normal" # what the columns become
---@field quantiles manilius.Matrix # learned: quantiles of each column, from 0 to 1, features x levels
local QuantileTransformer = {}

---The same settings, not fitted.
---@return manilius.QuantileTransformer
function QuantileTransformer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileTransformer
function QuantileTransformer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function QuantileTransformer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function QuantileTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileTransformer
function QuantileTransformer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function QuantileTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:transform(X) end

---@class manilius
local ml = {}

---Each column to a uniform or normal distribution, by its ranks.
---@param params? manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function ml.QuantileTransformer(params) end
