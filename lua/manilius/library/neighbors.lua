---@meta _
-- luacheck: ignore
-- The estimators of neighbors: settings, learned values, methods.
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

---@class manilius.NearestCentroid.Params
---@field metric? "euclidean"|"manhattan" # distance to the centroids; they are means for euclidean, medians for manhattan; default "euclidean"; one of euclidean, manhattan
---@field shrink_threshold? number # how far centroids are shrunken to the mean of all rows, in standard errors; nil: not at all; default nil; a number > 0 or nil

---The class with the nearest mean (or median) wins.
---
---argmin_c |x - m_c|; d_cj = (m_cj - m_j) / (a_c (s_j + s_0)) is shrunken to sign(d) max(|d| - threshold, 0)
---
---The decision is minus the distance to each centroid; of two classes, the distance to the first less that to the
---second. Scikit-learn's decision_function divides the features by within_class_std_dev first, its predict does
---not; here both are as its predict. Scale the columns first where their units differ.
---@class manilius.NearestCentroid: manilius.Classifier
---@field metric "euclidean"|"manhattan" # distance to the centroids; they are means for euclidean, medians for manhattan
---@field shrink_threshold? number # how far centroids are shrunken to the mean of all rows, in standard errors; nil: not at all
---@field centroids manilius.Matrix # learned: centroid of each class, shrunken if asked for, classes x features
---@field deviations manilius.Matrix # learned: standard errors from the mean of all rows to each centroid; empty without more rows than classes, classes x features
---@field within_class_std_dev manilius.Vector # learned: standard deviation within the classes; empty without more rows than classes, features
local NearestCentroid = {}

---The same settings, not fitted.
---@return manilius.NearestCentroid
function NearestCentroid:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function NearestCentroid:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.NearestCentroid
function NearestCentroid:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.NearestCentroid
function NearestCentroid:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function NearestCentroid:set_params(values) end
