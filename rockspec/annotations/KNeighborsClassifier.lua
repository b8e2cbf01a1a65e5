---@meta _
-- luacheck: ignore
-- ml.KNeighborsClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KNeighborsClassifier.Params
---@field n_neighbors? integer # number of neighbors; default 5; a whole number from 1 to 2147483647
---@field weights? "uniform"|"distance" # vote weights. uniform: 1; distance: 1 / distance, and rows at distance 0 outvote all others; default "uniform"; one of uniform, distance
---@field metric? "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows; default "euclidean"; one of euclidean, manhattan, chebyshev, minkowski, cosine
---@field p? number # exponent of the metric minkowski; default 2; a number >= 1

---Classification by the vote of the nearest training rows.
---
---p(c | x) = weight of the neighbors of class c / weight of all k neighbors
---
---The search is exact. Ties between distances are broken by the lowest row index, ties between votes by the
---lowest class. Exported programs may break near-ties differently, and agree within 4 units in the last place for
---the metric minkowski. Scale the columns first if their units differ.
---@class manilius.KNeighborsClassifier: manilius.Classifier
---@field n_neighbors integer # number of neighbors
---@field weights "uniform"|"distance" # vote weights. uniform: 1; distance: 1 / distance, and rows at distance 0 outvote all others
---@field metric "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows
---@field p number # exponent of the metric minkowski
local KNeighborsClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:set_params(values) end

---the nearest training rows of each row of X, nearest first. Gives distances (rows x n_neighbors), indexes (rows
---x n_neighbors, 1-based)
---@param X manilius.X
---@param options? { n_neighbors?: integer }
---@return table<string, any>
function KNeighborsClassifier:kneighbors(X, options) end

---@class manilius
local ml = {}

---Classification by the vote of the nearest training rows.
---@param params? manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function ml.KNeighborsClassifier(params) end
