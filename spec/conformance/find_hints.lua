--- Writes effect_hints.lua: where the parameters that take more than 10 fits to find their effect have it.
--
--    lua5.4 spec/conformance/find_hints.lua            with the LUA_PATH and LUA_CPATH of the Makefile
--    lua5.4 spec/conformance/find_hints.lua MDS NMF    looks for those of these estimators, and keeps the others
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

-- The hints of one estimator by name of parameter: { world =, with = } each.
local function search_hints(name)
   local class, new = check.core_class(name)
   local worlds, hints = search.worlds(class), {}
   for _, p in ipairs(class.params) do
      local before = search.fits
      local found = not search.without_effect[p.name] and search.find(new, class, worlds, p)
      if found and search.fits - before > 10 then hints[p.name] = found end
   end
   return hints
end

-- The entry of one estimator, empty without hints.
local function entry(name, hints)
   local lines = {}
   for _, p in ipairs(core.describe(name).params) do
      local hint = hints[p.name]
      local with = hint and written(hint.with)
      if with then lines[#lines + 1] = ("      %s = { world = %d, with = %s },\n"):format(p.name, hint.world, with) end
   end
   return #lines > 0 and ("   %s = {\n%s   },\n"):format(name, table.concat(lines)) or ""
end

local chosen = {}
for _, name in ipairs(arg) do chosen[name] = true end
local old = #arg > 0 and require "spec.conformance.effect_hints" or {}
local out = { "-- Written by find_hints.lua. A hint that is wrong or missing costs time only.\nreturn {\n" }
for _, name in ipairs((core.class_names())) do
   local is_searched = #arg == 0 or chosen[name]
   out[#out + 1] = entry(name, is_searched and search_hints(name) or old[name] or {})
end
out[#out + 1] = "}\n"
local file = assert(io.open("spec/conformance/effect_hints.lua", "w"))
file:write(table.concat(out))
file:close()
