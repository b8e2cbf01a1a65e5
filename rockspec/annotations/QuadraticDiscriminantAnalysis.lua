---@meta _
-- luacheck: ignore
-- ml.QuadraticDiscriminantAnalysis: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuadraticDiscriminantAnalysis.Params
---@field reg_param? number # covariances become (1 - reg_param) S_c + reg_param I; default 0; a number from 0 to 1
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell; default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil
---@field tol? number # a covariance of which a direction's variance is no more than this share of the largest counts as singular: of columns scaled to 1, where nothing is mixed in; default 1e-09; a number >= 0

---Classifier of normal classes, each with a covariance of its own.
---
---log p(c | x) = log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c) + constant
---
---Covariances divide by the rows of the class, as in scikit-learn since 1.8. reg_param mixes in the identity, so
---scale the columns first.
---@class manilius.QuadraticDiscriminantAnalysis: manilius.Classifier
---@field reg_param number # covariances become (1 - reg_param) S_c + reg_param I
---@field shrinkage? number # share of the mean variance times the identity in the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: shrinkage as the data tell
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field tol number # a covariance of which a direction's variance is no more than this share of the largest counts as singular: of columns scaled to 1, where nothing is mixed in
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field log_det manilius.Vector # learned: logarithm of the determinant of each covariance, classes
---@field whitening manilius.Matrix # learned: for each class in turn features rows W with W W' the inverse of its covariance, stacked x features
local QuadraticDiscriminantAnalysis = {}

---The same settings, not fitted.
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function QuadraticDiscriminantAnalysis:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:fit(X, y, options) end

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

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:set_params(values) end

---@class manilius
local ml = {}

---Classifier of normal classes, each with a covariance of its own.
---@param params? manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function ml.QuadraticDiscriminantAnalysis(params) end
