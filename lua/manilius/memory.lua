--- ml.memory: the bytes that matrices, frames and models hold outside of Lua's own memory.
--
--    ml.memory { limit = 1 << 30 }
--    print(ml.memory.live())
--
-- @module manilius.memory

local core = require "manilius.core"
local options = require "manilius.options"
local text = require "manilius.text"

local M = { help = {
   live = { name = "live", args = {}, brief = "Bytes that are held now.", returns = "a whole number",
      example = "print(ml.memory.live())" },
   peak = { name = "peak", args = { "[reset]" }, brief = "Most bytes that were held since the last reset.",
      returns = "a whole number; true for reset begins anew", example = "print(ml.memory.peak(true))" },
   limit = { name = "limit", args = { "[bytes]" }, brief = "The most bytes that may be held; beyond it calls raise "
      .. "\"not enough memory\" and leave all as it was. 0: no limit.", returns = "the limit before the call",
      example = "local before = ml.memory.limit()\nml.memory { limit = 1 << 30 } -- or ml.memory.limit(1 << 30)\n"
         .. "ml.memory.limit(before)" },
} }

for name in pairs(M.help) do M[name] = core.memory[name] end

return setmetatable(M, {
   __index = function(_, name)
      error(("memory has no '%s'%s"):format(tostring(name), text.hint(tostring(name), text.sorted_keys(M.help))), 2)
   end,
   __call = function(_, settings)
      options.check("memory", settings, { limit = true }, 2)
      local limit = settings and settings.limit
      if limit ~= nil then
         local bytes = type(limit) == "number" and math.tointeger(limit)
         if not bytes or bytes < 0 then
            local got = type(limit) == "number" and text.number(limit) or type(limit)
            error(("memory: limit must be bytes, a whole number >= 0 (0: none), got %s"):format(got), 2)
         end
         M.limit(bytes)
      end
      return M
   end,
   __tostring = function()
      return ("%d bytes held, %d at most; limit %s"):format(M.live(), M.peak(),
         M.limit() > 0 and ("%d bytes"):format(M.limit()) or "none")
   end,
})
