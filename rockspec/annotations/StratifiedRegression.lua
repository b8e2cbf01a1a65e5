---@meta _
-- luacheck: ignore
-- ml.StratifiedRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StratifiedRegression.Params
---@field column? integer # the column whose values are the strata; default 1; a whole number >= 1
---@field graph? "chain"|"ring"|"complete" # which strata are neighbours: chain: those of values next to each other; ring: the first and the last, too; complete: all; default "chain"; one of chain, ring, complete
---@field smoothness? number # half of it times the squared differences between neighbours; 0: separate regressions; default 1; a number >= 0
---@field alpha? number # half of it times the squared weights of each stratum; default 0; a number >= 0

---A linear regression for each value of a column, which lean on those of neighbouring values.
---
---1/2 sum_k sum_i(k) w_i (y_i - x_i b_k - c_k)^2 + alpha/2 sum_k |b_k|^2 + smoothness/2 sum_(k,l) (|b_k - b_l|^2
---+ (c_k - c_l)^2)
---
---Weights in the penalties are those of columns about their means and of variance 1, over all rows, and the
---constants are at those means: units do not matter. smoothness = 0 fits each stratum by itself, a large one all
---together. Solved exactly, at a cost that grows with the strata as such. A value that fit did not see is
---predicted by common_coef and common_intercept. Strata that are text go through OrdinalEncoder first.
---@class manilius.StratifiedRegression: manilius.Regressor
---@field column integer # the column whose values are the strata
---@field graph "chain"|"ring"|"complete" # which strata are neighbours: chain: those of values next to each other; ring: the first and the last, too; complete: all
---@field smoothness number # half of it times the squared differences between neighbours; 0: separate regressions
---@field alpha number # half of it times the squared weights of each stratum
---@field levels manilius.Vector # learned: values of the column, ascending, strata
---@field coef manilius.Matrix # learned: weights in each; 0 for the column itself, strata x features
---@field intercept manilius.Vector # learned: constant term of each, strata
---@field counts manilius.Vector # learned: weight of the rows of each, strata
---@field common_coef manilius.Vector # learned: mean of the weights over the strata, features
---@field common_intercept number # learned: mean of the constant terms
local StratifiedRegression = {}

---The same settings, not fitted.
---@return manilius.StratifiedRegression
function StratifiedRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.StratifiedRegression
function StratifiedRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.StratifiedRegression
function StratifiedRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function StratifiedRegression:set_params(values) end

---@class manilius
local ml = {}

---A linear regression for each value of a column, which lean on those of neighbouring values.
---@param params? manilius.StratifiedRegression.Params
---@return manilius.StratifiedRegression
function ml.StratifiedRegression(params) end
