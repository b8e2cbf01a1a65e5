---@meta _
-- luacheck: ignore
-- ml.GroupShuffleSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.2
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random groups for train and test, n times over; shares are of the groups.
---@class manilius.GroupShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local GroupShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupShuffleSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---Random groups for train and test, n times over; shares are of the groups.
---@param params? manilius.GroupShuffleSplit.Params
---@return manilius.GroupShuffleSplit
function ml.GroupShuffleSplit(params) end
