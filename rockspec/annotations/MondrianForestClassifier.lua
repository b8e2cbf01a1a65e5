---@meta _
-- luacheck: ignore
-- ml.MondrianForestClassifier: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.MondrianForestClassifier.Params
---@field n_estimators? integer # number of trees; default 100; a whole number from 1 to 100000
---@field lifetime? number # splits occur up to this time, in 1 / units of X; nil: unlimited; default nil; a number > 0 or nil
---@field seed? integer # random seed; the same seed gives the same result; default 0; a whole number from 0 to 9007199254740991
---@field discount? number # rate at which a node becomes independent of its parent; smaller values give smoother probabilities; default 10; a number >= 0

---Mondrian forest: trees split at random, which learn row by row or all at once.
---
---p(c | x) = mean over the trees of the smoothed class probabilities on the path of x
---
---Splits prefer features with a large range, so scale features first (MinMaxScaler) and remove irrelevant ones.
---Trees learned row by row (partial_fit, with classes in the first batch) have the same distribution as those of
---fit. One row is learned in place, in time proportional to the depth; a batch first copies the model. All
---samples are stored: memory grows with samples x features x trees. discount is that of the paper for features in
---[0, 1].
---@class manilius.MondrianForestClassifier: manilius.Classifier
---@field n_estimators integer # number of trees
---@field lifetime? number # splits occur up to this time, in 1 / units of X; nil: unlimited
---@field seed integer # random seed; the same seed gives the same result
---@field discount number # rate at which a node becomes independent of its parent; smaller values give smoother probabilities
---@field n_rows integer # learned: number of rows learned
local MondrianForestClassifier = {}

---An unfitted copy with the same parameters.
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:clone() end

---Fit the model to X and y and return it; an error leaves it unchanged.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:fit(X, y, options) end

---Update the model with more rows.
---@param X manilius.X
---@param y manilius.Y
---@param options? manilius.FitOptions
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:partial_fit(X, y, options) end

---Log probabilities, accurate for small probabilities.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_log_proba(X) end

---Class probabilities: Matrix with one column per class of model.classes.
---@param X manilius.X
---@return manilius.Matrix
function MondrianForestClassifier:predict_proba(X) end

---Write the model to a file for ml.load; returns the model.
---@param path string
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:save(path) end

---Set parameters, all or none; ml.unset stands for nil.
---@param values manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function MondrianForestClassifier:set_params(values) end

---number of leaves and depth of each tree. Gives leaves (trees), depth (trees)
---@return table<string, any>
function MondrianForestClassifier:structure() end

---@class manilius
local ml = {}

---Mondrian forest: trees split at random, which learn row by row or all at once.
---@param params? manilius.MondrianForestClassifier.Params
---@return manilius.MondrianForestClassifier
function ml.MondrianForestClassifier(params) end
