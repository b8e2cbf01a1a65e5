---@meta _
-- luacheck: ignore
-- The estimators: settings, learned values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveLasso.Params
---@field alpha? number # penalty on the sizes of the weights, before their factors; default 1; a number >= 0
---@field gamma? number # power of the first weights: 0.5, 1 and 2 are usual; default 1; a number > 0 and <= 100
---@field first? "ridge"|"lasso" # what finds the first weights; default "ridge"; one of ridge, lasso
---@field first_alpha? number # penalty of the first fit, whose loss is a mean, too; default 0.001; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso whose penalty is smaller for weights that a first fit found large.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_j |b_j| / |s_j|^gamma, n = sum_i w_i, s: first fit
---
---Large weights are hardly biased, and the right columns are found under weaker conditions than the Lasso needs.
---A column whose first weight is 0 stays out. Scale the columns first where their units differ.
---@class manilius.AdaptiveLasso
---@field alpha number # penalty on the sizes of the weights, before their factors
---@field gamma number # power of the first weights: 0.5, 1 and 2 are usual
---@field first "ridge"|"lasso" # what finds the first weights
---@field first_alpha number # penalty of the first fit, whose loss is a mean, too
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field factor manilius.Vector # learned: by which each penalty was multiplied: 1 / |s|^gamma, features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local AdaptiveLasso = {}

---Has it this method?
---@param name string
---@return boolean
function AdaptiveLasso:can(name) end

---The same settings, not fitted.
---@return manilius.AdaptiveLasso
function AdaptiveLasso:clone() end

---The model as bytes, for ml.load.
---@return string
function AdaptiveLasso:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function AdaptiveLasso:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function AdaptiveLasso:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveLasso
function AdaptiveLasso:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function AdaptiveLasso:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function AdaptiveLasso:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function AdaptiveLasso:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function AdaptiveLasso:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveLasso
function AdaptiveLasso:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function AdaptiveLasso:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveLasso.Params
---@return manilius.AdaptiveLasso
function AdaptiveLasso:set_params(values) end

---@class manilius.BayesianRidge.Params
---@field max_iter? integer # most rounds; default 300; a whole number >= 1
---@field tol? number # done when the weights change by this share of their length; default 0.001; a number >= 0
---@field alpha_1? number # shape of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field alpha_2? number # rate of the Gamma prior of alpha; default 1e-06; a number >= 0
---@field lambda_1? number # shape of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field lambda_2? number # rate of the Gamma prior of lambda; default 1e-06; a number >= 0
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y; default nil; a number > 0 or nil
---@field lambda_init? number # lambda at the start; default 1; a number > 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression that chooses its penalty and the noise by their evidence.
---
----log p(y | alpha, lambda) - log of their priors, at the alpha and lambda where it is least
---
---The penalty of Ridge is lambda / alpha here. tol is relative, scikit-learn's absolute; the standard deviation
---of a prediction counts the constant term as learned, too.
---@class manilius.BayesianRidge
---@field max_iter integer # most rounds
---@field tol number # done when the weights change by this share of their length
---@field alpha_1 number # shape of the Gamma prior of alpha
---@field alpha_2 number # rate of the Gamma prior of alpha
---@field lambda_1 number # shape of the Gamma prior of lambda
---@field lambda_2 number # rate of the Gamma prior of lambda
---@field alpha_init? number # alpha at the start; nil: 1 / variance of y
---@field lambda_init number # lambda at the start
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field alpha number # learned: precision of the noise: 1 / its variance
---@field lambda number # learned: precision of the weights
---@field gamma number # learned: how many weights the data determine
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local BayesianRidge = {}

---Has it this method?
---@param name string
---@return boolean
function BayesianRidge:can(name) end

---The same settings, not fitted.
---@return manilius.BayesianRidge
function BayesianRidge:clone() end

---The model as bytes, for ml.load.
---@return string
function BayesianRidge:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function BayesianRidge:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function BayesianRidge:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.BayesianRidge
function BayesianRidge:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function BayesianRidge:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function BayesianRidge:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function BayesianRidge:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function BayesianRidge:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.BayesianRidge
function BayesianRidge:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function BayesianRidge:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.BayesianRidge.Params
---@return manilius.BayesianRidge
function BayesianRidge:set_params(values) end

---means and standard deviations of the predictive distribution, with the ends of its central interval. Gives mean
---(rows), std (rows), low (rows), high (rows)
---@param X manilius.X
---@param options? { level?: number }
---@return table<string, any>
function BayesianRidge:predict_interval(X, options) end

---@class manilius.Binarizer.Params
---@field threshold? number # values above it become 1, the others 0; default 0; a finite number

---1 where a value is above a threshold, 0 elsewhere.
---
---z = 1 if x > threshold else 0
---
---Needs no fit. A value equal to the threshold becomes 0.
---@class manilius.Binarizer
---@field threshold number # values above it become 1, the others 0
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local Binarizer = {}

---Has it this method?
---@param name string
---@return boolean
function Binarizer:can(name) end

---The same settings, not fitted.
---@return manilius.Binarizer
function Binarizer:clone() end

---The model as bytes, for ml.load.
---@return string
function Binarizer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Binarizer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Binarizer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Binarizer
function Binarizer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Binarizer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Binarizer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Binarizer:get_params() end

---Names of the columns that transform gives.
---@return string[]
function Binarizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Binarizer
function Binarizer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Binarizer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Binarizer.Params
---@return manilius.Binarizer
function Binarizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Binarizer:transform(X) end

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
---@class manilius.DecisionTreeClassifier
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local DecisionTreeClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function DecisionTreeClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function DecisionTreeClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function DecisionTreeClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function DecisionTreeClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.DecisionTreeClassifier
function DecisionTreeClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function DecisionTreeClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function DecisionTreeClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function DecisionTreeClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function DecisionTreeClassifier:predict(X) end

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

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function DecisionTreeClassifier:score(X, y, options) end

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
---@class manilius.DecisionTreeRegressor
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local DecisionTreeRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function DecisionTreeRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function DecisionTreeRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function DecisionTreeRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function DecisionTreeRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function DecisionTreeRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function DecisionTreeRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function DecisionTreeRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function DecisionTreeRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.DecisionTreeRegressor
function DecisionTreeRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function DecisionTreeRegressor:score(X, y, options) end

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

---@class manilius.ElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the L1 norm in it; 1 is the Lasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares with both an L1 and an L2 penalty.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), n = sum_i w_i
---
---The loss is divided by the sum of the weights, as in scikit-learn and glmnet. glmnet divides the columns by
---their standard deviations first unless standardize = FALSE, and y by its own: there lambda is alpha for weights
---of unit scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual:
---gap is then twice what one step could gain; LinearRegression is the better choice.
---@class manilius.ElasticNet
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the L1 norm in it; 1 is the Lasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each target
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNet = {}

---Has it this method?
---@param name string
---@return boolean
function ElasticNet:can(name) end

---The same settings, not fitted.
---@return manilius.ElasticNet
function ElasticNet:clone() end

---The model as bytes, for ml.load.
---@return string
function ElasticNet:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ElasticNet:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ElasticNet:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNet
function ElasticNet:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ElasticNet:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function ElasticNet:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ElasticNet:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function ElasticNet:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNet
function ElasticNet:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ElasticNet:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNet.Params
---@return manilius.ElasticNet
function ElasticNet:set_params(values) end

---weights along a list of penalties, from the largest down, each begun at the one before. Gives alphas, coefs
---(alphas x features), intercepts, gaps, n_iter, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function ElasticNet:path(X, y, options) end

---@class manilius.ElasticNetCV.Params
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight; default nil; numbers >= 0 or nil
---@field n_alphas? integer # how many, in equal steps of the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # the last of them as a share of the first; default 0.001; a number > 0 and < 1
---@field cv? integer # folds: runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net, its penalty and share of the L1 norm chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), with alpha and
---l1_ratio of least error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes
---(glmnet's is). fit makes the model of the chosen penalty on all rows. model:errors() is a table of all that
---were tried.
---@class manilius.ElasticNetCV
---@field l1_ratio? manilius.Numbers # shares of the L1 norm to choose from; nil: 0.5
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight
---@field n_alphas integer # how many, in equal steps of the logarithm
---@field eps number # the last of them as a share of the first
---@field cv integer # folds: runs of consecutive rows
---@field rule "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each penalty
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field alpha number # learned: the chosen penalty
---@field alpha_min number # learned: that of least error
---@field alpha_1se number # learned: the largest within one standard error of it
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 1 for the Lasso
---@field gap manilius.Vector|number # learned: duality gap of the last fit, targets
---@field grid_alpha manilius.Vector # learned: penalties that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error, candidates
---@field se manilius.Vector # learned: standard error of that mean, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ElasticNetCV = {}

---Has it this method?
---@param name string
---@return boolean
function ElasticNetCV:can(name) end

---The same settings, not fitted.
---@return manilius.ElasticNetCV
function ElasticNetCV:clone() end

---The model as bytes, for ml.load.
---@return string
function ElasticNetCV:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ElasticNetCV:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ElasticNetCV:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ElasticNetCV
function ElasticNetCV:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ElasticNetCV:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function ElasticNetCV:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ElasticNetCV:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function ElasticNetCV:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ElasticNetCV
function ElasticNetCV:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ElasticNetCV:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ElasticNetCV.Params
---@return manilius.ElasticNetCV
function ElasticNetCV:set_params(values) end

---mean squared errors of the folds for each penalty that was tried. Gives errors (Frame: l1_ratio, alpha, mse,
---se), folds (Matrix: a row for each row of errors, a column for each fold)
---@return table<string, any>
function ElasticNetCV:errors() end

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
---@class manilius.ExtraTreesClassifier
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local ExtraTreesClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function ExtraTreesClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function ExtraTreesClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ExtraTreesClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ExtraTreesClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ExtraTreesClassifier
function ExtraTreesClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ExtraTreesClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function ExtraTreesClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ExtraTreesClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function ExtraTreesClassifier:predict(X) end

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

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ExtraTreesClassifier:score(X, y, options) end

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
---@class manilius.ExtraTreesRegressor
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local ExtraTreesRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function ExtraTreesRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function ExtraTreesRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ExtraTreesRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ExtraTreesRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ExtraTreesRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function ExtraTreesRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ExtraTreesRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function ExtraTreesRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ExtraTreesRegressor
function ExtraTreesRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ExtraTreesRegressor:score(X, y, options) end

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

---quantiles of y at each row, by the rows of fit that share its leaves; needs quantiles = true at fit. Gives
---quantiles: rows x levels
---@param X manilius.X
---@param options? { levels?: manilius.Numbers }
---@return table<string, any>
function ExtraTreesRegressor:predict_quantiles(X, options) end

---@class manilius.GammaRegressor.Params
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Positive amounts with a logarithmic link and an L2 penalty.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha / 2 |b|^2, link(mu_i) = x_i b + c + offset_i
---
---As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'gamma' }.
---@class manilius.GammaRegressor
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GammaRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function GammaRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.GammaRegressor
function GammaRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function GammaRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function GammaRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function GammaRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GammaRegressor
function GammaRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function GammaRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function GammaRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function GammaRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function GammaRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GammaRegressor
function GammaRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function GammaRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GammaRegressor.Params
---@return manilius.GammaRegressor
function GammaRegressor:set_params(values) end

---@class manilius.GaussianNB.Params
---@field var_smoothing? number # share of the largest variance of a feature that is added to all variances; default 1e-09; a number >= 0
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil

---Naive Bayes with normal features.
---
---log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant
---
---Variances divide by the rows of the class, and epsilon is added to them, as in scikit-learn.
---@class manilius.GaussianNB
---@field var_smoothing number # share of the largest variance of a feature that is added to all variances
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field theta manilius.Matrix # learned: mean of each feature in each class, classes x features
---@field var manilius.Matrix # learned: variance of each feature in each class, without epsilon, classes x features
---@field class_count manilius.Vector # learned: rows (sum of the weights) of each class, classes
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field epsilon number # learned: what is added to all variances
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local GaussianNB = {}

---Has it this method?
---@param name string
---@return boolean
function GaussianNB:can(name) end

---The same settings, not fitted.
---@return manilius.GaussianNB
function GaussianNB:clone() end

---The model as bytes, for ml.load.
---@return string
function GaussianNB:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function GaussianNB:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function GaussianNB:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function GaussianNB:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function GaussianNB:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function GaussianNB:get_params() end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function GaussianNB:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function GaussianNB:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function GaussianNB:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GaussianNB
function GaussianNB:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function GaussianNB:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GaussianNB.Params
---@return manilius.GaussianNB
function GaussianNB:set_params(values) end

