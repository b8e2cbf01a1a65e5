---@meta _
-- luacheck: ignore
-- ml.NearestCentroid: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.NearestCentroid.Params
---@field metric? "euclidean"|"manhattan" # distance to the centroids, which are means for euclidean and medians for manhattan; default "euclidean"; one of euclidean, manhattan
---@field shrink_threshold? number # shrinkage of the centroids towards the mean of all rows, in standard errors; nil: none; default nil; a number > 0 or nil

---Classification by the nearest class mean or median.
---
---argmin_c |x - m_c|; d_cj = (m_cj - m_j) / (a_c (s_j + s_0)) is shrunken to sign(d) max(|d| - threshold, 0)
---
---The decision is minus the distance to each centroid, or with two classes the distance to the first minus that
---to the second. Distances are not divided by within_class_std_dev; scikit-learn's decision_function divides, its
---predict does not. Scale the columns first if their units differ.
---@class manilius.NearestCentroid: manilius.Classifier
---@field metric "euclidean"|"manhattan" # distance to the centroids, which are means for euclidean and medians for manhattan
---@field shrink_threshold? number # shrinkage of the centroids towards the mean of all rows, in standard errors; nil: none
---@field centroids manilius.Matrix # learned: centroid of each class, shrunken if shrink_threshold is set, classes x features
---@field deviations manilius.Matrix # learned: deviation of each centroid from the mean of all rows in standard errors; empty if rows <= classes, classes x features
---@field within_class_std_dev manilius.Vector # learned: pooled standard deviation within the classes; empty if rows <= classes, features
local NearestCentroid = {}

---An unfitted copy with the same parameters.
---@return manilius.NearestCentroid
function NearestCentroid:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function NearestCentroid:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.NearestCentroid
function NearestCentroid:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.NearestCentroid
function NearestCentroid:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function NearestCentroid:set_params(values) end

---@class manilius
local ml = {}

---Classification by the nearest class mean or median.
---@param params? manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function ml.NearestCentroid(params) end
