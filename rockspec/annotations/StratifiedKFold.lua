---@meta _
-- luacheck: ignore
-- ml.StratifiedKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds, each with the classes of y in proportion.
---@class manilius.StratifiedKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local StratifiedKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function StratifiedKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k folds, each with the classes of y in proportion.
---@param params? manilius.StratifiedKFold.Params
---@return manilius.StratifiedKFold
function ml.StratifiedKFold(params) end
