---@meta _
-- luacheck: ignore
-- ml.RANSACRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RANSACRegressor.Params
---@field estimator? any # the base estimator, default LinearRegression {}; may be given first, without a name; default nil
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units; default "absolute_error"
---@field max_skips? any # maximum number of samples with fewer inliers than the best; nil: no limit; default nil
---@field max_trials? number # maximum number of samples; default 100
---@field min_samples? any # rows in a sample: a number (integer) or a fraction (float < 1); nil: number of columns + 1, for LinearRegression only; default nil
---@field residual_threshold? any # maximum loss of an inlier; nil: the median absolute deviation of y; default nil
---@field seed? integer # random seed; default 0
---@field stop_n_inliers? any # stop when at least this many inliers are found; nil: never; default nil
---@field stop_probability? number # stop when a sample without outliers was drawn with this probability, given the fraction of inliers; default 0.99
---@field stop_score? any # stop when R2 on the inliers is at least this; nil: never; default nil
---@field [integer] any

---Robust regression by random sample consensus (RANSAC).
---
---Sample weights, if the base supports them, are used in its fits; they do not affect how rows are drawn or
---counted. Learned fields of the base are fields of this model too: model.coef. on_iter gets the number of
---inliers as objective and may return "stop".
---@class manilius.RANSACRegressor: manilius.Model
---@field estimator? any # the base estimator, default LinearRegression {}; may be given first, without a name
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units
---@field max_skips? any # maximum number of samples with fewer inliers than the best; nil: no limit
---@field max_trials? number # maximum number of samples
---@field min_samples? any # rows in a sample: a number (integer) or a fraction (float < 1); nil: number of columns + 1, for LinearRegression only
---@field residual_threshold? any # maximum loss of an inlier; nil: the median absolute deviation of y
---@field seed? integer # random seed
---@field stop_n_inliers? any # stop when at least this many inliers are found; nil: never
---@field stop_probability? number # stop when a sample without outliers was drawn with this probability, given the fraction of inliers
---@field stop_score? any # stop when R2 on the inliers is at least this; nil: never
---@field best any # learned: the base, fitted to the inliers
---@field feature_names any # learned: column names of X, if X is a Frame
---@field inlier_mask manilius.Vector # learned: Vector: 1 for inliers, else 0, among rows of weight > 0
---@field n_features any # learned: number of columns of X
---@field n_skips_no_inliers any # learned: number of samples with fewer inliers than the best so far
---@field n_trials any # learned: number of samples drawn
---@field threshold any # learned: the residual threshold used
---@field [any] any
local RANSACRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.RANSACRegressor
function RANSACRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RANSACRegressor
function RANSACRegressor:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RANSACRegressor:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.RANSACRegressor
function RANSACRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function RANSACRegressor:set_params(values) end

---@class manilius
local ml = {}

---Robust regression by random sample consensus (RANSAC).
---@param params? manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function ml.RANSACRegressor(params) end
