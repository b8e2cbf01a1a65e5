--- Readers and writers of tables. Those of the core are called by the user directly, so that errors carry his line.
local core = require "manilius.core"
require "manilius.frame" -- what they return are frames

local M = {}
for name, f in pairs(core.io) do M[name] = f end

return M
