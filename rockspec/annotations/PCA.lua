---@meta _
-- luacheck: ignore
-- ml.PCA: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PCA.Params
---@field n_components? number # number of components; below 1: fraction of the variance to explain; nil: min(rows, columns); default nil; a number > 0 or nil
---@field whiten? boolean # divide each component by its standard deviation; default false; true or false
---@field solver? "auto"|"covariance"|"full"|"randomized" # algorithm; auto chooses by the shape of X; default "auto"; one of auto, covariance, full, randomized
---@field iterated_power? integer # number of power iterations of the randomized solver; default 4; a whole number from 0 to 1000
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---Principal component analysis: projection on the directions of largest variance.
---
---maximize v' S v with |v| = 1, S the covariance matrix; each v orthogonal to the previous ones
---
---Columns are centered, not scaled: use StandardScaler first if their units differ. The largest element of each
---component in magnitude is positive, as in scikit-learn. score_samples is the log density of probabilistic PCA.
---More than 8 rows are transformed by a blocked matrix product, which agrees with exported programs within 1e-13
---of the largest term.
---@class manilius.PCA: manilius.Model
---@field n_components? number # number of components; below 1: fraction of the variance to explain; nil: min(rows, columns)
---@field whiten boolean # divide each component by its standard deviation
---@field solver "auto"|"covariance"|"full"|"randomized" # algorithm; auto chooses by the shape of X
---@field iterated_power integer # number of power iterations of the randomized solver
---@field seed integer # random seed; the same seed gives the same result
---@field components manilius.Matrix # learned: unit vectors of largest variance, components x features
---@field mean manilius.Vector # learned: mean of each column, features
---@field explained_variance manilius.Vector # learned: variance of each component, with divisor n - 1, components
---@field explained_variance_ratio manilius.Vector # learned: fraction of the total variance of each component, components
---@field singular_values manilius.Vector # learned: singular values of the centered rows, components
---@field noise_variance number # learned: mean variance of the omitted components
---@field n number # learned: sum of the sample weights; the number of rows without weights
local PCA = {}

---An unfitted copy with the same parameters.
---@return manilius.PCA
function PCA:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:fit(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PCA:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function PCA:inverse_transform(X) end

---Names of the columns returned by transform.
---@return string[]
function PCA:output_names() end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:partial_fit(X, y, options) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.PCA
function PCA:save(path) end

---Vector with one score per row, such as a log density; low for outliers.
---@param X manilius.X
---@return manilius.Vector
function PCA:score_samples(X) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.PCA.Params
---@return manilius.PCA
function PCA:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function PCA:transform(X) end

---squared distance of each row of X from the subspace of the components. Gives Vector: rows
---@param X manilius.X
---@return manilius.Vector
function PCA:reconstruction_error(X) end

---@class manilius
local ml = {}

---Principal component analysis: projection on the directions of largest variance.
---@param params? manilius.PCA.Params
---@return manilius.PCA
function ml.PCA(params) end
