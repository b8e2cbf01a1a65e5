---@meta _
-- luacheck: ignore
-- ml.StratifiedShuffleSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.StratifiedShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # fraction or number of test rows; default 0.1
---@field train? any # fraction or number of training rows; nil: all other rows; default nil
---@field seed? integer # seed of the random numbers; default 0
---@field [integer] any

---n random splits that preserve the class proportions of y.
---@class manilius.StratifiedShuffleSplit
---@field n? integer # number of splits
---@field test? number # fraction or number of test rows
---@field train? any # fraction or number of training rows; nil: all other rows
---@field seed? integer # seed of the random numbers
local StratifiedShuffleSplit = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return any
function StratifiedShuffleSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---n random splits that preserve the class proportions of y.
---@param params? manilius.StratifiedShuffleSplit.Params
---@return manilius.StratifiedShuffleSplit
function ml.StratifiedShuffleSplit(params) end
