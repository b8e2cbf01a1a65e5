---@meta _
-- luacheck: ignore
-- ml.AdaBoostRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaBoostRegressor.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field learning_rate? number # shrinks the weight of each model; above 0; default 1.0
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d); default "linear"
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 50
---@field resample? boolean # fit each model to as many rows as there are, drawn with replacement in proportion to the weights; else to all rows with the weights, which the base must take; default true
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---Regressors one after the other, each on rows drawn by the errors of those before (AdaBoost.R2).
---
---Rows are drawn as Drucker defines it, and as scikit-learn does; the models then differ more, and predict better
---as a rule. weights given to fit are where the weights begin. With resample = false nothing is random but the
---base (one of your own says by takes = { "weights" } that it takes them). Boosting ends early where a model is
---perfect, or no better than chance. on_iter has the error of the model as objective, and may return "stop". The
---base is DecisionTreeRegressor { max_depth = 3 } unless given.
---@class manilius.AdaBoostRegressor: manilius.Model
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field learning_rate? number # shrinks the weight of each model; above 0
---@field loss? "linear"|"square"|"exponential" # of an error d as a share of the greatest one: "linear" d, "square" d^2, "exponential" 1 - exp(-d)
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field resample? boolean # fit each model to as many rows as there are, drawn with replacement in proportion to the weights; else to all rows with the weights, which the base must take
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimator_errors manilius.Vector # learned: Vector: e_m, the weighted error of each model
---@field estimator_weights manilius.Vector # learned: Vector: a_m, the weight of each model
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their weights, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field [any] any
local AdaBoostRegressor = {}

---The same settings, not fitted.
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function AdaBoostRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function AdaBoostRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function AdaBoostRegressor:set_params(values) end

---List: the predictions after each model.
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

---Regressors one after the other, each on rows drawn by the errors of those before (AdaBoost.R2).
---@param params? manilius.AdaBoostRegressor.Params
---@return manilius.AdaBoostRegressor
function ml.AdaBoostRegressor(params) end
