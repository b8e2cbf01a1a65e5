---@meta _
-- luacheck: ignore
-- ml.GaussianNB: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GaussianNB.Params
---@field var_smoothing? number # share of the largest variance of a feature that is added to all variances; default 1e-09; a number >= 0
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y; default nil; numbers from 0 to 1 or nil

---Naive Bayes with normal features.
---
---log p(c | x) = log prior_c - 1/2 sum_j [ log(2 pi var_cj) + (x_j - theta_cj)^2 / var_cj ] + constant
---
---Variances divide by the rows of the class, and epsilon is added to them, as in scikit-learn.
---@class manilius.GaussianNB: manilius.Classifier
---@field var_smoothing number # share of the largest variance of a feature that is added to all variances
---@field priors? manilius.Numbers # probabilities of the classes; unset: their shares in y
---@field theta manilius.Matrix # learned: mean of each feature in each class, classes x features
---@field var manilius.Matrix # learned: variance of each feature in each class, without epsilon, classes x features
---@field class_count manilius.Vector # learned: rows (sum of the weights) of each class, classes
---@field class_prior manilius.Vector # learned: probability of each class, classes
---@field epsilon number # learned: what is added to all variances
local GaussianNB = {}

---The same settings, not fitted.
---@return manilius.GaussianNB
function GaussianNB:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.GaussianNB
function GaussianNB:partial_fit(X, y, options) end

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

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.GaussianNB.Params
---@return manilius.GaussianNB
function GaussianNB:set_params(values) end

---@class manilius
local ml = {}

---Naive Bayes with normal features.
---@param params? manilius.GaussianNB.Params
---@return manilius.GaussianNB
function ml.GaussianNB(params) end
