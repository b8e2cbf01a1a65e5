---@meta _
-- luacheck: ignore
-- ml.PCA: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.PCA.Params
---@field n_components? number # how many; below 1 the share of the variance to keep; nil: min(rows, columns); default nil; a number > 0 or nil
---@field whiten? boolean # divide by the standard deviation of each component; default false; true or false
---@field solver? "auto"|"covariance"|"full"|"randomized" # auto chooses by the shape of X; default "auto"; one of auto, covariance, full, randomized
---@field iterated_power? integer # power iterations of the randomized solver; default 4; a whole number from 0 to 1000
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Principal components: the directions of largest variance.
---
---maximise v' S v with |v| = 1, S the covariance matrix; each next v orthogonal to those before
---
---Columns are centred, not scaled: put a StandardScaler before it where units differ. The element of largest size
---of each component is positive, as in scikit-learn. score_samples is the log density of probabilistic PCA. Many
---rows go through a blocked product, whose sums round otherwise in the last bits than those of up to 8 rows and
---of what is exported: within 1e-13 of the largest term.
---@class manilius.PCA: manilius.Model
---@field n_components? number # how many; below 1 the share of the variance to keep; nil: min(rows, columns)
---@field whiten boolean # divide by the standard deviation of each component
---@field solver "auto"|"covariance"|"full"|"randomized" # auto chooses by the shape of X
---@field iterated_power integer # power iterations of the randomized solver
---@field seed integer # names the random stream: same seed, same result
---@field components manilius.Matrix # learned: directions of largest variance, of norm 1, components x features
---@field mean manilius.Vector # learned: mean of each column, features
---@field explained_variance manilius.Vector # learned: variance along each component (divided by n - 1), components
---@field explained_variance_ratio manilius.Vector # learned: the same as shares of the total variance, components
---@field singular_values manilius.Vector # learned: singular values of the centred rows, components
---@field noise_variance number # learned: mean variance of what is left out
---@field n number # learned: sum of the weights: the number of rows when there are none
local PCA = {}

---The same settings, not fitted.
---@return manilius.PCA
function PCA:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:fit(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function PCA:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function PCA:inverse_transform(X) end

---Names of the columns that transform gives.
---@return string[]
function PCA:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.PCA
function PCA:partial_fit(X, y, options) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.PCA
function PCA:save(path) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function PCA:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.PCA.Params
---@return manilius.PCA
function PCA:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function PCA:transform(X) end

---squared distance of each row of X from the plane of the components: high for what does not fit. Gives Vector:
---rows
---@param X manilius.X
---@return manilius.Vector
function PCA:reconstruction_error(X) end

---@class manilius
local ml = {}

---Principal components: the directions of largest variance.
---@param params? manilius.PCA.Params
---@return manilius.PCA
function ml.PCA(params) end
