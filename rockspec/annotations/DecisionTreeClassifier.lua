---@meta _
-- luacheck: ignore
-- ml.DecisionTreeClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.DecisionTreeClassifier.Params
---@field criterion? "gini"|"entropy"|"log_loss" # impurity of a node; a split minimizes the weighted impurity of its children; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # minimum number of rows of a node that is split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # minimum number of rows of a leaf; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # minimum weight of a leaf, as a share of the weight of all rows; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split first; nil: unlimited; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # minimum decrease of the impurity by a split, times the share of the weight in the node; default 0; a number >= 0
---@field ccp_alpha? number # cost-complexity pruning: subtrees that decrease the impurity by less than this per leaf are removed; default 0; a number >= 0
---@field monotonic_cst? manilius.Numbers # monotonic constraint for each column: 1 increasing, -1 decreasing, 0 none; nil: none; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns that may occur together on a path from the root to a leaf: lists of numbers or names, { {1, 2}, {"age", "income"} }, or a groups x features matrix of 0 and 1; columns in no list form another group; nil: no constraint; default nil; lists of columns, or a matrix of numbers from 0 to 1 or nil
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field splitter? "best"|"random" # best: the best threshold of each column; random: one threshold per column, drawn between its minimum and maximum in the node; default "best"; one of best, random
---@field max_features? number # number of columns tried at each node, drawn at random; below 1: a share of all columns; nil: all; default nil; a number > 0 or nil
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Decision tree (CART) for classification.
---
---a split minimizes the sum of weight * impurity over both children; gini = 1 - sum_c p_c^2, entropy = log_loss =
---- sum_c p_c log2 p_c
---
---Rows go left if x <= threshold, the midpoint of two adjacent values. Missing values are tried on both sides of
---each split; if a node had none, they go with the heavier side. A factor is split into two sets of levels: the
---best partition for two classes, otherwise the best in the order of class shares. A row of weight w counts as
---max(1, w) rows in min_samples_split and min_samples_leaf. Ties are broken by the lowest column.
---@class manilius.DecisionTreeClassifier: manilius.Classifier
---@field criterion "gini"|"entropy"|"log_loss" # impurity of a node; a split minimizes the weighted impurity of its children
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited
---@field min_samples_split number # minimum number of rows of a node that is split; below 1: a share of all rows
---@field min_samples_leaf number # minimum number of rows of a leaf; below 1: a share of all rows
---@field min_weight_fraction_leaf number # minimum weight of a leaf, as a share of the weight of all rows
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split first; nil: unlimited
---@field min_impurity_decrease number # minimum decrease of the impurity by a split, times the share of the weight in the node
---@field ccp_alpha number # cost-complexity pruning: subtrees that decrease the impurity by less than this per leaf are removed
---@field monotonic_cst? manilius.Numbers # monotonic constraint for each column: 1 increasing, -1 decreasing, 0 none; nil: none
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns that may occur together on a path from the root to a leaf: lists of numbers or names, { {1, 2}, {"age", "income"} }, or a groups x features matrix of 0 and 1; columns in no list form another group; nil: no constraint
---@field seed integer # random seed; the same seed gives the same result
---@field splitter "best"|"random" # best: the best threshold of each column; random: one threshold per column, drawn between its minimum and maximum in the node
---@field max_features? number # number of columns tried at each node, drawn at random; below 1: a share of all columns; nil: all
---@field feature_importances manilius.Vector # learned: share of each column in the total decrease of the impurity; all 0 if nothing was split, features
local DecisionTreeClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function DecisionTreeClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function DecisionTreeClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.DecisionTreeClassifier.Params
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:set_params(values) end

---the leaf of each row. Gives Vector: the number of a node for each row
---@param X manilius.X
---@return manilius.Vector
function DecisionTreeClassifier:apply(X) end

---the path of each row from the root to its leaf. Gives node: all paths, one after the other; start: rows + 1,
---the position in node at which the path of each row begins
---@param X manilius.X
---@return table<string, any>
function DecisionTreeClassifier:decision_path(X) end

---the values of ccp_alpha at which subtrees are pruned, and the impurity of the remaining leaves. Gives
---ccp_alphas, impurities: one value for each step; the first is the full tree
---@return table<string, any>
function DecisionTreeClassifier:cost_complexity_path() end

---contribution of each column to the prediction of a row (TreeSHAP), for classifiers to the probabilities; base
---plus the sum of the values is the prediction. Gives values (rows x features; for several classes or targets one
---block of columns after the other), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function DecisionTreeClassifier:shap(X) end

---nodes of all trees, levels of factor splits, and leaf values; a prediction is the mean over the leaves of a
---row. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0 in a leaf), feature, threshold (x
---<= threshold goes left), missing_left, cover; levels: Frame of tree, node, level, goes_left; values (nodes x
---classes or targets; NaN in splits)
---@return table<string, any>
function DecisionTreeClassifier:trees() end

---the tree as indented text, with the value, certainty and weight of each leaf. Gives text; "or missing" marks
---the side of rows without a value, if there were any in fit
---@return string
function DecisionTreeClassifier:text() end

---one rule for each leaf, in which each bound occurs once. Gives Frame of rule ("or missing" if rows without a
---value satisfy it, and there were any in fit), answer, cover (weight of the training rows), impurity
---@return manilius.Frame
function DecisionTreeClassifier:rules() end

---table of all nodes, the root first; children are node numbers from 1. Gives Frame of question (true: left),
---answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share of a class,
---or first target; of a split, the weighted mean of its leaves); if there were missing values in fit, has_missing
---(1: rows without a value of the feature reach the node)
---@return manilius.Frame
function DecisionTreeClassifier:nodes() end

---@class manilius
local ml = {}

---Decision tree (CART) for classification.
---@param params? manilius.DecisionTreeClassifier.Params
---@return manilius.DecisionTreeClassifier
function ml.DecisionTreeClassifier(params) end
