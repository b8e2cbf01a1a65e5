---@meta _
-- luacheck: ignore
-- ml.HalvingGridSearch: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.HalvingGridSearch.Params
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits; default 5
---@field factor? number # 1/factor of the candidates go on, with factor times the rows; above 1; default 3
---@field grid? any # { setting = { value, ... }, ... }, or a list of such; default nil
---@field min_rows? any # least rows of a round; nil: 20; default nil
---@field model? any # the estimator whose settings are searched; may stand first, without a name; default nil
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"; default nil
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same; default nil
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several; default true
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2; default nil
---@field seed? integer # of the random rows; default 0
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says; default nil
---@field [integer] any

---Successive halving: all combinations on few rows, the best of them on more and more.
---@class manilius.HalvingGridSearch: manilius.Model
---@field cv? integer|table # number of folds, a way to split such as KFold { seed = 1 }, or a list of splits
---@field factor? number # 1/factor of the candidates go on, with factor times the rows; above 1
---@field grid? any # { setting = { value, ... }, ... }, or a list of such
---@field min_rows? any # least rows of a round; nil: 20
---@field model? any # the estimator whose settings are searched; may stand first, without a name
---@field on_iter? function # function(state) with done and total fits and the best score as objective; may return "stop" or "cancel"
---@field path? any # "lua": run the fits one by one in Lua rather than in the core; the result is the same
---@field refit? boolean # fit the best on all rows: true or false, or the name of the score that decides where there are several
---@field scoring? string|function|table # a name out of metrics.scorers, a function(y, predicted), or a table of them; nil: accuracy or r2
---@field seed? integer # of the random rows
---@field threads? integer # threads for the fits, 0 for all cores; nil: as ml.threads says
---@field best any # learned: the model with the best settings, fitted on all rows
---@field best_index any # learned: its row in results
---@field best_params any # learned: its settings by name
---@field best_score any # learned: its mean score over the folds
---@field classes any # learned: labels, those of best
---@field feature_names any # learned: names of the columns of X, from a Frame
---@field greater any # learned: is more better?
---@field judge any # learned: name of the score that decided
---@field n_features any # learned: columns of X
---@field results manilius.Frame # learned: Frame: a row for each candidate with its settings, mean_score, sd_score, rank, the score of each fold
---@field [any] any
local HalvingGridSearch = {}

---The same settings, not fitted.
---@return manilius.HalvingGridSearch
function HalvingGridSearch:clone() end

---Scores before they become labels: a Vector for two classes (above 0: the second), a Matrix for more.
---@param X manilius.X
---@return manilius.Vector|manilius.Matrix
function HalvingGridSearch:decision_function(X) end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.HalvingGridSearch
function HalvingGridSearch:fit(X, y, options) end

---fit, then predict for the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:fit_predict(X, y, options) end

---fit, then transform of the same X.
---@param X manilius.X
---@param y? manilius.Y
---@param options? manilius.FitOptions
---@return manilius.Columns
function HalvingGridSearch:fit_transform(X, y, options) end

---The way back.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:inverse_transform(X) end

---A Factor of labels, a Vector (Matrix for several targets) of numbers, or a Vector of clusters. X may be one row
---by names: { age = 31, city = "Oslo" }.
---@param X manilius.X
---@return manilius.Factor|manilius.Vector|manilius.Matrix
function HalvingGridSearch:predict(X) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function HalvingGridSearch:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.HalvingGridSearch
function HalvingGridSearch:save(path) end

---Vector: a score (log density, or how usual it is) for each row.
---@param X manilius.X
---@return manilius.Vector
function HalvingGridSearch:score_samples(X) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function HalvingGridSearch:set_params(values) end

---X as the transformer makes it: Matrix, Sparse, or Frame for a Frame.
---@param X manilius.X
---@return manilius.Columns
function HalvingGridSearch:transform(X) end

---@class manilius
local ml = {}

---Successive halving: all combinations on few rows, the best of them on more and more.
---@param params? manilius.HalvingGridSearch.Params
---@return manilius.HalvingGridSearch
function ml.HalvingGridSearch(params) end
