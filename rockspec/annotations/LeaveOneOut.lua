---@meta _
-- luacheck: ignore
-- ml.LeaveOneOut: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LeaveOneOut.Params
---@field [any] any

---Each row tested alone.
---@class manilius.LeaveOneOut
local LeaveOneOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeaveOneOut:split(X, y, groups) end

---@class manilius
local ml = {}

---Each row tested alone.
---@param params? manilius.LeaveOneOut.Params
---@return manilius.LeaveOneOut
function ml.LeaveOneOut(params) end
