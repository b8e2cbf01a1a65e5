--- How values and estimators are written in one line. The functions are added to manilius.estimator.
-- @module manilius.estimator.text

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M -- manilius.estimator

local value_text

local MOST_SHOWN, DEEPEST, LONGEST = 8, 3, 500

-- The first elements of a list; a list may hold itself.
local function list_text(list, n, depth)
   local parts = {}
   if depth == DEEPEST then return "{...}" end
   for i = 1, math.min(n, MOST_SHOWN) do parts[i] = value_text(list[i], depth + 1) end
   if n > MOST_SHOWN then parts[#parts + 1] = "..." end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

-- A list of names or labels, in lines that fit the screen.
local function all_text(list)
   local parts = {}
   for i, one in ipairs(list) do parts[i] = value_text(one) end
   return text.wrap(#parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}", 2)
end

-- What a table has by name, when that is little and plain.
local function map_text(value)
   local parts = {}
   for key, one in next, value do
      if type(one) == "table" or type(key) == "table" or #parts >= MOST_SHOWN then return "{...}" end
      parts[#parts + 1] = ("%s = %s"):format(type(key) == "string" and key or "[" .. tostring(key) .. "]",
         value_text(one))
   end
   table.sort(parts)
   return #parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}"
end

--- A value as it would be written, in one line. `depth`: of lists around it, 0 when left out.
function value_text(value, depth)
   depth = depth or 0
   if type(value) == "string" then return ("%q"):format(text.cut(value, LONGEST)) end
   if type(value) == "number" then
      return math.type(value) == "integer" and tostring(value) or ("%.6g"):format(value)
   end
   if M.is(value) then return M.one_line(value) end
   if type(value) == "function" then return "function" end
   if value == core.unset then return "nil" end
   local kind = rows.kind(value)
   if kind == "Vector" or getmetatable(value) == core.list_meta then return list_text(value, #value, depth) end
   if kind == "table" then
      local meta = getmetatable(value)
      if type(meta) == "table" and meta.__tostring then return (tostring(value):match "^[^\n]*") end
      local n = rawlen(value)
      return n > 0 and list_text(value, n, depth) or map_text(value)
   end
   if kind == "userdata" or type(value) ~= "userdata" and kind ~= "Frame" then return tostring(value) end
   return (tostring(value):match "^[^\n]*")
end

local function settings_of_core(model)
   local parts, params = {}, model:get_params()
   for _, p in ipairs(M.describe(model).params) do
      local value = params[p.name]
      if (p.penalty or value ~= p.default) and not (value == nil and p.default == nil) then
         parts[#parts + 1] = ("%s = %s"):format(p.name, value_text(value))
      end
   end
   if params.class_weight ~= nil then parts[#parts + 1] = "class_weight = " .. value_text(params.class_weight) end
   return parts
end

-- A share of all is written as one, 1.0: 1 is a count.
local function count_or_share_text(value)
   return math.type(value) == "float" and value % 1 == 0 and ("%.1f"):format(value) or value_text(value)
end

local function settings_of_class(model, class)
   local parts = {}
   for _, name in ipairs(class.param_names) do
      local value, default, shares = rawget(model, name), class.params[name], class.shares[name]
      if value ~= nil and (value ~= default or shares and math.type(value) ~= math.type(default)) then
         parts[#parts + 1] = ("%s = %s"):format(name, (shares and count_or_share_text or value_text)(value))
      end
   end
   return parts
end

-- An estimator in one line: its name, and what is not as by default.
local function one_line(model)
   if type(model) == "string" then return model end
   local class = M.class_of(model)
   local parts
   if class and class.one_line then return class.one_line(model) end
   if rows.kind(model) == "Model" then
      parts = settings_of_core(model)
   elseif class then
      parts = settings_of_class(model, class)
   else
      return M.name(model)
   end
   return ("%s {%s}"):format(M.name(model), #parts > 0 and " " .. table.concat(parts, ", ") .. " " or "")
end

-- What came where an estimator was wanted.
local function got(value)
   if type(value) ~= "function" then return value_text(value) end
   return "function; an estimator is made by a call, as in Ridge {}"
end

return function(module)
   M = module
   M.value_text, M.one_line, M.list_text, M.got = value_text, one_line, all_text, got
end
