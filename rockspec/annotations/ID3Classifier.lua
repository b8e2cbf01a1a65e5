---@meta _
-- luacheck: ignore
-- ml.ID3Classifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ID3Classifier.Params
---@field max_depth? integer # most questions from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---A branch for each level of the column that tells most of the class, down to leaves of one class.
---
---the question of a node gains most: H(S) - sum_v |S_v| / |S| H(S_v), H = - sum_c p_c log2 p_c
---
---A column of numbers is cut in two, x <= cut, halfway between two values (Mitchell, Machine Learning (1997),
---section 3.7.2). Among equal gains the first column wins, and a gain of 0 is taken, too, as ID3 goes on until
---rows are of one class or alike. A level that no row of a node had is answered by that node; a level that fit
---did not see goes into all branches, by their shares. Nothing is pruned: C45Classifier does, and takes missing
---values. A large factor is favoured: its gain is high even where it says nothing.
---@class manilius.ID3Classifier: manilius.Classifier
---@field max_depth? integer # most questions from the root to a leaf; nil: until the leaves are pure
---@field feature_importances manilius.Vector # learned: share of each column in the information gained; all 0 where nothing was split, features
local ID3Classifier = {}

---The same settings, not fitted.
---@return manilius.ID3Classifier
function ID3Classifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ID3Classifier
function ID3Classifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function ID3Classifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function ID3Classifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ID3Classifier
function ID3Classifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ID3Classifier.Params
---@return manilius.ID3Classifier
function ID3Classifier:set_params(values) end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text
---@return string
function ID3Classifier:text() end

---one rule for each leaf, in which each bound is said once. Gives a Frame of rule, answer, cover (weight of the
---rows of fit there), impurity (entropy, in bits)
---@return manilius.Frame
function ID3Classifier:rules() end

---all nodes, the root first: branch is what leads to a node from its parent, 1-based. Gives a Frame of branch,
---question (the column), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits), gain,
---value (largest share of a class)
---@return manilius.Frame
function ID3Classifier:nodes() end

---what each column tells of y, of all rows of X or of those that come to a node. Gives a Frame of column, gain
---(information gain in bits; of a number, by its best cut), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return manilius.Frame
function ID3Classifier:gains(X, y, options) end

---@class manilius
local ml = {}

---A branch for each level of the column that tells most of the class, down to leaves of one class.
---@param params? manilius.ID3Classifier.Params
---@return manilius.ID3Classifier
function ml.ID3Classifier(params) end
