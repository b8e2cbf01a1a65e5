---@meta _
-- luacheck: ignore
-- ml.PolynomialFeatures: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PolynomialFeatures.Params
---@field degree? integer # highest degree of a term; default 2; a whole number from 0 to 1000
---@field min_degree? integer # lowest degree of a term, but for the bias; default 0; a whole number from 0 to 1000
---@field interaction_only? boolean # no feature more than once in a term; default false; true or false
---@field include_bias? boolean # begin with a column of ones; default true; true or false

---All products of features up to a degree.
---
---1, x1, ..., xp, x1^2, x1 x2, ..., xp^2, ...
---
---Terms are ordered by degree, then by their features, as in scikit-learn; scikit-learn's degree = (a, b) is
---min_degree = a, degree = b. p features of degree d give (p + d) choose d terms.
---@class manilius.PolynomialFeatures: manilius.Model
---@field degree integer # highest degree of a term
---@field min_degree integer # lowest degree of a term, but for the bias
---@field interaction_only boolean # no feature more than once in a term
---@field include_bias boolean # begin with a column of ones
---@field n_output_features integer # learned: number of terms
local PolynomialFeatures = {}

---The same settings, not fitted.
---@return manilius.PolynomialFeatures
function PolynomialFeatures:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialFeatures
function PolynomialFeatures:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialFeatures:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function PolynomialFeatures:output_names() end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PolynomialFeatures
function PolynomialFeatures:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function PolynomialFeatures:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PolynomialFeatures:transform(X) end

---@class manilius
local ml = {}

---All products of features up to a degree.
---@param params? manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function ml.PolynomialFeatures(params) end
