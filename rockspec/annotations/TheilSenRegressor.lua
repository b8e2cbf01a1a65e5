---@meta _
-- luacheck: ignore
-- ml.TheilSenRegressor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TheilSenRegressor.Params
---@field fit_intercept? boolean # fit an intercept; default true; true or false
---@field max_subpopulation? integer # maximum number of subsets; if there are more, they are drawn at random; default 10000; a whole number >= 1
---@field n_subsamples? integer # rows of a subset; nil: the number of coefficients, which is the most robust. More rows are closer to least squares; default nil; a whole number >= 1 or nil
---@field max_iter? integer # maximum number of rounds for the spatial median; default 300; a whole number >= 1
---@field tol? number # stop when the median moves by at most this share of the mean distance of the subsets from it; default 0.001; a number >= 0
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Robust linear regression by the median of fits to small subsets of rows.
---
---sum_s |b_s - b| over b, with b_s the least squares of subset s; b with the constant
---
---Subsets that do not determine all coefficients (two rows with the same x) are left out, as by Theil and Sen;
---scikit-learn uses their minimum-norm solution. tol is relative to the mean distance of the subsets from the
---median; that of scikit-learn is in the units of the coefficients. Scale the columns first if their units
---differ. With many columns few outliers are tolerated: see breakdown.
---@class manilius.TheilSenRegressor: manilius.Regressor
---@field fit_intercept boolean # fit an intercept
---@field max_subpopulation integer # maximum number of subsets; if there are more, they are drawn at random
---@field n_subsamples? integer # rows of a subset; nil: the number of coefficients, which is the most robust. More rows are closer to least squares
---@field max_iter integer # maximum number of rounds for the spatial median
---@field tol number # stop when the median moves by at most this share of the mean distance of the subsets from it
---@field seed integer # random seed; the same seed gives the same result
---@field breakdown number # learned: share of the rows that may be arbitrary without ruining the fit
---@field n_subpopulation integer # learned: number of subsets used
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local TheilSenRegressor = {}

---An unfitted copy with the same parameters.
---@return manilius.TheilSenRegressor
function TheilSenRegressor:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.TheilSenRegressor
function TheilSenRegressor:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.TheilSenRegressor
function TheilSenRegressor:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function TheilSenRegressor:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function TheilSenRegressor:summary(options) end

---@class manilius
local ml = {}

---Robust linear regression by the median of fits to small subsets of rows.
---@param params? manilius.TheilSenRegressor.Params
---@return manilius.TheilSenRegressor
function ml.TheilSenRegressor(params) end
