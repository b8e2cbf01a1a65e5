--- Frames as text: aligned columns that fit a width.
local core = require "manilius.core"
local base = require "manilius.frame"
local text = require "manilius.text"

local core_frame = core.frame
local MISSING = "NA"
local MAX_LABEL_WIDTH = 30 -- unless all columns fit the screen

local cut, pad, plural, width_of, is_finite = text.cut, text.pad, text.plural, text.width_of, text.is_finite

-- Unrelated numbers: each with as few digits as possible, without exponents.
local function short_texts(values, digits)
   local texts = {}
   for i, value in ipairs(values) do
      local plain = is_finite(value) and math.abs(value) < 1e15
      local form = plain and math.abs(value) >= 10 ^ digits and "%.0f" or "%." .. digits .. "g"
      texts[i] = value == value and form:format(value) or ""
   end
   return texts
end

local function label_texts(column, rows, missing)
   local texts = {}
   for i, row in ipairs(rows) do
      local label = column[row]
      texts[i] = label == nil and missing or tostring(label):gsub("%c", " ")
   end
   return texts
end

--- "whole", "number", "boolean" or "factor".
local function type_of(column)
   if base.kind(column) == "Vector" then return column.whole and "whole" or "number" end
   local levels = column.levels
   return #levels > 0 and #levels <= 2 and type(levels[1]) == "boolean" and type(levels[#levels]) == "boolean"
      and "boolean" or "factor"
end

-- The lines of a column (name, type, missing count, values), padded to the same width; also the width, and whether
-- lines were cut.
local function lines_of(f, j, rows, style, available)
   local column = f.columns[j]
   local right = base.kind(column) == "Vector"
   local missing = core_frame.count_missing(column)
   local texts
   if right then
      local values = {}
      for i, row in ipairs(rows) do values[i] = column[row] end
      -- 1.0 is a number and 1 a whole number; with missing values a column of whole numbers is one of numbers, too.
      local fewest = (column.whole or missing > 0) and 0 or 1
      texts = style.plain and short_texts(values, style.digits) or text.numbers(values, style.digits, MISSING, fewest)
   else
      texts = label_texts(column, rows, style.plain and "" or MISSING)
   end
   if not style.plain then
      table.insert(texts, 1, missing > 0 and ("%d %s"):format(missing, MISSING) or "")
      table.insert(texts, 1, type_of(column))
   end
   table.insert(texts, 1, (f.names[j]:gsub("%c", " ")))
   local wide = 0
   for _, one in ipairs(texts) do wide = math.max(wide, width_of(one)) end
   local width = math.min(wide, style.widest, math.max(available, 1))
   for i, one in ipairs(texts) do texts[i] = pad(cut(one, width), width, right) end
   return texts, width, wide > width
end

