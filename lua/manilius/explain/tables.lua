--- Printed tables of effects: a line for each value of a column, or a grid of the values of two columns.

local show = require "manilius.metrics.text"
local text = require "manilius.text"

local M = {}

local MAX_LINES, MAX_COLUMNS = 12, 8

local function value_text(value)
   return type(value) == "number" and ("%.4g"):format(value) or show.label(value)
end

-- At most `most` evenly spaced places of 1 .. n.
local function places(n, most)
   local out, step = {}, math.max(math.ceil(n / most), 1)
   for i = 1, n, step do out[#out + 1] = i end
   return out
end

-- A line for each column of which only some values are shown.
local function omitted(columns, values, shown)
   local out = {}
   for k, column in ipairs(columns) do
      if #shown[k] < #values[k] then
         out[#out + 1] = ("... %d of %d values of %s shown"):format(#shown[k], #values[k], show.label(column))
      end
   end
   return #out > 0 and "\n" .. table.concat(out, "\n") or ""
end

--- The values of a column and one or several lists of numbers, with their names as header.
function M.list(column, values, names, lists)
   local lines, down = { { show.label(column), table.unpack(names) } }, places(#values, MAX_LINES)
   for _, i in ipairs(down) do
      local line = { value_text(values[i]) }
      for k, list in ipairs(lists) do line[k + 1] = ("%.4g"):format(list[i]) end
      lines[#lines + 1] = line
   end
   return text.aligned(lines) .. omitted({ column }, { values }, { down })
end

--- A Matrix with the values of the first column down and of the second across.
function M.grid(columns, values, matrix)
   local down, across = places(#values[1], MAX_LINES), places(#values[2], MAX_COLUMNS)
   local lines = { { show.label(columns[1]) .. " \\ " .. show.label(columns[2]) } }
   for k, j in ipairs(across) do lines[1][k + 1] = value_text(values[2][j]) end
   for _, i in ipairs(down) do
      local line = { value_text(values[1][i]) }
      for k, j in ipairs(across) do line[k + 1] = ("%.4g"):format(matrix:get(i, j)) end
      lines[#lines + 1] = line
   end
   return text.aligned(lines) .. omitted(columns, values, { down, across })
end

return M
