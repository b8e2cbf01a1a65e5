---@meta _
-- luacheck: ignore
-- ml.AdaptiveRandomForestRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveRandomForestRegressor.Params
---@field n_estimators? integer # trees; default 10; a whole number from 1 to 100000
---@field lambda? number # how often a tree sees a row, in the mean; default 6; a number from 0.01 to 100
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one; default nil; a number > 0 or nil
---@field grace_period? integer # weight of the rows between two looks for a split of a leaf; default 50; a whole number from 1 to 2147483647
---@field delta? number # probability that the split chosen is not the best of all rows to come; default 0.01; a number > 0 and < 1
---@field tau? number # the best split is made, too, once the ratio of its gain to the next is known as closely as this; default 0.05; a number >= 0
---@field leaf_prediction? "adaptive"|"mean" # how a leaf answers: by a line where that has been nearer of late, or always by its mean; default "adaptive"; one of adaptive, mean
---@field warning_delta? number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong; default 0.01; a number > 0 and < 1
---@field drift_delta? number # and takes its place with this one; default 0.001; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Trees that learn numbers from a stream, each row once, and are changed for others when it has changed.
---
---y(x) = mean over the trees of the mean of y, or the line, in the leaf of x
---
---Needs rows by the hundred: a leaf is split when it is sure of the split. Memory grows with the leaves, not with
---the rows, which are not kept. fit is one batch, and batches of any size give what it gives. A split lowers the
---variance of y; a column is cut between 16 places that follow its values (Ben-Haim & Tom-Tov, JMLR 11, 2010).
---Lines go no further than y has been. Change is found by the test of Frias-Blanco et al. (2015) in place of
---ADWIN, in absolute errors over the mean distance of y from its mean. Of few rows MondrianForestRegressor learns
---more, but it does not forget.
---@class manilius.AdaptiveRandomForestRegressor: manilius.Regressor
---@field n_estimators integer # trees
---@field lambda number # how often a tree sees a row, in the mean
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one
---@field grace_period integer # weight of the rows between two looks for a split of a leaf
---@field delta number # probability that the split chosen is not the best of all rows to come
---@field tau number # the best split is made, too, once the ratio of its gain to the next is known as closely as this
---@field leaf_prediction "adaptive"|"mean" # how a leaf answers: by a line where that has been nearer of late, or always by its mean
---@field warning_delta number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong
---@field drift_delta number # and takes its place with this one
---@field seed integer # names the random stream: same seed, same result
---@field n_rows integer # learned: rows learned
local AdaptiveRandomForestRegressor = {}

---The same settings, not fitted.
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveRandomForestRegressor.Params
---@return manilius.AdaptiveRandomForestRegressor
function AdaptiveRandomForestRegressor:set_params(values) end

---of each tree: its leaves, the root mean squared error of rows before they were learned, and how often another
---took its place. Gives leaves (trees), rmse (trees), drifts (trees)
---@return table<string, any>
function AdaptiveRandomForestRegressor:structure() end

---@class manilius
local ml = {}

---Trees that learn numbers from a stream, each row once, and are changed for others when it has changed.
---@param params? manilius.AdaptiveRandomForestRegressor.Params
---@return manilius.AdaptiveRandomForestRegressor
function ml.AdaptiveRandomForestRegressor(params) end
