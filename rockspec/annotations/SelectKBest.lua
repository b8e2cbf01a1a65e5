---@meta _
-- luacheck: ignore
-- ml.SelectKBest: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.SelectKBest.Params
---@field score_func? "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts; default "f_classif"; one of f_classif, f_regression, chi2
---@field k? integer # how many columns to keep; all when there are fewer; default 10; a whole number from 1 to 2147483647

---The columns that tell most about y, each by itself.
---
---keep the k columns of highest F or chi-squared
---
---Among equal scores the first column is kept (scikit-learn: the last). Weights are frequencies; where their mean
---is below 1, in units of it.
---@class manilius.SelectKBest: manilius.Model
---@field score_func "f_classif"|"f_regression"|"chi2" # F of the class means, F of the correlation with a number y, chi-squared of counts
---@field k integer # how many columns to keep; all when there are fewer
---@field scores manilius.Vector # learned: score of each column; NaN where it has none, features
---@field pvalues manilius.Vector # learned: chance of such a score when the column says nothing about y, features
---@field support manilius.Vector # learned: the columns that are kept, kept < features
local SelectKBest = {}

---The same settings, not fitted.
---@return manilius.SelectKBest
function SelectKBest:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.SelectKBest
function SelectKBest:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function SelectKBest:fit_transform(X, y, options) end

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

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.SelectKBest.Params
---@return manilius.SelectKBest
function SelectKBest:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function SelectKBest:transform(X) end

---@class manilius
local ml = {}

---The columns that tell most about y, each by itself.
---@param params? manilius.SelectKBest.Params
---@return manilius.SelectKBest
function ml.SelectKBest(params) end
