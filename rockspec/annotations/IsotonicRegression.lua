---@meta _
-- luacheck: ignore
-- ml.IsotonicRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.IsotonicRegression.Params
---@field direction? "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says; default "increasing"; one of increasing, decreasing, auto
---@field out_of_bounds? "clip"|"nan" # beyond the x of fit: the value at the end, or nan; default "clip"; one of clip, nan
---@field y_min? number # least value of f; nil: none; default nil; a finite number or nil
---@field y_max? number # largest value of f; nil: none; default nil; a finite number or nil

---The monotone function of one column that lies nearest to y.
---
---sum_i w_i (y_i - f(x_i))^2, f monotone
---
---X has one column. As in scikit-learn, but that out_of_bounds is 'clip' unless said otherwise, and that there is
---no 'raise': nan tells which rows.
---@class manilius.IsotonicRegression: manilius.Regressor
---@field direction "increasing"|"decreasing"|"auto" # which way f goes; auto: as the sign of Spearman's correlation says
---@field out_of_bounds "clip"|"nan" # beyond the x of fit: the value at the end, or nan
---@field y_min? number # least value of f; nil: none
---@field y_max? number # largest value of f; nil: none
---@field x_thresholds manilius.Vector # learned: where f bends, ascending, thresholds
---@field y_thresholds manilius.Vector # learned: f there, thresholds
---@field slope number # learned: 1 when f rises, -1 when it falls
local IsotonicRegression = {}

---The same settings, not fitted.
---@return manilius.IsotonicRegression
function IsotonicRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.IsotonicRegression
function IsotonicRegression:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.IsotonicRegression
function IsotonicRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function IsotonicRegression:set_params(values) end

---@class manilius
local ml = {}

---The monotone function of one column that lies nearest to y.
---@param params? manilius.IsotonicRegression.Params
---@return manilius.IsotonicRegression
function ml.IsotonicRegression(params) end
