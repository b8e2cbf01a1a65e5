---@meta _
-- luacheck: ignore
-- ml.ShuffleSplit: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.ShuffleSplit.Params
---@field n? integer # number of splits; default 10
---@field test? number # fraction or number of test rows; default 0.1
---@field train? any # fraction or number of training rows; nil: all other rows; default nil
---@field seed? integer # seed of the random numbers; default 0
---@field [integer] any

---n random splits into training and test rows.
---@class manilius.ShuffleSplit
---@field n? integer # number of splits
---@field test? number # fraction or number of test rows
---@field train? any # fraction or number of training rows; nil: all other rows
---@field seed? integer # seed of the random numbers
local ShuffleSplit = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function ShuffleSplit:split(X, y, groups) end

---@class manilius
local ml = {}

---n random splits into training and test rows.
---@param params? manilius.ShuffleSplit.Params
---@return manilius.ShuffleSplit
function ml.ShuffleSplit(params) end
