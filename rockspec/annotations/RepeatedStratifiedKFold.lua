---@meta _
-- luacheck: ignore
-- ml.RepeatedStratifiedKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RepeatedStratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # how often, each time in another order; default 10
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---StratifiedKFold several times, shuffled anew each time.
---@class manilius.RepeatedStratifiedKFold
---@field k? integer # number of folds
---@field repeats? integer # how often, each time in another order
---@field seed? integer # of the random numbers
local RepeatedStratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedStratifiedKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---StratifiedKFold several times, shuffled anew each time.
---@param params? manilius.RepeatedStratifiedKFold.Params
---@return manilius.RepeatedStratifiedKFold
function ml.RepeatedStratifiedKFold(params) end