---@class manilius.GLM.Params
---@field family? "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y; default "gaussian"; one of gaussian, binomial, poisson, gamma, inverse_gaussian, tweedie, negative_binomial
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the squared L2 norm of the weights; default 0; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row; default nil; a string or nil
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 1.5; a number >= 0
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated; default nil; a number > 0 or nil
---@field link_power? number # of link power: mean^link_power is linear in X; default 1; a finite number
---@field quasi? boolean # estimate the dispersion of binomial, poisson and negative_binomial too; default false; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Generalised linear models with inference: a family and a link for counts, proportions, times and amounts.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha / 2 |b|^2, link(mu_i) = x_i b + c + offset_i
---
---Links by default are the canonical ones, as in R: identity, logit, log, inverse (gamma), inverse_squared; log
---for tweedie and negative_binomial. An offset is a column of X that is named, so that predict has it too; its
---coefficient is 1. Weights count rows, in degrees of freedom too; R's weights of binomial proportions are the
---column `trials` here. Standard errors use the expected information; tests are z where the dispersion is known,
---t where it is estimated (R's way; statsmodels uses z). With alpha > 0 estimates are biased on purpose: then
---there are no standard errors. Where columns determine each other the shortest coefficients are given, in units
---of the columns' spread, without standard errors. Exported to Lua, predictions with link probit, cloglog, power
---or inverse_squared agree within 4 units in the last place.
---@class manilius.GLM
---@field family "gaussian"|"binomial"|"poisson"|"gamma"|"inverse_gaussian"|"tweedie"|"negative_binomial" # distribution of y
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field trials? string # binomial: name of a column of X that holds the number of trials, y being the proportion of successes; nil: one trial a row
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field theta? number # of negative_binomial: the variance is mean + mean^2 / theta; nil: estimated
---@field link_power number # of link power: mean^link_power is linear in X
---@field quasi boolean # estimate the dispersion of binomial, poisson and negative_binomial too
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X
---@field null_deviance number # learned: deviance of the constant (and the offset) alone
---@field pearson_chi2 number # learned: sum of squared Pearson residuals
---@field dispersion number # learned: pearson_chi2 / df_residual where the family has one, else 1
---@field df_residual number # learned: n less the number of coefficients
---@field df_null number # learned: n less 1, or n without an intercept
---@field theta_estimate number # learned: theta of negative_binomial; nan for other families
---@field loglik number # learned: log-likelihood; nan for tweedie and quasi
---@field aic number # learned: -2 loglik + 2 parameters, as R's glm counts them
---@field bic number # learned: -2 loglik + log(n) parameters
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GLM = {}

---Has it this method?
---@param name string
---@return boolean
function GLM:can(name) end

---The same settings, not fitted.
---@return manilius.GLM
function GLM:clone() end

---The model as bytes, for ml.load.
---@return string
function GLM:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function GLM:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function GLM:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GLM
function GLM:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function GLM:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function GLM:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function GLM:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function GLM:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GLM
function GLM:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function GLM:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GLM.Params
---@return manilius.GLM
function GLM:set_params(values) end

---coefficients with standard errors, z or t and p, and how good the fit is, as R prints it. Gives coefficients
---(Frame: term, estimate, std_error, z or t, p, low, high), dispersion, deviance, null_deviance, df_residual,
---df_null, pearson_chi2, loglik, aic, bic, n; prints as a table
---@param options? { level?: number }
---@return table<string, any>
function GLM:summary(options) end

---confidence interval of the mean at each row of X, made on the scale of the link. Gives Frame: fit, low, high,
---std_error (of the mean), link (the linear predictor)
---@param X manilius.X
---@param options? { level?: number }
---@return manilius.Frame
function GLM:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted. Gives Frame: fitted, link, response, pearson,
---deviance, leverage, standardized (deviance), cooks_distance
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function GLM:diagnostics(X, y) end

---@class manilius.GroupLasso.Params
---@field alpha? number # penalty on the norms of the groups; default 1; a number >= 0
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one; default nil; finite numbers or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares whose penalty makes the weights of whole groups of columns 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha sum_g sqrt(size of g) |b_g|, n = sum_i w_i
---
---For columns that belong together, such as those of one factor. The Gram matrix of the columns is held in memory.
---@class manilius.GroupLasso
---@field alpha number # penalty on the norms of the groups
---@field groups? manilius.Numbers # a number for each column of X: equal ones are a group; nil: each column is one
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local GroupLasso = {}

---Has it this method?
---@param name string
---@return boolean
function GroupLasso:can(name) end

---The same settings, not fitted.
---@return manilius.GroupLasso
function GroupLasso:clone() end

---The model as bytes, for ml.load.
---@return string
function GroupLasso:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function GroupLasso:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function GroupLasso:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GroupLasso
function GroupLasso:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function GroupLasso:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function GroupLasso:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function GroupLasso:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function GroupLasso:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.GroupLasso
function GroupLasso:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function GroupLasso:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GroupLasso.Params
---@return manilius.GroupLasso
function GroupLasso:set_params(values) end

---@class manilius.HistGradientBoostingClassifier.Params
---@field learning_rate? number # share of each tree that is added; default 0.1; a number > 0
---@field max_iter? integer # rounds, each of one tree a raw prediction; default 100; a whole number from 1 to 1000000
---@field max_leaf_nodes? integer # most leaves of a tree; default 31; a whole number from 2 to 16777216
---@field max_depth? integer # most splits on a way; unset: any; default nil; a whole number from 1 to 16777216 or nil
---@field min_samples_leaf? number # least rows (sum of weights) of a leaf; default 20; a number >= 0
---@field min_child_weight? number # least sum of Hessians of a leaf; default 0.001; a number >= 0
---@field l2_regularization? number # penalty on half the squared values of leaves; default 0; a number >= 0
---@field l1_regularization? number # penalty on the absolute values of leaves; default 0; a number >= 0
---@field min_split_gain? number # penalty on each leaf: what a split must gain at least (gamma); default 0; a number >= 0
---@field max_bins? integer # most bins of a column; missing has its own; default 255; a whole number from 2 to 255
---@field grow? "leaf"|"depth" # split next: the leaf that gains most, or level by level; default "leaf"; one of leaf, depth
---@field subsample? number # share of the rows that a round learns from; default 1; a number > 0 and <= 1
---@field colsample_bytree? number # share of the columns drawn for a tree; default 1; a number > 0 and <= 1
---@field colsample_bynode? number # share of the columns drawn for a split; default 1; a number > 0 and <= 1
---@field cat_smooth? number # added to the Hessian of a level when levels of a factor are put in order; default 10; a number >= 0
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? manilius.Matrix|number[][] # groups x features, 1 for each column of a group: only columns of one group meet on a way; the rest of the columns form one more; default nil; a matrix of numbers from 0 to 1 or nil
---@field early_stopping? "auto"|"yes"|"no" # stop when rows held out gain no more; auto: with more than 10000 rows; default "auto"; one of auto, yes, no
---@field validation_fraction? number # share of the rows that is held out; default 0.1; a number > 0 and < 1
---@field n_iter_no_change? integer # rounds without gain before it stops; default 10; a whole number from 1 to 1000000
---@field tol? number # least fall of the loss of rows held out that is a gain; default 1e-07; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Boosted trees on binned columns, for classes: the usual first choice for tables.
---
---mean log loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1
---
---Names and defaults as scikit-learn has them, and from XGBoost l1_regularization (alpha), min_split_gain (its
---gamma is twice ours, which is that of the paper), min_child_weight, subsample and colsample. Missing values go
---the way that lowers the loss more, factors are split by sets of levels. `objective` and `trace` are the mean
---loss of the rows learned from, without penalties. Exported to Lua, probabilities of two classes agree within 4
---units in the last place.
---@class manilius.HistGradientBoostingClassifier
---@field learning_rate number # share of each tree that is added
---@field max_iter integer # rounds, each of one tree a raw prediction
---@field max_leaf_nodes integer # most leaves of a tree
---@field max_depth? integer # most splits on a way; unset: any
---@field min_samples_leaf number # least rows (sum of weights) of a leaf
---@field min_child_weight number # least sum of Hessians of a leaf
---@field l2_regularization number # penalty on half the squared values of leaves
---@field l1_regularization number # penalty on the absolute values of leaves
---@field min_split_gain number # penalty on each leaf: what a split must gain at least (gamma)
---@field max_bins integer # most bins of a column; missing has its own
---@field grow "leaf"|"depth" # split next: the leaf that gains most, or level by level
---@field subsample number # share of the rows that a round learns from
---@field colsample_bytree number # share of the columns drawn for a tree
---@field colsample_bynode number # share of the columns drawn for a split
---@field cat_smooth number # added to the Hessian of a level when levels of a factor are put in order
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free
---@field interaction_cst? manilius.Matrix|number[][] # groups x features, 1 for each column of a group: only columns of one group meet on a way; the rest of the columns form one more
---@field early_stopping "auto"|"yes"|"no" # stop when rows held out gain no more; auto: with more than 10000 rows
---@field validation_fraction number # share of the rows that is held out
---@field n_iter_no_change integer # rounds without gain before it stops
---@field tol number # least fall of the loss of rows held out that is a gain
---@field seed integer # names the random stream: same seed, same result
---@field gain manilius.Vector # learned: by how much each split lowered the objective, tree_nodes
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field validation_trace manilius.Vector # learned: loss of the rows held out, after each round, rounds
---@field feature_importances manilius.Vector # learned: share of each column in the gain of all splits, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local HistGradientBoostingClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function HistGradientBoostingClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HistGradientBoostingClassifier:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function HistGradientBoostingClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function HistGradientBoostingClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function HistGradientBoostingClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function HistGradientBoostingClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function HistGradientBoostingClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function HistGradientBoostingClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function HistGradientBoostingClassifier:predict(X) end

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

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function HistGradientBoostingClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HistGradientBoostingClassifier.Params
---@return manilius.HistGradientBoostingClassifier
function HistGradientBoostingClassifier:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingClassifier:shap(X) end

---the prediction after each round; of a classifier the decision function. Gives values (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingClassifier:staged(X) end

---how much each column is used, in three ways. Gives importances (features)
---@param options? { kind?: "gain"|"split"|"cover" }
---@return table<string, any>
function HistGradientBoostingClassifier:importances(options) end

---@class manilius.HistGradientBoostingRegressor.Params
---@field loss? "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # what is minimised; default "squared_error"; one of squared_error, absolute_error, huber, quantile, poisson, gamma, tweedie
---@field quantile? number # of the loss quantile: which one is predicted; default 0.5; a number > 0 and < 1
---@field delta? number # of the loss huber: up to here quadratic, in units of y; default 1; a number > 0
---@field power? number # of the loss tweedie: variance is mean^power; default 1.5; a number > 1 and < 2
---@field learning_rate? number # share of each tree that is added; default 0.1; a number > 0
---@field max_iter? integer # rounds, each of one tree a raw prediction; default 100; a whole number from 1 to 1000000
---@field max_leaf_nodes? integer # most leaves of a tree; default 31; a whole number from 2 to 16777216
---@field max_depth? integer # most splits on a way; unset: any; default nil; a whole number from 1 to 16777216 or nil
---@field min_samples_leaf? number # least rows (sum of weights) of a leaf; default 20; a number >= 0
---@field min_child_weight? number # least sum of Hessians of a leaf; default 0.001; a number >= 0
---@field l2_regularization? number # penalty on half the squared values of leaves; default 0; a number >= 0
---@field l1_regularization? number # penalty on the absolute values of leaves; default 0; a number >= 0
---@field min_split_gain? number # penalty on each leaf: what a split must gain at least (gamma); default 0; a number >= 0
---@field max_bins? integer # most bins of a column; missing has its own; default 255; a whole number from 2 to 255
---@field grow? "leaf"|"depth" # split next: the leaf that gains most, or level by level; default "leaf"; one of leaf, depth
---@field subsample? number # share of the rows that a round learns from; default 1; a number > 0 and <= 1
---@field colsample_bytree? number # share of the columns drawn for a tree; default 1; a number > 0 and <= 1
---@field colsample_bynode? number # share of the columns drawn for a split; default 1; a number > 0 and <= 1
---@field cat_smooth? number # added to the Hessian of a level when levels of a factor are put in order; default 10; a number >= 0
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free; default nil; numbers from -1 to 1 or nil
---@field interaction_cst? manilius.Matrix|number[][] # groups x features, 1 for each column of a group: only columns of one group meet on a way; the rest of the columns form one more; default nil; a matrix of numbers from 0 to 1 or nil
---@field early_stopping? "auto"|"yes"|"no" # stop when rows held out gain no more; auto: with more than 10000 rows; default "auto"; one of auto, yes, no
---@field validation_fraction? number # share of the rows that is held out; default 0.1; a number > 0 and < 1
---@field n_iter_no_change? integer # rounds without gain before it stops; default 10; a whole number from 1 to 1000000
---@field tol? number # least fall of the loss of rows held out that is a gain; default 1e-07; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Boosted trees on binned columns, for reals: the usual first choice for tables.
---
---mean loss; each tree: sum w (g f + h f^2 / 2) + min_split_gain leaves + l2 |v|^2 / 2 + l1 |v|_1
---
---Names and defaults as scikit-learn has them, and from XGBoost l1_regularization (alpha), min_split_gain (its
---gamma is twice ours, which is that of the paper), min_child_weight, subsample and colsample. Missing values go
---the way that lowers the loss more, factors are split by sets of levels. poisson, gamma and tweedie predict
---exp(F). `objective` and `trace` are the mean loss of the rows learned from, without penalties.
---@class manilius.HistGradientBoostingRegressor
---@field loss "squared_error"|"absolute_error"|"huber"|"quantile"|"poisson"|"gamma"|"tweedie" # what is minimised
---@field quantile number # of the loss quantile: which one is predicted
---@field delta number # of the loss huber: up to here quadratic, in units of y
---@field power number # of the loss tweedie: variance is mean^power
---@field learning_rate number # share of each tree that is added
---@field max_iter integer # rounds, each of one tree a raw prediction
---@field max_leaf_nodes integer # most leaves of a tree
---@field max_depth? integer # most splits on a way; unset: any
---@field min_samples_leaf number # least rows (sum of weights) of a leaf
---@field min_child_weight number # least sum of Hessians of a leaf
---@field l2_regularization number # penalty on half the squared values of leaves
---@field l1_regularization number # penalty on the absolute values of leaves
---@field min_split_gain number # penalty on each leaf: what a split must gain at least (gamma)
---@field max_bins integer # most bins of a column; missing has its own
---@field grow "leaf"|"depth" # split next: the leaf that gains most, or level by level
---@field subsample number # share of the rows that a round learns from
---@field colsample_bytree number # share of the columns drawn for a tree
---@field colsample_bynode number # share of the columns drawn for a split
---@field cat_smooth number # added to the Hessian of a level when levels of a factor are put in order
---@field monotonic_cst? manilius.Numbers # for each column 1: predictions rise with it, -1: fall, 0: free
---@field interaction_cst? manilius.Matrix|number[][] # groups x features, 1 for each column of a group: only columns of one group meet on a way; the rest of the columns form one more
---@field early_stopping "auto"|"yes"|"no" # stop when rows held out gain no more; auto: with more than 10000 rows
---@field validation_fraction number # share of the rows that is held out
---@field n_iter_no_change integer # rounds without gain before it stops
---@field tol number # least fall of the loss of rows held out that is a gain
---@field seed integer # names the random stream: same seed, same result
---@field gain manilius.Vector # learned: by how much each split lowered the objective, tree_nodes
---@field start manilius.Vector # learned: raw prediction before the first tree, decisions
---@field validation_trace manilius.Vector # learned: loss of the rows held out, after each round, rounds
---@field feature_importances manilius.Vector # learned: share of each column in the gain of all splits, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local HistGradientBoostingRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function HistGradientBoostingRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function HistGradientBoostingRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function HistGradientBoostingRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function HistGradientBoostingRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function HistGradientBoostingRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function HistGradientBoostingRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function HistGradientBoostingRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HistGradientBoostingRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function HistGradientBoostingRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HistGradientBoostingRegressor.Params
---@return manilius.HistGradientBoostingRegressor
function HistGradientBoostingRegressor:set_params(values) end

---what each column adds to the raw prediction of a row (TreeSHAP); values and base add up to it. Gives values
---(rows x features; of several classes those of one behind those of another), base (decisions)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingRegressor:shap(X) end

---the prediction after each round; of a classifier the decision function. Gives values (rows x rounds; of several
---classes rows x rounds classes)
---@param X manilius.X
---@return table<string, any>
function HistGradientBoostingRegressor:staged(X) end

---how much each column is used, in three ways. Gives importances (features)
---@param options? { kind?: "gain"|"split"|"cover" }
---@return table<string, any>
function HistGradientBoostingRegressor:importances(options) end

---@class manilius.IsotonicRegression.Params
---@field direction? "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says; default "increasing"; one of increasing, decreasing, auto
---@field out_of_bounds? "clip"|"nan" # beyond the x of fit: the value at the end, or nan; default "clip"; one of clip, nan
---@field y_min? number # least value of f; nil: none; default nil; a finite number or nil
---@field y_max? number # largest value of f; nil: none; default nil; a finite number or nil

---The monotone function of one column that lies nearest to y.
---
---sum_i w_i (y_i - f(x_i))^2, f monotone
---
---X has one column. As in scikit-learn, but that out_of_bounds is 'clip' unless said otherwise, and that there is
---no 'raise': nan tells which rows.
---@class manilius.IsotonicRegression
---@field direction "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says
---@field out_of_bounds "clip"|"nan" # beyond the x of fit: the value at the end, or nan
---@field y_min? number # least value of f; nil: none
---@field y_max? number # largest value of f; nil: none
---@field x_thresholds manilius.Vector # learned: where f bends, ascending, thresholds
---@field y_thresholds manilius.Vector # learned: f there, thresholds
---@field slope number # learned: 1 when f rises, -1 when it falls
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local IsotonicRegression = {}

---Has it this method?
---@param name string
---@return boolean
function IsotonicRegression:can(name) end

---The same settings, not fitted.
---@return manilius.IsotonicRegression
function IsotonicRegression:clone() end

---The model as bytes, for ml.load.
---@return string
function IsotonicRegression:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function IsotonicRegression:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function IsotonicRegression:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.IsotonicRegression
function IsotonicRegression:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function IsotonicRegression:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function IsotonicRegression:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function IsotonicRegression:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function IsotonicRegression:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.IsotonicRegression
function IsotonicRegression:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function IsotonicRegression:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function IsotonicRegression:set_params(values) end

---@class manilius.KBinsDiscretizer.Params
---@field n_bins? integer # bins of each column; default 5; a whole number from 2 to 65536
---@field strategy? "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean; default "quantile"; one of uniform, quantile, kmeans
---@field encode? "onehot"|"ordinal" # a column for each bin, or the number of the bin; default "onehot"; one of onehot, ordinal

---Numbers into bins.
---
---z = k where edge_k <= x < edge_k+1
---
---Ordinal bins count from 1 (scikit-learn: from 0), and one-hot columns are dense. Bins narrower than 1e-8 of the
---range are left out, so a column may have fewer. Quantiles are type 2 of Hyndman & Fan, as in scikit-learn.
---inverse_transform gives the middle of the bin.
---@class manilius.KBinsDiscretizer
---@field n_bins integer # bins of each column
---@field strategy "uniform"|"quantile"|"kmeans" # bins of equal width, of equal frequency, or nearest to the same mean
---@field encode "onehot"|"ordinal" # a column for each bin, or the number of the bin
---@field bin_edges manilius.Matrix # learned: edges of the bins; NaN behind the last, features x edges
---@field bins manilius.Vector # learned: number of bins of each column, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local KBinsDiscretizer = {}

---Has it this method?
---@param name string
---@return boolean
function KBinsDiscretizer:can(name) end

---The same settings, not fitted.
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:clone() end

---The model as bytes, for ml.load.
---@return string
function KBinsDiscretizer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function KBinsDiscretizer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function KBinsDiscretizer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function KBinsDiscretizer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KBinsDiscretizer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function KBinsDiscretizer:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function KBinsDiscretizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function KBinsDiscretizer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KBinsDiscretizer.Params
---@return manilius.KBinsDiscretizer
function KBinsDiscretizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function KBinsDiscretizer:transform(X) end

---@class manilius.KMeans.Params
---@field n_clusters? integer # number of clusters; default 8; a whole number from 1 to 2147483647
---@field init? "k-means++"|"random" # how to choose the first centers; default "k-means++"; one of k-means++, random
---@field start? manilius.Matrix|number[][] # the first centers themselves, clusters x features, instead of init; default nil; a matrix of finite numbers or nil
---@field n_init? integer # starts, of which the best is kept; default 1; a whole number from 1 to 2147483647
---@field max_iter? integer # most rounds of assign and update; default 300; a whole number from 1 to 2147483647
---@field tol? number # stop when the squared way of the centers in a round is below this share of the mean variance; default 0.0001; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Clusters around means, by Lloyd's algorithm with a k-means++ start.
---
---sum_i w_i |x_i - c_l(i)|^2 over centers c and labels l
---
---transform gives the distance to each center. labels are those of the rows that took part: rows of weight 0 are
---left out, predict gives theirs. partial_fit is one step of mini-batch k-means: each center is the mean of all
---rows that were ever given to it, so that old rows are never moved. The first batch chooses the start; labels
---and inertia are those of the last one. It goes on from fit, too. Exported, a row as near to two centers as
---rounding can tell may go to the other. Scale the columns first where their units differ.
---@class manilius.KMeans
---@field n_clusters integer # number of clusters
---@field init "k-means++"|"random" # how to choose the first centers
---@field start? manilius.Matrix|number[][] # the first centers themselves, clusters x features, instead of init
---@field n_init integer # starts, of which the best is kept
---@field max_iter integer # most rounds of assign and update
---@field tol number # stop when the squared way of the centers in a round is below this share of the mean variance
---@field seed integer # names the random stream: same seed, same result
---@field cluster_centers manilius.Matrix # learned: mean of each cluster, in the units of X, clusters x features
---@field labels manilius.Vector # learned: cluster of each row of the fit, rows < clusters
---@field inertia number # learned: sum of squared distances to the nearest center
---@field counts manilius.Vector # learned: rows (sum of the weights) of each cluster, clusters
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KMeans = {}

---Has it this method?
---@param name string
---@return boolean
function KMeans:can(name) end

---The same settings, not fitted.
---@return manilius.KMeans
function KMeans:clone() end

---The model as bytes, for ml.load.
---@return string
function KMeans:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function KMeans:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function KMeans:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function KMeans:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector
function KMeans:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KMeans:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function KMeans:get_params() end

---Names of the columns that transform gives.
---@return string[]
function KMeans:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector
function KMeans:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KMeans
function KMeans:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function KMeans:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KMeans.Params
---@return manilius.KMeans
function KMeans:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function KMeans:transform(X) end

---@class manilius.KNeighborsClassifier.Params
---@field n_neighbors? integer # how many neighbours decide; default 5; a whole number from 1 to 2147483647
---@field weights? "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others; default "uniform"; one of uniform, distance
---@field metric? "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows; default "euclidean"; one of euclidean, manhattan, chebyshev, minkowski, cosine
---@field p? number # exponent of the Minkowski metric; default 2; a number >= 1

---The classes of the nearest rows vote.
---
---p(c | x) = weight of the neighbours of class c / weight of all k neighbours
---
---The search is exact. Exported, the metric minkowski agrees within 4 units in the last place of its powers, and
---of two rows as near as rounding can tell the other may be taken. Scale the columns first where their units
---differ. Among equal distances the row that came first in fit is nearer; among equal votes the first class wins.
---@class manilius.KNeighborsClassifier
---@field n_neighbors integer # how many neighbours decide
---@field weights "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others
---@field metric "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows
---@field p number # exponent of the Minkowski metric
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local KNeighborsClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function KNeighborsClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function KNeighborsClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function KNeighborsClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function KNeighborsClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function KNeighborsClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function KNeighborsClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function KNeighborsClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function KNeighborsClassifier:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function KNeighborsClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function KNeighborsClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KNeighborsClassifier.Params
---@return manilius.KNeighborsClassifier
function KNeighborsClassifier:set_params(values) end

---the nearest rows of the fit for each row of X, nearest first. Gives distances (rows x n_neighbors), indexes
---(rows x n_neighbors, 1-based)
---@param X manilius.X
---@param options? { n_neighbors?: integer }
---@return table<string, any>
function KNeighborsClassifier:kneighbors(X, options) end

---@class manilius.KNeighborsRegressor.Params
---@field n_neighbors? integer # how many neighbours decide; default 5; a whole number from 1 to 2147483647
---@field weights? "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others; default "uniform"; one of uniform, distance
---@field metric? "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows; default "euclidean"; one of euclidean, manhattan, chebyshev, minkowski, cosine
---@field p? number # exponent of the Minkowski metric; default 2; a number >= 1

---The mean of y over the nearest rows.
---
---y(x) = sum of weight times y over the k nearest rows / sum of the weights
---
---The search is exact. Exported, the metric minkowski agrees within 4 units in the last place of its powers, and
---of two rows as near as rounding can tell the other may be taken. Scale the columns first where their units
---differ. Among equal distances the row that came first in fit is nearer.
---@class manilius.KNeighborsRegressor
---@field n_neighbors integer # how many neighbours decide
---@field weights "uniform"|"distance" # uniform: all count alike; distance: by 1 / distance, a distance of 0 outvotes all others
---@field metric "euclidean"|"manhattan"|"chebyshev"|"minkowski"|"cosine" # distance between rows
---@field p number # exponent of the Minkowski metric
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local KNeighborsRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function KNeighborsRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function KNeighborsRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function KNeighborsRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function KNeighborsRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function KNeighborsRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function KNeighborsRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function KNeighborsRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function KNeighborsRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function KNeighborsRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KNeighborsRegressor.Params
---@return manilius.KNeighborsRegressor
function KNeighborsRegressor:set_params(values) end

---the nearest rows of the fit for each row of X, nearest first. Gives distances (rows x n_neighbors), indexes
---(rows x n_neighbors, 1-based)
---@param X manilius.X
---@param options? { n_neighbors?: integer }
---@return table<string, any>
function KNeighborsRegressor:kneighbors(X, options) end

---@class manilius.Lars.Params
---@field n_nonzero_coefs? integer # most columns that become active, one a step; default 500; a whole number >= 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Least angle regression: columns join one at a time, the most correlated first.
---
---max_j |1/n sum_i w_i x_ij (y_i - x_i b - c)| falls to 0, alike for all active columns, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Weights may pass through 0; from
---there on scikit-learn's Lars turns the sign of the column, and its path is another.
---@class manilius.Lars
---@field n_nonzero_coefs integer # most columns that become active, one a step
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local Lars = {}

---Has it this method?
---@param name string
---@return boolean
function Lars:can(name) end

---The same settings, not fitted.
---@return manilius.Lars
function Lars:clone() end

---The model as bytes, for ml.load.
---@return string
function Lars:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Lars:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Lars:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lars
function Lars:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Lars:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function Lars:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Lars:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Lars:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Lars
function Lars:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Lars:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Lars.Params
---@return manilius.Lars
function Lars:set_params(values) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function Lars:path(X, y, options) end

---@class manilius.Lasso.Params
---@field alpha? number # penalty on the sum of the sizes of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each target; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Linear least squares with an L1 penalty, which makes weights exactly 0.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---The loss is divided by the sum of the weights, as in scikit-learn and glmnet. glmnet divides the columns by
---their standard deviations first unless standardize = FALSE, and y by its own: there lambda is alpha for weights
---of unit scale. tol is relative to the mean square of y, as in scikit-learn. With alpha = 0 there is no dual:
---gap is then twice what one step could gain; LinearRegression is the better choice.
---@class manilius.Lasso
---@field alpha number # penalty on the sum of the sizes of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each target
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap manilius.Vector|number # learned: duality gap: the objective is above its minimum by no more, targets
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local Lasso = {}

---Has it this method?
---@param name string
---@return boolean
function Lasso:can(name) end

---The same settings, not fitted.
---@return manilius.Lasso
function Lasso:clone() end

---The model as bytes, for ml.load.
---@return string
function Lasso:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Lasso:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Lasso:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Lasso
function Lasso:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Lasso:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function Lasso:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Lasso:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Lasso:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Lasso
function Lasso:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Lasso:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Lasso.Params
---@return manilius.Lasso
function Lasso:set_params(values) end

---weights along a list of penalties, from the largest down, each begun at the one before. Gives alphas, coefs
---(alphas x features), intercepts, gaps, n_iter, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers, n_alphas?: integer, eps?: number, target?: integer }
---@return table<string, any>
function Lasso:path(X, y, options) end

---@class manilius.LassoCV.Params
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight; default nil; numbers >= 0 or nil
---@field n_alphas? integer # how many, in equal steps of the logarithm; default 100; a whole number from 1 to 100000
---@field eps? number # the last of them as a share of the first; default 0.001; a number > 0 and < 1
---@field cv? integer # folds: runs of consecutive rows; default 5; a whole number from 2 to 100000
---@field rule? "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it; default "min"; one of min, 1se
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field max_iter? integer # most sweeps over the weights, for each penalty; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso, its penalty chosen by cross-validation.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, with alpha of least error on held-out folds
---
---Folds are runs of consecutive rows, as in scikit-learn: shuffle rows that are sorted. A row of weight k counts
---as k rows, which may fall into different folds. The mean over the folds is not weighted by their sizes
---(glmnet's is). fit makes the model of the chosen penalty on all rows. model:errors() is a table of all that
---were tried.
---@class manilius.LassoCV
---@field alphas? manilius.Numbers # penalties; nil: n_alphas from the least that leaves no weight
---@field n_alphas integer # how many, in equal steps of the logarithm
---@field eps number # the last of them as a share of the first
---@field cv integer # folds: runs of consecutive rows
---@field rule "min"|"1se" # min: the alpha of least error; 1se: the largest within one standard error of it
---@field fit_intercept boolean # learn a constant term, never penalised
---@field positive boolean # hold the weights at 0 or above
---@field max_iter integer # most sweeps over the weights, for each penalty
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field alpha number # learned: the chosen penalty
---@field alpha_min number # learned: that of least error
---@field alpha_1se number # learned: the largest within one standard error of it
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 1 for the Lasso
---@field gap manilius.Vector|number # learned: duality gap of the last fit, targets
---@field grid_alpha manilius.Vector # learned: penalties that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mse manilius.Vector # learned: mean over the folds of the mean squared error, candidates
---@field se manilius.Vector # learned: standard error of that mean, candidates
---@field mse_path manilius.Matrix # learned: mean squared error of each fold, candidates x folds
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoCV = {}

---Has it this method?
---@param name string
---@return boolean
function LassoCV:can(name) end

---The same settings, not fitted.
---@return manilius.LassoCV
function LassoCV:clone() end

---The model as bytes, for ml.load.
---@return string
function LassoCV:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LassoCV:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LassoCV:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoCV
function LassoCV:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LassoCV:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function LassoCV:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LassoCV:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LassoCV:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LassoCV
function LassoCV:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LassoCV:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LassoCV.Params
---@return manilius.LassoCV
function LassoCV:set_params(values) end

---mean squared errors of the folds for each penalty that was tried. Gives errors (Frame: l1_ratio, alpha, mse,
---se), folds (Matrix: a row for each row of errors, a column for each fold)
---@return table<string, any>
function LassoCV:errors() end

---@class manilius.LassoLars.Params
---@field alpha? number # penalty on the sum of the sizes of the weights; default 1; a number >= 0
---@field max_iter? integer # most steps, in each of which a column comes or leaves; default 500; a whole number >= 1
---@field positive? boolean # hold the weights at 0 or above; default false; true or false
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field eps? number # a column stays out while no more than this share of its square lies outside the active ones; default 2.220446049e-16; a number from 0 to 1

---Lasso by least angle regression: all minima down to alpha, to rounding.
---
---1 / (2 n) sum_i w_i (y_i - x_i b - c)^2 + alpha |b|_1, n = sum_i w_i
---
---alpha is divided by the sum of the weights, as in scikit-learn; R's lars gives n times that, of columns of
---length 1. The columns are taken as they come: scale them first where their units differ. A column that the
---active ones determine stays out, and of two that are the same the first comes. Lasso is faster where thousands
---of columns are active, and takes sparse X and several targets.
---@class manilius.LassoLars
---@field alpha number # penalty on the sum of the sizes of the weights
---@field max_iter integer # most steps, in each of which a column comes or leaves
---@field positive boolean # hold the weights at 0 or above
---@field fit_intercept boolean # learn a constant term, never penalised
---@field eps number # a column stays out while no more than this share of its square lies outside the active ones
---@field alphas manilius.Vector # learned: where columns came or left, from the largest down: size of the correlations, knots
---@field coef_path manilius.Matrix # learned: weights at each of alphas; between them they change straight, knots x features
---@field active manilius.Vector # learned: the active columns at the end, in the order of their coming, active < features
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LassoLars = {}

---Has it this method?
---@param name string
---@return boolean
function LassoLars:can(name) end

---The same settings, not fitted.
---@return manilius.LassoLars
function LassoLars:clone() end

---The model as bytes, for ml.load.
---@return string
function LassoLars:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LassoLars:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LassoLars:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LassoLars
function LassoLars:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LassoLars:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function LassoLars:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LassoLars:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LassoLars:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LassoLars
function LassoLars:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LassoLars:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LassoLars.Params
---@return manilius.LassoLars
function LassoLars:set_params(values) end

---weights along the whole path, at its knots or at a list of alphas. Gives alphas, coefs (alphas x features),
---intercepts, nonzero: as ml.plot.coef_path takes them
---@param X manilius.X
---@param y manilius.Y
---@param options? { alphas?: manilius.Numbers }
---@return table<string, any>
function LassoLars:path(X, y, options) end

---@class manilius.LinearDiscriminantAnalysis.Params
---@field solver? "svd"|"lsqr"|"eigen" # svd: accurate for any data, no shrinkage; lsqr and eigen: by the covariance, with shrinkage; default "svd"; one of svd, lsqr, eigen
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell (scikit-learn's shrinkage = 'auto'); default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil
---@field n_components? integer # columns of transform; there are at most classes - 1, and no more than features; nil: all; default nil; a whole number >= 1 or nil
---@field tol? number # svd: directions whose standard deviation within classes, of columns scaled to 1, is less count as constant; default 0.0001; a number >= 0

---Classifier of normal classes with one covariance, and the projection that sets them apart best.
---
---log p(c | x) = log prior_c + x' inv(S) mean_c - 1/2 mean_c' inv(S) mean_c + constant
---
---As in scikit-learn, with two additions: weights, and transform for solver lsqr too. Outputs of transform are
---about 0 for every solver (scikit-learn's eigen leaves them uncentred); the sign of each direction makes its
---largest element positive. Covariances divide by the rows, not by rows - 1.
---@class manilius.LinearDiscriminantAnalysis
---@field solver "svd"|"lsqr"|"eigen" # svd: accurate for any data, no shrinkage; lsqr and eigen: by the covariance, with shrinkage
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell (scikit-learn's shrinkage = 'auto')
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field n_components? integer # columns of transform; there are at most classes - 1, and no more than features; nil: all
---@field tol number # svd: directions whose standard deviation within classes, of columns scaled to 1, is less count as constant
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field xbar manilius.Vector # learned: mean of the class means by their probabilities, features
---@field scalings manilius.Matrix # learned: directions of transform, features x components
---@field explained_variance_ratio manilius.Vector # learned: share of the variance between classes along each, components
---@field covariance manilius.Matrix # learned: within the classes (lsqr, eigen), features x features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local LinearDiscriminantAnalysis = {}

---Has it this method?
---@param name string
---@return boolean
function LinearDiscriminantAnalysis:can(name) end

---The same settings, not fitted.
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearDiscriminantAnalysis:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function LinearDiscriminantAnalysis:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LinearDiscriminantAnalysis:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LinearDiscriminantAnalysis:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LinearDiscriminantAnalysis:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function LinearDiscriminantAnalysis:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function LinearDiscriminantAnalysis:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LinearDiscriminantAnalysis:get_params() end

---Names of the columns that transform gives.
---@return string[]
function LinearDiscriminantAnalysis:output_names() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function LinearDiscriminantAnalysis:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LinearDiscriminantAnalysis:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function LinearDiscriminantAnalysis:transform(X) end

---@class manilius.LinearRegression.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field inference? boolean # keep what summary, intervals and diagnostics need; default true; true or false

---Ordinary least squares, with the inference of a statistics package.
---
---sum_i w_i |y_i - x_i b - c|^2
---
---Weights count rows: weight 2 is the same as the row twice, in the standard errors too (R's lm takes weights for
---precisions and counts rows). Where columns determine each other the coefficients of minimum norm are given, and
---standard errors are nan. partial_fit gives what fit gives for all rows so far, from p (p + 1) / 2 numbers, and
---summary and intervals too, but for the quartiles of the residuals; diagnostics can be asked about any rows.
---@class manilius.LinearRegression
---@field fit_intercept boolean # learn a constant term
---@field inference boolean # keep what summary, intervals and diagnostics need
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field rank integer # learned: number of independent columns of X
---@field rcond number # learned: 1 / condition number of the columns of X, scaled to norm 1
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field dependent manilius.Vector # learned: columns that follow from the others, dependent < features
---@field rss manilius.Vector|number # learned: residual sum of squares, targets
---@field tss manilius.Vector|number # learned: total sum of squares (about the mean with an intercept), targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local LinearRegression = {}

---Has it this method?
---@param name string
---@return boolean
function LinearRegression:can(name) end

---The same settings, not fitted.
---@return manilius.LinearRegression
function LinearRegression:clone() end

---The model as bytes, for ml.load.
---@return string
function LinearRegression:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LinearRegression:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LinearRegression:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LinearRegression:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function LinearRegression:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LinearRegression:get_params() end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearRegression
function LinearRegression:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearRegression:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LinearRegression
function LinearRegression:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LinearRegression:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearRegression.Params
---@return manilius.LinearRegression
function LinearRegression:set_params(values) end

---coefficients with standard errors, t and p, and how good the fit is, as R prints it. Gives coefficients (Frame:
---term, estimate, std_error, t, p, low, high), sigma, df, r2, adjusted_r2, f, f_p, loglik, aic, bic, n; prints as
---a table
---@param options? { level?: number, target?: integer }
---@return table<string, any>
function LinearRegression:summary(options) end

---prediction or confidence interval for each row of X. Gives Frame: fit, low, high, std_error
---@param X manilius.X
---@param options? { level?: number, kind?: "prediction"|"confidence", target?: integer }
---@return manilius.Frame
function LinearRegression:intervals(X, options) end

---residuals, leverage and influence of the rows that were fitted, and tests of the assumptions. Gives rows
---(Frame: fitted, residual, leverage, standardized, studentized, cooks_distance), durbin_watson,
---condition_number, vif, breusch_pagan, breusch_pagan_p
---@param X manilius.X
---@param y manilius.Y
---@param options? { target?: integer }
---@return table<string, any>
function LinearRegression:diagnostics(X, y, options) end

---@class manilius.LogisticRegression.Params
---@field C? number # inverse strength of the penalty: larger fits closer; default 1; a number > 0
---@field penalty? "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms; default "l2"; one of l2, none, l1, elasticnet
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field solver? "auto"|"newton"|"lbfgs"|"cd" # auto chooses by the shape of X; default "auto"; one of auto, newton, lbfgs, cd
---@field max_iter? integer # most iterations; default 1000; a whole number >= 1
---@field tol? number # stop when an iteration can lower (newton, cd) or has lowered (lbfgs) the objective by less than this share; default 1e-10; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier with probabilities, for two classes or many, with an L2 penalty, L1, both, or none.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2; l1_ratio is 0 for l2, 1 for l1
---
---Two classes have one row of weights, for the second class; more classes have one row each (softmax). C as in
---scikit-learn and liblinear; glmnet's lambda is 1 / (C n). tol is relative to the objective. Exported to Lua,
---probabilities of two classes agree within 4 units in the last place.
---@class manilius.LogisticRegression
---@field C number # inverse strength of the penalty: larger fits closer
---@field penalty "l2"|"none"|"l1"|"elasticnet" # l2, none, l1, or elasticnet: both norms
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field solver "auto"|"newton"|"lbfgs"|"cd" # auto chooses by the shape of X
---@field max_iter integer # most iterations
---@field tol number # stop when an iteration can lower (newton, cd) or has lowered (lbfgs) the objective by less than this share
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegression = {}

---Has it this method?
---@param name string
---@return boolean
function LogisticRegression:can(name) end

---The same settings, not fitted.
---@return manilius.LogisticRegression
function LogisticRegression:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegression:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function LogisticRegression:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LogisticRegression:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LogisticRegression:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegression
function LogisticRegression:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LogisticRegression:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function LogisticRegression:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LogisticRegression:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function LogisticRegression:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegression:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegression
function LogisticRegression:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LogisticRegression:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegression.Params
---@return manilius.LogisticRegression
function LogisticRegression:set_params(values) end

---@class manilius.LogisticRegressionCV.Params
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4; default nil; numbers > 0 or nil
---@field penalty? "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms; default "l2"; one of l2, l1, elasticnet
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5; default nil; numbers from 0 to 1 or nil
---@field cv? integer # folds: runs of consecutive rows of each class; default 5; a whole number from 2 to 100000
---@field scoring? "accuracy"|"neg_log_loss" # what the folds are judged by; default "accuracy"; one of accuracy, neg_log_loss
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds, for each penalty; default 100; a whole number >= 1
---@field tol? number # stop when a round can lower the objective by less than this share; default 1e-06; a number >= 0
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Logistic regression, its penalty chosen by cross-validation.
---
---C sum_i w_i loss(y_i, x_i B + c) + l1_ratio |B|_1 + (1 - l1_ratio) / 2 |B|^2, with C and l1_ratio of best score
---on held-out folds
---
---Folds hold the classes in their shares, in the order of the rows, as scikit-learn's StratifiedKFold: shuffle
---rows that are sorted within a class. A row of weight k counts as k rows, which may fall into different folds.
---fit makes the model of the chosen penalty on all rows. model:scores() is a table of all that were tried.
---Exported to Lua, probabilities of two classes agree within 4 units in the last place.
---@class manilius.LogisticRegressionCV
---@field Cs? manilius.Numbers # inverse strengths to choose from; nil: 10 from 1e-4 to 1e4
---@field penalty "l2"|"l1"|"elasticnet" # l2, l1, or elasticnet: both norms
---@field l1_ratios? manilius.Numbers # shares of the L1 norm in the elasticnet to choose from; nil: 0.5
---@field cv integer # folds: runs of consecutive rows of each class
---@field scoring "accuracy"|"neg_log_loss" # what the folds are judged by
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds, for each penalty
---@field tol number # stop when a round can lower the objective by less than this share
---@field C number # learned: the chosen inverse strength; of equals the least
---@field best_l1_ratio number # learned: the chosen share of the L1 norm; 0 for l2, 1 for l1
---@field best_score number # learned: mean score of it over the folds
---@field grid_C manilius.Vector # learned: inverse strengths that were tried, candidates
---@field grid_l1_ratio manilius.Vector # learned: and their shares of the L1 norm, candidates
---@field mean_score manilius.Vector # learned: mean score over the folds, candidates
---@field score_path manilius.Matrix # learned: score of each fold, candidates x folds
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local LogisticRegressionCV = {}

---Has it this method?
---@param name string
---@return boolean
function LogisticRegressionCV:can(name) end

---The same settings, not fitted.
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LogisticRegressionCV:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function LogisticRegressionCV:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function LogisticRegressionCV:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function LogisticRegressionCV:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function LogisticRegressionCV:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function LogisticRegressionCV:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function LogisticRegressionCV:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function LogisticRegressionCV:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LogisticRegressionCV:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function LogisticRegressionCV:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LogisticRegressionCV.Params
---@return manilius.LogisticRegressionCV
function LogisticRegressionCV:set_params(values) end

---scores of the folds for each penalty that was tried. Gives scores (Frame: C, l1_ratio, score), folds (Matrix: a
---row for each row of scores, a column for each fold)
---@return table<string, any>
function LogisticRegressionCV:scores() end

---@class manilius.MaxAbsScaler.Params
---@field clip? boolean # keep values that are larger than what fit saw within -1 to 1; default false; true or false

---Each column divided by its largest magnitude.
---
---z = x / max |x|
---
---Missing values are passed over by fit and stay missing.
---@class manilius.MaxAbsScaler
---@field clip boolean # keep values that are larger than what fit saw within -1 to 1
---@field max_abs manilius.Vector # learned: largest magnitude of each column, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a column of zeros, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local MaxAbsScaler = {}

---Has it this method?
---@param name string
---@return boolean
function MaxAbsScaler:can(name) end

---The same settings, not fitted.
---@return manilius.MaxAbsScaler
function MaxAbsScaler:clone() end

---The model as bytes, for ml.load.
---@return string
function MaxAbsScaler:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function MaxAbsScaler:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function MaxAbsScaler:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function MaxAbsScaler:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MaxAbsScaler:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function MaxAbsScaler:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MaxAbsScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MaxAbsScaler
function MaxAbsScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MaxAbsScaler
function MaxAbsScaler:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function MaxAbsScaler:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MaxAbsScaler.Params
---@return manilius.MaxAbsScaler
function MaxAbsScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MaxAbsScaler:transform(X) end

---@class manilius.MinMaxScaler.Params
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }; default nil; finite numbers or nil
---@field clip? boolean # keep values that lie outside of what fit saw within the range; default false; true or false

---Each column to a given range, 0 to 1 by default.
---
---z = low + (x - data_min) / (data_max - data_min) * (high - low)
---
---Missing values are passed over by fit and stay missing. A constant column goes to the lower end. A column
---without any value has NaN for its ends. Weights only say which rows count: rows of weight 0 do not.
---@class manilius.MinMaxScaler
---@field feature_range? manilius.Numbers # the range wanted, { low, high }; nil: { 0, 1 }
---@field clip boolean # keep values that lie outside of what fit saw within the range
---@field data_min manilius.Vector # learned: least value of each column, features
---@field data_max manilius.Vector # learned: largest value of each column, features
---@field data_range manilius.Vector # learned: data_max - data_min, features
---@field scale manilius.Vector # learned: by how much a column grows, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local MinMaxScaler = {}

---Has it this method?
---@param name string
---@return boolean
function MinMaxScaler:can(name) end

---The same settings, not fitted.
---@return manilius.MinMaxScaler
function MinMaxScaler:clone() end

---The model as bytes, for ml.load.
---@return string
function MinMaxScaler:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function MinMaxScaler:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function MinMaxScaler:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function MinMaxScaler:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function MinMaxScaler:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function MinMaxScaler:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function MinMaxScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MinMaxScaler
function MinMaxScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MinMaxScaler
function MinMaxScaler:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function MinMaxScaler:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MinMaxScaler.Params
---@return manilius.MinMaxScaler
function MinMaxScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function MinMaxScaler:transform(X) end

---@class manilius.MultiTaskElasticNet.Params
---@field alpha? number # strength of the penalty; default 1; a number >= 0
---@field l1_ratio? number # share of the norms in it; 1 is the MultiTaskLasso; default 0.5; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Elastic net of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha (l1_ratio sum_j |B_j| + (1 - l1_ratio) / 2 |B|^2)
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskElasticNet
---@field alpha number # strength of the penalty
---@field l1_ratio number # share of the norms in it; 1 is the MultiTaskLasso
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskElasticNet = {}

---Has it this method?
---@param name string
---@return boolean
function MultiTaskElasticNet:can(name) end

---The same settings, not fitted.
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:clone() end

---The model as bytes, for ml.load.
---@return string
function MultiTaskElasticNet:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function MultiTaskElasticNet:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function MultiTaskElasticNet:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function MultiTaskElasticNet:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function MultiTaskElasticNet:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function MultiTaskElasticNet:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function MultiTaskElasticNet:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function MultiTaskElasticNet:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskElasticNet.Params
---@return manilius.MultiTaskElasticNet
function MultiTaskElasticNet:set_params(values) end

---@class manilius.MultiTaskLasso.Params
---@field alpha? number # penalty on the norms of the weights of a column; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most sweeps over the groups; default 1000; a whole number >= 1
---@field tol? number # stop when the duality gap is at most this share of the mean square of y about its mean; default 0.0001; a number >= 0

---Lasso of several targets that choose their columns together.
---
---1 / (2 n) sum_i w_i |y_i - x_i B - c|^2 + alpha sum_j |B_j|, B_j: weights of column j for all targets
---
---A column has weights for all targets or for none. Targets of large values weigh more: scale them first where
---their units differ. The Gram matrix of the columns is held in memory.
---@class manilius.MultiTaskLasso
---@field alpha number # penalty on the norms of the weights of a column
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most sweeps over the groups
---@field tol number # stop when the duality gap is at most this share of the mean square of y about its mean
---@field gap number # learned: duality gap: the objective is above its minimum by no more
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local MultiTaskLasso = {}

---Has it this method?
---@param name string
---@return boolean
function MultiTaskLasso:can(name) end

---The same settings, not fitted.
---@return manilius.MultiTaskLasso
function MultiTaskLasso:clone() end

---The model as bytes, for ml.load.
---@return string
function MultiTaskLasso:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function MultiTaskLasso:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function MultiTaskLasso:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MultiTaskLasso
function MultiTaskLasso:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function MultiTaskLasso:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function MultiTaskLasso:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function MultiTaskLasso:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function MultiTaskLasso:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MultiTaskLasso
function MultiTaskLasso:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function MultiTaskLasso:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MultiTaskLasso.Params
---@return manilius.MultiTaskLasso
function MultiTaskLasso:set_params(values) end

---@class manilius.NearestCentroid.Params
---@field metric? "euclidean"|"manhattan" # distance to the centroids; they are means for euclidean, medians for manhattan; default "euclidean"; one of euclidean, manhattan
---@field shrink_threshold? number # how far centroids are shrunken to the mean of all rows, in standard errors; nil: not at all; default nil; a number > 0 or nil

---The class with the nearest mean (or median) wins.
---
---argmin_c |x - m_c|; d_cj = (m_cj - m_j) / (a_c (s_j + s_0)) is shrunken to sign(d) max(|d| - threshold, 0)
---
---The decision is minus the distance to each centroid; of two classes, the distance to the first less that to the
---second. Scikit-learn's decision_function divides the features by within_class_std_dev first, its predict does
---not; here both are as its predict. Scale the columns first where their units differ.
---@class manilius.NearestCentroid
---@field metric "euclidean"|"manhattan" # distance to the centroids; they are means for euclidean, medians for manhattan
---@field shrink_threshold? number # how far centroids are shrunken to the mean of all rows, in standard errors; nil: not at all
---@field centroids manilius.Matrix # learned: centroid of each class, shrunken if asked for, classes x features
---@field deviations manilius.Matrix # learned: standard errors from the mean of all rows to each centroid; empty without more rows than classes, classes x features
---@field within_class_std_dev manilius.Vector # learned: standard deviation within the classes; empty without more rows than classes, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local NearestCentroid = {}

---Has it this method?
---@param name string
---@return boolean
function NearestCentroid:can(name) end

---The same settings, not fitted.
---@return manilius.NearestCentroid
function NearestCentroid:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function NearestCentroid:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function NearestCentroid:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function NearestCentroid:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function NearestCentroid:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.NearestCentroid
function NearestCentroid:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function NearestCentroid:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function NearestCentroid:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function NearestCentroid:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function NearestCentroid:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.NearestCentroid
function NearestCentroid:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function NearestCentroid:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.NearestCentroid.Params
---@return manilius.NearestCentroid
function NearestCentroid:set_params(values) end

---@class manilius.Normalizer.Params
---@field norm? "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude; default "l2"; one of l1, l2, max

---Each row to length 1.
---
---z = x / |x|
---
---Needs no fit. A row of zeros stays as it is. Rows of any magnitude are handled without overflow.
---@class manilius.Normalizer
---@field norm "l1"|"l2"|"max" # sum of magnitudes, root of the sum of squares, largest magnitude
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local Normalizer = {}

---Has it this method?
---@param name string
---@return boolean
function Normalizer:can(name) end

---The same settings, not fitted.
---@return manilius.Normalizer
function Normalizer:clone() end

---The model as bytes, for ml.load.
---@return string
function Normalizer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Normalizer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Normalizer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Normalizer
function Normalizer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Normalizer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function Normalizer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Normalizer:get_params() end

---Names of the columns that transform gives.
---@return string[]
function Normalizer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Normalizer
function Normalizer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Normalizer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Normalizer.Params
---@return manilius.Normalizer
function Normalizer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function Normalizer:transform(X) end

---@class manilius.OneHotEncoder.Params
---@field drop? "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1; default "none"; one of none, first, if_binary
---@field handle_unknown? "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones; default "error"; one of error, ignore, infrequent_if_exist
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most columns that one column may become; the rarest categories share one; default nil; a whole number from 1 to 2147483647 or nil
---@field sparse_output? boolean # give a Sparse instead of a Matrix; default false; true or false

---A column of 0 and 1 for each category.
---
---z_jk = 1 if x_j is category k else 0
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values. A missing value is a category of its own where fit meets one. The result is dense unless sparse_output
---is set (scikit-learn: sparse). Nothing is grouped where max_categories holds anyway (scikit-learn then calls
---the rarest category infrequent). inverse_transform gives a missing value for infrequent and unknown categories.
---@class manilius.OneHotEncoder
---@field drop "none"|"first"|"if_binary" # leave out the first category of each column, or of those that have two: then no columns add up to 1
---@field handle_unknown "error"|"ignore"|"infrequent_if_exist" # a category that fit did not see: refuse it, make it all 0, or put it to the infrequent ones
---@field min_frequency? number # rarer categories share one column: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most columns that one column may become; the rarest categories share one
---@field sparse_output boolean # give a Sparse instead of a Matrix
---@field categories manilius.Label[][] # learned: categories of each column, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local OneHotEncoder = {}

---Has it this method?
---@param name string
---@return boolean
function OneHotEncoder:can(name) end

---The same settings, not fitted.
---@return manilius.OneHotEncoder
function OneHotEncoder:clone() end

---The model as bytes, for ml.load.
---@return string
function OneHotEncoder:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function OneHotEncoder:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function OneHotEncoder:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OneHotEncoder
function OneHotEncoder:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function OneHotEncoder:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OneHotEncoder:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function OneHotEncoder:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OneHotEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OneHotEncoder
function OneHotEncoder:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function OneHotEncoder:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OneHotEncoder.Params
---@return manilius.OneHotEncoder
function OneHotEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OneHotEncoder:transform(X) end

---@class manilius.OrdinalEncoder.Params
---@field handle_unknown? "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value; default "error"; one of error, use_encoded_value
---@field unknown_value? number # the code of unknown categories; nil: missing; default nil; a finite number or nil
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing; default nil; a finite number or nil
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1; default nil; a number > 0 or nil
---@field max_categories? integer # most codes of a column; the rarest categories share the last; default nil; a whole number from 1 to 2147483647 or nil

---Categories as the numbers 1, 2, ...
---
---z = k where x is category k
---
---The categories of a factor column are its levels, also those that no row has; of a numeric column its distinct
---values in ascending order. Codes count from 1, so that encoder.categories[j][code] is the category
---(scikit-learn counts from 0). Missing values are never infrequent.
---@class manilius.OrdinalEncoder
---@field handle_unknown "error"|"use_encoded_value" # a category that fit did not see: refuse it, or make it unknown_value
---@field unknown_value? number # the code of unknown categories; nil: missing
---@field encoded_missing_value? number # the code of missing values; nil: they stay missing
---@field min_frequency? number # rarer categories share the last code: a number of rows from 1 on, a share of them below 1
---@field max_categories? integer # most codes of a column; the rarest categories share the last
---@field categories manilius.Label[][] # learned: categories of each column, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local OrdinalEncoder = {}

---Has it this method?
---@param name string
---@return boolean
function OrdinalEncoder:can(name) end

---The same settings, not fitted.
---@return manilius.OrdinalEncoder
function OrdinalEncoder:clone() end

---The model as bytes, for ml.load.
---@return string
function OrdinalEncoder:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function OrdinalEncoder:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function OrdinalEncoder:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.OrdinalEncoder
function OrdinalEncoder:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function OrdinalEncoder:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function OrdinalEncoder:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function OrdinalEncoder:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function OrdinalEncoder:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.OrdinalEncoder
function OrdinalEncoder:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function OrdinalEncoder:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.OrdinalEncoder.Params
---@return manilius.OrdinalEncoder
function OrdinalEncoder:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function OrdinalEncoder:transform(X) end

---@class manilius.PCA.Params
---@field n_components? number # how many; below 1 the share of the variance to keep; nil: min(rows, columns); default nil; a number > 0 or nil
---@field whiten? boolean # divide by the standard deviation of each component; default false; true or false
---@field solver? "auto"|"covariance"|"full"|"randomized" # auto chooses by the shape of X; default "auto"; one of auto, covariance, full, randomized
---@field iterated_power? integer # power iterations of the randomized solver; default 4; a whole number from 0 to 1000
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Principal components: the directions of largest variance.
---
---maximise v' S v with |v| = 1, S the covariance matrix; each next v orthogonal to those before
---
---Columns are centred, not scaled: put a StandardScaler before it where units differ. The element of largest size
---of each component is positive, as in scikit-learn. score_samples is the log density of probabilistic PCA. Many
---rows go through a blocked product, whose sums round otherwise in the last bits than those of up to 8 rows and
---of what is exported: within 1e-13 of the largest term.
---@class manilius.PCA
---@field n_components? number # how many; below 1 the share of the variance to keep; nil: min(rows, columns)
---@field whiten boolean # divide by the standard deviation of each component
---@field solver "auto"|"covariance"|"full"|"randomized" # auto chooses by the shape of X
---@field iterated_power integer # power iterations of the randomized solver
---@field seed integer # names the random stream: same seed, same result
---@field components manilius.Matrix # learned: directions of largest variance, of norm 1, components x features
---@field mean manilius.Vector # learned: mean of each column, features
---@field explained_variance manilius.Vector # learned: variance along each component (divided by n - 1), components
---@field explained_variance_ratio manilius.Vector # learned: the same as shares of the total variance, components
---@field singular_values manilius.Vector # learned: singular values of the centred rows, components
---@field noise_variance number # learned: mean variance of what is left out
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local PCA = {}

---Has it this method?
---@param name string
---@return boolean
function PCA:can(name) end

---The same settings, not fitted.
---@return manilius.PCA
function PCA:clone() end

---The model as bytes, for ml.load.
---@return string
function PCA:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function PCA:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function PCA:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function PCA:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PCA:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function PCA:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function PCA:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function PCA:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PCA
function PCA:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function PCA:score(X, y, options) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function PCA:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PCA.Params
---@return manilius.PCA
function PCA:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PCA:transform(X) end

---squared distance of each row of X from the plane of the components: high for what does not fit. Gives Vector:
---rows
---@param X manilius.X
---@return manilius.Vector
function PCA:reconstruction_error(X) end

---@class manilius.PoissonRegressor.Params
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Counts with a logarithmic link and an L2 penalty.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha / 2 |b|^2, link(mu_i) = x_i b + c + offset_i
---
---As in scikit-learn. For standard errors, tests and other links: ml.GLM{ family = 'poisson' }.
---@class manilius.PoissonRegressor
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local PoissonRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function PoissonRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.PoissonRegressor
function PoissonRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function PoissonRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function PoissonRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function PoissonRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PoissonRegressor
function PoissonRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function PoissonRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function PoissonRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function PoissonRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function PoissonRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PoissonRegressor
function PoissonRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function PoissonRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PoissonRegressor.Params
---@return manilius.PoissonRegressor
function PoissonRegressor:set_params(values) end

---@class manilius.PolynomialFeatures.Params
---@field degree? integer # highest degree of a term; default 2; a whole number from 0 to 1000
---@field min_degree? integer # lowest degree of a term, but for the bias; default 0; a whole number from 0 to 1000
---@field interaction_only? boolean # no feature more than once in a term; default false; true or false
---@field include_bias? boolean # begin with a column of ones; default true; true or false

---All products of features up to a degree.
---
---1, x1, ..., xp, x1^2, x1 x2, ..., xp^2, ...
---
---Terms are ordered by degree, then by their features, as in scikit-learn; scikit-learn's degree = (a, b) is
---min_degree = a, degree = b. p features of degree d give (p + d) choose d terms.
---@class manilius.PolynomialFeatures
---@field degree integer # highest degree of a term
---@field min_degree integer # lowest degree of a term, but for the bias
---@field interaction_only boolean # no feature more than once in a term
---@field include_bias boolean # begin with a column of ones
---@field n_output_features integer # learned: number of terms
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local PolynomialFeatures = {}

---Has it this method?
---@param name string
---@return boolean
function PolynomialFeatures:can(name) end

---The same settings, not fitted.
---@return manilius.PolynomialFeatures
function PolynomialFeatures:clone() end

---The model as bytes, for ml.load.
---@return string
function PolynomialFeatures:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function PolynomialFeatures:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function PolynomialFeatures:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialFeatures
function PolynomialFeatures:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function PolynomialFeatures:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialFeatures:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function PolynomialFeatures:get_params() end

---Names of the columns that transform gives.
---@return string[]
function PolynomialFeatures:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PolynomialFeatures
function PolynomialFeatures:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function PolynomialFeatures:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function PolynomialFeatures:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PolynomialFeatures:transform(X) end

---@class manilius.PowerTransformer.Params
---@field method? "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0; default "yeo-johnson"; one of yeo-johnson, box-cox
---@field standardize? boolean # to mean 0 and standard deviation 1 afterwards; default true; true or false

---Each column made as normal as a power can make it.
---
---l maximises -n/2 log var f(x; l) + (l - 1) sum log f'(x; 2)
---
---A constant column keeps the power 1. Missing values are passed over by fit and stay missing. Exported to Lua,
---the powers agree within 4 units in the last place before they are standardized.
---@class manilius.PowerTransformer
---@field method "yeo-johnson"|"box-cox" # for any numbers, or for numbers > 0
---@field standardize boolean # to mean 0 and standard deviation 1 afterwards
---@field lambdas manilius.Vector # learned: the power of each column, features
---@field mean manilius.Vector # learned: subtracted afterwards, features
---@field scale manilius.Vector # learned: divided by afterwards, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local PowerTransformer = {}

---Has it this method?
---@param name string
---@return boolean
function PowerTransformer:can(name) end

---The same settings, not fitted.
---@return manilius.PowerTransformer
function PowerTransformer:clone() end

---The model as bytes, for ml.load.
---@return string
function PowerTransformer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function PowerTransformer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function PowerTransformer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PowerTransformer
function PowerTransformer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function PowerTransformer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PowerTransformer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function PowerTransformer:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function PowerTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PowerTransformer
function PowerTransformer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function PowerTransformer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PowerTransformer.Params
---@return manilius.PowerTransformer
function PowerTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PowerTransformer:transform(X) end

---@class manilius.QuadraticDiscriminantAnalysis.Params
---@field reg_param? number # covariances become (1 - reg_param) S_c + reg_param I; default 0; a number from 0 to 1
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell; default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil
---@field tol? number # a covariance with a variance this small, regularised, counts as singular; default 1e-09; a number >= 0

---Classifier of normal classes, each with a covariance of its own.
---
---log p(c | x) = log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c) + constant
---
---Covariances divide by the rows of the class, as in scikit-learn since 1.8. reg_param mixes in the identity, so
---scale the columns first.
---@class manilius.QuadraticDiscriminantAnalysis
---@field reg_param number # covariances become (1 - reg_param) S_c + reg_param I
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field tol number # a covariance with a variance this small, regularised, counts as singular
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field log_det manilius.Vector # learned: logarithm of the determinant of each covariance, classes
---@field whitening manilius.Matrix # learned: for each class in turn features rows W with W W' the inverse of its covariance, stacked x features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local QuadraticDiscriminantAnalysis = {}

---Has it this method?
---@param name string
---@return boolean
function QuadraticDiscriminantAnalysis:can(name) end

---The same settings, not fitted.
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function QuadraticDiscriminantAnalysis:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function QuadraticDiscriminantAnalysis:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function QuadraticDiscriminantAnalysis:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function QuadraticDiscriminantAnalysis:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function QuadraticDiscriminantAnalysis:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function QuadraticDiscriminantAnalysis:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function QuadraticDiscriminantAnalysis:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function QuadraticDiscriminantAnalysis:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function QuadraticDiscriminantAnalysis:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:set_params(values) end

---@class manilius.QuantileRegressor.Params
---@field quantile? number # which one of y is predicted; 0.5: the median; default 0.5; a number > 0 and < 1
---@field alpha? number # penalty on the L1 norm of the weights; default 0; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most steps of the interior-point method; default 100; a whole number >= 1
---@field tol? number # stop when the gap to the optimum is below this share of the objective; default 1e-10; a number >= 0

---Linear regression for a quantile of y, such as the median.
---
---sum_i w_i rho(y_i - x_i b - c) / sum_i w_i + alpha |b|_1, rho(r) = r (quantile - [r < 0])
---
---alpha as in scikit-learn, but 0 unless said otherwise. The optimum need not be unique: then one of its vertices
---is given, which other programs may not choose.
---@class manilius.QuantileRegressor
---@field quantile number # which one of y is predicted; 0.5: the median
---@field alpha number # penalty on the L1 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most steps of the interior-point method
---@field tol number # stop when the gap to the optimum is below this share of the objective
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local QuantileRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function QuantileRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.QuantileRegressor
function QuantileRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function QuantileRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function QuantileRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function QuantileRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileRegressor
function QuantileRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function QuantileRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function QuantileRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function QuantileRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function QuantileRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileRegressor
function QuantileRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function QuantileRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileRegressor.Params
---@return manilius.QuantileRegressor
function QuantileRegressor:set_params(values) end

---@class manilius.QuantileTransformer.Params
---@field n_quantiles? integer # entries of the table of quantiles; at most as many as rows; default 1000; a whole number from 2 to 1000000
---@field output_distribution? "uniform"|"normal" # what the columns become; default "uniform"; one of uniform, normal

---Each column to a uniform or normal distribution, by its ranks.
---
---z = F(x), or the normal quantile of F(x), F the distribution function of the column
---
---All rows count (scikit-learn draws 10000 of them). Values beyond those of fit go to the ends. Missing values
---are passed over by fit and stay missing. Weights are frequencies.
---@class manilius.QuantileTransformer
---@field n_quantiles integer # entries of the table of quantiles; at most as many as rows
---@field output_distribution "uniform"|"normal" # what the columns become
---@field quantiles manilius.Matrix # learned: quantiles of each column, from 0 to 1, features x levels
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local QuantileTransformer = {}

---Has it this method?
---@param name string
---@return boolean
function QuantileTransformer:can(name) end

---The same settings, not fitted.
---@return manilius.QuantileTransformer
function QuantileTransformer:clone() end

---The model as bytes, for ml.load.
---@return string
function QuantileTransformer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function QuantileTransformer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function QuantileTransformer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuantileTransformer
function QuantileTransformer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function QuantileTransformer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function QuantileTransformer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function QuantileTransformer:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function QuantileTransformer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.QuantileTransformer
function QuantileTransformer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function QuantileTransformer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuantileTransformer.Params
---@return manilius.QuantileTransformer
function QuantileTransformer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function QuantileTransformer:transform(X) end

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
---@class manilius.RandomForestClassifier
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
local RandomForestClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function RandomForestClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.RandomForestClassifier
function RandomForestClassifier:clone() end

---The model as bytes, for ml.load.
---@return string
function RandomForestClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RandomForestClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RandomForestClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RandomForestClassifier
function RandomForestClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RandomForestClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function RandomForestClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RandomForestClassifier:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function RandomForestClassifier:predict(X) end

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

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RandomForestClassifier:score(X, y, options) end

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
---@class manilius.RandomForestRegressor
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
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local RandomForestRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function RandomForestRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.RandomForestRegressor
function RandomForestRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function RandomForestRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RandomForestRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RandomForestRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RandomForestRegressor
function RandomForestRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RandomForestRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function RandomForestRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RandomForestRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function RandomForestRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RandomForestRegressor
function RandomForestRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RandomForestRegressor:score(X, y, options) end

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

---quantiles of y at each row, by the rows of fit that share its leaves; needs quantiles = true at fit. Gives
---quantiles: rows x levels
---@param X manilius.X
---@param options? { levels?: manilius.Numbers }
---@return table<string, any>
function RandomForestRegressor:predict_quantiles(X, options) end

---@class manilius.Ridge.Params
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Linear least squares with an L2 penalty.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2
---
---The sum is not divided by the number of rows, as in scikit-learn; glmnet's lambda is alpha / n. Scale the
---columns first where their units differ. partial_fit gives what fit gives for all rows so far; alpha may be
---another one at each batch. It keeps p x p numbers, of sparse X too: for very many columns there is SGDRegressor.
---@class manilius.Ridge
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local Ridge = {}

---Has it this method?
---@param name string
---@return boolean
function Ridge:can(name) end

---The same settings, not fitted.
---@return manilius.Ridge
function Ridge:clone() end

---The model as bytes, for ml.load.
---@return string
function Ridge:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function Ridge:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function Ridge:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function Ridge:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function Ridge:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function Ridge:get_params() end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Ridge
function Ridge:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function Ridge:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.Ridge
function Ridge:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function Ridge:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.Ridge.Params
---@return manilius.Ridge
function Ridge:set_params(values) end

---@class manilius.RidgeCV.Params
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10; default nil; numbers > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, with alpha of least sum_i w_i (y_i - yhat without i)^2
---
---The errors are those of leaving out each row and fitting again, in closed form. A weight counts equal rows, of
---which one is left out; scikit-learn leaves out all of them, and divides by the number of rows, not by the sum
---of the weights. All targets share one alpha. Scale the columns first where their units differ.
---@class manilius.RidgeCV
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10
---@field fit_intercept boolean # learn a constant term, never penalised
---@field alpha number # learned: the chosen penalty; the first of equals
---@field best_score number # learned: minus the mean squared leave-one-out error of it
---@field scores manilius.Vector # learned: the same for each of alphas, alphas
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local RidgeCV = {}

---Has it this method?
---@param name string
---@return boolean
function RidgeCV:can(name) end

---The same settings, not fitted.
---@return manilius.RidgeCV
function RidgeCV:clone() end

---The model as bytes, for ml.load.
---@return string
function RidgeCV:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RidgeCV:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RidgeCV:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RidgeCV
function RidgeCV:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RidgeCV:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function RidgeCV:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RidgeCV:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function RidgeCV:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RidgeCV
function RidgeCV:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RidgeCV:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RidgeCV.Params
---@return manilius.RidgeCV
function RidgeCV:set_params(values) end

---@class manilius.RobustRegression.Params
---@field loss? "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression; default "huber"; one of huber, bisquare, andrews, absolute
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews; default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_iter? integer # most rounds; default 200; a whole number >= 1
---@field tol? number # stop when residuals move by less than this share; default 1e-09; a number >= 0

---Linear regression that outliers in y do not pull along.
---
---sum_i w_i rho((y_i - x_i b - c) / (tuning s))
---
---As rlm of R's MASS. The scale moves from round to round, so there is no one objective: `objective` and `trace`
---hold the least share by which residuals have moved in a round. bisquare and andrews begin at least squares and
---may find a local minimum.
---@class manilius.RobustRegression
---@field loss "huber"|"bisquare"|"andrews"|"absolute" # huber: far rows count less; bisquare, andrews: rows far enough do not count; absolute: median regression
---@field tuning? number # where rows begin to count less, in units of the scale; nil: 1.345 huber, 4.685 bisquare, 1.339 andrews
---@field fit_intercept boolean # learn a constant term
---@field max_iter integer # most rounds
---@field tol number # stop when residuals move by less than this share
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field scale number # learned: of the errors: median of the absolute residuals over 0.6745
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local RobustRegression = {}

---Has it this method?
---@param name string
---@return boolean
function RobustRegression:can(name) end

---The same settings, not fitted.
---@return manilius.RobustRegression
function RobustRegression:clone() end

---The model as bytes, for ml.load.
---@return string
function RobustRegression:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RobustRegression:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RobustRegression:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustRegression
function RobustRegression:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RobustRegression:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function RobustRegression:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RobustRegression:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function RobustRegression:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustRegression
function RobustRegression:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RobustRegression:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustRegression.Params
---@return manilius.RobustRegression
function RobustRegression:set_params(values) end

---how much each row counts: those that the fit holds for outliers have a weight near 0. Gives Frame: fitted,
---residual, weight
---@param X manilius.X
---@param y manilius.Y
---@return manilius.Frame
function RobustRegression:diagnostics(X, y) end

---@class manilius.RobustScaler.Params
---@field with_centering? boolean # subtract the median; default true; true or false
---@field with_scaling? boolean # divide by the range between the quantiles; default true; true or false
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }; default nil; numbers from 0 to 100 or nil
---@field unit_variance? boolean # make the scale that of the standard deviation of normal data; default false; true or false

---Each column to median 0 and interquartile range 1.
---
---z = (x - median) / (Q75 - Q25)
---
---Quantiles are interpolated between order statistics, as in NumPy and R's default. Weights are frequencies:
---weight 2 is the row twice. Missing values are passed over by fit and stay missing.
---@class manilius.RobustScaler
---@field with_centering boolean # subtract the median
---@field with_scaling boolean # divide by the range between the quantiles
---@field quantile_range? manilius.Numbers # the quantiles in percent, { low, high }; nil: { 25, 75 }
---@field unit_variance boolean # make the scale that of the standard deviation of normal data
---@field center manilius.Vector # learned: median of each column; NaN for one without values, features
---@field scale manilius.Vector # learned: what each column is divided by; 1 where the quantiles are equal, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local RobustScaler = {}

---Has it this method?
---@param name string
---@return boolean
function RobustScaler:can(name) end

---The same settings, not fitted.
---@return manilius.RobustScaler
function RobustScaler:clone() end

---The model as bytes, for ml.load.
---@return string
function RobustScaler:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function RobustScaler:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function RobustScaler:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RobustScaler
function RobustScaler:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function RobustScaler:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function RobustScaler:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function RobustScaler:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function RobustScaler:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RobustScaler
function RobustScaler:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function RobustScaler:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RobustScaler.Params
---@return manilius.RobustScaler
function RobustScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function RobustScaler:transform(X) end

---@class manilius.ScaledLasso.Params
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n); default nil; a number > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most turns of weights and noise; default 100; a whole number >= 1
---@field tol? number # stop when the noise changes by no more than this share; default 1e-06; a number >= 0

---Lasso that finds the noise together with the weights, so that its penalty need not be tuned.
---
---1 / (2 n sigma) sum_i w_i (y_i - x_i b - c)^2 + sigma / 2 + alpha sum_j v_j |b_j| over b, c and sigma; v_j:
---standard deviation of column j, n = sum_i w_i
---
---Also known as the square-root Lasso (Belloni, Chernozhukov & Wang, Biometrika 98 (2011)). Does not change with
---the units of X or y.
---@class manilius.ScaledLasso
---@field alpha? number # penalty in units of the noise, of columns of variance 1; nil: sqrt(2 log(features) / n)
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most turns of weights and noise
---@field tol number # stop when the noise changes by no more than this share
---@field sigma number # learned: standard deviation of the noise
---@field best_alpha number # learned: the penalty in units of sigma: alpha, or what nil stood for
---@field gap number # learned: duality gap of the last Lasso
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local ScaledLasso = {}

---Has it this method?
---@param name string
---@return boolean
function ScaledLasso:can(name) end

---The same settings, not fitted.
---@return manilius.ScaledLasso
function ScaledLasso:clone() end

---The model as bytes, for ml.load.
---@return string
function ScaledLasso:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function ScaledLasso:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function ScaledLasso:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.ScaledLasso
function ScaledLasso:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function ScaledLasso:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function ScaledLasso:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function ScaledLasso:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function ScaledLasso:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.ScaledLasso
function ScaledLasso:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function ScaledLasso:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.ScaledLasso.Params
---@return manilius.ScaledLasso
function ScaledLasso:set_params(values) end

---@class manilius.SelectKBest.Params
---@field score_func? "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts; default "f_classif"; one of f_classif, f_regression, chi2
---@field k? integer # how many columns to keep; all when there are fewer; default 10; a whole number from 1 to 2147483647

---The columns that tell most about y, each by itself.
---
---keep the k columns of highest F or chi-squared
---
---Among equal scores the first column is kept (scikit-learn: the last). Weights are frequencies.
---@class manilius.SelectKBest
---@field score_func "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts
---@field k integer # how many columns to keep; all when there are fewer
---@field scores manilius.Vector # learned: score of each column; NaN where it has none, features
---@field pvalues manilius.Vector # learned: chance of such a score when the column says nothing about y, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local SelectKBest = {}

---Has it this method?
---@param name string
---@return boolean
function SelectKBest:can(name) end

---The same settings, not fitted.
---@return manilius.SelectKBest
function SelectKBest:clone() end

---The model as bytes, for ml.load.
---@return string
function SelectKBest:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function SelectKBest:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function SelectKBest:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SelectKBest
function SelectKBest:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function SelectKBest:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SelectKBest:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function SelectKBest:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function SelectKBest:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SelectKBest
function SelectKBest:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function SelectKBest:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SelectKBest.Params
---@return manilius.SelectKBest
function SelectKBest:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:transform(X) end

---@class manilius.SGDClassifier.Params
---@field loss? "hinge"|"log_loss"|"modified_huber"|"squared_hinge"|"perceptron"|"squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes; default "hinge"; one of hinge, log_loss, modified_huber, squared_hinge, perceptron, squared_error, huber, epsilon_insensitive, squared_epsilon_insensitive
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; sets the rate of 'optimal', too; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field epsilon? number # of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes; default "optimal"; one of optimal, constant, invscaling, adaptive, pa1, pa2
---@field eta0? number # first rate; the aggressiveness C of pa1 and pa2; default 0.01; a number > 0
---@field power_t? number # exponent of invscaling: eta0 / t^power_t; default 0.5; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field class_weight? "balanced"|table<manilius.Label, number> # what rows of each class count

---Linear classifier by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2), y = -1 or 1
---
---Losses, m being the margin y z: hinge max(0, 1 - m), the linear support vector machine; squared_hinge its
---square; log_loss log(1 + exp(-m)); modified_huber, the squared hinge down to m = -1 and linear below;
---perceptron max(0, -m); and those of SGDRegressor with y = -1 and 1. Rates of steps, t counting them: optimal 1
---/ (alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / t^power_t; constant eta0; adaptive eta0, a
---fifth of it each time n_iter_no_change rounds have brought nothing; pa1 and pa2 the passive-aggressive steps,
---eta0 being their C. Scale the columns first. A weight scales the step of its row: weight 2 is not the row
---twice. The objective of a round is the mean over its rows, each taken before its step. Definitions are
---scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the constant of sparse X by a
---hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is kept between batches, so
---that batches in order are one round; objectives are weighted. Probabilities are there with log_loss and
---modified_huber, of more than two classes made to add up to 1; what is exported gives labels and scores.
---class_weight multiplies the weights of the rows of a class, wherever they are.
---@class manilius.SGDClassifier
---@field loss "hinge"|"log_loss"|"modified_huber"|"squared_hinge"|"perceptron"|"squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty; sets the rate of 'optimal', too
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field epsilon number # of huber and the epsilon-insensitive losses, in units of y
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes
---@field eta0 number # first rate; the aggressiveness C of pa1 and pa2
---@field power_t number # exponent of invscaling: eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix # learned: weights, decisions x features
---@field intercept manilius.Vector # learned: constant term, decisions
---@field t number # learned: steps so far, and 1
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field classes manilius.Label[] # learned: the labels, ascending
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local SGDClassifier = {}

---Has it this method?
---@param name string
---@return boolean
function SGDClassifier:can(name) end

---The same settings, not fitted.
---@return manilius.SGDClassifier
function SGDClassifier:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function SGDClassifier:decision_function(X) end

---The model as bytes, for ml.load.
---@return string
function SGDClassifier:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function SGDClassifier:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function SGDClassifier:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDClassifier
function SGDClassifier:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function SGDClassifier:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor
function SGDClassifier:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function SGDClassifier:get_params() end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDClassifier
function SGDClassifier:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor
function SGDClassifier:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SGDClassifier
function SGDClassifier:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function SGDClassifier:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SGDClassifier.Params
---@return manilius.SGDClassifier
function SGDClassifier:set_params(values) end

---@class manilius.SGDRegressor.Params
---@field loss? "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes; default "squared_error"; one of squared_error, huber, epsilon_insensitive, squared_epsilon_insensitive
---@field penalty? "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none; default "l2"; one of l2, l1, elasticnet, none
---@field alpha? number # strength of the penalty; sets the rate of 'optimal', too; default 0.0001; a number >= 0
---@field l1_ratio? number # share of the L1 norm in the elasticnet; default 0.15; a number from 0 to 1
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field max_iter? integer # most rounds over the rows; default 1000; a whole number from 1 to 2147483647
---@field tol? number # least improvement of a round that counts as one; default 0.001; a number >= 0
---@field n_iter_no_change? integer # rounds without improvement before the end; default 5; a whole number from 1 to 2147483647
---@field shuffle? boolean # take the rows in another order each round; default true; true or false
---@field epsilon? number # of huber and the epsilon-insensitive losses, in units of y; default 0.1; a number >= 0
---@field learning_rate? "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes; default "invscaling"; one of optimal, constant, invscaling, adaptive, pa1, pa2
---@field eta0? number # first rate; the aggressiveness C of pa1 and pa2; default 0.01; a number > 0
---@field power_t? number # exponent of invscaling: eta0 / t^power_t; default 0.25; a number >= 0
---@field average? integer # average the weights from this step on; 0: do not; default 0; a whole number from 0 to 2147483647
---@field early_stopping? boolean # end by the score of rows held out, not by the objective; default false; true or false
---@field validation_fraction? number # share of the rows held out for that; default 0.1; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by stochastic gradient descent: for many rows, sparse rows, and rows that come in batches.
---
---1/n sum_i w_i loss(y_i, x_i b + c) + alpha (l1_ratio |b|_1 + (1 - l1_ratio) / 2 |b|^2)
---
---Losses, r being y - z: squared_error r^2 / 2; huber, r^2 / 2 up to epsilon and linear beyond;
---epsilon_insensitive, what |r| exceeds epsilon by, or its square. Rates of steps, t counting them: optimal 1 /
---(alpha (t0 + t)), t0 by a heuristic of Bottou; invscaling eta0 / t^power_t; constant eta0; adaptive eta0, a
---fifth of it each time n_iter_no_change rounds have brought nothing; pa1 and pa2 the passive-aggressive steps,
---eta0 being their C. Scale the columns first. A weight scales the step of its row: weight 2 is not the row
---twice. The objective of a round is the mean over its rows, each taken before its step. Definitions are
---scikit-learn's, except: sparse rows give what dense ones give (scikit-learn steps the constant of sparse X by a
---hundredth, and leaves L1 penalties unpaid at the end); the state of the L1 penalty is kept between batches, so
---that batches in order are one round; objectives are weighted. 
---@class manilius.SGDRegressor
---@field loss "squared_error"|"huber"|"epsilon_insensitive"|"squared_epsilon_insensitive" # loss of a row; see the notes
---@field penalty "l2"|"l1"|"elasticnet"|"none" # l2, l1, elasticnet: both, or none
---@field alpha number # strength of the penalty; sets the rate of 'optimal', too
---@field l1_ratio number # share of the L1 norm in the elasticnet
---@field fit_intercept boolean # learn a constant term, never penalised
---@field max_iter integer # most rounds over the rows
---@field tol number # least improvement of a round that counts as one
---@field n_iter_no_change integer # rounds without improvement before the end
---@field shuffle boolean # take the rows in another order each round
---@field epsilon number # of huber and the epsilon-insensitive losses, in units of y
---@field learning_rate "optimal"|"constant"|"invscaling"|"adaptive"|"pa1"|"pa2" # how the rate of steps falls; see the notes
---@field eta0 number # first rate; the aggressiveness C of pa1 and pa2
---@field power_t number # exponent of invscaling: eta0 / t^power_t
---@field average integer # average the weights from this step on; 0: do not
---@field early_stopping boolean # end by the score of rows held out, not by the objective
---@field validation_fraction number # share of the rows held out for that
---@field seed integer # names the random stream: same seed, same result
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field t number # learned: steps so far, and 1
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local SGDRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function SGDRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.SGDRegressor
function SGDRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function SGDRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function SGDRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function SGDRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function SGDRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function SGDRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function SGDRegressor:get_params() end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SGDRegressor
function SGDRegressor:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function SGDRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SGDRegressor
function SGDRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function SGDRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SGDRegressor.Params
---@return manilius.SGDRegressor
function SGDRegressor:set_params(values) end

