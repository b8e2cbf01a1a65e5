---@meta _
-- luacheck: ignore
-- ml.VotingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.VotingRegressor.Params
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1; default nil
---@field [integer] any

---Several regressors, and the weighted mean of what they predict.
---
---Members are called by their class in lower case unless { name, estimator } names them; "drop" takes one out.
---model.svc and model[2] are members, svc__C is a setting of one, in set_params and in searches. Members of the
---core are fitted side by side in threads; one of your own needs fit and predict only. Options of fit: weights,
---where all members take them (one of your own says so by takes = { "weights" }), and on_iter. transform gives
---what each member predicts.
---@class manilius.VotingRegressor: manilius.Model
---@field weights? manilius.Numbers # a number >= 0 for each member; nil: all 1
---@field estimators any # learned: list of the members as fitted, without those dropped
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field n_features any # learned: columns of X
---@field n_targets any # learned: columns of y
---@field named_estimators any # learned: the same by name
---@field [any] any
local VotingRegressor = {}

---The same settings, not fitted.
---@return manilius.VotingRegressor
function VotingRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VotingRegressor
function VotingRegressor:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VotingRegressor:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function VotingRegressor:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function VotingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VotingRegressor
function VotingRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function VotingRegressor:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VotingRegressor:transform(X) end

---@class manilius
local ml = {}

---Several regressors, and the weighted mean of what they predict.
---@param params? manilius.VotingRegressor.Params
---@return manilius.VotingRegressor
function ml.VotingRegressor(params) end
