---@meta _
-- luacheck: ignore
-- ml.AdaptiveRandomForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.AdaptiveRandomForestClassifier.Params
---@field n_estimators? integer # trees; default 10; a whole number from 1 to 100000
---@field lambda? number # how often a tree sees a row, in the mean; default 6; a number from 0.01 to 100
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one; default nil; a number > 0 or nil
---@field grace_period? integer # weight of the rows between two looks for a split of a leaf; default 50; a whole number from 1 to 2147483647
---@field delta? number # probability that the split chosen is not the best of all rows to come; default 0.01; a number > 0 and < 1
---@field tau? number # splits whose gains, in bits, are nearer than this are a tie; default 0.05; a number >= 0
---@field leaf_prediction? "adaptive"|"majority" # how a leaf answers: by naive Bayes where that has guessed better, or always by counts; default "adaptive"; one of adaptive, majority
---@field warning_delta? number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong; default 0.01; a number > 0 and < 1
---@field drift_delta? number # and takes its place with this one; default 0.001; a number > 0 and < 1
---@field seed? integer # names the random stream: same seed, same result; default 0; a whole number from 0 to 9007199254740991

---Trees that learn a stream, each row once, and are changed for others when the stream has changed.
---
---p(c | x) = mean over the trees, weighted by how often they were right, of the probabilities in their leaf
---
---Needs rows by the thousand: a leaf is split when it is sure of the split. Memory grows with the leaves, not
---with the rows, which are not kept. fit is one batch, and batches of any size give what it gives. Change is
---found by the test of Frias-Blanco et al. (2015) in place of ADWIN. Splits and naive Bayes take classes as
---normal in each column. Of few rows MondrianForestClassifier learns more, but it does not forget.
---@class manilius.AdaptiveRandomForestClassifier: manilius.Classifier
---@field n_estimators integer # trees
---@field lambda number # how often a tree sees a row, in the mean
---@field max_features? number # columns that a leaf watches, drawn at random; below 1: a share of all; nil: the square root of their number, and one
---@field grace_period integer # weight of the rows between two looks for a split of a leaf
---@field delta number # probability that the split chosen is not the best of all rows to come
---@field tau number # splits whose gains, in bits, are nearer than this are a tie
---@field leaf_prediction "adaptive"|"majority" # how a leaf answers: by naive Bayes where that has guessed better, or always by counts
---@field warning_delta number # a tree begins to learn beside one whose errors have grown, with this probability of being wrong
---@field drift_delta number # and takes its place with this one
---@field seed integer # names the random stream: same seed, same result
---@field n_rows integer # learned: rows learned
local AdaptiveRandomForestClassifier = {}

---The same settings, not fitted.
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:clone() end

---Learn from X and y; gives the model. A failed fit leaves it as it was.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:fit(X, y, options) end

---Learn from some more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:partial_fit(X, y, options) end

---Their logarithms, precise for small ones.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_log_proba(X) end

---Matrix of probabilities: a column for each of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function AdaptiveRandomForestClassifier:predict_proba(X) end

---Write the model to a file, for ml.load; gives the model.
---@param path string
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:save(path) end

---Change settings; all or none. ml.unset stands for nil.
---@param values manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function AdaptiveRandomForestClassifier:set_params(values) end

---of each tree: its leaves, the share of rows guessed right before they were learned, and how often another took
---its place. Gives leaves (trees), accuracy (trees), drifts (trees)
---@return table<string, any>
function AdaptiveRandomForestClassifier:structure() end

---@class manilius
local ml = {}

---Trees that learn a stream, each row once, and are changed for others when the stream has changed.
---@param params? manilius.AdaptiveRandomForestClassifier.Params
---@return manilius.AdaptiveRandomForestClassifier
function ml.AdaptiveRandomForestClassifier(params) end
