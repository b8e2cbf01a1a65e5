-- Every parameter has an effect. Where a long search has found it before (effect_hints.lua) is looked at first.
local hints = require "spec.conformance.effect_hints"
local search = require "spec.conformance.effect_search"
local tools = require "manilius.check.tools"

local function is_right(hint, new, class, worlds, p)
   local world = hint and worlds[hint.world]
   return world and search.differs(new, class, world, p, hint.with)
end

return { {
   name = "every parameter has an effect",
   applies = function(class) return class.core end,
   demand = function(new, class)
      local worlds, known = search.worlds(class), hints[class.name] or {}
      for _, p in ipairs(class.params) do
         tools.need(search.without_effect[p.name] or is_right(known[p.name], new, class, worlds, p)
            or search.find(new, class, worlds, p),
            "whatever %s is, and whatever two others are, the result is the same", p.name)
      end
   end,
} }
