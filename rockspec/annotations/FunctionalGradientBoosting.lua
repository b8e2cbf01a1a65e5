---@meta _
-- luacheck: ignore
-- ml.FunctionalGradientBoosting: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FunctionalGradientBoosting.Params
---@field estimator? any # the base that is fitted again and again; may stand first, without a name; default nil
---@field gradient? any # where loss is a function: function(y, F, weights) that gives, for each row, how its loss changes with F; a factor common to all rows makes no difference; default nil
---@field init? any # the raw prediction to begin with; nil: the constant of least loss; default nil
---@field inverse? any # what makes predictions of F: nil: nothing; "exp", of losses with a logarithm for their link; or a function from a Vector to a Vector; default nil
---@field learning_rate? number # share of each step that is taken; above 0; default 0.1
---@field loss? "squared_error"|"absolute_error"|any # "squared_error", "absolute_error", or a function(y, F, weights) of Vectors that gives the mean loss of raw predictions F; weights are those of fit, or nil; default "squared_error"
---@field n_estimators? number # rounds (at most: it ends where no step lowers the loss); default 100
---@field seed? integer # names the random stream: same seed, same result, for any number of threads; default 0
---@field subsample? number # share of the rows that a round learns from; below 1 they are drawn; default 1.0
---@field [integer] any

---Gradient boosting of a loss of your own, by any regressor.
---
---The base is DecisionTreeRegressor { max_depth = 3 } unless given. The steps are found with loss alone, by
---Brent's method: where it gives nan or inf a step is too far. GradientBoostingRegressor knows more losses by
---name, and searches a step for each leaf. on_iter has the loss as objective, and may return "stop". A fitted
---model is saved without the functions loss and gradient: it predicts, and takes them again by set_params before
---it is fitted; one with a function inverse is not saved.
---@class manilius.FunctionalGradientBoosting: manilius.Model
---@field estimator? any # the base that is fitted again and again; may stand first, without a name
---@field gradient? any # where loss is a function: function(y, F, weights) that gives, for each row, how its loss changes with F; a factor common to all rows makes no difference
---@field init? any # the raw prediction to begin with; nil: the constant of least loss
---@field inverse? any # what makes predictions of F: nil: nothing; "exp", of losses with a logarithm for their link; or a function from a Vector to a Vector
---@field learning_rate? number # share of each step that is taken; above 0
---@field loss? "squared_error"|"absolute_error"|any # "squared_error", "absolute_error", or a function(y, F, weights) of Vectors that gives the mean loss of raw predictions F; weights are those of fit, or nil
---@field n_estimators? number # rounds (at most: it ends where no step lowers the loss)
---@field seed? integer # names the random stream: same seed, same result, for any number of threads
---@field subsample? number # share of the rows that a round learns from; below 1 they are drawn
---@field estimators any # learned: list of the fitted models
---@field feature_importances any # learned: mean of those of the models by their multipliers, where they have them
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field multipliers manilius.Vector # learned: Vector: rho_m, before the learning rate
---@field n_features any # learned: columns of X
---@field start any # learned: raw prediction before the first round
---@field train_score manilius.Vector # learned: Vector: the loss of all rows after each round
---@field [any] any
local FunctionalGradientBoosting = {}

---The same settings, not fitted.
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FunctionalGradientBoosting:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FunctionalGradientBoosting:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FunctionalGradientBoosting:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FunctionalGradientBoosting.Params
---@return manilius.FunctionalGradientBoosting
function FunctionalGradientBoosting:set_params(values) end

---Matrix (rows x rounds): the prediction after each round.
---@param X manilius.X
---@return any
function FunctionalGradientBoosting:staged(X) end

---@class manilius
local ml = {}

---Gradient boosting of a loss of your own, by any regressor.
---@param params? manilius.FunctionalGradientBoosting.Params
---@return manilius.FunctionalGradientBoosting
function ml.FunctionalGradientBoosting(params) end
