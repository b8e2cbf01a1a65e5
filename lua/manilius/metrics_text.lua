--- Tables of the reports as text: aligned, and within 80 columns.
-- @module manilius.metrics_text

local M = {}

local WIDTH, WIDEST_LABEL = 80, 24

local function width_of(text)
   return utf8.len(text) or #text
end

local function cut(text, width)
   if width_of(text) <= width then return text end
   local stop = utf8.len(text) and utf8.offset(text, width - 1) or width - 1
   return text:sub(1, stop - 1) .. ".."
end

local function pad(text, width, right)
   local blanks = (" "):rep(width - width_of(text))
   return right and blanks .. text or text .. blanks
end

--- A label as a cell.
function M.label(label)
   return cut((tostring(label):gsub("%c", " ")), WIDEST_LABEL)
end

--- A number with `digits` decimals; whole ones (counts) as they are.
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

-- Column blocks that fit the width, each behind the first column.
local function blocks(widths)
   local out, used = {}, nil
   for j = 2, #widths do
      local wide = widths[j] + 2
      if not used or used + wide > WIDTH then
         out[#out + 1] = {}
         used = widths[1]
      end
      table.insert(out[#out], j)
      used = used + wide
   end
   return out
end

--- Rows of cells (texts), the first of them left-aligned; a wide table continues below itself. An empty row is a blank
-- line.
function M.aligned(lines)
   local widths, out = {}, {}
   for _, line in ipairs(lines) do
      for j, cell in ipairs(line) do widths[j] = math.max(widths[j] or 0, width_of(cell)) end
   end
   for b, block in ipairs(blocks(widths)) do
      if b > 1 then out[#out + 1] = "" end
      for _, line in ipairs(lines) do
         local cells = { pad(line[1] or "", widths[1]) }
         for _, j in ipairs(block) do cells[#cells + 1] = pad(line[j] or "", widths[j], true) end
         out[#out + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
      end
   end
   return table.concat(out, "\n")
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
   return M.aligned(lines)
end

return M
