---@meta _
-- luacheck: ignore
-- ml.FormulaModel: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FormulaModel.Params
---@field formula? any # the formula, a string; default nil
---@field model? any # the estimator; default nil
---@field [integer] any

---A model specified by a formula as in R: "mpg ~ wt + factor(cyl) + wt:hp".
---
---fit(frame) takes the target from the left side unless y is given. Terms: a + b, a:b, a * b, a / b, (a + b)^2, -
---a, . (all other columns), - 1 (no intercept). Variables: columns, factor(x), ordered(x), relevel(x, ref = "b"),
---C(x, contr.sum), cut(x, breaks), poly(x, 2), bs(x, df = 5), ns(x, df = 3), scale(x), I(arithmetic), log(x),
---comparisons, offset(x). Columns are those of R's model.matrix. Levels, knots and scales are learned by fit;
---unseen levels and missing values are errors.
---@class manilius.FormulaModel: manilius.Model
---@field formula? any # the formula, a string
---@field model? any # the estimator
---@field design any # learned: what fit learned about the variables: levels, polynomials, knots, means
---@field terms any # learned: names of the columns of the design matrix, one per coefficient
---@field [any] any
local FormulaModel = {}

---An unfitted copy with the same parameters.
---@return manilius.FormulaModel
function FormulaModel:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function FormulaModel:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FormulaModel:fit_transform(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:partial_fit(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.FormulaModel
function FormulaModel:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.FormulaModel.Params
---@return manilius.FormulaModel
function FormulaModel:set_params(values) end

---@class manilius
local ml = {}

---A model specified by a formula as in R: "mpg ~ wt + factor(cyl) + wt:hp".
---@param params? manilius.FormulaModel.Params
---@return manilius.FormulaModel
function ml.FormulaModel(params) end
