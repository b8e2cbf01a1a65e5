--- Member access of estimators written in Lua by this library: reading or writing an unknown name raises an error that
-- suggests the nearest one, and pairs lists all names. (User-defined classes may store any field.)

local rows = require "manilius.rows"
local text = require "manilius.text"

local rethrow = rows.rethrow

local M = {}

-- Key that marks an object while fit runs, when its learned fields may be assigned.
M.FITTING = {}

local FITTING = M.FITTING

local function at(value, key) return value[key] end

-- Names of parameters, learned fields, and other fields of the class.
local function field_names(class, self)
   local seen, names = {}, {}
   local function add(name)
      if type(name) == "string" and not seen[name] and not class.private[name] then
         seen[name], names[#names + 1] = true, name
      end
   end
   for _, name in ipairs(class.param_names) do add(name) end
   for name in next, class.learned do add(name) end
   for _, name in ipairs(class.more_names and class.more_names(self) or {}) do add(name) end
   table.sort(names)
   return names
end

local function method_names(class, self)
   local names = {}
   for name in next, class.methods do
      if class.methods.can(self, name) then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

local function all_names(class, self)
   local names = field_names(class, self)
   for _, name in ipairs(method_names(class, self)) do names[#names + 1] = name end
   return names
end

local function raise_unknown(class, self, key, level)
   local advice = class.unknown_text and class.unknown_text(self, key)
   if advice then error(advice, level + 1) end
   error(("%s has no '%s'%s"):format(class.name, key, text.near(key, all_names(class, self))), level + 1)
end

--- Read a name that is not a field of the object. Errors have level 3, the code that reads it.
function M.index(class, self, key)
   if type(key) ~= "string" or class.private[key] or class.is_param[key] then return nil end
   if not class.learned[key] then raise_unknown(class, self, key, 3) end
   if rawget(self, "fitted") or rawget(self, FITTING) then return nil end
   error(("%s: '%s' is learned by fit; call fit first"):format(class.name, key), 3)
end

--- The metamethod __newindex.
function M.newindex(class)
   return function(self, key, value)
      if rawget(self, FITTING) then return rawset(self, key, value) end
      local known = class.is_param[key] or class.more_names and text.contains(class.more_names(self), key)
      if known then
         rethrow(2, pcall(class.methods.set_params, self, { [key] = value }))
      elseif class.learned[key] or class.methods[key] then
         error(("%s: '%s' cannot be assigned"):format(class.name, key), 2)
      else
         raise_unknown(class, self, tostring(key), 2)
      end
   end
end

--- The metamethod __pairs: parameters and learned fields, then methods, each sorted.
function M.pairs(class)
   return function(self)
      local names, i = all_names(class, self), 0
      return function()
         local value
         repeat
            i = i + 1
            if names[i] == nil then return nil end
            local ok, found = rows.try(at, self, names[i])
            value = ok and found or nil
            if ok and found == false then value = false end
         until value ~= nil
         return names[i], value
      end
   end
end

return M
