---@meta _
-- luacheck: ignore
-- The estimators of tree: settings, learned values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.DecisionTreeClassifier.Params
---@field criterion? "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field splitter? "best"|"random" # best: the best cut of each column; random: one cut, drawn between its least and largest value; default "best"; one of best, random
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Questions about one column at a time, down to a leaf that says the class.
---
---a split lowers sum over both sides of weight * impurity most; gini = 1 - sum_c p_c^2, entropy = log_loss = -
---sum_c p_c log2 p_c
---
---Rows go left where x <= threshold, halfway between two values. Missing values are tried on both sides of every
---cut; where a node saw none, they go with most rows. A factor is split into two sets of its levels: for two
---classes the best of all, for more the best along the share of each class. A row of weight w counts as max(1, w)
---rows in min_samples_split and min_samples_leaf. Among equal splits the first column wins (scikit-learn: one
---drawn at random).
---@class manilius.DecisionTreeClassifier: manilius.Classifier
---@field criterion "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field splitter "best"|"random" # best: the best cut of each column; random: one cut, drawn between its least and largest value
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
local DecisionTreeClassifier = {}

---The same settings, not fitted.
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function DecisionTreeClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function DecisionTreeClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.DecisionTreeClassifier.Params
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:set_params(values) end

---the leaf in which each row ends. Gives leaf: rows, the number of a node
---@param X manilius.X
---@return table<string, any>
function DecisionTreeClassifier:apply(X) end

---the nodes that each row passes, from the root to its leaf. Gives node: all paths, one after the other; start:
---rows + 1, where the path of each row begins in node
---@param X manilius.X
---@return table<string, any>
function DecisionTreeClassifier:decision_path(X) end

---the values of ccp_alpha at which subtrees are pruned, and the impurity of the leaves that are left. Gives
---ccp_alphas, impurities: one for each step, the whole tree first
---@return table<string, any>
function DecisionTreeClassifier:cost_complexity_path() end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function DecisionTreeClassifier:shap(X) end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text
---@return string
function DecisionTreeClassifier:text() end

---one rule for each leaf, in which each bound is said once. Gives rules: a Frame of rule, answer, cover (weight
---of the rows of fit there), impurity
---@return table<string, any>
function DecisionTreeClassifier:rules() end

---all nodes, the root first: children by number, 1-based; left where the answer is yes. Gives nodes: a Frame of
---question, answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share
---of a class, or first target)
---@return table<string, any>
function DecisionTreeClassifier:nodes() end

---@class manilius.DecisionTreeRegressor.Params
---@field criterion? "squared_error"|"friedman_mse"|"poisson"|"absolute_error" # what makes a node impure; a split lowers it most; default "squared_error"; one of squared_error, friedman_mse, poisson, absolute_error
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field splitter? "best"|"random" # best: the best cut of each column; random: one cut, drawn between its least and largest value; default "best"; one of best, random
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil

---Questions about one column at a time, down to a leaf that gives the value.
---
---a split lowers sum over both sides of weight * impurity most; squared_error: variance, absolute_error: mean |y
---- median|, poisson: mean of y log(y / mean); friedman_mse: it maximises w_l w_r (mean_l - mean_r)^2
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
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
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

---the leaf in which each row ends. Gives leaf: rows, the number of a node
---@param X manilius.X
---@return table<string, any>
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

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text
---@return string
function DecisionTreeRegressor:text() end

---one rule for each leaf, in which each bound is said once. Gives rules: a Frame of rule, answer, cover (weight
---of the rows of fit there), impurity
---@return table<string, any>
function DecisionTreeRegressor:rules() end

---all nodes, the root first: children by number, 1-based; left where the answer is yes. Gives nodes: a Frame of
---question, answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share
---of a class, or first target)
---@return table<string, any>
function DecisionTreeRegressor:nodes() end

---@class manilius.ExtraTreesClassifier.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 1000000
---@field criterion? "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number; default nil; a number > 0 or nil
---@field bootstrap? boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows; default false; true or false
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are; default nil; a number > 0 or nil
---@field oob? boolean # score each row by the trees that did not draw it; default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---The mean of many trees whose cuts are drawn at random.
---
---p(c | x) = mean over the trees of the share of class c in the leaf of x
---
---A node tries max_features columns and draws one cut for each, between its least and largest value there; of
---these the best is taken. A factor's levels are sent left or right by chance. feature_importances are the mean
---of those of the trees, each a share; they favour columns with many values: permutation_importance does not.
---Predictions are means of probabilities, not votes. Results do not depend on the number of threads.
---@class manilius.ExtraTreesClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field criterion "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
local ExtraTreesClassifier = {}

