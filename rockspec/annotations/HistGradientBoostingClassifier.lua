---@meta _
-- luacheck: ignore
-- ml.HistGradientBoostingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HistGradientBoostingClassifier.Params
---@field learning_rate? number # share of each tree that is added; default 0.1; a number > 0
---@field max_iter? integer # rounds, each of one tree a raw prediction; default 100; a whole number from 1 to 1000000
---@field max_leaf_nodes? integer # most leaves of a tree; default 31; a whole number from 2 to 16777216
---@field max_depth? integer # most splits on a way; unset: any; default nil; a whole number from 1 to 16777216 or nil
---@field min_samples_leaf? number # least rows of a leaf: a sum of weights, over their mean where that is below 1; default 20; a number >= 0
---@field min_child_weight? number # least sum of Hessians of a leaf, in the same unit; default 0.001; a number >= 0
---@field l2_regularization? number # penalty on half the squared values of leaves; default 0; a number >= 0
---@field l1_regularization? number # penalty on the absolute values of leaves; default 0; a number >= 0
---@field min_split_gain? number # penalty on each leaf: what a split must gain at least (gamma); default 0; a number >= 0
---@field max_bins? integer # most bins of a column; missing has its own; default 255; a whole number from 2 to 255
---@field grow? "leaf"|"depth" # split next: the leaf that gains most, or level by level; default "leaf"; one of leaf, depth
---@field subsample? number # share of the rows that a round learns from; default 1; a number > 0 and <= 1
---@field colsample_bytree? number # share of the columns drawn for a tree; default 1; a number > 0 and <= 1
---@field colsample_bylevel? number # share of the columns of the tree drawn for each depth; default 1; a number > 0 and <= 1
---@field colsample_bynode? number # share of the columns of its depth drawn for a split; default 1; a number > 0 and <= 1
---@field cat_smooth? number # added to the Hessian of a level when levels of a factor are put in order; default 10; a number >= 0
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns of which only those of one meet on a way from the root to a leaf: lists by number or name, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; columns in none form one more; default nil; lists of columns, or a matrix of numbers from 0 to 1 or nil
---@field early_stopping? "auto"|"yes"|"no"|boolean # stop when rows held out gain no more (also: true, false); auto: with more than 10000 rows; default "auto"; one of auto, yes, no
---@field validation_fraction? number # share of the rows that is held out; default 0.1; a number > 0 and < 1
---@field n_iter_no_change? integer # rounds without gain before it stops; default 10; a whole number from 1 to 1000000
---@field tol? number # least fall of the loss of rows held out that is a gain; default 1e-07; a number >= 0
---@field booster? "gbtree"|"dart" # dart: each round leaves out some rounds before it, against those that only mend single rows; default "gbtree"; one of gbtree, dart
---@field rate_drop? number # of dart: share of the rounds that is left out; default 0.1; a number from 0 to 1
---@field skip_drop? number # of dart: share of the rounds that leave out none; default 0; a number from 0 to 1
---@field one_drop? boolean # of dart: leave out at least one; default false; true or false
---@field normalize_type? "tree"|"forest" # of dart: a new tree weighs as much as one of those left out, or as all of them; default "tree"; one of tree, forest
---@field warm_start? boolean # fit goes on with the trees that there are, up to max_iter rounds in all; default false; true or false
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Boosted trees on binned columns, for classes: the usual first choice for tables.
---
---mean log loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1
---
---Names and defaults as scikit-learn has them, and from XGBoost l1_regularization (alpha), min_split_gain (its
---gamma is twice ours, which is that of the paper), min_child_weight, subsample and colsample_bytree, _bylevel,
---_bynode: each draws a share of the columns that the one before it drew, at least one. Missing values go the way
---that lowers the loss more, factors are split by sets of levels. `objective` and `trace` are the mean loss of
---the rows learned from, without penalties. booster = "dart" is that of Vinayak & Gilad-Bachrach (AISTATS 2015),
---its names from XGBoost, whose rate_drop starts at 0; of several classes all trees of a round are dropped
---together. Of more than two classes all step at once with the Hessian 2 p (1 - p), as in XGBoost; scikit-learn
---takes p (1 - p), whose steps are twice as long, LightGBM k / (k - 1) times that: for their pace raise
---learning_rate. With warm_start and the same rows, fits that raise max_iter give the bits of one fit. Exported
---to Lua, probabilities of two classes agree within 4 units in the last place.
---@class manilius.HistGradientBoostingClassifier: manilius.Classifier
---@field learning_rate number # share of each tree that is added
---@field max_iter integer # rounds, each of one tree a raw prediction
---@field max_leaf_nodes integer # most leaves of a tree
---@field max_depth? integer # most splits on a way; unset: any
---@field min_samples_leaf number # least rows of a leaf: a sum of weights, over their mean where that is below 1
---@field min_child_weight number # least sum of Hessians of a leaf, in the same unit
---@field l2_regularization number # penalty on half the squared values of leaves
---@field l1_regularization number # penalty on the absolute values of leaves
---@field min_split_gain number # penalty on each leaf: what a split must gain at least (gamma)
---@field max_bins integer # most bins of a column; missing has its own
---@field grow "leaf"|"depth" # split next: the leaf that gains most, or level by level
---@field subsample number # share of the rows that a round learns from
---@field colsample_bytree number # share of the columns drawn for a tree
---@field colsample_bylevel number # share of the columns of the tree drawn for each depth
---@field colsample_bynode number # share of the columns of its depth drawn for a split
---@field cat_smooth number # added to the Hessian of a level when levels of a factor are put in order
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of columns of which only those of one meet on a way from the root to a leaf: lists by number or name, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; columns in none form one more
---@field early_stopping "auto"|"yes"|"no"|boolean # stop when rows held out gain no more (also: true, false); auto: with more than 10000 rows
---@field validation_fraction number # share of the rows that is held out
---@field n_iter_no_change integer # rounds without gain before it stops
---@field tol number # least fall of the loss of rows held out that is a gain
---@field booster "gbtree"|"dart" # dart: each round leaves out some rounds before it, against those that only mend single rows
---@field rate_drop number # of dart: share of the rounds that is left out
---@field skip_drop number # of dart: share of the rounds that leave out none
---@field one_drop boolean # of dart: leave out at least one
---@field normalize_type "tree"|"forest" # of dart: a new tree weighs as much as one of those left out, or as all of them
---@field warm_start boolean # fit goes on with the trees that there are, up to max_iter rounds in all
---@field seed integer # names the random stream: same seed, same result
---@field gain manilius.Vector # learned: by how much each split lowered the objective, tree_nodes
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field validation_trace manilius.Vector # learned: loss of the rows held out, after each round, rounds
---@field feature_importances manilius.Vector # learned: share of each column in the gain of all splits, features
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local HistGradientBoostingClassifier = {}

---The same settings, not fitted.
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HistGradientBoostingClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function HistGradientBoostingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function HistGradientBoostingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HistGradientBoostingClassifier.Params
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingClassifier:shap(X) end

---the nodes of all trees, and where levels of factors go; the values of leaves, learning rate and all, and
---`start` add up to the raw prediction. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0
---in a leaf), feature, threshold (x <= threshold goes left), missing_left, value, cover; levels: Frame of tree,
---node, level, goes_left
---@return table<string, any>
function HistGradientBoostingClassifier:trees() end

---the prediction after each round; of a classifier the decision function. Gives Matrix (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function HistGradientBoostingClassifier:staged(X) end

---how much each column is used, by gain, number of splits or cover. Gives Vector: features
---@param options? { kind?: "gain"|"split"|"cover" }
---@return manilius.Vector
function HistGradientBoostingClassifier:importances(options) end

---@class manilius
local ml = {}

---Boosted trees on binned columns, for classes: the usual first choice for tables.
---@param params? manilius.HistGradientBoostingClassifier.Params
---@return manilius.HistGradientBoostingClassifier
function ml.HistGradientBoostingClassifier(params) end
