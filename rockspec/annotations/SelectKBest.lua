---@meta _
-- luacheck: ignore
-- ml.SelectKBest: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SelectKBest.Params
---@field score_func? "f_classif"|"f_regression"|"chi2" # f_classif: F test of class means; f_regression: F test of the correlation with a numeric y; chi2: chi-squared test of counts; default "f_classif"; one of f_classif, f_regression, chi2
---@field k? integer # number of columns to keep; all if there are fewer; default 10; a whole number from 1 to 2147483647

---Selects the k columns with the highest univariate test scores.
---
---keep the k columns with the highest F or chi-squared
---
---Among equal scores the first column is kept (the last in scikit-learn). Weights are frequencies; if their mean
---is below 1, in units of it.
---@class manilius.SelectKBest: manilius.Model
---@field score_func "f_classif"|"f_regression"|"chi2" # f_classif: F test of class means; f_regression: F test of the correlation with a numeric y; chi2: chi-squared test of counts
---@field k integer # number of columns to keep; all if there are fewer
---@field scores manilius.Vector # learned: score of each column; NaN if undefined, features
---@field pvalues manilius.Vector # learned: p-value of each score, features
---@field support manilius.Vector # learned: indices of the selected columns, kept < features
local SelectKBest = {}

---An unfitted copy with the same parameters.
---@return manilius.SelectKBest
function SelectKBest:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SelectKBest
function SelectKBest:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SelectKBest:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function SelectKBest:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.SelectKBest
function SelectKBest:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.SelectKBest.Params
---@return manilius.SelectKBest
function SelectKBest:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:transform(X) end

---@class manilius
local ml = {}

---Selects the k columns with the highest univariate test scores.
---@param params? manilius.SelectKBest.Params
---@return manilius.SelectKBest
function ml.SelectKBest(params) end
