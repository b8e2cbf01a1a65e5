---@meta _
-- luacheck: ignore
-- ml.FormulaModel: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.FormulaModel.Params
---@field formula? any # a text; default nil
---@field model? any # an estimator that is not fitted; default nil
---@field [integer] any

---A model of a formula, as in R: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
---
---fit(frame) takes what is predicted from the left side; a y that is given goes before it. On the right: a + b,
---a:b, a * b, a / b, a %in% b, (a + b)^2, - a, . for all other columns, - 1 for no constant; variables are
---columns (`in backticks` where they are no words), factor(x), factor(x, levels = c(...)), ordered(x), relevel(x,
---ref = "b"), C(x, contr.sum) (contr.helmert, contr.poly, contr.treatment), cut(x, breaks), poly(x, degree),
---poly(x, degree, raw = TRUE), splines bs(x, df = 5) and ns(x, df = 3), scale(x), I(arithmetic), log(x) and other
---functions of numbers, and truths: x > 3, I(city == "Oslo" & !(x > 3)), I(x %in% c(4, 6)). offset(log(time))
---goes to models that have a parameter offset. Columns and their names are those of R's model.matrix. What the
---rows of the fit decide (levels, polynomials, knots, the mean and spread of scale, breaks of cut) holds for
---other rows, also within I(); a level that was not there then is refused. y ~ 1 is for models that can do
---without columns: LinearRegression, GLM, RobustRegression, QuantileRegressor. partial_fit goes by what its first
---rows decide; factor(x, levels = c(...)) names levels that come later. cross_validate, searches, compare,
---report, plots, ensembles and whatever else takes (model, X, y) find what is predicted on the left side of the
---model's formula where y is left out. Predictions are on the scale of the left side. Missing values are refused,
---not dropped. The fields and operations of the model are those of this one.
---@class manilius.FormulaModel: manilius.Model
---@field formula? any # a text
---@field model? any # an estimator that is not fitted
---@field design any # learned: what the rows of the fit decided: levels of factors, polynomials, knots, means
---@field terms any # learned: the columns of the design, a name for each coefficient
---@field [any] any
local FormulaModel = {}

---The same settings, not fitted.
---@return manilius.FormulaModel
function FormulaModel:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function FormulaModel:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function FormulaModel:fit_transform(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.FormulaModel
function FormulaModel:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function FormulaModel:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function FormulaModel:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.FormulaModel
function FormulaModel:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.FormulaModel.Params
---@return manilius.FormulaModel
function FormulaModel:set_params(values) end

---@class manilius
local ml = {}

---A model of a formula, as in R: "mpg ~ wt + factor(cyl) + wt:hp + poly(disp, 2)".
---@param params? manilius.FormulaModel.Params
---@return manilius.FormulaModel
function ml.FormulaModel(params) end
