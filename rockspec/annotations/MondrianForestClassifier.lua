---@meta _
-- luacheck: ignore
-- ml.MondrianForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MondrianForestClassifier.Params
---@field n_estimators? integer # trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it; default nil; a number > 0 or nil
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991
---@field discount? number # how fast a block forgets what is around it; smaller: smoother probabilities; default 10; a number >= 0

---The mean of many trees that are cut without a look at y, and learn rows one by one as well as all at once.
---
---p(c | x) = mean over the trees of the smoothed share of class c where x is, or would part from the tree
---
---Cuts go to columns in proportion to their range, so put columns on one scale first (MinMaxScaler) and leave out
---those that tell nothing. Trees learned row by row (partial_fit, with classes named in the first batch) are
---distributed as those of fit. One row is learned in place, in time that grows with the depth; a batch costs a
---copy of the model first. All rows are kept, and memory grows with rows x columns x trees. discount is as in the
---paper for columns from 0 to 1, and is in units of the ranges otherwise.
---@class manilius.MondrianForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field lifetime? number # blocks are cut up to this time, in 1 / units of X; nil: as long as they need it
---@field seed integer # names the random stream: same seed, same result
---@field discount number # how fast a block forgets what is around it; smaller: smoother probabilities
---@field n_rows integer # learned: rows learned
local MondrianForestClassifier = {}

---The same settings, not fitted.
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:partial_fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:set_params(values) end

---how large the trees are. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestClassifier:structure() end

---@class manilius
local ml = {}

---The mean of many trees that are cut without a look at y, and learn rows one by one as well as all at once.
---@param params? manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function ml.MondrianForestClassifier(params) end
