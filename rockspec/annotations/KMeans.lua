---@meta _
-- luacheck: ignore
-- ml.KMeans: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KMeans.Params
---@field n_clusters? integer # number of clusters; default 8; a whole number from 1 to 2147483647
---@field init? "k-means++"|"random" # method for choosing the initial centers; default "k-means++"; one of k-means++, random
---@field start? manilius.Matrix|number[][] # initial centers, n_clusters x features; nil: chosen by init; default nil; a matrix of finite numbers or nil
---@field n_init? integer # number of starts, of which the best is kept; default 1; a whole number from 1 to 2147483647
---@field max_iter? integer # maximum number of iterations; default 300; a whole number from 1 to 2147483647
---@field tol? number # stop when the sum of the squared center movements is at most this fraction of the mean variance; default 0.0001; a number >= 0
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991

---k-means clustering by Lloyd's algorithm with k-means++ initialization.
---
---sum_i w_i |x_i - c_l(i)|^2 over centers c and labels l
---
---transform returns the distance to each center. Rows of weight 0 are excluded and have no labels; predict labels
---them. partial_fit is one step of mini-batch k-means: each center is the mean of all rows ever assigned to it,
---and old rows are not reassigned. labels and inertia are those of the last batch; partial_fit may also continue
---after fit. An exported program may break near-ties differently. Scale the columns first if their units differ.
---@class manilius.KMeans: manilius.Model
---@field n_clusters integer # number of clusters
---@field init "k-means++"|"random" # method for choosing the initial centers
---@field start? manilius.Matrix|number[][] # initial centers, n_clusters x features; nil: chosen by init
---@field n_init integer # number of starts, of which the best is kept
---@field max_iter integer # maximum number of iterations
---@field tol number # stop when the sum of the squared center movements is at most this fraction of the mean variance
---@field seed integer # random seed; the same seed gives the same result
---@field cluster_centers manilius.Matrix # learned: mean of each cluster, in the units of X, clusters x features
---@field labels manilius.Vector # learned: cluster of each training row, rows < clusters
---@field inertia number # learned: weighted sum of squared distances to the nearest center
---@field counts manilius.Vector # learned: number of rows (sum of sample weights) of each cluster, clusters
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KMeans = {}

---An unfitted copy with the same parameters.
---@return manilius.KMeans
function KMeans:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector
function KMeans:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KMeans:fit_transform(X, y, options) end

---Names of the columns returned by transform.
---@return string[]
function KMeans:output_names() end

---Update the model with more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:partial_fit(X, y, options) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Vector
function KMeans:predict(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.KMeans
function KMeans:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.KMeans.Params
---@return manilius.KMeans
function KMeans:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function KMeans:transform(X) end

---@class manilius
local ml = {}

---k-means clustering by Lloyd's algorithm with k-means++ initialization.
---@param params? manilius.KMeans.Params
---@return manilius.KMeans
function ml.KMeans(params) end
