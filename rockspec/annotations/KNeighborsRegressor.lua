---@meta _
-- luacheck: ignore
-- ml.KNeighborsRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KNeighborsRegressor.Params
---@field n_neighbors? integer # how many neighbours decide; default 5; a whole number from 1 to 2147483647
---@field weights? "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others; default "uniform"; one of uniform, distance
---@field metric? "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows; default "euclidean"; one of euclidean, manhattan, chebyshev, minkowski, cosine
---@field p? number # exponent of the Minkowski metric; default 2; a number >= 1

---The mean of y over the nearest rows.
---
---y(x) = sum of weight times y over the k nearest rows / sum of the weights
---
---The search is exact. Exported, the metric minkowski agrees within 4 units in the last place of its powers, and
---of two rows as near as rounding can tell the other may be taken. Scale the columns first where their units
---differ. Among equal distances the row that came first in fit is nearer.
---@class manilius.KNeighborsRegressor: manilius.Regressor
---@field n_neighbors integer # how many neighbours decide
---@field weights "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others
---@field metric "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows
---@field p number # exponent of the Minkowski metric
local KNeighborsRegressor = {}

---The same settings, not fitted.
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KNeighborsRegressor.Params
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:set_params(values) end

---the nearest rows of the fit for each row of X, nearest first. Gives distances (rows x n_neighbors), indexes
---(rows x n_neighbors, 1-based)
---@param X manilius.X
---@param options? { n_neighbors?: integer }
---@return table<string, any>
function KNeighborsRegressor:kneighbors(X, options) end

---@class manilius
local ml = {}

---The mean of y over the nearest rows.
---@param params? manilius.KNeighborsRegressor.Params
---@return manilius.KNeighborsRegressor
function ml.KNeighborsRegressor(params) end
