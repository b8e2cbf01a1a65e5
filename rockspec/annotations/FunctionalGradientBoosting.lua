---@meta _
-- luacheck: ignore
-- ml.FunctionalGradientBoosting: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FunctionalGradientBoosting.Params
---@field estimator? any # the base estimator; may be given first, without a name; default nil
---@field gradient? any # required if loss is a function: function(y, F, weights) that returns the derivative of the loss of each row with respect to F; a common factor does not matter; default nil
---@field init? any # initial raw prediction; nil: the constant of minimum loss; default nil
---@field inverse? any # inverse link, from F to predictions: nil (identity), "exp", or a function from a Vector to a Vector; default nil
---@field learning_rate? number # factor for each step, > 0; default 0.1
---@field loss? "squared_error"|"absolute_error"|any # "squared_error", "absolute_error", or a function(y, F, weights) of Vectors that returns the mean loss of raw predictions F; weights are those of fit, or nil; default "squared_error"
---@field n_estimators? number # maximum number of rounds; boosting stops early if no step lowers the loss; default 100
---@field seed? integer # random seed; results do not depend on the number of threads; default 0
---@field subsample? number # fraction of rows drawn for each round, > 0 and <= 1; default 1.0
---@field [integer] any

---Gradient boosting of a custom loss with any regressor.
---
---The default base is DecisionTreeRegressor { max_depth = 3 }. Step sizes are found by Brent's method; a loss of
---nan or inf marks a step as too long. on_iter gets the loss as objective and may return "stop". Archives do not
---contain the functions loss and gradient: a loaded model predicts, and needs them, through set_params, only to
---be fitted again. A model whose inverse is a function cannot be saved. GradientBoostingRegressor has more
---built-in losses.
---@class manilius.FunctionalGradientBoosting: manilius.Model
---@field estimator? any # the base estimator; may be given first, without a name
---@field gradient? any # required if loss is a function: function(y, F, weights) that returns the derivative of the loss of each row with respect to F; a common factor does not matter
---@field init? any # initial raw prediction; nil: the constant of minimum loss
---@field inverse? any # inverse link, from F to predictions: nil (identity), "exp", or a function from a Vector to a Vector
---@field learning_rate? number # factor for each step, > 0
---@field loss? "squared_error"|"absolute_error"|any # "squared_error", "absolute_error", or a function(y, F, weights) of Vectors that returns the mean loss of raw predictions F; weights are those of fit, or nil
---@field n_estimators? number # maximum number of rounds; boosting stops early if no step lowers the loss
---@field seed? integer # random seed; results do not depend on the number of threads
---@field subsample? number # fraction of rows drawn for each round, > 0 and <= 1
---@field estimators any # learned: list of fitted models
---@field feature_importances any # learned: mean of the importances of the models, weighted by multiplier, if they have any
---@field feature_names any # learned: column names of X, if X is a Frame
---@field multipliers manilius.Vector # learned: Vector: rho_m, before the learning rate
---@field n_features any # learned: number of columns of X
---@field start any # learned: raw prediction before the first round
---@field train_score manilius.Vector # learned: Vector: training loss after each round
---@field [any] any
local FunctionalGradientBoosting = {}

---An unfitted copy with the same parameters.
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FunctionalGradientBoosting:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FunctionalGradientBoosting:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FunctionalGradientBoosting:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.FunctionalGradientBoosting.Params
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:set_params(values) end

---Predictions after each round: Matrix (rows x rounds).
---@param X manilius.X
---@return any
function FunctionalGradientBoosting:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting of a custom loss with any regressor.
---@param params? manilius.FunctionalGradientBoosting.Params
---@return manilius.FunctionalGradientBoosting
function ml.FunctionalGradientBoosting(params) end
