---@meta _
-- luacheck: ignore
-- ml.KBinsDiscretizer: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KBinsDiscretizer.Params
---@field n_bins? integer # bins of each column; default 5; a whole number from 2 to 65536
---@field strategy? "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean; default "quantile"; one of uniform, quantile, kmeans
---@field encode? "onehot"|"ordinal" # a column for each bin, or the number of the bin; default "onehot"; one of onehot, ordinal

---Numbers into bins.
---
---z = k where edge_k <= x < edge_k+1
---
---Ordinal bins count from 1 (scikit-learn: from 0), and one-hot columns are dense. Bins narrower than 1e-8 of the
---range are left out, so a column may have fewer. Quantiles are type 2 of Hyndman & Fan, as in scikit-learn.
---inverse_transform gives the middle of the bin.
---@class manilius.KBinsDiscretizer: manilius.Model
---@field n_bins integer # bins of each column
---@field strategy "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean
---@field encode "onehot"|"ordinal" # a column for each bin, or the number of the bin
---@field bin_edges manilius.Matrix # learned: edges of the bins; NaN behind the last, features x edges
---@field bins manilius.Vector # learned: number of bins of each column, features
local KBinsDiscretizer = {}

---The same settings, not fitted.
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KBinsDiscretizer:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function KBinsDiscretizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:transform(X) end

---@class manilius
local ml = {}

---Numbers into bins.
---@param params? manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function ml.KBinsDiscretizer(params) end
