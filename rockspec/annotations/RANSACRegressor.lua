---@meta _
-- luacheck: ignore
-- ml.RANSACRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RANSACRegressor.Params
---@field estimator? any # the base; may stand first, without a name; default nil
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units; default "absolute_error"
---@field max_skips? any # most samples that may have fewer inliers than the best; nil: no limit; default nil
---@field max_trials? number # most samples; fewer once stop_probability is reached; default 100
---@field min_samples? any # rows of a sample: a whole number, or a share below 1; nil: one more than columns, for LinearRegression only; default nil
---@field residual_threshold? any # largest loss of an inlier; nil: the median distance of y from its median; default nil
---@field seed? integer # names the random stream: same seed, same result; default 0
---@field stop_n_inliers? any # end when there are so many inliers; nil: do not; default nil
---@field stop_probability? number # end when a sample without outliers has been drawn with this probability, given the share of inliers; default 0.99
---@field stop_score? any # end when R2 on the inliers is at least this; nil: do not; default nil
---@field [integer] any

---A regressor of the rows that agree with each other, by consensus of random samples: outliers are left out.
---
---As in scikit-learn, but for functions as settings (is_data_valid, is_model_valid, a loss), which no archive
---could hold. The base is LinearRegression {} unless given. Weights go to the fits of the base, where it takes
---them; they do not change how rows are drawn or counted. Fields of best are those of this model too: model.coef.
---on_iter has the number of inliers as objective, and may return "stop".
---@class manilius.RANSACRegressor: manilius.Model
---@field estimator? any # the base; may stand first, without a name
---@field loss? "absolute_error"|"squared_error" # "absolute_error" or "squared_error", summed over targets; residual_threshold is in its units
---@field max_skips? any # most samples that may have fewer inliers than the best; nil: no limit
---@field max_trials? number # most samples; fewer once stop_probability is reached
---@field min_samples? any # rows of a sample: a whole number, or a share below 1; nil: one more than columns, for LinearRegression only
---@field residual_threshold? any # largest loss of an inlier; nil: the median distance of y from its median
---@field seed? integer # names the random stream: same seed, same result
---@field stop_n_inliers? any # end when there are so many inliers; nil: do not
---@field stop_probability? number # end when a sample without outliers has been drawn with this probability, given the share of inliers
---@field stop_score? any # end when R2 on the inliers is at least this; nil: do not
---@field best any # learned: the base, fitted to the inliers
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field inlier_mask manilius.Vector # learned: Vector: 1 for each row that is an inlier, else 0; rows of weight 0 are left out
---@field n_features any # learned: columns of X
---@field n_skips_no_inliers any # learned: samples with fewer inliers than the best so far
---@field n_trials any # learned: samples that were drawn
---@field threshold any # learned: residual_threshold, or what stood for it
---@field [any] any
local RANSACRegressor = {}

---The same settings, not fitted.
---@return manilius.RANSACRegressor
function RANSACRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RANSACRegressor
function RANSACRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RANSACRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function RANSACRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RANSACRegressor
function RANSACRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function RANSACRegressor:set_params(values) end

---@class manilius
local ml = {}

---A regressor of the rows that agree with each other, by consensus of random samples: outliers are left out.
---@param params? manilius.RANSACRegressor.Params
---@return manilius.RANSACRegressor
function ml.RANSACRegressor(params) end
