--- Results of the operations of an estimator. Columns named "coefficients.estimate" become the Frame `coefficients`; a
-- value named `text` is what printing shows; a single Frame is returned directly.

local Frame = require "manilius.frame".Frame
local text = require "manilius.text"

local Results = { __name = "Results" }

function Results.__tostring(self)
   local written = rawget(self, "text")
   if written then return written end
   local lines = {}
   for _, name in ipairs(rawget(self, "_order")) do
      local value = self[name]
      local shown = tostring(value)
      lines[#lines + 1] = shown:find "\n" and name .. "\n" .. shown or name .. ": " .. shown
   end
   return table.concat(lines, "\n")
end

function Results.__index(self, key)
   if type(key) ~= "string" or key == "text" then return nil end
   local make = rawget(self, "_make")
   if make and make[key] then
      local value = make[key]()
      rawset(self, key, value)
      return value
   end
   local names = rawget(self, "_order") or {}
   error(("there is no result '%s'%s"):format(key, text.hint(key, names)), 2)
end

function Results.__pairs(self)
   local order, i = rawget(self, "_order"), 0
   return function()
      i = i + 1
      if order[i] ~= nil then return order[i], self[order[i]] end
   end
end

--- Convert the table of named values from the core to a table with Frames, or to a single Frame.
-- values: name -> value; `_order`, the list of names; `_make`, optional: name -> function that makes the value when it
-- is first read
return function(values)
   local results, order, groups = {}, {}, {}
   for _, name in ipairs(values._order) do
      local group, column = name:match "^([^.]+)%.(.+)$"
      if not group then
         results[name] = values[name]
         order[#order + 1] = name
      else
         if not groups[group] then
            groups[group] = {}
            order[#order + 1] = group
         end
         table.insert(groups[group], { column, values[name] })
      end
   end
   for group, columns in pairs(groups) do results[group] = Frame(columns) end
   if #order == 1 then return results[order[1]] end
   results._order, results._make = order, values._make
   return setmetatable(results, Results)
end
