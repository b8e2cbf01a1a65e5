---@meta _
-- luacheck: ignore
-- ml.RepeatedStratifiedKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RepeatedStratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # number of repetitions with different shuffles; default 10
---@field seed? integer # seed of the random numbers; default 0
---@field [integer] any

---StratifiedKFold repeated with different shuffles.
---@class manilius.RepeatedStratifiedKFold
---@field k? integer # number of folds
---@field repeats? integer # number of repetitions with different shuffles
---@field seed? integer # seed of the random numbers
local RepeatedStratifiedKFold = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedStratifiedKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---StratifiedKFold repeated with different shuffles.
---@param params? manilius.RepeatedStratifiedKFold.Params
---@return manilius.RepeatedStratifiedKFold
function ml.RepeatedStratifiedKFold(params) end
