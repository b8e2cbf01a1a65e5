---@meta _
-- luacheck: ignore
-- ml.RandomForestRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RandomForestRegressor.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 1000000
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
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field bootstrap? boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows; default true; true or false
---@field max_samples? number # rows drawn for a tree by bootstrap; below 1: a share of all; nil: as many as there are; default nil; a number > 0 or nil
---@field oob? boolean # score each row by the trees that did not draw it; default false; true or false
---@field oob_importance? boolean # how much each column matters to the rows that trees did not draw: permutation_importances; default false; true or false
---@field quantiles? boolean # keep the rows of fit for predict_quantiles; default false; true or false

---The mean of many trees, each on rows and columns drawn at random.
---
---y(x) = mean over the trees of the value of the leaf of x
---
---Missing values and factors as in a single tree. feature_importances are the mean of those of the trees, each a
---share; they favour columns with many values. permutation_importances, of oob_importance = true, do not: each
---tree's loss on the rows that it did not draw (weighted as in fit), with a column shuffled among them (Breiman
---2001; as ranger's importance = 'permutation', unscaled). Quantiles weigh the rows of fit by how often they
---share a leaf with x (Meinshausen, JMLR 7, 2006). Results do not depend on the number of threads.
---@class manilius.RandomForestRegressor: manilius.Regressor
---@field n_estimators integer # trees
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
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree by bootstrap; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field oob_importance boolean # how much each column matters to the rows that trees did not draw: permutation_importances
---@field quantiles boolean # keep the rows of fit for predict_quantiles
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
---@field oob_errors manilius.Vector # learned: error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob, oob_trees
---@field permutation_importances manilius.Vector # learned: how much more a tree is off on the rows that it did not draw (share of wrong labels, or mean squared error) when a column is shuffled among them, mean over the trees; empty without oob_importance, features
---@field permutation_se manilius.Vector # learned: standard errors of permutation_importances over the trees; empty without oob_importance, features
local RandomForestRegressor = {}

---The same settings, not fitted.
---@return manilius.RandomForestRegressor
function RandomForestRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RandomForestRegressor
function RandomForestRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RandomForestRegressor
function RandomForestRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RandomForestRegressor.Params
---@return manilius.RandomForestRegressor
function RandomForestRegressor:set_params(values) end

---the leaf in which each row ends, in each tree. Gives Matrix (rows x trees): the numbers of nodes
---@param X manilius.X
---@return manilius.Matrix
function RandomForestRegressor:apply(X) end

---how near rows are: the share of the trees in which two end in the same leaf. Gives Matrix (rows x rows), from 0
---to 1
---@param X manilius.X
---@return manilius.Matrix
function RandomForestRegressor:proximity(X) end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function RandomForestRegressor:shap(X) end

---the nodes of all trees, where levels of factors go, and what leaves say: the prediction is the mean of the
---leaves in which a row ends. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0 in a leaf),
---feature, threshold (x <= threshold goes left), missing_left, cover; levels: Frame of tree, node, level,
---goes_left; values (nodes x classes or targets), NaN in splits
---@return table<string, any>
function RandomForestRegressor:trees() end

---quantiles of y at each row, by the rows of fit that share its leaves; needs quantiles = true at fit. Gives
---Matrix (rows x levels)
---@param X manilius.X
---@param options? { levels?: manilius.Numbers }
---@return manilius.Matrix
function RandomForestRegressor:predict_quantiles(X, options) end

---@class manilius
local ml = {}

---The mean of many trees, each on rows and columns drawn at random.
---@param params? manilius.RandomForestRegressor.Params
---@return manilius.RandomForestRegressor
function ml.RandomForestRegressor(params) end
