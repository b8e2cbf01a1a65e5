---@meta _
-- luacheck: ignore
-- ml.DecisionTreeRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.DecisionTreeRegressor.Params
---@field criterion? "squared_error"|"friedman_mse"|"poisson"|"absolute_error" # what makes a node impure; a split lowers it most; default "squared_error"; one of squared_error, friedman_mse, poisson, absolute_error
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns of which only those of one meet on a way from the root to a leaf: lists by number or name, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; columns in none form one more; default nil; lists of columns, or a matrix of numbers from 0 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field splitter? "best"|"random" # best: the best cut of each column; random: one cut, drawn between its least and largest value; default "best"; one of best, random
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil

---Questions about one column at a time, down to a leaf that gives the value.
---
---a split lowers sum over both sides of weight * impurity most; squared_error: variance, absolute_error: mean |y
---- median|, poisson: mean of y log(y / mean); friedman_mse: it maximises w_l w_r / (w_l + w_r) (mean_l -
---mean_r)^2, which is the same as squared_error
---
---Rows go left where x <= threshold, halfway between two values. Missing values are tried on both sides of every
---cut; where a node saw none, they go with most rows. A factor is split into two sets of its levels, along their
---means of y. A row of weight w counts as max(1, w) rows in min_samples_split and min_samples_leaf. Several
---targets share one tree, which lowers the mean of their impurities. Among equal splits the first column wins
---(scikit-learn: one drawn at random).
---@class manilius.DecisionTreeRegressor: manilius.Regressor
---@field criterion "squared_error"|"friedman_mse"|"poisson"|"absolute_error" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns of which only those of one meet on a way from the root to a leaf: lists by number or name, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; columns in none form one more
---@field seed integer # names the random stream: same seed, same result
---@field splitter "best"|"random" # best: the best cut of each column; random: one cut, drawn between its least and largest value
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
local DecisionTreeRegressor = {}

---The same settings, not fitted.
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.DecisionTreeRegressor.Params
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:set_params(values) end

---the leaf in which each row ends. Gives Vector: rows, the number of a node
---@param X manilius.X
---@return manilius.Vector
function DecisionTreeRegressor:apply(X) end

---the nodes that each row passes, from the root to its leaf. Gives node: all paths, one after the other; start:
---rows + 1, where the path of each row begins in node
---@param X manilius.X
---@return table<string, any>
function DecisionTreeRegressor:decision_path(X) end

---the values of ccp_alpha at which subtrees are pruned, and the impurity of the leaves that are left. Gives
---ccp_alphas, impurities: one for each step, the whole tree first
---@return table<string, any>
function DecisionTreeRegressor:cost_complexity_path() end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function DecisionTreeRegressor:shap(X) end

---the nodes of all trees, where levels of factors go, and what leaves say: the prediction is the mean of the
---leaves in which a row ends. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0 in a leaf),
---feature, threshold (x <= threshold goes left), missing_left, cover; levels: Frame of tree, node, level,
---goes_left; values (nodes x classes or targets), NaN in splits
---@return table<string, any>
function DecisionTreeRegressor:trees() end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text;
---"or missing" on the side of rows without a value, where fit saw such rows
---@return string
function DecisionTreeRegressor:text() end

---one rule for each leaf, in which each bound is said once. Gives a Frame of rule ("or missing" where rows
---without a value keep it, and fit saw such rows), answer, cover (weight of the rows of fit there), impurity
---@return manilius.Frame
function DecisionTreeRegressor:rules() end

---all nodes, the root first: children by number, 1-based; left where the answer is yes. Gives a Frame of
---question, answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share
---of a class, or first target; where a node is split, the mean of its leaves by their weights, also under
---absolute_error, whose leaves hold medians); where fit saw missing values has_missing (1: rows without a value
---of the feature come there)
---@return manilius.Frame
function DecisionTreeRegressor:nodes() end

---@class manilius
local ml = {}

---Questions about one column at a time, down to a leaf that gives the value.
---@param params? manilius.DecisionTreeRegressor.Params
---@return manilius.DecisionTreeRegressor
function ml.DecisionTreeRegressor(params) end
