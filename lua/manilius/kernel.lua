--- ml.kernel: kernels as values: ml.kernel.RBF { length = 1 } * ml.kernel.Periodic { period = 1 } + ml.kernel.White {}.

local core = require "manilius.core"
local leaves = require "manilius.kernel.leaves"
local rows = require "manilius.rows"
local spectrum = require "manilius.kernel.spectrum"
local text = require "manilius.text"

local M = { help = leaves.help }

for name, leaf in pairs(leaves.by_name) do
   M[name] = function(settings)
      return (rows.rethrow(2, pcall(function() return core.kernel.build { leaves.node(leaf, settings) } end)))
   end
end

M.help.spectrum = spectrum.help
function M.spectrum(strings, others, options)
   return (rows.rethrow(2, pcall(spectrum.matrix, strings, others, options)))
end

return setmetatable(M, {
   __index = function(_, name)
      error(("kernel has no '%s'%s"):format(tostring(name), text.near(name, text.sorted_keys(M.help))), 2)
   end,
   __tostring = function() return require "manilius.help".module_text("kernel", M.help) end,
})
