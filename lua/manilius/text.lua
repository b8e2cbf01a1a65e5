--- Text formatting: display width, truncation, aligned numbers, tables that fit the screen.

local core = require "manilius.core"

local M = {}

--- Display width of a string.
function M.width_of(text)
   return utf8.len(text) or #text
end

--- Truncate to a width, by characters if the text is UTF-8, and append `mark` (default "..").
function M.cut(text, width, mark)
   mark = mark or ".."
   if M.width_of(text) <= width then return text end
   local count = math.max(width - #mark, 0)
   local stop = utf8.len(text) and utf8.offset(text, count + 1) or count + 1
   return text:sub(1, stop - 1) .. mark:sub(1, math.max(width, 0))
end

--- Pad to a width with spaces; `right`: align to the right.
function M.pad(text, width, right)
   local blanks = (" "):rep(width - M.width_of(text))
   return right and blanks .. text or text .. blanks
end

--- "1 row", "3 rows"; `many` is an irregular plural.
function M.plural(count, one, many)
   return ("%d %s"):format(count, count == 1 and one or many or one .. "s")
end

--- Wrap text to lines of `width` columns; all lines but the first are indented.
function M.wrap(text, indent, width)
   local lines, line = {}, ""
   width = (width or core.screen()) - indent - 1
   for word in text:gmatch "%S+" do
      if line ~= "" and M.width_of(line) + M.width_of(word) + 1 > width then
         lines[#lines + 1] = line
         line = word
      else
         line = line == "" and word or line .. " " .. word
      end
   end
   lines[#lines + 1] = line
   return table.concat(lines, "\n" .. (" "):rep(indent))
end

--- Wrap a line to the screen; continuation lines are indented by two more columns than the line.
function M.wrap_line(line)
   local screen, lead = core.screen(), line:match "^%s*"
   if M.width_of(line) <= screen then return line end
   local lines, now = {}, ""
   for gap, word in line:gmatch "(%s*)(%S+)" do
      if now:find "%S" and M.width_of(now .. gap .. word) > screen then
         lines[#lines + 1] = now
         now, gap = "", lead .. "  "
      end
      now = now .. gap .. word
   end
   lines[#lines + 1] = now
   return table.concat(lines, "\n")
end

function M.is_finite(value)
   return value == value and value ~= math.huge and value ~= -math.huge
end

--- The number of decimals that show `digits` significant digits of each value; nil if that needs an exponent.
local function decimals_for(values, digits)
   local max_decimals = 0
   for _, value in ipairs(values) do
      if M.is_finite(value) then
         local text = ("%." .. digits .. "g"):format(value)
         if text:find("e", 1, true) then return nil end
         local fraction = text:match("%.(%d+)")
         max_decimals = math.max(max_decimals, fraction and #fraction or 0)
      end
   end
   return max_decimals <= digits + 2 and max_decimals or nil
end

--- Format the numbers of a column with the same number of decimals (`fewest` or more), or all with exponents; `missing`
-- stands for nan.
function M.numbers(values, digits, missing, fewest)
   local decimals = decimals_for(values, digits)
   local form = decimals and "%." .. math.max(decimals, fewest or 0) .. "f" or "%." .. digits .. "g"
   local texts = {}
   for i, value in ipairs(values) do
      texts[i] = value ~= value and missing or math.type(value) == "integer" and ("%d"):format(value)
         or value == math.huge and "inf" or value == -math.huge and "-inf" or form:format(value)
   end
   return texts
end

--- Format a single number.
function M.number(value, digits)
   if value ~= value then return "nan" end
   if math.type(value) == "integer" then return ("%d"):format(value) end
   return (("%." .. (digits or 6) .. "g"):format(value))
end

--- Format a duration.
function M.seconds(value)
   if value ~= value then return "nan" end
   if value < 0.1 then return ("%.3g ms"):format(value * 1000) end
   return ("%.3g s"):format(value)
end

-- Groups of columns that fit the width next to the first column.
local function blocks(widths, screen)
   local out, used = {}, nil
   for j = 2, #widths do
      local wide = widths[j] + 2
      if not used or used + wide > screen then
         out[#out + 1] = {}
         used = widths[1]
      end
      table.insert(out[#out], j)
      used = used + wide
   end
   if #out == 0 then out[1] = {} end
   return out
end

--- Format rows of cells (strings) as a table. The first column and the columns in `left` are left-aligned; columns that
-- do not fit the screen continue below. An empty row is a blank line.
function M.aligned(lines, left, screen)
   local widths, out = {}, {}
   for _, line in ipairs(lines) do
      for j, cell in ipairs(line) do widths[j] = math.max(widths[j] or 0, M.width_of(cell)) end
   end
   for b, block in ipairs(blocks(widths, screen or core.screen())) do
      if b > 1 then out[#out + 1] = "" end
      for _, line in ipairs(lines) do
         local cells = { M.pad(line[1] or "", widths[1]) }
         for _, j in ipairs(block) do cells[#cells + 1] = M.pad(line[j] or "", widths[j], not (left and left[j])) end
         out[#out + 1] = (table.concat(cells, "  "):gsub("%s+$", ""))
      end
   end
   return table.concat(out, "\n")
end

--- Whether a list holds this value.
function M.contains(list, value)
   for _, one in ipairs(list) do
      if one == value then return true end
   end
   return false
end

--- The string keys of a table, sorted.
function M.sorted_keys(t)
   local keys = {}
   for key in pairs(t) do
      if type(key) == "string" then keys[#keys + 1] = key end
   end
   table.sort(keys)
   return keys
end

--- "; did you mean 'x'?", what to use instead of a setting of other libraries, or "".
function M.near(name, names)
   local near = core.nearest(tostring(name), names)
   if near then return ("; did you mean '%s'?"):format(near) end
   local _, note = core.foreign_name(tostring(name), {})
   return note and "; " .. note or ""
end

--- "; did you mean 'x'?", or the list of names if it is short, or "".
function M.hint(name, names)
   local near = type(name) == "string" and M.near(name, names) or ""
   if near ~= "" then return near end
   if #names > 0 and #names <= 12 then return "; there are " .. table.concat(names, ", ") end
   return ""
end

return M
