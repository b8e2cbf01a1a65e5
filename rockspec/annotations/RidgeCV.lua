---@meta _
-- luacheck: ignore
-- ml.RidgeCV: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RidgeCV.Params
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10; default nil; numbers > 0 or nil
---@field fit_intercept? boolean # learn a constant term, never penalised; default true; true or false

---Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.
---
---sum_i w_i |y_i - x_i b - c|^2 + alpha |b|^2, with alpha of least sum_i w_i (y_i - yhat without i)^2
---
---The errors are those of leaving out each row and fitting again, in closed form. A weight counts equal rows, of
---which one is left out; scikit-learn leaves out all of them, and divides by the number of rows, not by the sum
---of the weights. All targets share one alpha. Scale the columns first where their units differ.
---@class manilius.RidgeCV: manilius.Regressor
---@field alphas? manilius.Numbers # penalties to choose from; nil: 0.1, 1 and 10
---@field fit_intercept boolean # learn a constant term, never penalised
---@field alpha number # learned: the chosen penalty; the first of equals
---@field best_score number # learned: minus the mean squared leave-one-out error of it
---@field scores manilius.Vector # learned: the same for each of alphas, alphas
---@field coef manilius.Matrix|manilius.Vector # learned: weights, targets x features
---@field intercept manilius.Vector|number # learned: constant term, targets
local RidgeCV = {}

---The same settings, not fitted.
---@return manilius.RidgeCV
function RidgeCV:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.RidgeCV
function RidgeCV:fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.RidgeCV
function RidgeCV:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.RidgeCV.Params
---@return manilius.RidgeCV
function RidgeCV:set_params(values) end

---weights and constant, how many are not 0, and why there are no standard errors. Gives coefficients (Frame:
---term, estimate), nonzero; prints as a table
---@param options? { target?: integer }
---@return table<string, any>
function RidgeCV:summary(options) end

---@class manilius
local ml = {}

---Ridge regression, its penalty chosen by leave-one-out cross-validation at the price of one fit.
---@param params? manilius.RidgeCV.Params
---@return manilius.RidgeCV
function ml.RidgeCV(params) end
