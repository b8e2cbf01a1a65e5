---@meta _
-- luacheck: ignore
-- ml.StratifiedKFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StratifiedKFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # shuffle the rows, with seed 0 by default; default false
---@field seed? integer # shuffle with this seed; nil: keep the order; default nil
---@field [integer] any

---k-fold cross-validation that preserves the class proportions of y.
---@class manilius.StratifiedKFold
---@field k? integer # number of folds
---@field shuffle? boolean # shuffle the rows, with seed 0 by default
---@field seed? integer # shuffle with this seed; nil: keep the order
local StratifiedKFold = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function StratifiedKFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k-fold cross-validation that preserves the class proportions of y.
---@param params? manilius.StratifiedKFold.Params
---@return manilius.StratifiedKFold
function ml.StratifiedKFold(params) end
