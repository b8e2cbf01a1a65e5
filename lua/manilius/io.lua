--- Readers and writers of tables. Those of the core are called by the user directly, so that errors carry his line.
local core = require "manilius.core"
local base = require "manilius.frame"

local M = {}
for name, f in pairs(core.io) do M[name] = f end

-- What databases call their columns of numbers.
local NUMBER_TYPES = { "int", "num", "dec", "float", "double", "real", "serial", "money" }

local function is_number_type(text)
   text = tostring(text):lower()
   for _, word in ipairs(NUMBER_TYPES) do
      if text:find(word, 1, true) then return true end
   end
   return false
end

local function fetch_all(cursor, cols)
   local values, rows = {}, 0
   for j = 1, cols do values[j] = {} end
   while true do
      local row = cursor:fetch({}, "n")
      if not row then break end
      rows = rows + 1
      for j = 1, cols do values[j][rows] = row[j] end
   end
   return values, rows
end

local function to_numbers(list, rows, name, level)
   for i = 1, rows do
      local value = list[i]
      if type(value) == "string" then
         list[i] = tonumber(value) or error(("from_cursor: row %d of '%s' must be a number, got '%s'"):format(i, name,
            value), level + 1)
      end
   end
end

local function to_labels(list, rows)
   for i = 1, rows do
      if type(list[i]) == "number" then list[i] = tostring(list[i]) end
   end
end

local function check_types(types, names, level)
   for name, kind in pairs(types) do
      local known = false
      for _, one in ipairs(names) do known = known or one == name end
      if not known then
         error(("from_cursor: there is no column '%s'%s"):format(tostring(name), base.hint(name, names)), level + 1)
      end
      if kind ~= "number" and kind ~= "factor" then
         error(("from_cursor: the type of '%s' must be 'number' or 'factor', got '%s'"):format(name, tostring(kind)),
            level + 1)
      end
   end
end

--- All rows of a cursor of LuaSQL, or of anything with fetch(row, "n") and getcolnames(): a Frame.
-- Numbers stay numbers, texts and booleans become labels, NULL is missing. Texts in a column that the database calls
-- one of numbers (getcoltypes) become numbers, for some drivers give all values as texts.
-- @tparam table|nil options types: { column = "number" | "factor" }
function M.from_cursor(cursor, options)
   local types = base.option_of("from_cursor", 2, options, { "types" }).types or {}
   local names = table.move(cursor:getcolnames(), 1, #cursor:getcolnames(), 1, {})
   local has_types, database_types = pcall(function() return cursor:getcoltypes() end)
   check_types(types, names, 2)
   local values, rows = fetch_all(cursor, #names)
   for j, name in ipairs(names) do
      local list = values[j]
      list.n = rows
      local kind = types[name] or (has_types and is_number_type(database_types[j]) and "number")
      if kind == "number" then
         to_numbers(list, rows, name, 2)
      elseif kind == "factor" then
         to_labels(list, rows)
      end
   end
   return (base.build(names, values, "from_cursor", 2))
end

return M
