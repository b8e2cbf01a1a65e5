--- ml.memory: memory of matrices, frames and models, which is allocated outside the Lua heap.
--
--    ml.memory { limit = 1 << 30 }
--    print(ml.memory.live())
--

local core = require "manilius.core"
local options = require "manilius.options"
local text = require "manilius.text"

local M = { help = {
   live = { name = "live", args = {}, brief = "Bytes allocated now.", returns = "an integer",
      example = "print(ml.memory.live())" },
   peak = { name = "peak", args = { "[reset]" }, brief = "Maximum bytes allocated since the last reset; pass true to "
      .. "reset.",
      returns = "an integer", example = "print(ml.memory.peak(true))" },
   limit = { name = "limit", args = { "[bytes]" }, brief = "Get or set the maximum bytes that may be allocated; 0: "
      .. "no limit.",
      notes = "Calls that would exceed the limit raise \"not enough memory\" and change nothing.",
      returns = "the limit before the call",
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
      return ("%d bytes allocated, peak %d; limit %s"):format(M.live(), M.peak(),
         M.limit() > 0 and ("%d bytes"):format(M.limit()) or "none")
   end,
})
