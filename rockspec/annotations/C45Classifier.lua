---@meta _
-- luacheck: ignore
-- ml.C45Classifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.C45Classifier.Params
---@field confidence_factor? number # confidence level of the estimated errors of a leaf; smaller values prune more; default 0.25; a number > 0 and <= 0.5
---@field min_num_obj? number # minimum weight of samples in at least two branches of a split; default 2; a number > 0
---@field max_depth? integer # maximum depth; nil: unlimited; default nil; a whole number from 0 to 2147483647 or nil
---@field unpruned? boolean # do not prune the tree; default false; true or false
---@field subtree_raising? boolean # pruning may replace a node by its largest branch; default true; true or false
---@field use_laplace? boolean # smooth leaf probabilities by adding one sample of each class (Laplace); default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---C4.5 (J48): gain ratio, one branch per level, pessimistic pruning.
---
---maximize gain / split information among splits whose gain is at least the mean; prune subtrees whose upper
---confidence limit of errors is not below that of a leaf
---
---Parameters follow J48 (Weka). A number is split at a value of X, x <= threshold; log2(thresholds) / samples is
---subtracted from its gain, and each side needs at least min_num_obj samples, or up to 25 if classes are large. A
---sample whose value is missing, or a level unknown to fit, goes to all branches with fractional weights; a level
---absent from a node is predicted by that node. Ties are broken by the lowest feature index.
---@class manilius.C45Classifier: manilius.Classifier
---@field confidence_factor number # confidence level of the estimated errors of a leaf; smaller values prune more
---@field min_num_obj number # minimum weight of samples in at least two branches of a split
---@field max_depth? integer # maximum depth; nil: unlimited
---@field unpruned boolean # do not prune the tree
---@field subtree_raising boolean # pruning may replace a node by its largest branch
---@field use_laplace boolean # smooth leaf probabilities by adding one sample of each class (Laplace)
---@field feature_importances manilius.Vector # learned: share of each feature in the total information gain; all 0 if nothing was split, features
local C45Classifier = {}

---An unfitted copy with the same parameters.
---@return manilius.C45Classifier
function C45Classifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.C45Classifier
function C45Classifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function C45Classifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function C45Classifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.C45Classifier
function C45Classifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.C45Classifier.Params
---@return manilius.C45Classifier
function C45Classifier:set_params(values) end

---the tree as indented text, with the weight of the training samples and the majority share of each leaf. Gives
---text
---@return string
function C45Classifier:text() end

---one rule per leaf, with the tightest bounds. Gives a Frame of rule, answer, cover (weight of the training
---samples), impurity (entropy, in bits)
---@return manilius.Frame
function C45Classifier:rules() end

---all nodes, the root first; branch is the condition that leads to a node from its parent. Gives a Frame of
---branch, question (the feature), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits),
---gain, value (share of the majority class)
---@return manilius.Frame
function C45Classifier:nodes() end

---information gain of each feature, for all samples of X or those that reach a node. Gives a Frame of column,
---gain (information gain in bits, for a number with its best threshold), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return manilius.Frame
function C45Classifier:gains(X, y, options) end

---@class manilius
local ml = {}

---C4.5 (J48): gain ratio, one branch per level, pessimistic pruning.
---@param params? manilius.C45Classifier.Params
---@return manilius.C45Classifier
function ml.C45Classifier(params) end
