---@meta _
-- luacheck: ignore
-- ml.GaussianNB: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GaussianNB.Params
---@field var_smoothing? number # fraction of the largest feature variance that is added to all variances; default 1e-09; a number >= 0
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies; default nil; numbers from 0 to 1 or nil

---Naive Bayes with normally distributed features.
---
---log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant
---
---Variances are divided by the number of rows of the class, and epsilon is added to them, as in scikit-learn.
---@class manilius.GaussianNB: manilius.Classifier
---@field var_smoothing number # fraction of the largest feature variance that is added to all variances
---@field priors? manilius.Numbers # prior probabilities of the classes; nil: class frequencies
---@field theta manilius.Matrix # learned: mean of each feature in each class, classes x features
---@field var manilius.Matrix # learned: variance of each feature in each class, without epsilon, classes x features
---@field class_count manilius.Vector # learned: number of rows (sum of sample weights) of each class, classes
---@field class_prior manilius.Vector # learned: prior probability of each class, classes
---@field epsilon number # learned: value added to all variances
local GaussianNB = {}

---An unfitted copy with the same parameters.
---@return manilius.GaussianNB
function GaussianNB:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:partial_fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function GaussianNB:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function GaussianNB:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.GaussianNB
function GaussianNB:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.GaussianNB.Params
---@return manilius.GaussianNB
function GaussianNB:set_params(values) end

---@class manilius
local ml = {}

---Naive Bayes with normally distributed features.
---@param params? manilius.GaussianNB.Params
---@return manilius.GaussianNB
function ml.GaussianNB(params) end
