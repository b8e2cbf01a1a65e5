---@meta _
-- luacheck: ignore
-- ml.RotationForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RotationForestClassifier.Params
---@field n_estimators? integer # number of trees; default 100; a whole number from 1 to 1000000
---@field group_size? integer # number of features rotated together; the last group may be smaller; default 3; a whole number from 1 to 2147483647
---@field max_samples? number # size of the bootstrap sample that determines the axes of a group, as a fraction of the rows of its classes; default 0.75; a number > 0 and <= 1
---@field standardize? boolean # divide features by their standard deviation before the rotation; default true; true or false
---@field criterion? "gini"|"entropy"|"log_loss" # impurity of a node; a split minimizes the weighted impurity of its children; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # minimum number of rows of a node that is split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # minimum number of rows of a leaf; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # minimum weight of a leaf, as a share of the weight of all rows; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split first; nil: unlimited; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # minimum decrease of the impurity by a split, times the share of the weight in the node; default 0; a number >= 0
---@field ccp_alpha? number # cost-complexity pruning: subtrees that decrease the impurity by less than this per leaf are removed; default 0; a number >= 0
---@field max_features? number # axes drawn at random as candidates at each node; below 1: a fraction of all; nil: all; default nil; a number > 0 or nil
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Forest of trees, each grown on all samples rotated by principal axes.
---
---p(c | x) = mean over the trees of the fraction of class c in the leaf of R_t (x - center) / scale
---
---For each group of features of a tree, a set of classes and a bootstrap sample of their rows are drawn, and all
---principal axes of the sample are kept. The trees are those of DecisionTreeClassifier (C4.5 in the paper);
---standardize = false leaves features in their units, as in the paper. feature_importances distribute the gain of
---an axis over its features by their squared coefficients. Suited to numeric features with oblique class
---boundaries.
---@class manilius.RotationForestClassifier: manilius.Classifier
---@field n_estimators integer # number of trees
---@field group_size integer # number of features rotated together; the last group may be smaller
---@field max_samples number # size of the bootstrap sample that determines the axes of a group, as a fraction of the rows of its classes
---@field standardize boolean # divide features by their standard deviation before the rotation
---@field criterion "gini"|"entropy"|"log_loss" # impurity of a node; a split minimizes the weighted impurity of its children
---@field max_depth? integer # maximum number of splits from the root to a leaf; nil: unlimited
---@field min_samples_split number # minimum number of rows of a node that is split; below 1: a share of all rows
---@field min_samples_leaf number # minimum number of rows of a leaf; below 1: a share of all rows
---@field min_weight_fraction_leaf number # minimum weight of a leaf, as a share of the weight of all rows
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split first; nil: unlimited
---@field min_impurity_decrease number # minimum decrease of the impurity by a split, times the share of the weight in the node
---@field ccp_alpha number # cost-complexity pruning: subtrees that decrease the impurity by less than this per leaf are removed
---@field max_features? number # axes drawn at random as candidates at each node; below 1: a fraction of all; nil: all
---@field seed integer # random seed; the same seed gives the same result
---@field feature_importances manilius.Vector # learned: share of each column in the total decrease of the impurity; all 0 if nothing was split, features
---@field center manilius.Vector # learned: mean of each feature, features
---@field scale manilius.Vector # learned: divisor of each feature: its standard deviation (1 if constant); without standardize, the largest of all, features
---@field order manilius.Vector # learned: features of X in the order of their groups, tree by tree, axes < features
---@field rotation manilius.Matrix # learned: axes of the groups, as coefficients of the features that `order` lists for the group; shorter groups are padded with zeros, axes x group
local RotationForestClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.RotationForestClassifier
function RotationForestClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RotationForestClassifier
function RotationForestClassifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function RotationForestClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function RotationForestClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.RotationForestClassifier
function RotationForestClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.RotationForestClassifier.Params
---@return manilius.RotationForestClassifier
function RotationForestClassifier:set_params(values) end

---@class manilius
local ml = {}

---Forest of trees, each grown on all samples rotated by principal axes.
---@param params? manilius.RotationForestClassifier.Params
---@return manilius.RotationForestClassifier
function ml.RotationForestClassifier(params) end
