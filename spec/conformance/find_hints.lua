--- Writes effect_hints.lua: where the parameters that take more than 30 fits to find their effect have it.
--
--    lua5.4 spec/conformance/find_hints.lua        with the LUA_PATH of the Makefile
package.path = "./?.lua;" .. package.path
local core = require "manilius.core"
local check = require "manilius.check"
local search = require "spec.conformance.effect_search"

require "manilius".warnings "off"

-- { name = value, ... } as text; nil if there is a value that cannot be written.
local function written(settings)
   local names, words = {}, {}
   for name in pairs(settings) do names[#names + 1] = name end
   table.sort(names)
   for i, name in ipairs(names) do
      local value = settings[name]
      if type(value) == "table" or type(value) == "userdata" then return nil end
      words[i] = (type(value) == "string" and "%s = %q" or "%s = %s"):format(name, value)
   end
   return #words > 0 and "{ " .. table.concat(words, ", ") .. " }" or "{}"
end

-- The lines of one estimator.
local function lines_of(name)
   local class, new = check.core_class(name)
   local worlds, lines = search.worlds(class), {}
   for _, p in ipairs(class.params) do
      local before = search.fits
      local found = not search.without_effect[p.name] and search.find(new, class, worlds, p)
      local with = found and search.fits - before > 30 and written(found.with)
      if with then
         lines[#lines + 1] = ("      %s = { world = %d, with = %s },\n"):format(p.name, found.world, with)
      end
   end
   return lines
end

local out = { "-- Written by find_hints.lua. A hint that is wrong or missing costs time only.\nreturn {\n" }
for _, name in ipairs((core.class_names())) do
   local lines = lines_of(name)
   if #lines > 0 then out[#out + 1] = ("   %s = {\n%s   },\n"):format(name, table.concat(lines)) end
end
out[#out + 1] = "}\n"
local file = assert(io.open("spec/conformance/effect_hints.lua", "w"))
file:write(table.concat(out))
file:close()
