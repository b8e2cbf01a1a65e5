---@meta _
-- luacheck: ignore
-- The estimators of tree: settings, learned values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveRandomForestClassifier.Params
---@field n_estimators? integer # trees; default 10; a whole number from 1 to 100000
---@field lambda? number # how often a tree sees a row, in the mean; default 6; a number from 0.01 to 100
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one; default nil; a number > 0 or nil
---@field grace_period? integer # weight of the rows between two looks for a split of a leaf; default 50; a whole number from 1 to 2147483647
---@field delta? number # probability that the split chosen is not the best of all rows to come; default 0.01; a number > 0 and < 1
---@field tau? number # splits whose gains, in bits, are nearer than this are a tie; default 0.05; a number >= 0
---@field leaf_prediction? "adaptive"|"majority" # how a leaf answers: by naive Bayes where that has guessed better, or always by counts; default "adaptive"; one of adaptive, majority
---@field warning_delta? number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong; default 0.01; a number > 0 and < 1
---@field drift_delta? number # and takes its place with this one; default 0.001; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Trees that learn a stream, each row once, and are changed for others when the stream has changed.
---
---p(c | x) = mean over the trees, weighted by how often they were right, of the probabilities in their leaf
---
---Needs rows by the thousand: a leaf is split when it is sure of the split. Memory grows with the leaves, not
---with the rows, which are not kept. fit is one batch, and batches of any size give what it gives. Change is
---found by the test of Frias-Blanco et al. (2015) in place of ADWIN. Splits and naive Bayes take classes as
---normal in each column. Of few rows MondrianForestClassifier learns more, but it does not forget.
---@class manilius.AdaptiveRandomForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field lambda number # how often a tree sees a row, in the mean
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one
---@field grace_period integer # weight of the rows between two looks for a split of a leaf
---@field delta number # probability that the split chosen is not the best of all rows to come
---@field tau number # splits whose gains, in bits, are nearer than this are a tie
---@field leaf_prediction "adaptive"|"majority" # how a leaf answers: by naive Bayes where that has guessed better, or always by counts
---@field warning_delta number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong
---@field drift_delta number # and takes its place with this one
---@field seed integer # names the random stream: same seed, same result
---@field n_rows integer # learned: rows learned
local AdaptiveRandomForestClassifier = {}

---The same settings, not fitted.
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:partial_fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:set_params(values) end

---of each tree: its leaves, the share of rows guessed right before they were learned, and how often another took
---its place. Gives leaves (trees), accuracy (trees), drifts (trees)
---@return table<string, any>
function AdaptiveRandomForestClassifier:structure() end

---@class manilius.C45Classifier.Params
---@field confidence_factor? number # confidence level of the errors to be expected of a leaf: the smaller, the more is pruned; default 0.25; a number > 0 and <= 0.5
---@field min_num_obj? number # rows, as weight, that at least two branches of a split need; default 2; a number > 0
---@field max_depth? integer # most questions from the root to a leaf; nil: no limit; default nil; a whole number from 0 to 2147483647 or nil
---@field unpruned? boolean # leave the tree as it has grown; default false; true or false
---@field subtree_raising? boolean # pruning may put the largest branch in the place of its parent; default true; true or false
---@field use_laplace? boolean # add one row of each class to every leaf for the probabilities; default false; true or false
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

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

---one rule for each leaf, in which each bound is said once. Gives rules: a Frame of rule, answer, cover (weight
---of the rows of fit there), impurity (entropy, in bits)
---@return table<string, any>
function C45Classifier:rules() end

---all nodes, the root first: branch is what leads to a node from its parent, 1-based. Gives nodes: a Frame of
---branch, question (the column), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits),
---gain, value (largest share of a class)
---@return table<string, any>
function C45Classifier:nodes() end

---what each column tells of y, of all rows of X or of those that come to a node. Gives gains: a Frame of column,
---gain (information gain in bits; of a number, by its best cut), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return table<string, any>
function C45Classifier:gains(X, y, options) end

---@class manilius.DecisionTreeClassifier.Params
---@field criterion? "gini"|"entropy"|"log_loss" # what makes a node impure; a split lowers it most; default "gini"; one of gini, entropy, log_loss
---@field max_depth? integer # most splits from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the impurity, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field ccp_alpha? number # price of a leaf: subtrees that lower the impurity by less for each leaf are pruned; default 0; a number >= 0
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
---@field oob_errors manilius.Vector # learned: error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob, oob_trees
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
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
---@field oob_errors manilius.Vector # learned: error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob, oob_trees
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

---@class manilius.ID3Classifier.Params
---@field max_depth? integer # most questions from the root to a leaf; nil: until the leaves are pure; default nil; a whole number from 0 to 2147483647 or nil
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

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

---one rule for each leaf, in which each bound is said once. Gives rules: a Frame of rule, answer, cover (weight
---of the rows of fit there), impurity (entropy, in bits)
---@return table<string, any>
function ID3Classifier:rules() end

---all nodes, the root first: branch is what leads to a node from its parent, 1-based. Gives nodes: a Frame of
---branch, question (the column), answer, depth, parent, feature, threshold, cover, impurity (entropy, in bits),
---gain, value (largest share of a class)
---@return table<string, any>
function ID3Classifier:nodes() end

