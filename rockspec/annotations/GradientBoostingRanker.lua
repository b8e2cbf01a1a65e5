---@meta _
-- luacheck: ignore
-- ml.GradientBoostingRanker: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GradientBoostingRanker.Params
---@field lambdarank_truncation_level? integer # ranks that count, the k of NDCG@k; nil: all; default nil; a whole number from 1 to 16777216 or nil
---@field lambdarank_norm? boolean # pairs whose scores are far apart count less, and so do the many pairs of a large group; default true; true or false
---@field learning_rate? number # share of each tree that is added; default 0.1; a number > 0
---@field n_estimators? integer # rounds, each of one tree a raw prediction; default 100; a whole number from 1 to 1000000
---@field subsample? number # share of the rows that a round learns from; default 1; a number > 0 and <= 1
---@field max_depth? integer # most splits from the root to a leaf; default 3; a whole number from 1 to 2147483647
---@field min_samples_split? number # rows that a node needs to be split; below 1: a share of all rows; default 2; a number > 0
---@field min_samples_leaf? number # rows that a leaf needs; below 1: a share of all rows; default 1; a number > 0
---@field min_weight_fraction_leaf? number # share of the weight of all rows of the round that a leaf needs; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # decrease of the variance of the gradients, times the share of the weight of the node, that a split needs; default 0; a number >= 0
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all; default nil; a number > 0 or nil
---@field ccp_alpha? number # price of a leaf: subtrees that lower the variance by less for each leaf are pruned; default 0; a number >= 0
---@field n_iter_no_change? integer # stop when rows held out have gained no more for so many rounds; nil: hold none out; default nil; a whole number from 1 to 1000000 or nil
---@field validation_fraction? number # share of the rows that is held out; default 0.1; a number > 0 and < 1
---@field tol? number # least fall of the loss of rows held out, on the scale of train_score, that is a gain; default 0.0001; a number >= 0
---@field warm_start? boolean # fit goes on with the trees that there are, up to n_estimators rounds in all; default false; true or false
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Small exact trees that put the rows of each query in order: LambdaMART.
---
---1 - NDCG@k, the mean over queries; by the gradients sum over pairs |change of NDCG@k by a swap| / (1 +
---exp(s_better - s_worse)); each leaf is one Newton step
---
---y, lengths, weights, the Hessian, predict and score are those of HistGradientBoostingRanker, which is the
---faster one for more than some thousand rows; its leaves are bounded by penalties, these add 10 at most. Splits
---are those of GradientBoostingRegressor: between any two values, where the variance of the gradients falls most.
---Whole queries are drawn (subsample) and held out (n_iter_no_change); train_score, oob_scores and
---validation_trace are 1 - NDCG@k, which need not fall. With warm_start and the same rows, fits that raise
---n_estimators give the bits of one fit.
---@class manilius.GradientBoostingRanker: manilius.Model
---@field lambdarank_truncation_level? integer # ranks that count, the k of NDCG@k; nil: all
---@field lambdarank_norm boolean # pairs whose scores are far apart count less, and so do the many pairs of a large group
---@field learning_rate number # share of each tree that is added
---@field n_estimators integer # rounds, each of one tree a raw prediction
---@field subsample number # share of the rows that a round learns from
---@field max_depth integer # most splits from the root to a leaf
---@field min_samples_split number # rows that a node needs to be split; below 1: a share of all rows
---@field min_samples_leaf number # rows that a leaf needs; below 1: a share of all rows
---@field min_weight_fraction_leaf number # share of the weight of all rows of the round that a leaf needs
---@field max_leaf_nodes? integer # most leaves: the node that gains most is split next; nil: no limit
---@field min_impurity_decrease number # decrease of the variance of the gradients, times the share of the weight of the node, that a split needs
---@field max_features? number # columns tried at each node, drawn at random; below 1: a share of all; nil: all
---@field ccp_alpha number # price of a leaf: subtrees that lower the variance by less for each leaf are pruned
---@field n_iter_no_change? integer # stop when rows held out have gained no more for so many rounds; nil: hold none out
---@field validation_fraction number # share of the rows that is held out
---@field tol number # least fall of the loss of rows held out, on the scale of train_score, that is a gain
---@field warm_start boolean # fit goes on with the trees that there are, up to n_estimators rounds in all
---@field seed integer # names the random stream: same seed, same result
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field train_score manilius.Vector # learned: loss of the rows that each round learned from, after it, as scikit-learn reckons it: squared errors and log loss of two classes count twice, rounds
---@field oob_scores manilius.Vector # learned: the same of the rows that the round did not draw, rounds
---@field oob_improvement manilius.Vector # learned: by how much oob_scores fell; empty with subsample = 1, rounds
---@field validation_trace manilius.Vector # learned: mean loss of the rows held out, after each round; empty without any, held
---@field feature_importances manilius.Vector # learned: share of each column in the decrease of the variance of the gradients, features
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GradientBoostingRanker = {}

---The same settings, not fitted.
---@return manilius.GradientBoostingRanker
function GradientBoostingRanker:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GradientBoostingRanker
function GradientBoostingRanker:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector
function GradientBoostingRanker:fit_predict(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector
function GradientBoostingRanker:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GradientBoostingRanker
function GradientBoostingRanker:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GradientBoostingRanker.Params
---@return manilius.GradientBoostingRanker
function GradientBoostingRanker:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function GradientBoostingRanker:shap(X) end

---the nodes of all trees, and where levels of factors go; the values of leaves, learning rate and all, and
---`start` add up to the raw prediction. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0
---in a leaf), feature, threshold (x <= threshold goes left), missing_left, value, cover; levels: Frame of tree,
---node, level, goes_left
---@return table<string, any>
function GradientBoostingRanker:trees() end

---the prediction after each round; of a classifier the decision function. Gives Matrix (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingRanker:staged(X) end

---the leaf in which each row ends, in each tree. Gives Matrix (rows x trees): the numbers of nodes; of one tree
---Vector: rows
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingRanker:apply(X) end

---@class manilius
local ml = {}

---Small exact trees that put the rows of each query in order: LambdaMART.
---@param params? manilius.GradientBoostingRanker.Params
---@return manilius.GradientBoostingRanker
function ml.GradientBoostingRanker(params) end
