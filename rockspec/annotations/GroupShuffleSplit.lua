---@meta _
-- luacheck: ignore
-- ml.GroupShuffleSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.GroupShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # fraction or number of test rows; default 0.2
---@field train? any # fraction or number of training rows; nil: all other rows; default nil
---@field seed? integer # seed of the random numbers; default 0
---@field [integer] any

---n random splits of whole groups; fractions and numbers count groups.
---@class manilius.GroupShuffleSplit
---@field n? integer # number of splits
---@field test? number # fraction or number of test rows
---@field train? any # fraction or number of training rows; nil: all other rows
---@field seed? integer # seed of the random numbers
local GroupShuffleSplit = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function GroupShuffleSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---n random splits of whole groups; fractions and numbers count groups.
---@param params? manilius.GroupShuffleSplit.Params
---@return manilius.GroupShuffleSplit
function ml.GroupShuffleSplit(params) end