---@class manilius.SimpleImputer.Params
---@field strategy? "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant; default "mean"; one of mean, median, most_frequent, constant
---@field fill_value? number # the constant of numeric columns; default 0; a finite number
---@field fill_level? string # the constant level of factor columns; nil: missing_value; default nil; a string or nil
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN; default nil; a finite number or nil
---@field add_indicator? boolean # add a column of 0 and 1 for each that had missing values in fit; default false; true or false
---@field keep_empty_features? boolean # fill a column that has no values in fit with the constant, instead of refusing it; default false; true or false

---Missing values replaced by the mean, median, most frequent or a constant value of their column.
---
---z = x if x is there, else the statistic of its column
---
---A factor column stays a factor, so that an encoder may follow; a level that fit did not see becomes missing in
---it. Weights are frequencies. Among equally frequent values the smallest is taken. scikit-learn drops a column
---without values; here that is an error, or the constant with keep_empty_features.
---@class manilius.SimpleImputer
---@field strategy "mean"|"median"|"most_frequent"|"constant" # what to put in; factor columns take their most frequent level unless it is constant
---@field fill_value number # the constant of numeric columns
---@field fill_level? string # the constant level of factor columns; nil: missing_value
---@field missing_values? number # a number that stands for a missing one in numeric columns, besides NaN
---@field add_indicator boolean # add a column of 0 and 1 for each that had missing values in fit
---@field keep_empty_features boolean # fill a column that has no values in fit with the constant, instead of refusing it
---@field statistics manilius.Vector # learned: what is put in; NaN for a factor column, features
---@field fill_code manilius.Vector # learned: position of the level that is put in; -1 for numbers, features
---@field indicator_features manilius.Vector # learned: columns that have an indicator, indicators < features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local SimpleImputer = {}

