---@meta _
-- luacheck: ignore
-- ml.C45Classifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.C45Classifier.Params
---@field confidence_factor? number # confidence level of the errors to be expected of a leaf: the smaller, the more is pruned; default 0.25; a number > 0 and <= 0.5
---@field min_num_obj? number # rows, as weight, that at least two branches of a split need; default 2; a number > 0
---@field max_depth? integer # most questions from the root to a leaf; nil: no limit; default nil; a whole number from 0 to 2147483647 or nil
---@field unpruned? boolean # leave the tree as it has grown; default false; true or false
---@field subtree_raising? boolean # pruning may put the largest branch in the place of its parent; default true; true or false
---@field use_laplace? boolean # add one row of each class to every leaf for the probabilities; default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---C4.5 (J48): questions by gain ratio, a branch for each level, missing values in parts, pessimistic pruning.
---
---among gains of at least their mean, the question with the largest gain / split information; then a subtree
---stays while the upper limit of its errors is lower than that of a leaf
---
---Parameters are those of J48 (Weka). A column of numbers is cut in two, x <= cut, cut being a value of X;
---log2(cuts) / rows is taken off its gain, and each side needs a tenth of the mean size of a class, but at least
---min_num_obj rows and not more than 25. A row whose value is missing, or a level that fit did not see, goes into
---all branches in parts by their shares; a level that no row of a node had is answered by that node. Among equal
---ratios the first column wins. Values that differ by less than 1e-5 are different (J48: the same).
---@class manilius.C45Classifier: manilius.Classifier
---@field confidence_factor number # confidence level of the errors to be expected of a leaf: the smaller, the more is pruned
---@field min_num_obj number # rows, as weight, that at least two branches of a split need
---@field max_depth? integer # most questions from the root to a leaf; nil: no limit
---@field unpruned boolean # leave the tree as it has grown
---@field subtree_raising boolean # pruning may put the largest branch in the place of its parent
---@field use_laplace boolean # add one row of each class to every leaf for the probabilities
---@field feature_importances manilius.Vector # learned: share of each column in the information gained; all 0 where nothing was split, features
local C45Classifier = {}

---The same settings, not fitted.
---@return manilius.C45Classifier
function C45Classifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.C45Classifier
function C45Classifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function C45Classifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function C45Classifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.C45Classifier
function C45Classifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.C45Classifier.Params
---@return manilius.C45Classifier
function C45Classifier:set_params(values) end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text
---@return string
function C45Classifier:text() end

---one rule for each leaf, in which each bound is said once. Gives a Frame of rule, answer, cover (weight of the
---rows of fit there), impurity (entropy, in bits)
---@return manilius.Frame
function C45Classifier:rules() end

---all nodes, the root first: branch is what leads to a node from its parent, 1-based. Gives a Frame of branch,
---question (the column), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits), gain,
---value (largest share of a class)
---@return manilius.Frame
function C45Classifier:nodes() end

---what each column tells of y, of all rows of X or of those that come to a node. Gives a Frame of column, gain
---(information gain in bits; of a number, by its best cut), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return manilius.Frame
function C45Classifier:gains(X, y, options) end

---@class manilius
local ml = {}

---C4.5 (J48): questions by gain ratio, a branch for each level, missing values in parts, pessimistic pruning.
---@param params? manilius.C45Classifier.Params
---@return manilius.C45Classifier
function ml.C45Classifier(params) end
