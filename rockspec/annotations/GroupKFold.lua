---@meta _
-- luacheck: ignore
-- ml.GroupKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # shuffle the rows, with seed 0 by default; default false
---@field seed? integer # shuffle with this seed; nil: keep the order; default nil
---@field [integer] any

---k-fold cross-validation in which no group is in both training and test rows.
---@class manilius.GroupKFold
---@field k? integer # number of folds
---@field shuffle? boolean # shuffle the rows, with seed 0 by default
---@field seed? integer # shuffle with this seed; nil: keep the order
local GroupKFold = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k-fold cross-validation in which no group is in both training and test rows.
---@param params? manilius.GroupKFold.Params
---@return manilius.GroupKFold
function ml.GroupKFold(params) end
