---@meta _
-- luacheck: ignore
-- ml.BoostedRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BoostedRegressor.Params
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves; default nil
---@field init? any # what is fitted first; with predict_proba where it is a classifier; default nil
---@field [integer] any

---Gradient boosting that begins with the predictions of another regressor.
---
---fit fits clones, to be found as model.init and model.boosting; fields of the boosting are those of this model
---too. Rows that the boosting holds out are known to init, which scikit-learn fits without them. With warm_start
---init stays as it is. Rows that another model has judged already can be given to a boosting estimator of the
---core itself: fit(X, y, { init_score = ... }), which then learns and predicts what is to be added.
---@class manilius.BoostedRegressor: manilius.Model
---@field boosting? any # a GradientBoosting or HistGradientBoosting estimator: its trees mend what init leaves
---@field init? any # what is fitted first; with predict_proba where it is a classifier
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local BoostedRegressor = {}

---The same settings, not fitted.
---@return manilius.BoostedRegressor
function BoostedRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BoostedRegressor
function BoostedRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BoostedRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BoostedRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BoostedRegressor
function BoostedRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function BoostedRegressor:set_params(values) end

---The prediction after each round, of a classifier the decision function: Matrix (rows x rounds; of several
---classes rows x rounds classes).
---@param X manilius.X
---@return any
function BoostedRegressor:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting that begins with the predictions of another regressor.
---@param params? manilius.BoostedRegressor.Params
---@return manilius.BoostedRegressor
function ml.BoostedRegressor(params) end
