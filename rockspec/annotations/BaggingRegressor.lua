---@meta _
-- luacheck: ignore
-- ml.BaggingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.BaggingRegressor.Params
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once; default true
---@field bootstrap_features? boolean # columns are drawn with replacement; default false
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number; default 1.0
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number; default 1.0
---@field n_estimators? number # number of models (at most, where boosting ends earlier); default 10
---@field oob? boolean # score each row by the models that did not draw it; default false
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field [integer] any

---The mean of many regressors, each fitted to rows and columns drawn at random.
---
---Models of the core are fitted side by side in threads; a base of your own needs fit and predict only. Each
---model has its own seed where the base has one. estimator__max_depth is a setting of the base, in set_params and
---in searches. Weights (where the base takes them) go with the rows that are drawn. on_iter may return "stop":
---the models so far remain. The base is DecisionTreeRegressor {} unless given.
---@class manilius.BaggingRegressor: manilius.Model
---@field bootstrap? boolean # rows are drawn with replacement, else each at most once
---@field bootstrap_features? boolean # columns are drawn with replacement
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field max_features? number # columns drawn for each model: a share up to 1.0, or a whole number
---@field max_samples? number # rows drawn for each model: a share up to 1.0, or a whole number
---@field n_estimators? number # number of models (at most, where boosting ends earlier)
---@field oob? boolean # score each row by the models that did not draw it
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field estimators any # learned: list of the fitted models
---@field estimators_features any # learned: list: the columns of each
---@field estimators_samples any # learned: list: the rows that each was fitted to, drawn anew when asked for; they count rows of weight above 0
---@field feature_importances any # learned: mean of those of the models, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field oob_prediction manilius.Matrix # learned: Matrix rows x answers: means over the models that did not draw the row, nan where all did
---@field oob_score any # learned: accuracy or R2 of oob_prediction; nil without oob
---@field [any] any
local BaggingRegressor = {}

---The same settings, not fitted.
---@return manilius.BaggingRegressor
function BaggingRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BaggingRegressor
function BaggingRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function BaggingRegressor:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function BaggingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BaggingRegressor
function BaggingRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BaggingRegressor.Params
---@return manilius.BaggingRegressor
function BaggingRegressor:set_params(values) end

---@class manilius
local ml = {}

---The mean of many regressors, each fitted to rows and columns drawn at random.
---@param params? manilius.BaggingRegressor.Params
---@return manilius.BaggingRegressor
function ml.BaggingRegressor(params) end
