---@meta _
-- luacheck: ignore
-- ml.RepeatedKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.RepeatedKFold.Params
---@field k? integer # number of folds; default 5
---@field repeats? integer # number of repetitions with different shuffles; default 10
---@field seed? integer # seed of the random numbers; default 0
---@field [integer] any

---KFold repeated with different shuffles.
---@class manilius.RepeatedKFold
---@field k? integer # number of folds
---@field repeats? integer # number of repetitions with different shuffles
---@field seed? integer # seed of the random numbers
local RepeatedKFold = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function RepeatedKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---KFold repeated with different shuffles.
---@param params? manilius.RepeatedKFold.Params
---@return manilius.RepeatedKFold
function ml.RepeatedKFold(params) end
