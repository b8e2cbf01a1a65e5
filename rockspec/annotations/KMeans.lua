---@meta _
-- luacheck: ignore
-- ml.KMeans: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KMeans.Params
---@field n_clusters? integer # number of clusters; default 8; a whole number from 1 to 2147483647
---@field init? "k-means++"|"random" # how to choose the first centers; default "k-means++"; one of k-means++, random
---@field start? manilius.Matrix|number[][] # the first centers themselves, clusters x features, instead of init; default nil; a matrix of finite numbers or nil
---@field n_init? integer # starts, of which the best is kept; default 1; a whole number from 1 to 2147483647
---@field max_iter? integer # most rounds of assign and update; default 300; a whole number from 1 to 2147483647
---@field tol? number # stop when the squared way of the centers in a round is below this share of the mean variance; default 0.0001; a number >= 0
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Clusters around means, by Lloyd's algorithm with a k-means++ start.
---
---sum_i w_i |x_i - c_l(i)|^2 over centers c and labels l
---
---transform gives the distance to each center. labels are those of the rows that took part: rows of weight 0 are
---left out, predict gives theirs. partial_fit is one step of mini-batch k-means: each center is the mean of all
---rows that were ever given to it, so that old rows are never moved. The first batch chooses the start; labels
---and inertia are those of the last one. It goes on from fit, too. Exported, a row as near to two centers as
---rounding can tell may go to the other. Scale the columns first where their units differ.
---@class manilius.KMeans: manilius.Model
---@field n_clusters integer # number of clusters
---@field init "k-means++"|"random" # how to choose the first centers
---@field start? manilius.Matrix|number[][] # the first centers themselves, clusters x features, instead of init
---@field n_init integer # starts, of which the best is kept
---@field max_iter integer # most rounds of assign and update
---@field tol number # stop when the squared way of the centers in a round is below this share of the mean variance
---@field seed integer # names the random stream: same seed, same result
---@field cluster_centers manilius.Matrix # learned: mean of each cluster, in the units of X, clusters x features
---@field labels manilius.Vector # learned: cluster of each row of the fit, rows < clusters
---@field inertia number # learned: sum of squared distances to the nearest center
---@field counts manilius.Vector # learned: rows (sum of the weights) of each cluster, clusters
---@field n_iter integer # learned: rounds
---@field converged boolean # learned: did it end before max_iter?
local KMeans = {}

---The same settings, not fitted.
---@return manilius.KMeans
function KMeans:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Vector
function KMeans:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function KMeans:fit_transform(X, y, options) end

---Names of the columns that transform gives.
---@return string[]
function KMeans:output_names() end

---Learn from some more rows.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.KMeans
function KMeans:partial_fit(X, y, options) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Vector
function KMeans:predict(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.KMeans
function KMeans:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.KMeans.Params
---@return manilius.KMeans
function KMeans:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function KMeans:transform(X) end

---@class manilius
local ml = {}

---Clusters around means, by Lloyd's algorithm with a k-means++ start.
---@param params? manilius.KMeans.Params
---@return manilius.KMeans
function ml.KMeans(params) end