---what each column tells of y, of all rows of X or of those that come to a node. Gives gains: a Frame of column,
---gain (information gain in bits; of a number, by its best cut), gain_ratio
---@param X manilius.X
---@param y manilius.Y
---@param options? { node?: integer }
---@return table<string, any>
function ID3Classifier:gains(X, y, options) end

---@class manilius.LinearTreeRegressor.Params
---@field alpha? number # penalty on the squared weights of a leaf's model, the columns being in standard deviations; default 0.01; a number > 0
---@field max_depth? integer # most splits from the root to a leaf; nil: no limit; default nil; a whole number from 0 to 2147483647 or nil
---@field min_samples_leaf? number # rows, as weight, that a leaf needs; nil: twice the weights of its model, 2 (columns + 1); default nil; a number > 0 or nil
---@field max_bins? integer # most cuts of a column that are tried at a node, at equal shares of its rows; then all beside the best one; default 64; a whole number from 2 to 2147483647
---@field smoothing? number # rows that the model of each node above a leaf counts as, when they are mixed; M5 has 15; default 0; a number >= 0
---@field unpruned? boolean # leave the tree as it has grown; default false; true or false

---A tree with a linear model in each leaf.
---
---y = c_l + b_l'x in leaf l, least sum w (y - c - b'z)^2 + alpha |b|^2, z: columns in standard deviations; a cut
---lowers sum w (y - c - b'z)^2 most
---
---M5 cuts where y varies least, this where two linear models leave least, so that changes of slope are found.
---Subtrees that do not pay by the BIC, in which a cut counts as three parameters, become leaves. Predictions are
---not clipped: beyond the rows of fit a leaf goes on in a straight line. Neighbouring leaves need not meet at a
---cut; smoothing brings them closer. coef and intercept are in the units of X, smoothing worked in. Factors and
---missing values: OneHotEncoder and SimpleImputer before it. A fit takes time in proportion to rows * columns^3
---for each level of the tree.
---@class manilius.LinearTreeRegressor: manilius.Regressor
---@field alpha number # penalty on the squared weights of a leaf's model, the columns being in standard deviations
---@field max_depth? integer # most splits from the root to a leaf; nil: no limit
---@field min_samples_leaf? number # rows, as weight, that a leaf needs; nil: twice the weights of its model, 2 (columns + 1)
---@field max_bins integer # most cuts of a column that are tried at a node, at equal shares of its rows; then all beside the best one
---@field smoothing number # rows that the model of each node above a leaf counts as, when they are mixed; M5 has 15
---@field unpruned boolean # leave the tree as it has grown
---@field coef manilius.Matrix # learned: weights of each leaf's model, tree_leaves x features
---@field intercept manilius.Vector # learned: constant term of each leaf's model, tree_leaves
---@field feature_importances manilius.Vector # learned: share of each column in what splits lower the loss by; all 0 where nothing was split, features
local LinearTreeRegressor = {}

---The same settings, not fitted.
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearTreeRegressor.Params
---@return manilius.LinearTreeRegressor
function LinearTreeRegressor:set_params(values) end

---the leaf in which each row ends. Gives leaf: rows, the number of a node
---@param X manilius.X
---@return table<string, any>
function LinearTreeRegressor:apply(X) end

---the tree as indented text: how many rows of fit (as weight) ended in each leaf, and how sure it is. Gives text
---@return string
function LinearTreeRegressor:text() end

---one rule for each leaf, in which each bound is said once. Gives rules: a Frame of rule, answer, cover (weight
---of the rows of fit there), impurity
---@return table<string, any>
function LinearTreeRegressor:rules() end

---all nodes, the root first: children by number, 1-based; left where the answer is yes. Gives nodes: a Frame of
---question, answer, depth, left, right, feature, threshold, missing_left, cover, impurity, value (largest share
---of a class, or first target)
---@return table<string, any>
function LinearTreeRegressor:nodes() end

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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
---@field seed integer # names the random stream: same seed, same result
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: the square root of their number
---@field bootstrap boolean # each tree on rows drawn with replacement, in proportion to their weights; else on all rows
---@field max_samples? number # rows drawn for a tree; below 1: a share of all; nil: as many as there are
---@field oob boolean # score each row by the trees that did not draw it
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the impurity; all 0 where nothing was split, features
---@field importances_std manilius.Vector # learned: spread of feature_importances over the trees, features
---@field oob_score number # learned: accuracy or R2 of oob_prediction; NaN without oob
---@field oob_prediction manilius.Matrix # learned: probabilities or values of each row of fit (of weight above 0) by the trees that did not draw it; NaN where all drew it; empty without oob, rows x answers
---@field oob_errors manilius.Vector # learned: error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob, oob_trees
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free; default nil; numbers from -1 to 1 or nil
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
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions never fall as it grows, -1: never rise, 0: free; nil: all free
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
---@field oob_errors manilius.Vector # learned: error of oob_prediction by the first 1, 2, ... trees alone, of the rows that one of them did not draw: share of wrong labels, or mean squared error (the mean over targets); empty without oob, oob_trees
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
