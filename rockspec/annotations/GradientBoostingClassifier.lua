---@meta _
-- luacheck: ignore
-- ml.GradientBoostingClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GradientBoostingClassifier.Params
---@field loss? "log_loss"|"exponential" # what is minimised; exponential: of two classes only; default "log_loss"; one of log_loss, exponential
---@field learning_rate? number # share of each tree that is added; default 0.1; a number > 0
---@field n_estimators? integer # rounds, each of one tree a raw prediction; default 100; a whole number from 1 to 1000000
---@field subsample? number # share of the rows that a round learns from; default 1; a number > 0 and <= 1
---@field init? "constant"|"zero" # raw prediction before the first tree: the best constant, zero, or an estimator (BoostedRegressor); default "constant"; one of constant, zero
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
---@field class_weight? "balanced"|table<manilius.Label, number> # how much the rows of each class count, times their weights: { label = weight, ... }, or "balanced": W / (k W_c), with W_c the sum of the weights of a class, and W of all k, as for scikit-learn's LogisticRegression (its trees and SGD take numbers of rows there, whatever their weights)

---Small exact trees, each fitted to what the loss of those before it says is missing, for classes.
---
---sum_i w_i L(y_i, F(x_i)), F = start + learning_rate sum of trees; each leaf has the value that lowers the loss
---of its rows most, to one Newton step
---
---Names, defaults and results as scikit-learn has them; its criteria friedman_mse and squared_error choose the
---same splits, so there is no choice here. init = a classifier with predict_proba makes a BoostedClassifier.
---Missing values and factors are split as DecisionTreeRegressor does. `trace` is the mean loss of all rows
---learned from. With warm_start and the same rows, fits that raise n_estimators give the bits of one fit.
---Exported to Lua, probabilities of two classes agree within 4 units in the last place.
---HistGradientBoostingClassifier is the faster one for more than some thousand rows.
---@class manilius.GradientBoostingClassifier: manilius.Classifier
---@field loss "log_loss"|"exponential" # what is minimised; exponential: of two classes only
---@field learning_rate number # share of each tree that is added
---@field n_estimators integer # rounds, each of one tree a raw prediction
---@field subsample number # share of the rows that a round learns from
---@field init "constant"|"zero" # raw prediction before the first tree: the best constant, zero, or an estimator (BoostedRegressor)
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
local GradientBoostingClassifier = {}

---The same settings, not fitted.
---@return manilius.GradientBoostingClassifier
function GradientBoostingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function GradientBoostingClassifier:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GradientBoostingClassifier
function GradientBoostingClassifier:fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GradientBoostingClassifier
function GradientBoostingClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GradientBoostingClassifier.Params
---@return manilius.GradientBoostingClassifier
function GradientBoostingClassifier:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function GradientBoostingClassifier:shap(X) end

---the nodes of all trees, and where levels of factors go; the values of leaves, learning rate and all, and
---`start` add up to the raw prediction. Gives nodes: Frame of tree, node, left and right (nodes of that tree; 0
---in a leaf), feature, threshold (x <= threshold goes left), missing_left, value, cover; levels: Frame of tree,
---node, level, goes_left
---@return table<string, any>
function GradientBoostingClassifier:trees() end

---the prediction after each round; of a classifier the decision function. Gives Matrix (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingClassifier:staged(X) end

---the leaf in which each row ends, in each tree. Gives Matrix (rows x trees): the numbers of nodes; of one tree
---Vector: rows
---@param X manilius.X
---@return manilius.Matrix
function GradientBoostingClassifier:apply(X) end

---@class manilius
local ml = {}

---Small exact trees, each fitted to what the loss of those before it says is missing, for classes.
---@param params? manilius.GradientBoostingClassifier.Params
---@return manilius.GradientBoostingClassifier
function ml.GradientBoostingClassifier(params) end
