---@meta _
-- luacheck: ignore
-- ml.TimeSeriesSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.TimeSeriesSplit.Params
---@field k? integer # number of folds; default 5
---@field gap? integer # number of rows skipped between training and test; default 0
---@field test_size? integer # number of test rows; nil: n / (k + 1); default nil
---@field max_train? integer # maximum number of training rows; nil: all rows before the test; default nil
---@field [integer] any

---Splits for time series: test rows follow their training rows.
---@class manilius.TimeSeriesSplit
---@field k? integer # number of folds
---@field gap? integer # number of rows skipped between training and test
---@field test_size? integer # number of test rows; nil: n / (k + 1)
---@field max_train? integer # maximum number of training rows; nil: all rows before the test
local TimeSeriesSplit = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function TimeSeriesSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---Splits for time series: test rows follow their training rows.
---@param params? manilius.TimeSeriesSplit.Params
---@return manilius.TimeSeriesSplit
function ml.TimeSeriesSplit(params) end
