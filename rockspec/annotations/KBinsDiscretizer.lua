---@meta _
-- luacheck: ignore
-- ml.KBinsDiscretizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KBinsDiscretizer.Params
---@field n_bins? integer # number of bins of each column; default 5; a whole number from 2 to 65536
---@field strategy? "uniform"|"quantile"|"kmeans" # uniform: bins of equal width; quantile: of equal frequency; kmeans: around cluster means; default "quantile"; one of uniform, quantile, kmeans
---@field encode? "onehot"|"ordinal" # onehot: an indicator column for each bin; ordinal: the index of the bin; default "onehot"; one of onehot, ordinal

---Discretizes numbers into bins.
---
---z = k where edge_k <= x < edge_k+1
---
---Ordinal bins are counted from 1 (from 0 in scikit-learn), and one-hot columns are dense. Bins narrower than
---1e-8 of the range are removed, so a column may have fewer. Quantiles are of type 2 of Hyndman & Fan, as in
---scikit-learn. inverse_transform returns the midpoint of the bin.
---@class manilius.KBinsDiscretizer: manilius.Model
---@field n_bins integer # number of bins of each column
---@field strategy "uniform"|"quantile"|"kmeans" # uniform: bins of equal width; quantile: of equal frequency; kmeans: around cluster means
---@field encode "onehot"|"ordinal" # onehot: an indicator column for each bin; ordinal: the index of the bin
---@field bin_edges manilius.Matrix # learned: edges of the bins; NaN after the last, features x edges
---@field bins manilius.Vector # learned: number of bins of each column, features
local KBinsDiscretizer = {}

---An unfitted copy with the same parameters.
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KBinsDiscretizer:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function KBinsDiscretizer:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:transform(X) end

---@class manilius
local ml = {}

---Discretizes numbers into bins.
---@param params? manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function ml.KBinsDiscretizer(params) end
