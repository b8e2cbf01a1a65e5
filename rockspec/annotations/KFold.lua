---@meta _
-- luacheck: ignore
-- ml.KFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of rows, each tested once.
---@class manilius.KFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local KFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function KFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k folds of rows, each tested once.
---@param params? manilius.KFold.Params
---@return manilius.KFold
function ml.KFold(params) end
