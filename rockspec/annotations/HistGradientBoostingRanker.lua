---@meta _
-- luacheck: ignore
-- ml.HistGradientBoostingRanker: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HistGradientBoostingRanker.Params
---@field lambdarank_truncation_level? integer # ranks that count, the k of NDCG@k; nil: all; default nil; a whole number from 1 to 16777216 or nil
---@field lambdarank_norm? boolean # pairs whose scores are far apart count less, and so do the many pairs of a large group; default true; true or false
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

---Boosted trees that put the rows of each query in order: LambdaMART.
---
---1 - NDCG@k, the mean over queries; by the gradients sum over pairs |change of NDCG@k by a swap| / (1 +
---exp(s_better - s_worse))
---
---y says how relevant each row is, >= 0, and counts as 2^y - 1; a query's rows stand together, and the option
---lengths of fit says how many each has: fit(X, y, { lengths = { 12, 7, ... } }), as read_svmlight gives them.
---Without it all rows are one query. predict gives scores: larger comes first. score is NDCG with that gain, and
---takes lengths and k. Names are LightGBM's, whose truncation still counts ranks behind k by their discount. Both
---rows of a pair step at once, with the Hessian 2 p (1 - p), as in XGBoost; LightGBM takes p (1 - p): its
---learning_rate of 0.1 is 0.2 here. Whole queries are held out for early stopping (auto: with more than 10000
---rows); `objective` and `trace` need not fall. weights are one for each query, by which its pairs and its NDCG
---count (XGBoost's definition), or one for each row, by which its part of the pairs counts (LightGBM's); where
---rows of a query weigh alike the two are the same, and a weight k is the query k times. cross_validate and
---searches take lengths too. For the rest see HistGradientBoostingRegressor.
---@class manilius.HistGradientBoostingRanker: manilius.Model
---@field lambdarank_truncation_level? integer # ranks that count, the k of NDCG@k; nil: all
---@field lambdarank_norm boolean # pairs whose scores are far apart count less, and so do the many pairs of a large group
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
local HistGradientBoostingRanker = {}

---The same settings, not fitted.
---@return manilius.HistGradientBoostingRanker
function HistGradientBoostingRanker:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HistGradientBoostingRanker
function HistGradientBoostingRanker:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector
function HistGradientBoostingRanker:fit_predict(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector
function HistGradientBoostingRanker:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HistGradientBoostingRanker
function HistGradientBoostingRanker:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HistGradientBoostingRanker.Params
---@return manilius.HistGradientBoostingRanker
function HistGradientBoostingRanker:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingRanker:shap(X) end

---the nodes of all trees, and where levels of factors go; the values of leaves, learning rate and all, and
---`start` add up to the raw prediction. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0
---in a leaf), feature, threshold (x <= threshold goes left), missing_left, value, cover; levels: Frame of tree,
---node, level, goes_left
---@return table<string, any>
function HistGradientBoostingRanker:trees() end

---the prediction after each round; of a classifier the decision function. Gives Matrix (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function HistGradientBoostingRanker:staged(X) end

---how much each column is used, by gain, number of splits or cover. Gives Vector: features
---@param options? { kind?: "gain"|"split"|"cover" }
---@return manilius.Vector
function HistGradientBoostingRanker:importances(options) end

---@class manilius
local ml = {}

---Boosted trees that put the rows of each query in order: LambdaMART.
---@param params? manilius.HistGradientBoostingRanker.Params
---@return manilius.HistGradientBoostingRanker
function ml.HistGradientBoostingRanker(params) end
