---@meta _
-- luacheck: ignore
-- ml.GroupKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # in random order, also without a seed; default false
---@field seed? integer # of the random order; nil: as they come; default nil
---@field [integer] any

---k folds of whole groups: no group is in train and test at once.
---@class manilius.GroupKFold
---@field k? integer # number of folds
---@field shuffle? boolean # in random order, also without a seed
---@field seed? integer # of the random order; nil: as they come
local GroupKFold = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k folds of whole groups: no group is in train and test at once.
---@param params? manilius.GroupKFold.Params
---@return manilius.GroupKFold
function ml.GroupKFold(params) end