---Has it this method?
---@param name string
---@return boolean
function SimpleImputer:can(name) end

---The same settings, not fitted.
---@return manilius.SimpleImputer
function SimpleImputer:clone() end

---The model as bytes, for ml.load.
---@return string
function SimpleImputer:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function SimpleImputer:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function SimpleImputer:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SimpleImputer
function SimpleImputer:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function SimpleImputer:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SimpleImputer:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function SimpleImputer:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function SimpleImputer:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.SimpleImputer
function SimpleImputer:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function SimpleImputer:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SimpleImputer.Params
---@return manilius.SimpleImputer
function SimpleImputer:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SimpleImputer:transform(X) end

---@class manilius.StandardScaler.Params
---@field with_mean? boolean # subtract the mean; default true; true or false
---@field with_std? boolean # divide by the standard deviation; default true; true or false

---Each column to mean 0 and standard deviation 1.
---
---z = (x - mean) / scale
---
---The variance divides by the sum of the weights, as in scikit-learn; R's scale() divides by n - 1. Missing
---values are passed over by fit and stay missing. A column whose values are all equal becomes 0. Columns of any
---magnitude are scaled without overflow, even where their variance has none as a double.
---@class manilius.StandardScaler
---@field with_mean boolean # subtract the mean
---@field with_std boolean # divide by the standard deviation
---@field mean manilius.Vector # learned: mean of each column, features
---@field var manilius.Vector # learned: variance of each column (divided by the sum of weights), features
---@field scale manilius.Vector # learned: what each column is divided by; 1 for a constant one, features
---@field count manilius.Vector # learned: weight of the values that were there, features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local StandardScaler = {}

