---@meta _
-- luacheck: ignore
-- ml.PolynomialFeatures: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PolynomialFeatures.Params
---@field degree? integer # maximum degree of a term; default 2; a whole number from 0 to 1000
---@field min_degree? integer # minimum degree of a term, except for the bias; default 0; a whole number from 0 to 1000
---@field interaction_only? boolean # use each feature at most once in a term; default false; true or false
---@field include_bias? boolean # include a leading column of ones; default true; true or false

---All products of features up to a degree.
---
---1, x1, ..., xp, x1^2, x1 x2, ..., xp^2, ...
---
---Terms are ordered by degree, then by their features, as in scikit-learn. degree = (a, b) in scikit-learn is
---min_degree = a, degree = b. p features of degree d give (p + d) choose d terms.
---@class manilius.PolynomialFeatures: manilius.Model
---@field degree integer # maximum degree of a term
---@field min_degree integer # minimum degree of a term, except for the bias
---@field interaction_only boolean # use each feature at most once in a term
---@field include_bias boolean # include a leading column of ones
---@field n_output_features integer # learned: number of terms
local PolynomialFeatures = {}

---An unfitted copy with the same parameters.
---@return manilius.PolynomialFeatures
function PolynomialFeatures:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PolynomialFeatures
function PolynomialFeatures:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PolynomialFeatures:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function PolynomialFeatures:output_names() end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.PolynomialFeatures
function PolynomialFeatures:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function PolynomialFeatures:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function PolynomialFeatures:transform(X) end

---@class manilius
local ml = {}

---All products of features up to a degree.
---@param params? manilius.PolynomialFeatures.Params
---@return manilius.PolynomialFeatures
function ml.PolynomialFeatures(params) end
