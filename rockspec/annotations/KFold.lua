---@meta _
-- luacheck: ignore
-- ml.KFold: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.KFold.Params
---@field k? integer # number of folds; default 5
---@field shuffle? boolean # shuffle the rows, with seed 0 by default; default false
---@field seed? integer # shuffle with this seed; nil: keep the order; default nil
---@field [integer] any

---k-fold cross-validation: each fold is the test set once.
---@class manilius.KFold
---@field k? integer # number of folds
---@field shuffle? boolean # shuffle the rows, with seed 0 by default
---@field seed? integer # shuffle with this seed; nil: keep the order
local KFold = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function KFold:split(X, y, groups) end

---@class manilius
local ml = {}

---k-fold cross-validation: each fold is the test set once.
---@param params? manilius.KFold.Params
---@return manilius.KFold
function ml.KFold(params) end
