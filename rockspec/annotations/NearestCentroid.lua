---@meta _
-- luacheck: ignore
-- ml.NearestCentroid: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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

---@class manilius
local ml = {}

---The class with the nearest mean (or median) wins.
---@param params? manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function ml.NearestCentroid(params) end
