---@meta _
-- luacheck: ignore
-- ml.LeavePOut: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LeavePOut.Params
---@field p? integer # rows that are tested together; default 2
---@field [integer] any

---Each set of p rows tested.
---@class manilius.LeavePOut
---@field p? integer # rows that are tested together
local LeavePOut = {}

---The splits: a list of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeavePOut:split(X, y, groups) end

---@class manilius
local ml = {}

---Each set of p rows tested.
---@param params? manilius.LeavePOut.Params
---@return manilius.LeavePOut
function ml.LeavePOut(params) end