---Has it this method?
---@param name string
---@return boolean
function StandardScaler:can(name) end

---The same settings, not fitted.
---@return manilius.StandardScaler
function StandardScaler:clone() end

---The model as bytes, for ml.load.
---@return string
function StandardScaler:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function StandardScaler:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function StandardScaler:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function StandardScaler:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function StandardScaler:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function StandardScaler:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function StandardScaler:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StandardScaler
function StandardScaler:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StandardScaler
function StandardScaler:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function StandardScaler:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StandardScaler.Params
---@return manilius.StandardScaler
function StandardScaler:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function StandardScaler:transform(X) end

---@class manilius.TheilSenRegressor.Params
---@field fit_intercept? boolean # learn a constant term; default true; true or false
---@field max_subpopulation? integer # most subsets; where there are more, they are drawn; default 10000; a whole number >= 1
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares; default nil; a whole number >= 1 or nil
---@field max_iter? integer # most rounds for the median; default 300; a whole number >= 1
---@field tol? number # stop when the median moves by no more than this share of the spread; default 0.001; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Linear regression by the median of the fits to small subsets of rows: outliers in X and y do little.
---
---sum_s |b_s - b| over b, with b_s the least squares of subset s; b with the constant
---
---Subsets that determine fewer weights than others (two rows of the same x) are left out, as Theil and Sen do;
---scikit-learn gives them the weights of least norm. tol is a share of the mean distance of the subsets' weights
---from their median; scikit-learn's is in the units of the weights. Scale the columns first where their units
---differ. With many columns hardly any outliers are withstood: see breakdown.
---@class manilius.TheilSenRegressor
---@field fit_intercept boolean # learn a constant term
---@field max_subpopulation integer # most subsets; where there are more, they are drawn
---@field n_subsamples? integer # rows of a subset; nil: as many as weights, which withstands most. More are nearer to least squares
---@field max_iter integer # most rounds for the median
---@field tol number # stop when the median moves by no more than this share of the spread
---@field seed integer # names the random stream: same seed, same result
---@field breakdown number # learned: share of the rows that may be anything without spoiling the fit
---@field n_subpopulation integer # learned: subsets that the median is of
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TheilSenRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function TheilSenRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.TheilSenRegressor
function TheilSenRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function TheilSenRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function TheilSenRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function TheilSenRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TheilSenRegressor
function TheilSenRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function TheilSenRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function TheilSenRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function TheilSenRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function TheilSenRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TheilSenRegressor
function TheilSenRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function TheilSenRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function TheilSenRegressor:set_params(values) end

