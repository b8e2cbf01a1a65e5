---@meta _
-- luacheck: ignore
-- ml.GradientBoostingRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GradientBoostingRegressor.Params
---@field loss? "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # loss to minimize; default "squared_error"; one of squared_error, absolute_error, huber, quantile, poisson, gamma, tweedie
---@field alpha? number # quantile: the level to predict; huber: the fraction of samples that are not outliers; default 0.9; a number > 0 and < 1
---@field power? number # tweedie: the power p of the variance, mean^p; default 1.5; a number > 1 and < 2
---@field learning_rate? number # shrinkage: factor applied to each tree; default 0.1; a number > 0
---@field n_estimators? integer # number of boosting rounds, each of one tree per raw prediction; default 100; a whole number from 1 to 1000000
---@field subsample? number # fraction of the samples drawn for each round, without replacement; default 1; a number > 0 and <= 1
---@field init? "constant"|"zero" # raw prediction before the first tree: the constant with the lowest loss, zero, or an estimator (BoostedRegressor); default "constant"; one of constant, zero
---@field max_depth? integer # maximum depth of a tree; default 3; a whole number from 1 to 2147483647
---@field min_samples_split? number # minimum number of samples to split a node; below 1: a fraction of all samples; default 2; a number > 0
---@field min_samples_leaf? number # minimum number of samples in a leaf; below 1: a fraction of all samples; default 1; a number > 0
---@field min_weight_fraction_leaf? number # minimum fraction of the total sample weight of the round in a leaf; default 0; a number from 0 to 0.5
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split next; nil: unlimited; default nil; a whole number from 2 to 2147483647 or nil
---@field min_impurity_decrease? number # minimum decrease of the variance of the gradients by a split, times the node's fraction of the total weight; default 0; a number >= 0
---@field max_features? number # features drawn at random as candidates at each node; below 1: a fraction of all; nil: all; default nil; a number > 0 or nil
---@field ccp_alpha? number # complexity parameter of pruning: subtrees that lower the variance by less per leaf are pruned; default 0; a number >= 0
---@field n_iter_no_change? integer # stop when the held-out loss has not improved for this many rounds; nil: no early stopping; default nil; a whole number from 1 to 1000000 or nil
---@field validation_fraction? number # fraction of the samples held out for early stopping; default 0.1; a number > 0 and < 1
---@field tol? number # minimum decrease of the held-out loss, on the scale of train_score, that counts as an improvement; default 0.0001; a number >= 0
---@field warm_start? boolean # fit continues with the existing trees, up to n_estimators rounds in total; default false; true or false
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Gradient boosting regressor: small trees with exact splits, added in sequence.
---
---sum_i w_i L(y_i, F(x_i)), F = start + learning_rate sum of trees; each leaf value minimizes the loss of its rows
---
---Parameters, defaults and results follow scikit-learn, except that quantiles of weighted samples are
---interpolated. init = a regressor gives a BoostedRegressor. poisson, gamma and tweedie, which scikit-learn does
---not have here, predict exp(F). Missing values and factors are split as in DecisionTreeRegressor. `trace` is the
---mean training loss. With warm_start and the same data, raising n_estimators gives exactly the result of one
---longer fit. For more than a few thousand samples HistGradientBoostingRegressor is faster.
---@class manilius.GradientBoostingRegressor: manilius.Regressor
---@field loss "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # loss to minimize
---@field alpha number # quantile: the level to predict; huber: the fraction of samples that are not outliers
---@field power number # tweedie: the power p of the variance, mean^p
---@field learning_rate number # shrinkage: factor applied to each tree
---@field n_estimators integer # number of boosting rounds, each of one tree per raw prediction
---@field subsample number # fraction of the samples drawn for each round, without replacement
---@field init "constant"|"zero" # raw prediction before the first tree: the constant with the lowest loss, zero, or an estimator (BoostedRegressor)
---@field max_depth integer # maximum depth of a tree
---@field min_samples_split number # minimum number of samples to split a node; below 1: a fraction of all samples
---@field min_samples_leaf number # minimum number of samples in a leaf; below 1: a fraction of all samples
---@field min_weight_fraction_leaf number # minimum fraction of the total sample weight of the round in a leaf
---@field max_leaf_nodes? integer # maximum number of leaves; the node with the largest gain is split next; nil: unlimited
---@field min_impurity_decrease number # minimum decrease of the variance of the gradients by a split, times the node's fraction of the total weight
---@field max_features? number # features drawn at random as candidates at each node; below 1: a fraction of all; nil: all
---@field ccp_alpha number # complexity parameter of pruning: subtrees that lower the variance by less per leaf are pruned
---@field n_iter_no_change? integer # stop when the held-out loss has not improved for this many rounds; nil: no early stopping
---@field validation_fraction number # fraction of the samples held out for early stopping
---@field tol number # minimum decrease of the held-out loss, on the scale of train_score, that counts as an improvement
---@field warm_start boolean # fit continues with the existing trees, up to n_estimators rounds in total
---@field seed integer # random seed; the same seed gives the same result
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field train_score manilius.Vector # learned: loss of the samples used in each round, after it, as in scikit-learn: squared error and binary log loss are doubled, rounds
---@field oob_scores manilius.Vector # learned: the same loss of the samples not drawn in the round, rounds
---@field oob_improvement manilius.Vector # learned: decrease of oob_scores in each round; empty if subsample = 1, rounds
---@field validation_trace manilius.Vector # learned: mean loss of the held-out samples after each round; empty if none are held out, held
---@field feature_importances manilius.Vector # learned: share of each feature in the total decrease of the variance of the gradients, features
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GradientBoostingRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.GradientBoostingRegressor
function GradientBoostingRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GradientBoostingRegressor
function GradientBoostingRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.GradientBoostingRegressor
function GradientBoostingRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.GradientBoostingRegressor.Params
---@return manilius.GradientBoostingRegressor
function GradientBoostingRegressor:set_params(values) end

---contribution of each feature to the raw prediction (TreeSHAP); values and base sum to it. Gives values (rows x
---features; for several classes, one block of features per class), base (decisions)
---@param X manilius.X
---@return table<string, any>
function GradientBoostingRegressor:shap(X) end

---nodes of all trees and the levels that go left; leaf values and `start` sum to the raw prediction. Gives nodes:
---Frame of tree, node, left and right (nodes of that tree; 0 in a leaf), feature, threshold (x <= threshold goes
---left), missing_left, value, cover; levels: Frame of tree, node, level, goes_left
---@return table<string, any>
function GradientBoostingRegressor:trees() end

---prediction after each round; for classifiers, the decision function. Gives Matrix (rows x rounds; for several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingRegressor:staged(X) end

---leaf of each sample in each tree. Gives Matrix (rows x trees): node numbers; for one tree Vector: rows
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingRegressor:apply(X) end

---@class manilius
local ml = {}

---Gradient boosting regressor: small trees with exact splits, added in sequence.
---@param params? manilius.GradientBoostingRegressor.Params
---@return manilius.GradientBoostingRegressor
function ml.GradientBoostingRegressor(params) end