local function row_numbers(rows, style)
   local texts = { "" }
   if not style.plain then texts = { "", "", "" } end
   for _, row in ipairs(rows) do texts[#texts + 1] = style.unnumbered and "" or ("%d"):format(row) end
   local width = style.unnumbered and 0 or #texts[#texts]
   for i, one in ipairs(texts) do texts[i] = pad(one, width, true) end
   return texts, width
end

local function wrap(line, words, width, out)
   for i, word in ipairs(words) do
      if i < #words then word = word .. "," end
      local longer = line .. " " .. word
      if width_of(longer) > width then
         out[#out + 1] = line
         longer = "    " .. word
      end
      line = longer
   end
   out[#out + 1] = line
end

local function join(out, blocks, has_missing, style)
   for i = 1, #blocks[1] do
      local cells = {}
      for j, block in ipairs(blocks) do cells[j] = block[i] end
      local is_missing_line = not style.plain and i == 3
      if not is_missing_line or has_missing then
         local line = table.concat(cells, "  ", style.plain and 2 or 1)
         out[#out + 1] = line:gsub("%s+$", "")
      end
   end
end

local function shown_rows(f, style)
   local rows, n = {}, base.rows(f)
   local count = n <= 2 * style.rows and n or style.rows
   for i = 1, count do rows[i] = i end
   return rows, n - count
end

local function any_missing(f)
   for _, column in ipairs(f.columns) do
      if core_frame.count_missing(column) > 0 then return true end
   end
   return false
end

-- As many columns as fit, at least one, beginning with `from`. Returns the blocks, the next column, the width used and
-- the number of columns that were cut.
local function fit_columns(f, from, numbers, number_width, rows, style)
   local blocks, used, j = { numbers }, number_width, from
   if style.plain and from > 1 then -- repeat the first column, which labels the rows
      local texts, width = lines_of(f, 1, rows, style, style.width // 2)
      blocks[2], used = texts, used + 2 + width
   end
   local shortened = 0
   while j <= #f.names do
      local texts, width, is_cut = lines_of(f, j, rows, style, style.width - number_width - 2)
      if j > from and used + 2 + width > style.width then break end
      blocks[#blocks + 1], used, j = texts, used + 2 + width, j + 1
      shortened = shortened + (is_cut and 1 or 0)
   end
   return blocks, j, used, shortened
end

-- The first block of columns. If all columns fit, the rest of the screen is divided among those that were cut.
local function fit_first_block(f, numbers, number_width, rows, style)
   style.widest = MAX_LABEL_WIDTH
   local blocks, j, used, shortened = fit_columns(f, 1, numbers, number_width, rows, style)
   if j > #f.names and shortened > 0 and used < style.width then
      style.widest = MAX_LABEL_WIDTH + (style.width - used) // shortened
      blocks, j = fit_columns(f, 1, numbers, number_width, rows, style)
   end
   return blocks, j
end

local function render(f, style)
   local out = {}
   local rows, more = shown_rows(f, style)
   local has_missing = not style.plain and any_missing(f)
   if not style.plain then
      out[1] = ("Frame: %s, %s"):format(plural(base.rows(f), "row"), plural(#f.names, "column"))
   end
   if #f.names == 0 then return out[1] or "" end
   local numbers, number_width = row_numbers(rows, style)
   local blocks, j = fit_first_block(f, numbers, number_width, rows, style)
   join(out, blocks, has_missing, style)
   while style.wrap and j <= #f.names do
      blocks, j = fit_columns(f, j, numbers, number_width, rows, style)
      out[#out + 1] = ""
      join(out, blocks, has_missing, style)
   end
   if more > 0 then out[#out + 1] = ("... %s"):format(plural(more, "more row")) end
   if j <= #f.names then
      local left = table.move(f.names, j, math.min(#f.names, j + 9), 1, {})
      if #f.names > j + 9 then left[#left + 1] = "..." end
      wrap(("... %s:"):format(plural(#f.names - j + 1, "more column")), left, style.width, out)
   end
   return table.concat(out, "\n")
end

local function check_whole(options, name, min)
   local value = options[name]
   if value ~= nil and not (math.type(value) == "integer" and value >= min) then
      error(("format: %s must be a whole number >= %d, got %s"):format(name, min, tostring(value)), 3)
   end
   return value
end

local methods = {}

--- The frame as text. options: width (default: that of the screen), rows (default 10; up to twice as many if these are
-- all rows), digits (default 6), wrap (true: print columns that do not fit below; false: only list their names).
function methods.format(f, options)
   local style = rawget(f, base.STYLE) or {}
   options = base.check_options("format", 2, options, { "width", "rows", "digits", "wrap" })
   return render(f, {
      width = check_whole(options, "width", 20) or core.screen(),
      rows = check_whole(options, "rows", 1) or style.rows or 10,
      digits = check_whole(options, "digits", 1) or style.digits or 6,
      wrap = options.wrap == nil and style.wrap or options.wrap,
      plain = style.plain,
      unnumbered = style.plain,
   })
end

return methods
