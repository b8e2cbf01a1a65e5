---@meta _
-- luacheck: ignore
-- ml.PolynomialRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PolynomialRegression.Params
---@field alpha? number # L2 penalty on the coefficients of the products of z; 0: least squares; default 0
---@field degree? number # maximum degree of a product; default 2
---@field fit_intercept? boolean # fit an intercept, which is not penalized; default true
---@field interaction_only? boolean # only products of distinct columns: x1 x2, but not x1^2; default false
---@field [integer] any

---Least squares or ridge regression on polynomials of the columns.
---
---The products are those of PolynomialFeatures, with the same names. They are computed from standardized columns
---(without an intercept: columns divided by their largest absolute value), which avoids ill-conditioning for
---columns far from 0. coef, intercept and summary() refer to the original columns, like those of LinearRegression
---on PolynomialFeatures.
---@class manilius.PolynomialRegression: manilius.Model
---@field alpha? number # L2 penalty on the coefficients of the products of z; 0: least squares
---@field degree? number # maximum degree of a product
---@field fit_intercept? boolean # fit an intercept, which is not penalized
---@field interaction_only? boolean # only products of distinct columns: x1 x2, but not x1^2
---@field coef any # learned: coefficients of the products of the original columns (Vector; several targets: Matrix targets x terms)
---@field feature_names any # learned: column names of X, if X is a Frame
---@field features any # learned: fitted PolynomialFeatures of the scaled columns
---@field intercept any # learned: intercept for the original columns (number; several targets: Vector)
---@field linear any # learned: fitted LinearRegression or Ridge; its coefficients refer to the scaled columns
---@field n_features any # learned: number of columns of X
---@field scaler any # learned: fitted scaler of the columns
---@field terms any # learned: names of the products: x1, x2, x1^2, x1 x2, x2^2
---@field [any] any
local PolynomialRegression = {}

---An unfitted copy with the same parameters.
---@return manilius.PolynomialRegression
function PolynomialRegression:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialRegression
function PolynomialRegression:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function PolynomialRegression:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialRegression:fit_transform(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function PolynomialRegression:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.PolynomialRegression
function PolynomialRegression:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.PolynomialRegression.Params
---@return manilius.PolynomialRegression
function PolynomialRegression:set_params(values) end

---Prediction or confidence intervals and standard errors as a Frame.
---@param X manilius.X
---@param options table
---@return any
function PolynomialRegression:intervals(X, options) end

---Coefficient table with tests if alpha is 0, and fit statistics.
---@param values table
---@return any
function PolynomialRegression:summary(values) end

---@class manilius
local ml = {}

---Least squares or ridge regression on polynomials of the columns.
---@param params? manilius.PolynomialRegression.Params
---@return manilius.PolynomialRegression
function ml.PolynomialRegression(params) end
