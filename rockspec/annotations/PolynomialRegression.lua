---@meta _
-- luacheck: ignore
-- ml.PolynomialRegression: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PolynomialRegression.Params
---@field alpha? number # penalty on the squared weights of the products of z; 0: least squares; default 0
---@field degree? number # highest degree of a product; default 2
---@field fit_intercept? boolean # learn a constant term, never penalised; default true
---@field interaction_only? boolean # no column more than once in a product: x1 x2, but not x1^2; default false
---@field [integer] any

---Least squares on the columns and their products up to a degree.
---
---The products are those of PolynomialFeatures, named alike. They are made of the columns about their means over
---their standard deviations (without a constant term: over their largest absolute value), so that columns far
---from 0 lose no digits; predictions go by these. coef, intercept and summary() are about the products of X
---itself, as are those of a LinearRegression on PolynomialFeatures; what they say adds up to the predictions as
---far as numbers of their size can.
---@class manilius.PolynomialRegression: manilius.Model
---@field alpha? number # penalty on the squared weights of the products of z; 0: least squares
---@field degree? number # highest degree of a product
---@field fit_intercept? boolean # learn a constant term, never penalised
---@field interaction_only? boolean # no column more than once in a product: x1 x2, but not x1^2
---@field coef any # learned: weights of the products of the columns of X themselves: a Vector, of several targets a Matrix, targets x terms
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field features any # learned: the PolynomialFeatures of the scaled columns
---@field intercept any # learned: constant term beside them: a number, of several targets a Vector
---@field linear any # learned: the LinearRegression or Ridge on these; its weights are those of the scaled columns
---@field n_features any # learned: columns of X
---@field scaler any # learned: what the columns go through first
---@field terms any # learned: names of the products: x1, x2, x1^2, x1 x2, x2^2
---@field [any] any
local PolynomialRegression = {}

---The same settings, not fitted.
---@return manilius.PolynomialRegression
function PolynomialRegression:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialRegression
function PolynomialRegression:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function PolynomialRegression:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialRegression:fit_transform(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function PolynomialRegression:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PolynomialRegression
function PolynomialRegression:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PolynomialRegression.Params
---@return manilius.PolynomialRegression
function PolynomialRegression:set_params(values) end

---Predictions with their limits and standard errors, a Frame; kind = "confidence": of the mean. For alpha = 0.
---@param X manilius.X
---@param options table
---@return any
function PolynomialRegression:intervals(X, options) end

---The Frame coefficients: a row for the constant and for each product, with standard errors, tests and limits
---where alpha is 0; beside it what LinearRegression:summary() has: sigma, df, r2, ...
---@param values table
---@return any
function PolynomialRegression:summary(values) end

---@class manilius
local ml = {}

---Least squares on the columns and their products up to a degree.
---@param params? manilius.PolynomialRegression.Params
---@return manilius.PolynomialRegression
function ml.PolynomialRegression(params) end
