-- Every registered estimator against every demand that its descriptor says applies. No estimator is named here, and
-- none is excepted: a new one is tested the moment it is registered.
--
--    MANILIUS_ONLY=KMeans busted spec/conformance_spec.lua     one estimator
require "manilius"
local core = require "manilius.core"
local check = require "manilius.check"

local demands = check.demands()
for _, name in ipairs { "settings", "memory", "archive" } do
   local more = require("spec.conformance." .. name)
   table.move(more, 1, #more, #demands + 1, demands)
end

local only = os.getenv "MANILIUS_ONLY"

for _, name in ipairs((core.class_names())) do
   if not only or only == name then
      describe(name, function()
         local class, new = check.core_class(name)
         for _, demand in ipairs(demands) do
            if not demand.applies or demand.applies(class) then
               it(demand.name, function() assert(check.hold(demand, new, class)) end)
            end
         end
      end)
   end
end