---The same settings, not fitted.
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function ExtraTreesClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ExtraTreesClassifier.Params
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:set_params(values) end

---the leaf in which each row ends, in each tree. Gives leaves: rows x trees, the numbers of nodes
---@param X manilius.X
---@return table<string, any>
function ExtraTreesClassifier:apply(X) end

---how near rows are: the share of the trees in which two end in the same leaf. Gives proximity: rows x rows, from
---0 to 1
---@param X manilius.X
---@return table<string, any>
function ExtraTreesClassifier:proximity(X) end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function ExtraTreesClassifier:shap(X) end

---@class manilius.ExtraTreesRegressor.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 1000000
---@field criterion? "squared_error"|"friedman_mse"|"poisson"|"absolute_error" # what makes a node impure; a split lowers it most; default "squared_error"; one of squared_error, friedman_mse, poisson, absolute_error
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field bootstrap? boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows; default false; true or false
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are; default nil; a number > 0 or nil
---@field oob? boolean # score each row by the trees that did not draw it; default false; true or false
---@field quantiles? boolean # keep the rows of fit for predict_quantiles; default false; true or false

---The mean of many trees whose cuts are drawn at random.
---
---y(x) = mean over the trees of the value of the leaf of x
---
---A node tries max_features columns and draws one cut for each, between its least and largest value there; of
---these the best is taken. A factor's levels are sent left or right by chance. feature_importances are the mean
---of those of the trees, each a share; they favour columns with many values: permutation_importance does not.
---Quantiles weigh the rows of fit by how often they share a leaf with x (Meinshausen, JMLR 7, 2006). Results do
---not depend on the number of threads.
---@class manilius.ExtraTreesRegressor: manilius.Regressor
---@field n_estimators integer # trees
---@field criterion "squared_error"|"friedman_mse"|"poisson"|"absolute_error" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field quantiles boolean # keep the rows of fit for predict_quantiles
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
local ExtraTreesRegressor = {}

---The same settings, not fitted.
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ExtraTreesRegressor.Params
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:set_params(values) end

---the leaf in which each row ends, in each tree. Gives leaves: rows x trees, the numbers of nodes
---@param X manilius.X
---@return table<string, any>
function ExtraTreesRegressor:apply(X) end

---how near rows are: the share of the trees in which two end in the same leaf. Gives proximity: rows x rows, from
---0 to 1
---@param X manilius.X
---@return table<string, any>
function ExtraTreesRegressor:proximity(X) end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function ExtraTreesRegressor:shap(X) end

---quantiles of y at each row, by the rows of fit that share its leaves; needs quantiles = true at fit. Gives
---quantiles: rows x levels
---@param X manilius.X
---@param options? { levels?: manilius.Numbers }
---@return table<string, any>
function ExtraTreesRegressor:predict_quantiles(X, options) end

---@class manilius.MondrianForestClassifier.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it; default nil; a number > 0 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field discount? number # how fast a block forgets what is around it; smaller: smoother probabilities; default 10; a number >= 0

---The mean of many trees that are cut without a look at y, and learn rows one by one as well as all at once.
---
---p(c | x) = mean over the trees of the smoothed share of class c where x is, or would part from the tree
---
---Cuts go to columns in proportion to their range, so put columns on one scale first (MinMaxScaler) and leave out
---those that tell nothing. Trees learned row by row (partial_fit, with classes named in the first batch) are
---distributed as those of fit. One row is learned in place, in time that grows with the depth; a batch costs a
---copy of the model first. All rows are kept, and memory grows with rows x columns x trees. discount is as in the
---paper for columns from 0 to 1, and is in units of the ranges otherwise.
---@class manilius.MondrianForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it
---@field seed integer # names the random stream: same seed, same result
---@field discount number # how fast a block forgets what is around it; smaller: smoother probabilities
---@field n_rows integer # learned: rows learned
local MondrianForestClassifier = {}

---The same settings, not fitted.
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:partial_fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:set_params(values) end

---how large the trees are. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestClassifier:structure() end

---@class manilius.MondrianForestRegressor.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it; default nil; a number > 0 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field min_samples_split? integer # rows that a block needs to be cut; default 10; a whole number >= 2

