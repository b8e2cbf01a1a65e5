---@meta _
-- luacheck: ignore
-- ml.Factor: settings, values, methods.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---Labels (texts, numbers, booleans) with their levels.
---
---f[i] is the label as it came, nil where missing; #f or f.size is its length, f.levels the list of levels in
---ascending order. Give n where missing labels end the list.
---@class manilius.Factor
---@field levels manilius.Label[] # list of levels, ascending
---@field size integer # number of elements
---@field [integer] manilius.Label
local Factor = {}

---Vector of places in f.levels, nan where missing.
---@return manilius.Vector
function Factor:codes() end

---Vector of the number of elements at each level, and the number of missing ones.
---@return manilius.Vector
---@return number
function Factor:counts() end

---Only the levels that occur.
---@return manilius.Factor
function Factor:drop_levels() end

---Vector of 1 where the element is this label, else 0.
---@param label manilius.Label
---@return manilius.Vector
function Factor:eq(label) end

---Vector of 1 where missing, else 0.
---@return manilius.Vector
function Factor:ismissing() end

---Other labels: { old = new }; levels of one new name become one.
---@param map table<any, any>
---@return manilius.Factor
function Factor:recode(map) end

---A part, as a copy.
---@param first? integer
---@param last? integer
---@return manilius.Factor
function Factor:slice(first, last) end

---These elements, in this order, with the same levels.
---@param places manilius.Numbers
---@return manilius.Factor
function Factor:take(places) end

---A table of labels, nil where missing.
---@return table
function Factor:totable() end

---@class manilius
local ml = {}

---Labels (texts, numbers, booleans) with their levels.
---@param from any
---@param ... any
---@return manilius.Factor
function ml.Factor(from, ...) end
