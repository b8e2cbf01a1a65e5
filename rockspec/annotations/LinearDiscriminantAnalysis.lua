---@meta _
-- luacheck: ignore
-- ml.LinearDiscriminantAnalysis: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

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
---@class manilius.LinearDiscriminantAnalysis: manilius.Classifier
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
local LinearDiscriminantAnalysis = {}

---The same settings, not fitted.
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearDiscriminantAnalysis:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function LinearDiscriminantAnalysis:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function LinearDiscriminantAnalysis:output_names() end

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

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function LinearDiscriminantAnalysis:transform(X) end

---@class manilius
local ml = {}

---Classifier of normal classes with one covariance, and the projection that sets them apart best.
---@param params? manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function ml.LinearDiscriminantAnalysis(params) end