---Regression by many trees that are cut without a look at y, learn rows one by one, and know how sure they are.
---
---y | x: mean over the trees of normals; the mean of a node is normal about that of its parent
---
---predict_interval gives standard deviations, which grow away from the rows of fit. Cuts go to columns in
---proportion to their range, so put columns on one scale first (MinMaxScaler) and leave out those that tell
---nothing. Trees learned row by row (partial_fit) are distributed as those of fit. One row is learned in place,
---in time that grows with the depth; a batch costs a copy of the model first. All rows are kept, and memory grows
---with rows x columns x trees. Scales of the Gaussian tree are those of the authors' program, to the next power
---of two.
---@class manilius.MondrianForestRegressor: manilius.Regressor
---@field n_estimators integer # trees
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it
---@field seed integer # names the random stream: same seed, same result
---@field min_samples_split integer # rows that a block needs to be cut
---@field n_rows integer # learned: rows learned
---@field y_mean number # learned: mean of y, which predictions far from all rows fall back on
---@field noise number # learned: variance of y about the mean of its leaf, as a share of that of y
local MondrianForestRegressor = {}

---The same settings, not fitted.
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MondrianForestRegressor.Params
---@return manilius.MondrianForestRegressor
function MondrianForestRegressor:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval, as if it
---were normal. Gives mean (rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function MondrianForestRegressor:predict_interval(X, options) end

---how large the trees are. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestRegressor:structure() end

---@class manilius.RandomForestClassifier.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 1000000
---@field criterion? "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number; default nil; a number > 0 or nil
---@field bootstrap? boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows; default true; true or false
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are; default nil; a number > 0 or nil
---@field oob? boolean # score each row by the trees that did not draw it; default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---The mean of many trees, each on rows and columns drawn at random.
---
---p(c | x) = mean over the trees of the share of class c in the leaf of x
---
---Missing values and factors as in a single tree. feature_importances are the mean of those of the trees, each a
---share; they favour columns with many values: permutation_importance does not. Predictions are means of
---probabilities, not votes. Results do not depend on the number of threads.
---@class manilius.RandomForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field criterion "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the impurity, times the share of the weight of the node, that a split needs
---@field ccp_alpha number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
local RandomForestClassifier = {}

---The same settings, not fitted.
---@return manilius.RandomForestClassifier
function RandomForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RandomForestClassifier
function RandomForestClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function RandomForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function RandomForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RandomForestClassifier
function RandomForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RandomForestClassifier.Params
---@return manilius.RandomForestClassifier
function RandomForestClassifier:set_params(values) end

---the leaf in which each row ends, in each tree. Gives leaves: rows x trees, the numbers of nodes
---@param X manilius.X
---@return table<string, any>
function RandomForestClassifier:apply(X) end

---how near rows are: the share of the trees in which two end in the same leaf. Gives proximity: rows x rows, from
---0 to 1
---@param X manilius.X
---@return table<string, any>
function RandomForestClassifier:proximity(X) end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function RandomForestClassifier:shap(X) end

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
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field bootstrap? boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows; default true; true or false
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are; default nil; a number > 0 or nil
---@field oob? boolean # score each row by the trees that did not draw it; default false; true or false
---@field quantiles? boolean # keep the rows of fit for predict_quantiles; default false; true or false

---The mean of many trees, each on rows and columns drawn at random.
---
---y(x) = mean over the trees of the value of the leaf of x
---
---Missing values and factors as in a single tree. feature_importances are the mean of those of the trees, each a
---share; they favour columns with many values: permutation_importance does not. Quantiles weigh the rows of fit
---by how often they share a leaf with x (Meinshausen, JMLR 7, 2006). Results do not depend on the number of
---threads.
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
---@field monotone_constraints? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field quantiles boolean # keep the rows of fit for predict_quantiles
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
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

---the leaf in which each row ends, in each tree. Gives leaves: rows x trees, the numbers of nodes
---@param X manilius.X
---@return table<string, any>
function RandomForestRegressor:apply(X) end

---how near rows are: the share of the trees in which two end in the same leaf. Gives proximity: rows x rows, from
---0 to 1
---@param X manilius.X
---@return table<string, any>
function RandomForestRegressor:proximity(X) end

---what each column adds to the prediction of a row (TreeSHAP), of labels to the probabilities; values and base
---add up to it. Gives values (rows x features; of several classes or targets those of one behind those of
---another), base (classes or targets)
---@param X manilius.X
---@return table<string, any>
function RandomForestRegressor:shap(X) end

---quantiles of y at each row, by the rows of fit that share its leaves; needs quantiles = true at fit. Gives
---quantiles: rows x levels
---@param X manilius.X
---@param options? { levels?: manilius.Numbers }
---@return table<string, any>
function RandomForestRegressor:predict_quantiles(X, options) end
