---@meta _
-- luacheck: ignore
-- ml.RidgeCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RidgeCV.Params
---@field alphas? manilius.Numbers # candidate L2 penalties; nil: 0.1, 1 and 10; default nil; numbers > 0 or nil
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true; true or false

---Ridge regression with alpha chosen by leave-one-out cross-validation.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, alpha minimizes sum_i w_i (y_i - yhat_i fitted without i)^2
---
---The leave-one-out errors are exact and computed in closed form, at the cost of one fit. A sample weight counts
---equal rows, of which one is left out; scikit-learn leaves out all of them and divides by the number of rows,
---not by the sum of the weights. All targets share one alpha. Scale the columns first if their units differ.
---@class manilius.RidgeCV: manilius.Regressor
---@field alphas? manilius.Numbers # candidate L2 penalties; nil: 0.1, 1 and 10
---@field fit_intercept boolean # fit an intercept, which is not penalized
---@field alpha number # learned: selected penalty; ties are broken by the lowest index
---@field best_score number # learned: minus the mean squared leave-one-out error at alpha
---@field scores manilius.Vector # learned: minus the mean squared leave-one-out error at each of alphas, alphas
---@field coef manilius.Matrix|manilius.Vector # learned: coefficients, targets x features
---@field intercept manilius.Vector|number # learned: intercept term, targets
local RidgeCV = {}

---An unfitted copy with the same parameters.
---@return manilius.RidgeCV
function RidgeCV:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RidgeCV
function RidgeCV:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.RidgeCV
function RidgeCV:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.RidgeCV.Params
---@return manilius.RidgeCV
function RidgeCV:set_params(values) end

---coefficients, how many are nonzero, and why there are no standard errors. Gives coefficients (Frame: term,
---estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function RidgeCV:summary(options) end

---@class manilius
local ml = {}

---Ridge regression with alpha chosen by leave-one-out cross-validation.
---@param params? manilius.RidgeCV.Params
---@return manilius.RidgeCV
function ml.RidgeCV(params) end
