---@meta _
-- luacheck: ignore
-- ml.ID3Classifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ID3Classifier.Params
---@field max_depth? integer # maximum depth; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field class_weight? "balanced"|table<manilius.Label, number> # factor per class for the sample weights: { label = factor, ... }; or "balanced": W / (k W_c), where W_c is the total weight of the class, W that of all rows and k the number of classes; nil: 1 for all

---ID3: information gain, one branch per level, no pruning.
---
---maximize the information gain H(S) - sum_v |S_v| / |S| H(S_v), H = - sum_c p_c log2 p_c
---
---A number is split at a threshold halfway between two values (Mitchell, Machine Learning (1997), section 3.7.2).
---Ties are broken by the lowest feature index; splits with gain 0 are allowed, until the samples of a node have
---one class or equal values. A level absent from a node is predicted by that node; a level unknown to fit goes to
---all branches, weighted by their shares. Factors with many levels are favored. For pruning and missing values
---use C45Classifier.
---@class manilius.ID3Classifier: manilius.Classifier
---@field max_depth? integer # maximum depth; nil: until the leaves are pure
---@field feature_importances manilius.Vector # learned: share of each feature in the total information gain; all 0 if nothing was split, features
local ID3Classifier = {}

---An unfitted copy with the same parameters.
---@return manilius.ID3Classifier
function ID3Classifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ID3Classifier
function ID3Classifier:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function ID3Classifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function ID3Classifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.ID3Classifier
function ID3Classifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.ID3Classifier.Params
---@return manilius.ID3Classifier
function ID3Classifier:set_params(values) end

---the tree as indented text, with the weight of the training samples and the majority share of each leaf. Gives
---text
---@return string
function ID3Classifier:text() end

---one rule per leaf, with the tightest bounds. Gives a Frame of rule, answer, cover (weight of the training
---samples), impurity (entropy, in bits)
---@return manilius.Frame
function ID3Classifier:rules() end

---all nodes, the root first; branch is the condition that leads to a node from its parent. Gives a Frame of
---branch, question (the feature), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits),
---gain, value (share of the majority class)
---@return manilius.Frame
function ID3Classifier:nodes() end

---information gain of each feature, for all samples of X or those that reach a node. Gives a Frame of column,
---gain (information gain in bits, for a number with its best threshold), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return manilius.Frame
function ID3Classifier:gains(X, y, options) end

---@class manilius
local ml = {}

---ID3: information gain, one branch per level, no pruning.
---@param params? manilius.ID3Classifier.Params
---@return manilius.ID3Classifier
function ml.ID3Classifier(params) end
