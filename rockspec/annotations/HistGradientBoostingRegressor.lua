---@meta _
-- luacheck: ignore
-- ml.HistGradientBoostingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HistGradientBoostingRegressor.Params
---@field loss? "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # loss to minimize; default "squared_error"; one of squared_error, absolute_error, huber, quantile, poisson, gamma, tweedie
---@field quantile? number # quantile: the level to predict; default 0.5; a number > 0 and < 1
---@field delta? number # huber: absolute residual up to which the loss is quadratic, in the unit of y; default 1; a number > 0
---@field power? number # tweedie: the power p of the variance, mean^p; default 1.5; a number > 1 and < 2
---@field learning_rate? number # shrinkage: factor applied to each tree; default 0.1; a number > 0
---@field max_iter? integer # maximum number of boosting rounds, each of one tree per raw prediction; default 100; a whole number from 1 to 1000000
---@field max_leaf_nodes? integer # maximum number of leaves of a tree; default 31; a whole number from 2 to 16777216
---@field max_depth? integer # maximum depth of a tree; nil: unlimited; default nil; a whole number from 1 to 16777216 or nil
---@field min_samples_leaf? number # minimum number of samples in a leaf; with weights, their sum, divided by the mean weight if that is below 1; default 20; a number >= 0
---@field min_child_weight? number # minimum sum of Hessians in a leaf, in the same unit; default 0.001; a number >= 0
---@field l2_regularization? number # L2 penalty on the leaf values; default 0; a number >= 0
---@field l1_regularization? number # L1 penalty on the leaf values; default 0; a number >= 0
---@field min_split_gain? number # minimum gain of a split: a penalty per leaf (gamma); default 0; a number >= 0
---@field max_bins? integer # maximum number of bins per feature; missing values have an additional bin; default 255; a whole number from 2 to 255
---@field grow? "leaf"|"depth" # which leaf is split next: leaf, the one with the largest gain; depth, level by level; default "leaf"; one of leaf, depth
---@field subsample? number # fraction of the samples drawn for each round; default 1; a number > 0 and <= 1
---@field colsample_bytree? number # fraction of the features drawn for each tree; default 1; a number > 0 and <= 1
---@field colsample_bylevel? number # fraction of the features of the tree drawn for each depth; default 1; a number > 0 and <= 1
---@field colsample_bynode? number # fraction of the features of the depth drawn for each split; default 1; a number > 0 and <= 1
---@field cat_smooth? number # added to the Hessian of each level when the levels of a factor are sorted; default 10; a number >= 0
---@field monotonic_cst? manilius.Numbers # one value per feature: 1, predictions increase with it; -1, they decrease; 0, no constraint; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of features that may interact: the splits on a path from the root to a leaf use features of one group only. Lists of numbers or names, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; features in no group form one more; default nil; lists of columns, or a matrix of numbers from 0 to 1 or nil
---@field early_stopping? "auto"|"yes"|"no"|boolean # stop when the loss of held-out samples no longer improves (also: true, false); auto: if there are more than 10000 samples; default "auto"; one of auto, yes, no
---@field validation_fraction? number # fraction of the samples held out for early stopping; default 0.1; a number > 0 and < 1
---@field n_iter_no_change? integer # rounds without improvement before stopping; default 10; a whole number from 1 to 1000000
---@field tol? number # minimum decrease of the held-out loss that counts as an improvement; default 1e-07; a number >= 0
---@field booster? "gbtree"|"dart" # gbtree: ordinary boosting; dart: each round drops some previous rounds, against overfitting; default "gbtree"; one of gbtree, dart
---@field rate_drop? number # dart: probability of dropping each previous round; default 0.1; a number from 0 to 1
---@field skip_drop? number # dart: probability that a round drops nothing; default 0; a number from 0 to 1
---@field one_drop? boolean # dart: drop at least one round; default false; true or false
---@field normalize_type? "tree"|"forest" # dart: a new tree has the weight of one dropped tree (tree) or of all of them (forest); default "tree"; one of tree, forest
---@field warm_start? boolean # fit continues with the existing trees, up to max_iter rounds in total; default false; true or false
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Gradient boosting over binned features; the usual first choice for tabular data.
---
---mean loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1
---
---Parameters follow scikit-learn, and XGBoost for regularization, column sampling and dart; min_split_gain is
---half of XGBoost's gamma. Missing values go to the side with the lower loss; factors are split by sets of
---levels. poisson, gamma and tweedie predict exp(F). Leaf values of absolute_error, quantile and huber are
---optimal for their samples. `objective` and `trace` are the mean training loss without penalties. With
---warm_start and the same data, raising max_iter gives exactly the result of one longer fit.
---@class manilius.HistGradientBoostingRegressor: manilius.Regressor
---@field loss "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # loss to minimize
---@field quantile number # quantile: the level to predict
---@field delta number # huber: absolute residual up to which the loss is quadratic, in the unit of y
---@field power number # tweedie: the power p of the variance, mean^p
---@field learning_rate number # shrinkage: factor applied to each tree
---@field max_iter integer # maximum number of boosting rounds, each of one tree per raw prediction
---@field max_leaf_nodes integer # maximum number of leaves of a tree
---@field max_depth? integer # maximum depth of a tree; nil: unlimited
---@field min_samples_leaf number # minimum number of samples in a leaf; with weights, their sum, divided by the mean weight if that is below 1
---@field min_child_weight number # minimum sum of Hessians in a leaf, in the same unit
---@field l2_regularization number # L2 penalty on the leaf values
---@field l1_regularization number # L1 penalty on the leaf values
---@field min_split_gain number # minimum gain of a split: a penalty per leaf (gamma)
---@field max_bins integer # maximum number of bins per feature; missing values have an additional bin
---@field grow "leaf"|"depth" # which leaf is split next: leaf, the one with the largest gain; depth, level by level
---@field subsample number # fraction of the samples drawn for each round
---@field colsample_bytree number # fraction of the features drawn for each tree
---@field colsample_bylevel number # fraction of the features of the tree drawn for each depth
---@field colsample_bynode number # fraction of the features of the depth drawn for each split
---@field cat_smooth number # added to the Hessian of each level when the levels of a factor are sorted
---@field monotonic_cst? manilius.Numbers # one value per feature: 1, predictions increase with it; -1, they decrease; 0, no constraint
---@field interaction_cst? (integer|string)[][]|manilius.Matrix|number[][] # groups of features that may interact: the splits on a path from the root to a leaf use features of one group only. Lists of numbers or names, { {1, 2}, {"age", "income"} }, or groups x features of 0 and 1; features in no group form one more
---@field early_stopping "auto"|"yes"|"no"|boolean # stop when the loss of held-out samples no longer improves (also: true, false); auto: if there are more than 10000 samples
---@field validation_fraction number # fraction of the samples held out for early stopping
---@field n_iter_no_change integer # rounds without improvement before stopping
---@field tol number # minimum decrease of the held-out loss that counts as an improvement
---@field booster "gbtree"|"dart" # gbtree: ordinary boosting; dart: each round drops some previous rounds, against overfitting
---@field rate_drop number # dart: probability of dropping each previous round
---@field skip_drop number # dart: probability that a round drops nothing
---@field one_drop boolean # dart: drop at least one round
---@field normalize_type "tree"|"forest" # dart: a new tree has the weight of one dropped tree (tree) or of all of them (forest)
---@field warm_start boolean # fit continues with the existing trees, up to max_iter rounds in total
---@field seed integer # random seed; the same seed gives the same result
---@field gain manilius.Vector # learned: decrease of the objective by each split, tree_nodes
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field validation_trace manilius.Vector # learned: loss of the held-out samples after each round, rounds
---@field feature_importances manilius.Vector # learned: share of each feature in the total gain of all splits, features
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local HistGradientBoostingRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.HistGradientBoostingRegressor.Params
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:set_params(values) end

---contribution of each feature to the raw prediction (TreeSHAP); values and base sum to it. Gives values (rows x
---features; for several classes, one block of features per class), base (decisions)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingRegressor:shap(X) end

---nodes of all trees and the levels that go left; leaf values and `start` sum to the raw prediction. Gives nodes:
---Frame of tree, node, left and right (nodes of that tree; 0 in a leaf), feature, threshold (x <= threshold goes
---left), missing_left, value, cover; levels: Frame of tree, node, level, goes_left
---@return table<string, any>
function HistGradientBoostingRegressor:trees() end

---prediction after each round; for classifiers, the decision function. Gives Matrix (rows x rounds; for several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function HistGradientBoostingRegressor:staged(X) end

---importance of each feature, by gain, number of splits or cover. Gives Vector: features
---@param options? { kind?: "gain"|"split"|"cover" }
---@return manilius.Vector
function HistGradientBoostingRegressor:importances(options) end

---@class manilius
local ml = {}

---Gradient boosting over binned features; the usual first choice for tabular data.
---@param params? manilius.HistGradientBoostingRegressor.Params
---@return manilius.HistGradientBoostingRegressor
function ml.HistGradientBoostingRegressor(params) end
