---@meta _
-- luacheck: ignore
-- ml.Factor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---A vector of labels (strings, numbers or booleans) with their levels.
---
---f[i] is the original label, nil if missing; #f or f.size is the length, f.levels the list of levels in
---ascending order. Set n if the list ends with missing labels.
---@class manilius.Factor
---@field levels manilius.Label[] # list of levels, ascending
---@field size integer # number of elements
---@field [integer] manilius.Label
local Factor = {}

---Vector of indices into f.levels, nan where missing.
---@return manilius.Vector
function Factor:codes() end

---Vector of counts per level, and the number of missing elements.
---@return manilius.Vector
---@return number
function Factor:counts() end

---Drop levels that do not occur.
---@return manilius.Factor
function Factor:drop_levels() end

---Vector: 1 where the element equals label, else 0.
---@param label manilius.Label
---@return manilius.Vector
function Factor:eq(label) end

---Vector: 1 where missing, else 0.
---@return manilius.Vector
function Factor:ismissing() end

---Rename levels: { old = new }; equal new names are merged.
---@param map table<any, any>
---@return manilius.Factor
function Factor:recode(map) end

---Elements first to last (a copy).
---@param first? integer
---@param last? integer
---@return manilius.Factor
function Factor:slice(first, last) end

---The elements with these indices, with the same levels.
---@param indices any
---@return manilius.Factor
function Factor:take(indices) end

---A table of labels, nil where missing.
---@return table
function Factor:totable() end

---@class manilius
local ml = {}

---A vector of labels (strings, numbers or booleans) with their levels.
---@param from any
---@param ... any
---@return manilius.Factor
function ml.Factor(from, ...) end
