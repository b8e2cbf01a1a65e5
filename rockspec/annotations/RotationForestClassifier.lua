---@meta _
-- luacheck: ignore
-- ml.RotationForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RotationForestClassifier.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 1000000
---@field group_size? integer # columns that are turned together; the last group takes what is left; default 3; a whole number from 1 to 2147483647
---@field max_samples? number # rows drawn with replacement to find the axes of a group, as a share of those of its classes; default 0.75; a number > 0 and <= 1
---@field standardize? boolean # columns by their standard deviation before they are turned; else as they are; default true; true or false
---@field criterion? "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field max_features? number # axes tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---The mean of many trees, each on all rows turned by principal axes of random groups of columns.
---
---p(c | x) = mean over the trees of the share of class c in the leaf of R_t (x - center) / scale
---
---For each group of a tree a set of classes is drawn, and of their rows a bootstrap sample, whose principal axes
---are all kept. The trees are those of DecisionTreeClassifier (the paper's: C4.5). The paper leaves columns in
---their units: standardize = false. feature_importances share what an axis gains among the columns by the squares
---of their parts in it. Good where classes are parted by slanting lines, and of columns that are all numbers.
---@class manilius.RotationForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field group_size integer # columns that are turned together; the last group takes what is left
---@field max_samples number # rows drawn with replacement to find the axes of a group, as a share of those of its classes
---@field standardize boolean # columns by their standard deviation before they are turned; else as they are
---@field criterion "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field max_features? number # axes tried at each node, drawn at random; below 1: a share of all; nil: all
---@field seed integer # names the random stream: same seed, same result
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field center manilius.Vector # learned: mean of each column, features
---@field scale manilius.Vector # learned: what each column is divided by: its standard deviation (1 where it is constant); the largest of all without standardize, features
---@field order manilius.Vector # learned: the columns of X in the order of their groups: those of the first tree, then of the second, ..., axes < features
---@field rotation manilius.Matrix # learned: the axes of the groups, as parts of the columns that `order` names for the group; zeros behind those of a group that is short, axes x group
local RotationForestClassifier = {}

---The same settings, not fitted.
---@return manilius.RotationForestClassifier
function RotationForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RotationForestClassifier
function RotationForestClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function RotationForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function RotationForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RotationForestClassifier
function RotationForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RotationForestClassifier.Params
---@return manilius.RotationForestClassifier
function RotationForestClassifier:set_params(values) end

---@class manilius
local ml = {}

---The mean of many trees, each on all rows turned by principal axes of random groups of columns.
---@param params? manilius.RotationForestClassifier.Params
---@return manilius.RotationForestClassifier
function ml.RotationForestClassifier(params) end