---@class manilius.TweedieRegressor.Params
---@field power? number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian; default 0; a number >= 0
---@field link? "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own; default "auto"; one of auto, identity, log, logit, probit, cloglog, inverse, inverse_squared, sqrt, power
---@field alpha? number # penalty on the squared L2 norm of the weights; default 1; a number >= 0
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts; default nil; a string or nil
---@field max_iter? integer # most iterations; default 100; a whole number >= 1
---@field tol? number # stop when a step is shorter than this share of the objective's root; default 1e-09; a number >= 0

---Amounts whose variance is a power of their mean, with an L2 penalty.
---
---sum_i w_i d(y_i, mu_i) / (2 sum_i w_i) + alpha / 2 |b|^2, link(mu_i) = x_i b + c + offset_i
---
---As in scikit-learn; link auto: identity for power 0, log for the others. For standard errors, tests and other
---links: ml.GLM{ family = 'tweedie' }. Exported to Lua, predictions with link power or inverse_squared agree
---within 4 units in the last place.
---@class manilius.TweedieRegressor
---@field power number # of tweedie: the variance is mean^power. 0 gaussian, 1 poisson, 1 to 2 poisson sums of gammas (zeros and positive values), 2 gamma, 3 inverse gaussian
---@field link "auto"|"identity"|"log"|"logit"|"probit"|"cloglog"|"inverse"|"inverse_squared"|"sqrt"|"power" # auto: the family's own
---@field alpha number # penalty on the squared L2 norm of the weights
---@field fit_intercept boolean # learn a constant term, never penalised
---@field offset? string # name of a column of X (x1, x2, ... where it has no names) that is added on the scale of the link with coefficient 1, such as the logarithm of the exposure of counts
---@field max_iter integer # most iterations
---@field tol number # stop when a step is shorter than this share of the objective's root
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
---@field deviance number # learned: twice the log-likelihood lost to a perfect fit
---@field n number # learned: sum of the weights: the number of rows when there are none
---@field rank integer # learned: number of independent columns of X
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TweedieRegressor = {}

