---@meta _
-- luacheck: ignore
-- ml.ShuffleSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # share or number of test rows; default 0.1
---@field train? any # share or number of train rows; nil: the rest; default nil
---@field seed? integer # of the random numbers; default 0
---@field [integer] any

---Random train and test rows, n times over.
---@class manilius.ShuffleSplit
---@field n? integer # number of splits
---@field test? number # share or number of test rows
---@field train? any # share or number of train rows; nil: the rest
---@field seed? integer # of the random numbers
local ShuffleSplit = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function ShuffleSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---Random train and test rows, n times over.
---@param params? manilius.ShuffleSplit.Params
---@return manilius.ShuffleSplit
function ml.ShuffleSplit(params) end
