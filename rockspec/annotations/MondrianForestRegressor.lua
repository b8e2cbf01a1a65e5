---@meta _
-- luacheck: ignore
-- ml.MondrianForestRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MondrianForestRegressor.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it; default nil; a number > 0 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field min_samples_split? integer # rows that a block needs to be cut; default 10; a whole number >= 2

---Regression by many trees that are cut without a look at y, learn rows one by one, and know how sure they are.
---
---y | x: mean over the trees of normals; the mean of a node is normal about that of its parent
---
---predict_interval gives standard deviations, which grow away from the rows of fit. Cuts go to columns in
---proportion to their range, so put columns on one scale first (MinMaxScaler) and leave out those that tell
---nothing. Trees learned row by row (partial_fit) are distributed as those of fit. One row is learned in place,
---in time that grows with the depth; a batch costs a copy of the model first. All rows are kept, and memory grows
---with rows x columns x trees. Scales of the Gaussian tree are those of the authors' program, to the next power
---of two.
---@class manilius.MondrianForestRegressor: manilius.Regressor
---@field n_estimators integer # trees
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it
---@field seed integer # names the random stream: same seed, same result
---@field min_samples_split integer # rows that a block needs to be cut
---@field n_rows integer # learned: rows learned
---@field y_mean number # learned: mean of y, which predictions far from all rows fall back on
---@field noise number # learned: variance of y about the mean of its leaf, as a share of that of y
local MondrianForestRegressor = {}

---The same settings, not fitted.
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval, as if it
---were normal. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MondrianForestRegressor:predict_interval(X, options) end

---how large the trees are. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestRegressor:structure() end

---@class manilius
local ml = {}

---Regression by many trees that are cut without a look at y, learn rows one by one, and know how sure they are.
---@param params? manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function ml.MondrianForestRegressor(params) end