---Has it this method?
---@param name string
---@return boolean
function TweedieRegressor:can(name) end

---The same settings, not fitted.
---@return manilius.TweedieRegressor
function TweedieRegressor:clone() end

---The model as bytes, for ml.load.
---@return string
function TweedieRegressor:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function TweedieRegressor:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function TweedieRegressor:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TweedieRegressor
function TweedieRegressor:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function TweedieRegressor:fit_async() end

---fit, then predict for the same X.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector|manilius.Matrix
function TweedieRegressor:fit_predict(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function TweedieRegressor:get_params() end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function TweedieRegressor:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.TweedieRegressor
function TweedieRegressor:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function TweedieRegressor:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.TweedieRegressor.Params
---@return manilius.TweedieRegressor
function TweedieRegressor:set_params(values) end

---@class manilius.VarianceThreshold.Params
---@field threshold? number # columns of at most this variance are left out; default 0; a number >= 0

---Leaves out columns that hardly vary.
---
---keep j where var(x_j) > threshold
---
---The variance divides by the sum of the weights; missing values are passed over. inverse_transform puts 0 for
---what was left out.
---@class manilius.VarianceThreshold
---@field threshold number # columns of at most this variance are left out
---@field variances manilius.Vector # learned: variance of each column, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
---@field fitted boolean # has fit learned anything?
---@field class string # the name of the estimator
---@field n_features integer # learned: columns of X
---@field feature_names? string[] # learned: names of the columns of X
local VarianceThreshold = {}

---Has it this method?
---@param name string
---@return boolean
function VarianceThreshold:can(name) end

---The same settings, not fitted.
---@return manilius.VarianceThreshold
function VarianceThreshold:clone() end

---The model as bytes, for ml.load.
---@return string
function VarianceThreshold:dump() end

---The fitted model as one file of C99 that needs nothing but the C library: a string, or the model when it is
---written to a path.
---@return any
function VarianceThreshold:export_c() end

---The fitted model as one file of Lua that needs nothing else, for Lua 5.1 to 5.5 and LuaJIT: a string, or the
---model when it is written to a path.
---@return any
function VarianceThreshold:export_lua() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.VarianceThreshold
function VarianceThreshold:fit(X, y, options) end

---fit in the background, for estimators of the core and a Pipeline of them: gives a job.
---@return any
function VarianceThreshold:fit_async() end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function VarianceThreshold:fit_transform(X, y, options) end

---The settings: a table by name, step__name within compositions.
---@return table<string, any>
function VarianceThreshold:get_params() end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function VarianceThreshold:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.VarianceThreshold
function VarianceThreshold:save(path) end

---How good the predictions for X are: accuracy, r2, or the metric that scoring names.
---@param X manilius.X
---@param y? manilius.Y
---@param options? { weights?: manilius.Numbers, scoring?: string|function|table }
---@return number
function VarianceThreshold:score(X, y, options) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.VarianceThreshold.Params
---@return manilius.VarianceThreshold
function VarianceThreshold:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function VarianceThreshold:transform(X) end
