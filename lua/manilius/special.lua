--- ml.special: special functions and statistical distributions, with their help.

local core = require "manilius.core"
local text = require "manilius.text"

local M = { help = {} }

-- A valid value of each argument, for the examples.
local EXAMPLE_ARGS = { x = 0.5, p = 0.25, q = 0.25, k = 2, n = 5, df = 4, d1 = 3, d2 = 10, a = 2, b = 3, shape = 2,
   scale = 1, mean = 1.5 }

for name, f in pairs(core.special) do M[name] = f end

for _, line in ipairs(core.special_help()) do
   local args, values = {}, {}
   for arg in line[2]:gmatch "%w+" do
      args[#args + 1], values[#values + 1] = arg, ("%g"):format(EXAMPLE_ARGS[arg])
   end
   M.help[line[1]] = { name = line[1], args = args, brief = line[3]:sub(1, 1):upper() .. line[3]:sub(2) .. ".",
      returns = "a number, or a Vector if the first argument is a Vector; nan outside the domain",
      example = ("print(ml.special.%s(%s))"):format(line[1], table.concat(values, ", ")) }
end

return setmetatable(M, {
   __index = function(_, name)
      error(("special has no '%s'%s"):format(tostring(name), text.near(name, text.sorted_keys(core.special))), 2)
   end,
   __tostring = function() return require "manilius.help".module_text("special", M.help) end,
})
