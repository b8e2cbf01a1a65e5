--- A canvas of character cells. Each cell has a fill, braille dots (2 x 4 per cell) or a symbol; a symbol hides the
-- dots, and dots hide the fill.

local theme = require "manilius.draw.theme"
local text = require "manilius.draw.text"

local Canvas = {}
Canvas.__index = Canvas

-- Bits of a braille character by column and row of the dot.
local BITS = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } }
local CONTINUATION = "" -- the right half of a symbol that is two cells wide

--- A canvas of columns x rows; row 1 is the top.
local function new(columns, rows, ascii)
   return setmetatable({ columns = columns, rows = rows, ascii = ascii,
      symbols = {}, bits = {}, fills = {}, colors = {}, dot_columns = ascii and columns or columns * 2,
      dot_rows = ascii and rows or rows * 4 }, Canvas)
end

-- The index of a cell; nil outside the canvas.
function Canvas:index(column, row)
   if column < 1 or row < 1 or column > self.columns or row > self.rows then return nil end
   return (row - 1) * self.columns + column
end

--- Put a symbol into a cell.
function Canvas:put(column, row, symbol, color)
   local at = self:index(column, row)
   if not at then return end
   self.symbols[at], self.colors[at] = symbol, color
end

--- Fill the background of a cell.
function Canvas:fill(column, row, symbol, color)
   local at = self:index(column, row)
   if not at then return end
   self.fills[at] = symbol
   if not self.symbols[at] and not self.bits[at] then self.colors[at] = color end
end

--- Draw a dot; (0, 0) is the top left. In ASCII a dot is a cell with `symbol`.
function Canvas:dot(x, y, color, symbol)
   if x < 0 or y < 0 or x >= self.dot_columns or y >= self.dot_rows then return end
   if self.ascii then
      local at = self:index(x + 1, y + 1)
      if not self.symbols[at] then self:put(x + 1, y + 1, symbol or ".", color) end
      return
   end
   local at = (y // 4) * self.columns + x // 2 + 1
   self.bits[at] = (self.bits[at] or 0) | BITS[x % 2 + 1][y % 4 + 1]
   self.colors[at] = color
end

-- The part of a line inside the canvas (Liang-Barsky algorithm); nil when it is outside.
local function clip_line(x1, y1, x2, y2, width, height)
   local from, to, dx, dy = 0, 1, x2 - x1, y2 - y1
   for _, side in ipairs { { -dx, x1 }, { dx, width - 1 - x1 }, { -dy, y1 }, { dy, height - 1 - y1 } } do
      local p, q = side[1], side[2]
      if p == 0 then
         if q < 0 then return nil end
      elseif p < 0 then
         from = math.max(from, q / p)
      else
         to = math.min(to, q / p)
      end
   end
   if from > to then return nil end
   return x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy
end

--- Draw a line between two positions in dots. With `gap`, that many dots alternate with gaps of the same length.
function Canvas:line(x1, y1, x2, y2, color, symbol, gap)
   x1, y1, x2, y2 = clip_line(x1, y1, x2, y2, self.dot_columns, self.dot_rows)
   if not x1 or x1 ~= x1 or y1 ~= y1 then return end
   local steps = math.max(1, math.ceil(math.max(math.abs(x2 - x1), math.abs(y2 - y1))))
   for i = 0, steps do
      if not gap or i % (2 * gap) < gap then
         local share = i / steps
         self:dot(math.floor(x1 + (x2 - x1) * share + 0.5), math.floor(y1 + (y2 - y1) * share + 0.5), color, symbol)
      end
   end
end

--- Write a text that begins at a cell; it is truncated at the edge.
function Canvas:write(column, row, value, color)
   column = math.max(1, column)
   value = text.truncate(value, self.columns - column + 1, self.ascii and "." or "…")
   for _, code in utf8.codes(value) do
      local symbol = utf8.char(code)
      local width = text.width(symbol)
      if width > 0 then
         self:put(column, row, symbol, color)
         if width == 2 then self:put(column + 1, row, CONTINUATION, color) end
         column = column + width
      end
   end
end

--- Are these cells without symbols?
function Canvas:is_free(column, row, width)
   for c = column, column + width - 1 do
      local at = self:index(c, row)
      if not at or self.symbols[at] then return false end
   end
   return true
end

-- The escape sequence of the nearest color in the 6 x 6 x 6 color cube of terminals.
local function escape(color)
   local out = {}
   for i = 2, 6, 2 do
      local v = tonumber(color:sub(i, i + 1), 16)
      out[#out + 1] = v < 48 and 0 or v < 115 and 1 or (v - 35) // 40
   end
   return ("\27[38;5;%dm"):format(16 + 36 * out[1] + 6 * out[2] + out[3])
end
Canvas.escape = escape

--- The rows as strings, with escape sequences for colors if `colored`.
function Canvas:lines(colored)
   local out = {}
   for row = 1, self.rows do
      local cells, current = {}, nil
      for column = 1, self.columns do
         local at = (row - 1) * self.columns + column
         local symbol = self.symbols[at] or self.bits[at] and utf8.char(0x2800 + self.bits[at]) or self.fills[at] or " "
         local color = colored and symbol ~= " " and self.colors[at] or nil
         if color ~= current then
            cells[#cells + 1] = color and escape(theme.color(color)) or "\27[0m"
            current = color
         end
         cells[#cells + 1] = symbol
      end
      if current then cells[#cells + 1] = "\27[0m" end
      out[row] = table.concat(cells)
   end
   return out
end

return { new = new, escape = escape }
