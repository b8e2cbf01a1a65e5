--- Values and estimators as one line of text. The functions are added to manilius.estimator.

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M -- manilius.estimator

local value_text

local MAX_ELEMENTS, MAX_DEPTH, MAX_LENGTH = 8, 3, 500

-- The first elements of a list. The depth is limited because a list may contain itself.
local function list_text(list, n, depth)
   local parts = {}
   if depth == MAX_DEPTH then return "{...}" end
   for i = 1, math.min(n, MAX_ELEMENTS) do parts[i] = value_text(list[i], depth + 1) end
   if n > MAX_ELEMENTS then parts[#parts + 1] = "..." end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

-- A list of names or labels, in lines that fit the screen.
local function list_lines(list)
   local parts = {}
   for i, one in ipairs(list) do parts[i] = value_text(one) end
   return text.wrap(#parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}", 2)
end

-- Whether the table has no keys but 1 to n.
local function is_list(value, n)
   local entries = 0
   for _ in next, value do
      entries = entries + 1
      if entries > n then return false end
   end
   return entries == n
end

-- A small table of simple values by name; nil for other tables.
local function map_text(value)
   local parts = {}
   for key, one in next, value do
      if type(one) == "table" or type(key) == "table" or #parts >= MAX_ELEMENTS then return nil end
      parts[#parts + 1] = ("%s = %s"):format(type(key) == "string" and key or "[" .. tostring(key) .. "]",
         value_text(one))
   end
   table.sort(parts)
   return #parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}"
end

--- A value as Lua source in one line. `depth`: number of enclosing lists.
function value_text(value, depth)
   depth = depth or 0
   if type(value) == "string" then return ("%q"):format(text.cut(value, MAX_LENGTH)) end
   if type(value) == "number" then return text.number(value) end
   if M.is(value) then return M.one_line(value) end
   if type(value) == "function" then return "function" end
   if value == core.unset then return "nil" end
   local kind = rows.kind(value)
   if kind == "Vector" or getmetatable(value) == core.list_meta then return list_text(value, #value, depth) end
   if kind == "table" then
      local meta = getmetatable(value)
      if type(meta) == "table" and meta.__tostring then return (tostring(value):match "^[^\n]*") end
      local n = rawlen(value)
      if is_list(value, n) then return n > 0 and list_text(value, n, depth) or "{}" end
      return map_text(value) or n > 0 and list_text(value, n, depth) or "{...}"
   end
   if kind == "userdata" or type(value) ~= "userdata" and kind ~= "Frame" then return tostring(value) end
   return (tostring(value):match "^[^\n]*")
end

-- Is the setting printed? A penalty is printed also at its default, unless that is 0, no penalty.
local function is_shown(p, value)
   if value == nil and p.default == nil then return false end
   return value ~= p.default or p.penalty and value ~= 0
end

local function settings_of_core(model)
   local parts, params = {}, model:get_params()
   for _, p in ipairs(M.describe(model).params) do
      local value = params[p.name]
      if is_shown(p, value) then
         parts[#parts + 1] = ("%s = %s"):format(p.name, value_text(value))
      end
   end
   if params.class_weight ~= nil then parts[#parts + 1] = "class_weight = " .. value_text(params.class_weight) end
   return parts
end

-- Write a fraction of 1 as 1.0, because 1 is a count.
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

-- An estimator in one line: its name and the settings that differ from their defaults.
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

-- A value that is not an estimator, for messages.
local function got(value)
   if type(value) ~= "function" then return value_text(value) end
   return "function; call the constructor, as in Ridge {}"
end

-- A value in place of an integer, for messages: 10.0 prints as 10, which looks right.
local function not_whole(value)
   if math.type(value) ~= "float" or value % 1 ~= 0 or math.abs(value) >= 2 ^ 53 then return value_text(value) end
   return ("%.1f, a float; write %d"):format(value, value)
end

return function(module)
   M = module
   M.not_whole = not_whole
   M.value_text, M.one_line, M.list_text, M.got = value_text, one_line, list_lines, got
end
