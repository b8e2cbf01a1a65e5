---@meta _
-- luacheck: ignore
-- ml.TimeSeriesSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TimeSeriesSplit.Params
---@field k? integer # number of folds; default 5
---@field gap? integer # rows left out between train and test; default 0
---@field test_size? integer # rows of a test; nil: n / (k + 1); default nil
---@field max_train? integer # most train rows; nil: all before the test; default nil
---@field [integer] any

---Tests that follow their train rows in time: the train rows grow from split to split.
---@class manilius.TimeSeriesSplit
---@field k? integer # number of folds
---@field gap? integer # rows left out between train and test
---@field test_size? integer # rows of a test; nil: n / (k + 1)
---@field max_train? integer # most train rows; nil: all before the test
local TimeSeriesSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function TimeSeriesSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---Tests that follow their train rows in time: the train rows grow from split to split.
---@param params? manilius.TimeSeriesSplit.Params
---@return manilius.TimeSeriesSplit
function ml.TimeSeriesSplit(params) end
