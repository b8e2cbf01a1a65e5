---@meta _
-- luacheck: ignore
-- ml.LinearTreeRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearTreeRegressor.Params
---@field alpha? number # L2 penalty on the coefficients of leaf models, for columns in units of their standard deviation; default 0.01; a number > 0
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_leaf? number # minimum weight of a leaf; nil: twice the parameters of its model, 2 (numeric columns + 1); default nil; a number > 0 or nil
---@field max_bins? integer # maximum number of thresholds tried per column and node, at equal shares of its rows; then all near the best one; default 64; a whole number from 2 to 2147483647
---@field smoothing? number # weight, in rows, of the model of each ancestor when it is averaged into a leaf model; 0: none; M5 uses 15; default 0; a number >= 0
---@field unpruned? boolean # keep the tree as grown, without pruning by the BIC; default false; true or false

---Regression tree with a linear model in each leaf.
---
---y = c_l + b_l'x in leaf l, minimizing sum w (y - c - b'z)^2 + alpha |b|^2 with z: columns in units of their
---standard deviation; a split minimizes sum w (y - c - b'z)^2
---
---Subtrees that do not improve the BIC, in which a split counts as three parameters, become leaves. Predictions
---are not clipped: leaf models extrapolate linearly. coef and intercept are in the units of X. Factors split
---nodes but have no coefficients. Missing values go to the better side of a split, or to the heavier one if a
---node had none; in leaf models they count as the mean of the leaf. Fitting time grows with rows * columns^3.
---@class manilius.LinearTreeRegressor: manilius.Regressor
---@field alpha number # L2 penalty on the coefficients of leaf models, for columns in units of their standard deviation
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited
---@field min_samples_leaf? number # minimum weight of a leaf; nil: twice the parameters of its model, 2 (numeric columns + 1)
---@field max_bins integer # maximum number of thresholds tried per column and node, at equal shares of its rows; then all near the best one
---@field smoothing number # weight, in rows, of the model of each ancestor when it is averaged into a leaf model; 0: none; M5 uses 15
---@field unpruned boolean # keep the tree as grown, without pruning by the BIC
---@field coef manilius.Matrix # learned: coefficients of each leaf model, tree_leaves x features
---@field intercept manilius.Vector # learned: intercept of each leaf model, tree_leaves
---@field means manilius.Matrix # learned: mean of each column in each leaf, which replaces missing values; 0 for a factor, tree_leaves x features
---@field feature_importances manilius.Vector # learned: share of each column in the total decrease of the loss; all 0 if nothing was split, features
local LinearTreeRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:set_params(values) end

---the leaf of each row. Gives Vector: the number of a node for each row
---@param X manilius.X
---@return manilius.Vector
function LinearTreeRegressor:apply(X) end

---the tree as indented text, with the value, certainty and weight of each leaf. Gives text; "or missing" marks
---the side of rows without a value, if there were any in fit
---@return string
function LinearTreeRegressor:text() end

---one rule for each leaf, in which each bound occurs once. Gives Frame of rule ("or missing" if rows without a
---value satisfy it, and there were any in fit), answer, cover (weight of the training rows), impurity
---@return manilius.Frame
function LinearTreeRegressor:rules() end

---table of all nodes, the root first; children are node numbers from 1. Gives Frame of question (true: left),
---answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share of a class,
---or first target; of a split, the weighted mean of its leaves); if there were missing values in fit, has_missing
---(1: rows without a value of the feature reach the node)
---@return manilius.Frame
function LinearTreeRegressor:nodes() end

---@class manilius
local ml = {}

---Regression tree with a linear model in each leaf.
---@param params? manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function ml.LinearTreeRegressor(params) end
