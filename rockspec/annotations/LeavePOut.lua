---@meta _
-- luacheck: ignore
-- ml.LeavePOut: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---@class manilius.LeavePOut.Params
---@field p? integer # number of test rows; default 2
---@field [integer] any

---Leave-p-out cross-validation: each set of p rows is the test set once.
---@class manilius.LeavePOut
---@field p? integer # number of test rows
local LeavePOut = {}

---List of { train = Vector, test = Vector } of row numbers.
---@param X manilius.X
---@param y? manilius.Y
---@param groups? manilius.Y
---@return table
function LeavePOut:split(X, y, groups) end

---@class manilius
local ml = {}

---Leave-p-out cross-validation: each set of p rows is the test set once.
---@param params? manilius.LeavePOut.Params
---@return manilius.LeavePOut
function ml.LeavePOut(params) end
