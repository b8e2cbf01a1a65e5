--- What an operation of one estimator gives back, as people want it: columns named "coefficients.estimate" become the
-- Frame `coefficients`; a value named `text` is what printing shows; one Frame alone is given as itself.
-- @module manilius.results

local Frame = require "manilius.frame".Frame

local Results = { __name = "Results" }

function Results.__tostring(self)
   if self.text then return self.text end
   local lines = {}
   for _, name in ipairs(rawget(self, "_order")) do
      local value = self[name]
      local shown = tostring(value)
      lines[#lines + 1] = shown:find "\n" and name .. "\n" .. shown or name .. ": " .. shown
   end
   return table.concat(lines, "\n")
end

--- The table of raw values from the core -> a table with Frames, or one Frame.
-- @tparam table raw name -> value, and `_order`, the list of names
return function(raw)
   local results, order, groups = {}, {}, {}
   for _, name in ipairs(raw._order) do
      local group, column = name:match "^([^.]+)%.(.+)$"
      if not group then
         results[name] = raw[name]
         order[#order + 1] = name
      else
         if not groups[group] then
            groups[group] = {}
            order[#order + 1] = group
         end
         table.insert(groups[group], { column, raw[name] })
      end
   end
   for group, columns in pairs(groups) do results[group] = Frame(columns) end
   if #order == 1 then return results[order[1]] end
   results._order = order
   return setmetatable(results, Results)
end
