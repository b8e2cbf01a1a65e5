---@meta _
-- luacheck: ignore
-- ml.KNeighborsClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KNeighborsClassifier.Params
---@field n_neighbors? integer # how many neighbours decide; default 5; a whole number from 1 to 2147483647
---@field weights? "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others; default "uniform"; one of uniform, distance
---@field metric? "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows; default "euclidean"; one of euclidean, manhattan, chebyshev, minkowski, cosine
---@field p? number # exponent of the Minkowski metric; default 2; a number >= 1

---The classes of the nearest rows vote.
---
---p(c | x) = weight of the neighbours of class c / weight of all k neighbours
---
---The search is exact. Exported, the metric minkowski agrees within 4 units in the last place of its powers, and
---of two rows as near as rounding can tell the other may be taken. Scale the columns first where their units
---differ. Among equal distances the row that came first in fit is nearer; among equal votes the first class wins.
---@class manilius.KNeighborsClassifier: manilius.Classifier
---@field n_neighbors integer # how many neighbours decide
---@field weights "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others
---@field metric "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows
---@field p number # exponent of the Minkowski metric
local KNeighborsClassifier = {}

---The same settings, not fitted.
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:set_params(values) end

---the nearest rows of the fit for each row of X, nearest first. Gives distances (rows x n_neighbors), indexes
---(rows x n_neighbors, 1-based)
---@param X manilius.X
---@param options? { n_neighbors?: integer }
---@return table<string, any>
function KNeighborsClassifier:kneighbors(X, options) end

---@class manilius
local ml = {}

---The classes of the nearest rows vote.
---@param params? manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function ml.KNeighborsClassifier(params) end
