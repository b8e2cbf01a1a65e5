---@meta _
-- luacheck: ignore
-- ml.AdaBoostRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaBoostRegressor.Params
---@field estimator? any # the base estimator; may be given first, without a name; default nil
---@field learning_rate? number # factor for the weight of each model, > 0; default 1.0
---@field loss? "linear"|"square"|"exponential" # loss of the error d divided by the maximum error: "linear" d, "square" d^2, "exponential" 1 - exp(-d); default "linear"
---@field n_estimators? number # number of models (a maximum if boosting stops early); default 50
---@field resample? boolean # true: fit each model to n rows drawn with replacement in proportion to the weights; false: to all rows with weights, which the base must support; default true
---@field seed? integer # random seed; results do not depend on the number of threads; default 0
---@field [integer] any

---AdaBoost regression (AdaBoost.R2): a sequence of reweighted regressors.
---
---Drawing rows follows Drucker and scikit-learn; it makes the models more diverse and usually predicts better.
---The weights option of fit sets the initial weights. With resample = false only the base is random. Boosting
---stops early if a model is perfect or no better than chance. The objective passed to on_iter is the error of the
---model; it may return "stop". The default base is DecisionTreeRegressor { max_depth = 3 }.
---@class manilius.AdaBoostRegressor: manilius.Model
---@field estimator? any # the base estimator; may be given first, without a name
---@field learning_rate? number # factor for the weight of each model, > 0
---@field loss? "linear"|"square"|"exponential" # loss of the error d divided by the maximum error: "linear" d, "square" d^2, "exponential" 1 - exp(-d)
---@field n_estimators? number # number of models (a maximum if boosting stops early)
---@field resample? boolean # true: fit each model to n rows drawn with replacement in proportion to the weights; false: to all rows with weights, which the base must support
---@field seed? integer # random seed; results do not depend on the number of threads
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of fitted models
---@field feature_importances any # learned: weighted mean of the importances of the models, if they have any
---@field feature_names any # learned: column names of X, if X is a Frame
---@field n_features any # learned: number of columns of X
---@field [any] any
local AdaBoostRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostRegressor:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:set_params(values) end

---List of the predictions after each model.
---@param X manilius.X
---@return any
function AdaBoostRegressor:staged_predict(X) end

---Vector: the score after each model.
---@param X manilius.X
---@param y manilius.Y
---@param options? table
---@return any
function AdaBoostRegressor:staged_score(X, y, options) end

---@class manilius
local ml = {}

---AdaBoost regression (AdaBoost.R2): a sequence of reweighted regressors.
---@param params? manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function ml.AdaBoostRegressor(params) end
