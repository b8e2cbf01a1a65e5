---@meta _
-- luacheck: ignore
-- ml.StratifiedRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StratifiedRegression.Params
---@field column? integer # index of the column whose values are the strata; default 1; a whole number >= 1
---@field graph? "chain"|"ring"|"complete" # neighboring strata: chain: adjacent values; ring: also the first and the last; complete: all pairs; default "chain"; one of chain, ring, complete
---@field smoothness? number # penalty on differences between neighboring strata (smoothness / 2 times their squares); 0 means separate regressions; default 1; a number >= 0
---@field alpha? number # L2 penalty on the coefficients of each stratum (alpha / 2 times their squares); default 0; a number >= 0

---Linear regression for each value of a column, smoothed over neighboring values.
---
---1/2 sum_k sum_i(k) w_i (y_i - x_i b_k - c_k)^2 + alpha/2 sum_k |b_k|^2 + smoothness/2 sum_(k,l) (|b_k - b_l|^2
---+ (c_k - c_l)^2)
---
---The penalties apply to centered columns of variance 1 and to intercepts at the column means, so units do not
---matter. smoothness = 0 fits each stratum separately, a large value fits all strata together. Solved exactly, at
---a cost linear in the number of strata. A value not seen in fit is predicted with common_coef and
---common_intercept. Encode strata that are text with OrdinalEncoder first.
---@class manilius.StratifiedRegression: manilius.Regressor
---@field column integer # index of the column whose values are the strata
---@field graph "chain"|"ring"|"complete" # neighboring strata: chain: adjacent values; ring: also the first and the last; complete: all pairs
---@field smoothness number # penalty on differences between neighboring strata (smoothness / 2 times their squares); 0 means separate regressions
---@field alpha number # L2 penalty on the coefficients of each stratum (alpha / 2 times their squares)
---@field levels manilius.Vector # learned: distinct values of the column, ascending, strata
---@field coef manilius.Matrix # learned: coefficients in each stratum; 0 for the column itself, strata x features
---@field intercept manilius.Vector # learned: intercept of each stratum, strata
---@field counts manilius.Vector # learned: sum of the sample weights of each stratum, strata
---@field common_coef manilius.Vector # learned: mean of the coefficients over the strata, features
---@field common_intercept number # learned: mean of the intercepts over the strata
local StratifiedRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.StratifiedRegression
function StratifiedRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StratifiedRegression
function StratifiedRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.StratifiedRegression
function StratifiedRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function StratifiedRegression:set_params(values) end

---@class manilius
local ml = {}

---Linear regression for each value of a column, smoothed over neighboring values.
---@param params? manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function ml.StratifiedRegression(params) end
