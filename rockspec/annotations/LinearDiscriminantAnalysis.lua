---@meta _
-- luacheck: ignore
-- ml.LinearDiscriminantAnalysis: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LinearDiscriminantAnalysis.Params
---@field solver? "svd"|"lsqr"|"eigen" # svd: accurate for all data, without shrinkage; lsqr, eigen: by the covariance, optionally shrunken; default "svd"; one of svd, lsqr, eigen
---@field shrinkage? number # s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: estimated shrinkage (scikit-learn's shrinkage = 'auto'); default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies; default nil; numbers from 0 to 1 or nil
---@field n_components? integer # number of columns of transform, at most min(classes - 1, features); nil: all; default nil; a whole number >= 1 or nil
---@field tol? number # svd: drop directions whose standard deviation within classes, for scaled columns, is below this; default 0.0001; a number >= 0

---Linear discriminant analysis: classification and supervised projection.
---
---log p(c | x) = log prior_c + x' inv(S) mean_c - 1/2 mean_c' inv(S) mean_c + constant
---
---Classes are normal with a common covariance. Unlike scikit-learn it accepts weights, and transform works with
---solver lsqr. transform is centered for every solver (scikit-learn's eigen is not), and the largest element of
---each direction in magnitude is positive. Covariances are divided by the number of rows, not by rows - 1.
---@class manilius.LinearDiscriminantAnalysis: manilius.Classifier
---@field solver "svd"|"lsqr"|"eigen" # svd: accurate for all data, without shrinkage; lsqr, eigen: by the covariance, optionally shrunken
---@field shrinkage? number # s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: estimated shrinkage (scikit-learn's shrinkage = 'auto')
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies
---@field n_components? integer # number of columns of transform, at most min(classes - 1, features); nil: all
---@field tol number # svd: drop directions whose standard deviation within classes, for scaled columns, is below this
---@field coef manilius.Matrix # learned: coefficients, decisions x features
---@field intercept manilius.Vector # learned: intercept term, decisions
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: prior probability of each class, classes
---@field xbar manilius.Vector # learned: mean of the class means, weighted by class_prior, features
---@field scalings manilius.Matrix # learned: directions of transform, features x components
---@field explained_variance_ratio manilius.Vector # learned: fraction of the variance between classes of each direction, components
---@field covariance manilius.Matrix # learned: covariance within the classes; empty with solver svd, features x features
local LinearDiscriminantAnalysis = {}

---An unfitted copy with the same parameters.
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function LinearDiscriminantAnalysis:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function LinearDiscriminantAnalysis:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function LinearDiscriminantAnalysis:output_names() end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function LinearDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function LinearDiscriminantAnalysis:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function LinearDiscriminantAnalysis:transform(X) end

---@class manilius
local ml = {}

---Linear discriminant analysis: classification and supervised projection.
---@param params? manilius.LinearDiscriminantAnalysis.Params
---@return manilius.LinearDiscriminantAnalysis
function ml.LinearDiscriminantAnalysis(params) end
