--- What distributions of one and of several variables share: fields, printing, and the names of parameters.

local text = require "manilius.text"

local M = {}

--- The metatable of a family's values.
-- methods: by name
-- name_of: function(d)
-- parameters_of: function(name), the list of names
-- value_of: function(d, parameter)
-- show: function(value), the text of a parameter
function M.meta(family)
   local function parameters_of(d) return family.parameters_of(family.name_of(d)) end
   local function index(d, key)
      if family.methods[key] then return family.methods[key] end
      local names = parameters_of(d)
      for _, name in ipairs(names) do
         if name == key then return family.value_of(d, name) end
      end
      if type(key) == "number" then return nil end -- not a list
      local known = table.move(names, 1, #names, 1, text.sorted_keys(family.methods))
      error(("dist.%s has no '%s'%s"):format(family.name_of(d), tostring(key), text.hint(tostring(key), known)), 2)
   end
   local function show(d)
      local parts = {}
      for i, name in ipairs(parameters_of(d)) do
         parts[i] = ("%s = %s"):format(name, family.show(family.value_of(d, name)))
      end
      return ("%s{ %s }"):format(family.name_of(d), table.concat(parts, ", "))
   end
   return { __name = "Distribution", __index = index, __tostring = show,
      __newindex = function() error("a distribution is immutable; create a new one", 2) end }
end

--- Raise an error for a name in `given` that is not the name of a parameter.
function M.check_names(name, given, known, level)
   for key in pairs(given) do
      local found = false
      for _, one in ipairs(known) do found = found or one == key end
      if not found then
         error(("dist.%s has no parameter '%s'%s"):format(name, tostring(key), text.hint(tostring(key), known)),
            level == 0 and 0 or level + 1)
      end
   end
end

return M
