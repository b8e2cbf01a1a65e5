---@meta _
-- luacheck: ignore
-- ml.ExtraTreesClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ExtraTreesClassifier.Params
---@field n_estimators? integer # number of trees; default 100; a whole number from 1 to 1000000
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
---@field max_features? number # features drawn at random as candidates at each node; below 1: a fraction of all; nil: the square root of their number; default nil; a number > 0 or nil
---@field bootstrap? boolean # grow each tree on a bootstrap sample, drawn in proportion to the weights; otherwise on all samples; default false; true or false
---@field max_samples? number # size of a bootstrap sample; below 1: a fraction of all samples; nil: the number of samples; default nil; a number > 0 or nil
---@field oob? boolean # evaluate out-of-bag: predict each sample by the trees that did not draw it; default false; true or false
---@field oob_importance? boolean # compute permutation_importances on the out-of-bag samples; default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---Extremely randomized trees: splits at random thresholds, averaged over trees.
---
---p(c | x) = mean over the trees of the fraction of class c in the leaf of x
---
---At each node max_features features are drawn, and for each one a random threshold between its minimum and
---maximum; the best of these splits is used. Levels of a factor go left or right at random. feature_importances
---are the mean decrease of impurity, which favors features with many values; permutation_importances
---(oob_importance = true, bootstrap = true) do not. Predicted probabilities are averaged, not voted. Results do
---not depend on the number of threads.
---@class manilius.ExtraTreesClassifier: manilius.Classifier
---@field n_estimators integer # number of trees
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
---@field max_features? number # features drawn at random as candidates at each node; below 1: a fraction of all; nil: the square root of their number
---@field bootstrap boolean # grow each tree on a bootstrap sample, drawn in proportion to the weights; otherwise on all samples
---@field max_samples? number # size of a bootstrap sample; below 1: a fraction of all samples; nil: the number of samples
---@field oob boolean # evaluate out-of-bag: predict each sample by the trees that did not draw it
---@field oob_importance boolean # compute permutation_importances on the out-of-bag samples
---@field feature_importances manilius.Vector # learned: share of each column in the total decrease of the impurity; all 0 if nothing was split, features
---@field importances_std manilius.Vector # learned: standard deviation of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: out-of-bag probabilities or values of each training sample (of positive weight); NaN if every tree drew it; empty without oob, rows x answers
---@field oob_errors manilius.Vector # learned: out-of-bag error of the first 1, 2, ... trees: misclassification rate, or mean squared error (averaged over targets); empty without oob, oob_trees
---@field permutation_importances manilius.Vector # learned: mean increase of the error of a tree on its out-of-bag samples (misclassification rate, or mean squared error) if a feature is permuted; empty without oob_importance, features
---@field permutation_se manilius.Vector # learned: standard errors of permutation_importances over the trees; empty without oob_importance, features
local ExtraTreesClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.ExtraTreesClassifier.Params
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:set_params(values) end

---leaf of each sample in each tree. Gives Matrix (rows x trees): node numbers
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:apply(X) end

---fraction of the trees in which two samples fall into the same leaf. Gives Matrix (rows x rows), from 0 to 1
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:proximity(X) end

---contribution of each column to the prediction of a row (TreeSHAP), for classifiers to the probabilities; base
---plus the sum of the values is the prediction. Gives values (rows x features; for several classes or targets one
---block of columns after the other), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function ExtraTreesClassifier:shap(X) end

---nodes of all trees, levels of factor splits, and leaf values; a prediction is the mean over the leaves of a
---row. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0 in a leaf), feature, threshold (x
---<= threshold goes left), missing_left, cover; levels: Frame of tree, node, level, goes_left; values (nodes x
---classes or targets; NaN in splits)
---@return table<string, any>
function ExtraTreesClassifier:trees() end

---@class manilius
local ml = {}

---Extremely randomized trees: splits at random thresholds, averaged over trees.
---@param params? manilius.ExtraTreesClassifier.Params
---@return manilius.ExtraTreesClassifier
function ml.ExtraTreesClassifier(params) end
