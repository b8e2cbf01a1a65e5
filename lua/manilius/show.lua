--- How a model looks when it is printed: what differs from the defaults, penalties always, and what it has learned.
-- @module manilius.show

local core = require "manilius.core"

local function quoted(value)
   if type(value) == "string" then return ('"%s"'):format(value) end
   if type(value) == "number" then return ("%.10g"):format(value) end
   local text = tostring(value)
   return text:find "\n" and text:match "^[^\n]*" or text
end

local function same(a, b)
   return a == b or (a ~= a and b ~= b)
end

local function parameters(model, class)
   local parts = {}
   for _, p in ipairs(class.params) do
      local value = model[p.name]
      if p.penalty or not same(value, p.default) then parts[#parts + 1] = p.name .. " = " .. quoted(value) end
   end
   if class.takes.class_weight and model.class_weight then
      local weight = model.class_weight
      parts[#parts + 1] = "class_weight = " .. (type(weight) == "string" and quoted(weight) or "{...}")
   end
   return parts
end

local function plural(count, one, many)
   return ("%d %s"):format(count, count == 1 and one or many)
end

local function status(model, class)
   local parts = { plural(model.n_features, "feature", "features") }
   if class.does.classify then parts[#parts + 1] = plural(#model.classes, "class", "classes") end
   if class.does.regress and model.n_targets > 1 then parts[#parts + 1] = model.n_targets .. " targets" end
   if class.does.iterate then
      local ended = model.converged and "converged in " or "not converged after "
      parts[#parts + 1] = ended .. plural(model.n_iter, "iteration", "iterations")
   end
   return table.concat(parts, ", ")
end

--- Learned numbers as they are, all else by its kind and size.
local function learned(model, class)
   local lines, width = {}, 0
   for _, f in ipairs(class.fields) do width = math.max(width, #f.name) end
   for _, f in ipairs(class.fields) do
      local value = model[f.name]
      local text
      if type(value) == "table" then
         text = plural(#value, "list", "lists") .. " of labels"
      elseif value ~= nil then
         text = quoted(value)
         if #text > 60 then text = text:sub(1, 57) .. "..." end
      end
      if text then lines[#lines + 1] = ("  %-" .. width .. "s  %s"):format(f.name, text) end
   end
   return lines
end

--- One line for an unfitted model; a fitted one shows what it has learned below.
return function(model)
   local class = core.describe(model.class)
   local parts = parameters(model, class)
   local head = class.name .. "{" .. (#parts > 0 and " " .. table.concat(parts, ", ") .. " " or "") .. "}"
   if not model.fitted then return head .. " (not fitted)" end
   local lines = learned(model, class)
   table.insert(lines, 1, head .. " fitted: " .. status(model, class))
   return table.concat(lines, "\n")
end
