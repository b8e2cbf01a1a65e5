---@meta _
-- luacheck: ignore
-- ml.LeaveOneOut: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LeaveOneOut.Params
---@field [any] any

---Leave-one-out cross-validation: each row is the test set once.
---@class manilius.LeaveOneOut
local LeaveOneOut = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeaveOneOut:split(X, y, groups) end

---@class manilius
local ml = {}

---Leave-one-out cross-validation: each row is the test set once.
---@param params? manilius.LeaveOneOut.Params
---@return manilius.LeaveOneOut
function ml.LeaveOneOut(params) end
