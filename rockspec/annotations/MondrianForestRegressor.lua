---@meta _
-- luacheck: ignore
-- ml.MondrianForestRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MondrianForestRegressor.Params
---@field n_estimators? integer # number of trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # splits occur up to this time, in 1 / units of X; nil: unlimited; default nil; a number > 0 or nil
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field min_samples_split? integer # minimum number of samples to split a node; default 10; a whole number >= 2

---Mondrian forest regressor with predictive uncertainty; learns row by row.
---
---y | x: mixture over the trees of normals; the mean of a node is normal about that of its parent
---
---predict_interval gives standard deviations, which grow away from the training samples. Splits prefer features
---with a large range, so scale features first (MinMaxScaler) and remove irrelevant ones. Trees learned row by row
---(partial_fit) have the same distribution as those of fit. One row is learned in place, in time proportional to
---the depth; a batch first copies the model. All samples are stored: memory grows with samples x features x trees.
---@class manilius.MondrianForestRegressor: manilius.Regressor
---@field n_estimators integer # number of trees
---@field lifetime? number # splits occur up to this time, in 1 / units of X; nil: unlimited
---@field seed integer # random seed; the same seed gives the same result
---@field min_samples_split integer # minimum number of samples to split a node
---@field n_rows integer # learned: number of rows learned
---@field y_mean number # learned: mean of y, the prediction far from all training samples
---@field noise number # learned: variance of y in a leaf, as a fraction of the variance of y
local MondrianForestRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:set_params(values) end

---means, standard deviations and central intervals of the predictive distribution, assuming a normal
---distribution. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MondrianForestRegressor:predict_interval(X, options) end

---number of leaves and depth of each tree. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestRegressor:structure() end

---@class manilius
local ml = {}

---Mondrian forest regressor with predictive uncertainty; learns row by row.
---@param params? manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function ml.MondrianForestRegressor(params) end
