---@meta _
-- luacheck: ignore
-- Functions of ml.memory.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---memory used by matrices, frames and models, and its limit
---@class manilius.memory
local memory = {}

---Get or set the maximum bytes that may be allocated; 0: no limit.
---
---Gives: the limit before the call
---@param bytes? string
---@return any
function memory.limit(bytes) end

---Bytes allocated now.
---
---Gives: an integer
---@return any
function memory.live() end

---Maximum bytes allocated since the last reset; pass true to reset.
---
---Gives: an integer
---@param reset? any
---@return any
function memory.peak(reset) end
