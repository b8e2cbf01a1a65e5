--- Reports as aligned tables that fit the screen.

local M = {}

local text = require "manilius.text"

local MAX_LABEL_WIDTH = 24

--- A label as a cell.
function M.label(label)
   return text.cut((tostring(label):gsub("%c", " ")), MAX_LABEL_WIDTH)
end

--- A number with `digits` decimals; integers (counts) without.
function M.number(value, digits)
   if value ~= value then return "nan" end
   if digits == 0 or (math.type(value) == "integer") then
      local whole = math.tointeger(value)
      return whole and ("%d"):format(whole) or ("%.2f"):format(value)
   end
   return ("%." .. digits .. "f"):format(value)
end

--- Six significant digits for a value of unknown size.
function M.value(value)
   return ("%.6g"):format(value)
end

--- A confusion matrix: true labels in rows, predicted ones in columns.
function M.confusion(c)
   local k = #c.labels
   local whole = true
   for i = 1, k do
      for j = 1, k do whole = whole and math.tointeger(c.counts:get(i, j)) ~= nil end
   end
   local lines = { { "true \\ predicted" } }
   for j = 1, k do lines[1][j + 1] = M.label(c.labels[j]) end
   for i = 1, k do
      local line = { M.label(c.labels[i]) }
      for j = 1, k do line[j + 1] = M.number(c.counts:get(i, j), whole and 0 or 3) end
      lines[i + 1] = line
   end
   return text.aligned(lines)
end

return M
