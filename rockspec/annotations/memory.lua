---@meta _
-- luacheck: ignore
-- Functions of ml.memory.
-- Made by `make annotations` from the tables of the library. Not for editing, not for running.

---the bytes that matrices, frames and models hold, and a limit for them
---@class manilius.memory
local memory = {}

---The most bytes that may be held; beyond it calls raise "not enough memory" and leave all as it was. 0: no limit.
---
---Gives: the limit before the call
---@param bytes? string
---@return any
function memory.limit(bytes) end

---Bytes that are held now.
---
---Gives: a whole number
---@return any
function memory.live() end

---Most bytes that were held since the last reset.
---
---Gives: a whole number; true for reset begins anew
---@param reset? any
---@return any
function memory.peak(reset) end
