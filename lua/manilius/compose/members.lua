--- The names that objects of ours have: what is not one of them is answered with the nearest, read or written, and
-- pairs lists them. (What a user's own class keeps in its objects is the user's business.)
-- @module manilius.compose.members

local rows = require "manilius.rows"
local text = require "manilius.text"

local rethrow = rows.rethrow

local M = {}

-- In an object that a fit is working on: what it learns may be set.
M.DRAFT = {}

local DRAFT = M.DRAFT

local function at(value, key) return value[key] end

-- All names that an object of ours may have: its settings, what fit learns, methods, and what the class adds.
local function contains(list, value)
   for _, one in ipairs(list) do
      if one == value then return true end
   end
   return false
end

local function names_of(class, self)
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
   local names = names_of(class, self)
   for _, name in ipairs(method_names(class, self)) do names[#names + 1] = name end
   return names
end

local function no_member(class, self, key, level)
   error(("%s has no '%s'%s"):format(class.name, key, text.near(key, all_names(class, self))), level + 1)
end

--- What reading a name that is not in the object gives; level 3 is who reads it.
function M.index(class, self, key)
   if type(key) ~= "string" or class.private[key] or class.is_param[key] then return nil end
   if not class.learned[key] then no_member(class, self, key, 3) end
   if rawget(self, "fitted") or rawget(self, DRAFT) then return nil end
   error(("%s: '%s' is learned by fit; call fit first"):format(class.name, key), 3)
end

--- The metamethod __newindex.
function M.newindex(class)
   return function(self, key, value)
      if rawget(self, DRAFT) then return rawset(self, key, value) end
      local known = class.is_param[key] or class.more_names and contains(class.more_names(self), key)
      if known then
         rethrow(2, pcall(class.methods.set_params, self, { [key] = value }))
      elseif class.learned[key] or class.methods[key] then
         error(("%s: '%s' cannot be assigned"):format(class.name, key), 2)
      else
         no_member(class, self, tostring(key), 2)
      end
   end
end

--- The metamethod __pairs: settings and what was learned, then methods, each in order.
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
