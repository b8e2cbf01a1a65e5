---@meta _
-- luacheck: ignore
-- ml.HalvingGridSearch: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HalvingGridSearch.Params
---@field cv? integer|table # number of folds, a splitter such as KFold { seed = 1 }, or a list of splits; default 5
---@field factor? number # each round keeps 1/factor of the candidates on factor times as many rows; > 1; default 3
---@field grid? any # { name = { value, ... }, ... } or a list of such tables; default nil
---@field min_rows? any # minimum number of rows of a round; nil: 20; default nil
---@field model? any # estimator whose parameters are searched; may be given first, without a name; default nil
---@field on_iter? function # function(state) called with done and total fits and the best score as objective; may return "stop" or "cancel"; default nil
---@field path? any # "lua": run the fits sequentially in Lua instead of the core; the results are the same; default nil
---@field refit? boolean # true: fit the best candidate on all rows; with several scores, the name of the score that decides; default true
---@field scoring? string|function|table # name from metrics.scorers, function(y, predicted), or a table of them; nil: accuracy or r2; default nil
---@field seed? integer # seed of the row samples; default 0
---@field threads? integer # number of threads, 0 for all cores; nil: the value of ml.threads; default nil
---@field [integer] any

---Grid search with successive halving.
---@class manilius.HalvingGridSearch: manilius.Model
---@field cv? integer|table # number of folds, a splitter such as KFold { seed = 1 }, or a list of splits
---@field factor? number # each round keeps 1/factor of the candidates on factor times as many rows; > 1
---@field grid? any # { name = { value, ... }, ... } or a list of such tables
---@field min_rows? any # minimum number of rows of a round; nil: 20
---@field model? any # estimator whose parameters are searched; may be given first, without a name
---@field on_iter? function # function(state) called with done and total fits and the best score as objective; may return "stop" or "cancel"
---@field path? any # "lua": run the fits sequentially in Lua instead of the core; the results are the same
---@field refit? boolean # true: fit the best candidate on all rows; with several scores, the name of the score that decides
---@field scoring? string|function|table # name from metrics.scorers, function(y, predicted), or a table of them; nil: accuracy or r2
---@field seed? integer # seed of the row samples
---@field threads? integer # number of threads, 0 for all cores; nil: the value of ml.threads
---@field best any # learned: model with the best parameters, fitted on all rows
---@field best_index any # learned: its row in results
---@field best_params any # learned: parameters of the best candidate
---@field best_score any # learned: its mean score over the folds
---@field classes any # learned: class labels
---@field feature_names any # learned: names of the columns of X, when X is a Frame
---@field greater any # learned: true if higher scores are better
---@field judge any # learned: name of the score that decided
---@field n_features any # learned: number of columns of X
---@field results manilius.Frame # learned: Frame with one row per candidate: parameters, mean_score, sd_score, rank, score of each fold
---@field [any] any
local HalvingGridSearch = {}

---An unfitted copy with the same parameters.
---@return manilius.HalvingGridSearch
function HalvingGridSearch:clone() end

---Decision scores: Vector for two classes (> 0: second class), otherwise Matrix.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HalvingGridSearch:decision_function(X) end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HalvingGridSearch
function HalvingGridSearch:fit(X, y, options) end

---Fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:fit_predict(X, y, options) end

---Fit, then transform the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function HalvingGridSearch:fit_transform(X, y, options) end

---Undo transform.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:inverse_transform(X) end

---Predict labels (Factor), numbers (Vector or Matrix) or clusters (Vector).
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:predict(X) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.HalvingGridSearch
function HalvingGridSearch:save(path) end

---Vector with one score per row, such as a log density; low for outliers.
---@param X manilius.X
---@return manilius.Vector
function HalvingGridSearch:score_samples(X) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function HalvingGridSearch:set_params(values) end

---Transform X to a Matrix, a Sparse, or a Frame if X is a Frame.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:transform(X) end

---@class manilius
local ml = {}

---Grid search with successive halving.
---@param params? manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function ml.HalvingGridSearch(params) end
