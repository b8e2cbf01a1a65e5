---@meta _
-- luacheck: ignore
-- ml.QuadraticDiscriminantAnalysis: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.QuadraticDiscriminantAnalysis.Params
---@field reg_param? number # covariances become (1 - reg_param) S_c + reg_param I; default 0; a number from 0 to 1
---@field shrinkage? number # s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none; default nil; a number from 0 to 1 or nil
---@field covariance_estimator? "empirical"|"ledoit_wolf" # ledoit_wolf: estimated shrinkage; default "empirical"; one of empirical, ledoit_wolf
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies; default nil; numbers from 0 to 1 or nil
---@field tol? number # a covariance is singular if a variance is at most this fraction of the largest; columns are scaled to 1 unless regularized; default 1e-09; a number >= 0

---Quadratic discriminant analysis: normal classes with different covariances.
---
---log p(c | x) = log prior_c - 1/2 log det S_c - 1/2 (x - mean_c)' inv(S_c) (x - mean_c) + constant
---
---Covariances are divided by the number of rows of the class, as in scikit-learn since 1.8. reg_param mixes in
---the identity, so scale the columns first.
---@class manilius.QuadraticDiscriminantAnalysis: manilius.Classifier
---@field reg_param number # covariances become (1 - reg_param) S_c + reg_param I
---@field shrinkage? number # s in (1 - s) S_c + s trace(S_c) / p I, the covariance of each class; nil: none
---@field covariance_estimator "empirical"|"ledoit_wolf" # ledoit_wolf: estimated shrinkage
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies
---@field tol number # a covariance is singular if a variance is at most this fraction of the largest; columns are scaled to 1 unless regularized
---@field means manilius.Matrix # learned: mean of each class, classes x features
---@field class_prior manilius.Vector # learned: prior probability of each class, classes
---@field log_det manilius.Vector # learned: logarithm of the determinant of each covariance, classes
---@field whitening manilius.Matrix # learned: stacked features x features blocks W, one for each class, with W W' the inverse of its covariance, stacked x features
local QuadraticDiscriminantAnalysis = {}

---An unfitted copy with the same parameters.
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function QuadraticDiscriminantAnalysis:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function QuadraticDiscriminantAnalysis:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function QuadraticDiscriminantAnalysis:set_params(values) end

---@class manilius
local ml = {}

---Quadratic discriminant analysis: normal classes with different covariances.
---@param params? manilius.QuadraticDiscriminantAnalysis.Params
---@return manilius.QuadraticDiscriminantAnalysis
function ml.QuadraticDiscriminantAnalysis(params) end
