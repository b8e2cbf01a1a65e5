---@meta _
-- luacheck: ignore
-- ml.LinearTreeRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearTreeRegressor.Params
---@field alpha? number # penalty on the squared weights of a leaf's model, the columns being in standard deviations; default 0.01; a number > 0
---@field max_depth? integer # most splits from the root to a leaf; nil: no limit; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_leaf? number # rows, as weight, that a leaf needs; nil: twice the weights of its model, 2 (columns of numbers + 1); default nil; a number > 0 or nil
---@field max_bins? integer # most cuts of a column that are tried at a node, at equal shares of its rows; then all beside the best one; default 64; a whole number from 2 to 2147483647
---@field smoothing? number # rows that the model of each node above a leaf counts as, when they are mixed; M5 has 15; default 0; a number >= 0
---@field unpruned? boolean # leave the tree as it has grown; default false; true or false

---A tree with a linear model in each leaf.
---
---y = c_l + b_l'x in leaf l, least sum w (y - c - b'z)^2 + alpha |b|^2, z: columns in standard deviations; a cut
---lowers sum w (y - c - b'z)^2 most
---
---M5 cuts where y varies least, this where two linear models leave least, so that changes of slope are found.
---Subtrees that do not pay by the BIC, in which a cut counts as three parameters, become leaves. Predictions are
---not clipped: beyond the rows of fit a leaf goes on in a straight line. Neighbouring leaves need not meet at a
---cut; smoothing brings them closer. coef and intercept are in the units of X, smoothing worked in. Factors split
---nodes but have no weights, as in LightGBM: their levels are parted in all ways there are where those are fewer
---than max_bins, else in the order of what the model of the node leaves of y in them. Rows whose value is missing
---go to the better side; where a node had none, to the heavier one. In a leaf's model a missing value counts as
---the mean of the leaf, in fit and in predict, so that the other columns still tell (LightGBM's linear trees give
---the constant of the leaf then, and fit its model to the other rows). A fit takes time in proportion to rows *
---columns^3 for each level of the tree.
---@class manilius.LinearTreeRegressor: manilius.Regressor
---@field alpha number # penalty on the squared weights of a leaf's model, the columns being in standard deviations
---@field max_depth? integer # most splits from the root to a leaf; nil: no limit
---@field min_samples_leaf? number # rows, as weight, that a leaf needs; nil: twice the weights of its model, 2 (columns of numbers + 1)
---@field max_bins integer # most cuts of a column that are tried at a node, at equal shares of its rows; then all beside the best one
---@field smoothing number # rows that the model of each node above a leaf counts as, when they are mixed; M5 has 15
---@field unpruned boolean # leave the tree as it has grown
---@field coef manilius.Matrix # learned: weights of each leaf's model, tree_leaves x features
---@field intercept manilius.Vector # learned: constant term of each leaf's model, tree_leaves
---@field means manilius.Matrix # learned: mean of each column in each leaf, which stands for a missing value; 0 of a factor, tree_leaves x features
---@field feature_importances manilius.Vector # learned: share of each column in what splits lower the loss by; all 0 where nothing was split, features
local LinearTreeRegressor = {}

---The same settings, not fitted.
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:set_params(values) end

---the leaf in which each row ends. Gives Vector: rows, the number of a node
---@param X manilius.X
---@return manilius.Vector
function LinearTreeRegressor:apply(X) end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text;
---"or missing" on the side of rows without a value, where fit saw such rows
---@return string
function LinearTreeRegressor:text() end

---one rule for each leaf, in which each bound is said once. Gives a Frame of rule ("or missing" where rows
---without a value keep it, and fit saw such rows), answer, cover (weight of the rows of fit there), impurity
---@return manilius.Frame
function LinearTreeRegressor:rules() end

---all nodes, the root first: children by number, 1-based; left where the answer is yes. Gives a Frame of
---question, answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share
---of a class, or first target; where a node is split, the mean of its leaves by their weights, also under
---absolute_error, whose leaves hold medians); where fit saw missing values has_missing (1: rows without a value
---of the feature come there)
---@return manilius.Frame
function LinearTreeRegressor:nodes() end

---@class manilius
local ml = {}

---A tree with a linear model in each leaf.
---@param params? manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function ml.LinearTreeRegressor(params) end
