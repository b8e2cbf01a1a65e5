---@meta _
-- luacheck: ignore
-- ml.IsotonicRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.IsotonicRegression.Params
---@field direction? "increasing"|"decreasing"|"auto" # direction of f; auto: the sign of Spearman's correlation; default "increasing"; one of increasing, decreasing, auto
---@field out_of_bounds? "clip"|"nan" # prediction outside the range of the training x: clip: the value at the nearest end; nan: nan; default "clip"; one of clip, nan
---@field y_min? number # lower bound of f; nil means none; default nil; a finite number or nil
---@field y_max? number # upper bound of f; nil means none; default nil; a finite number or nil

---Monotone function of one column, by pooling adjacent violators.
---
---sum_i w_i (y_i - f(x_i))^2, f monotone
---
---X must have one column. As in scikit-learn, except that out_of_bounds defaults to 'clip' and has no 'raise':
---use nan to find the rows out of bounds.
---@class manilius.IsotonicRegression: manilius.Regressor
---@field direction "increasing"|"decreasing"|"auto" # direction of f; auto: the sign of Spearman's correlation
---@field out_of_bounds "clip"|"nan" # prediction outside the range of the training x: clip: the value at the nearest end; nan: nan
---@field y_min? number # lower bound of f; nil means none
---@field y_max? number # upper bound of f; nil means none
---@field x_thresholds manilius.Vector # learned: knots of f, ascending, thresholds
---@field y_thresholds manilius.Vector # learned: values of f at the knots, thresholds
---@field slope number # learned: 1 if f is increasing, -1 if decreasing
local IsotonicRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.IsotonicRegression
function IsotonicRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.IsotonicRegression
function IsotonicRegression:fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.IsotonicRegression
function IsotonicRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function IsotonicRegression:set_params(values) end

---@class manilius
local ml = {}

---Monotone function of one column, by pooling adjacent violators.
---@param params? manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function ml.IsotonicRegression(params) end
