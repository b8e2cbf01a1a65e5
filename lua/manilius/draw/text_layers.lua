--- Draws layers as text on a canvas.

local gnuplot_layers = require "manilius.draw.gnuplot_layers"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}

local RAMP, ASCII_RAMP = { "░", "▒", "▓", "█" }, { ".", ":", "-", "=", "+", "*", "#", "%", "@" }
local FILLS, ASCII_FILLS = { "█", "▒", "░", "▓" }, { "#", "=", "+", ":", "%" }
local REGIONS, ASCII_REGIONS = { "·", "░", "-", "+", "▒", "=", "~", "▓" }, { ".", ":", "-", "+", "=", "~", "%", "&" }
local EIGHTHS = { "▁", "▂", "▃", "▄", "▅", "▆", "▇" }
local LEFT_EIGHTHS = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

-- Element `i` of a list that repeats cyclically.
local function cyclic(list, i)
   return list[(i - 1) % #list + 1]
end

--- The symbol of a series.
function M.symbol(layer, ascii)
   local series = layer.series and theme.series_of(layer.series)
   if not series then return ascii and "." or "•" end
   return ascii and series.ascii or series.symbol
end

--- The fill character of the areas of a layer.
function M.fill(layer, ascii)
   if layer.kind == "band" then return ascii and ":" or "░" end
   return cyclic(ascii and ASCII_FILLS or FILLS, layer.series or 1)
end

--- The fill character of a class.
function M.region(code, ascii)
   return cyclic(ascii and ASCII_REGIONS or REGIONS, code)
end

--- Characters by increasing density.
function M.ramp(ascii)
   return ascii and ASCII_RAMP or RAMP
end

-- --- positions ---

local View = {}
View.__index = View

-- The position between the ends of an axis, from 0 to 1; nan stays nan.
local function share(v, low, high, log)
   if log then v, low, high = math.log(math.max(v, 1e-320)), math.log(low), math.log(high) end
   return (v - low) / (high - low)
end

local function clamp(v)
   return math.max(-1e6, math.min(1e6, v))
end

--- The cell of a position from 0 to 1 along `n` cells; below 1 or above n when it is outside.
function M.cell(s, n)
   local at = math.floor(clamp(s * n) + 1e-9) + 1
   return at == n + 1 and s < 1 + 1e-9 and n or at
end

--- The position of a value in dots from the left or the top, with fractions.
function View:x(v)
   local p = self.panel
   return clamp(share(v, p.x_low, p.x_high, p.x_log) * self.canvas.dot_columns - 0.5)
end

function View:y(v)
   local p = self.panel
   return clamp((1 - share(v, p.y_low, p.y_high, p.y_log)) * self.canvas.dot_rows - 0.5)
end

--- The cell of a value, from 1, also outside of the canvas; nil for nan.
function View:column(v)
   local p = self.panel
   local s = share(v, p.x_low, p.x_high, p.x_log)
   if s ~= s then return nil end
   return M.cell(s, self.canvas.columns)
end

function View:row(v)
   local p = self.panel
   local s = 1 - share(v, p.y_low, p.y_high, p.y_log)
   if s ~= s then return nil end
   return M.cell(s, self.canvas.rows)
end

local draw = {}

-- Braille dots are used for a single series of many points; several series need different symbols.
local function use_dots(view, layer)
   return not view.canvas.ascii and view.point_layers == 1 and #layer.x > 60
end

-- Write a label next to a cell where the cells are free; false without free cells.
local function write_label(canvas, column, row, label, prefer_left)
   local width = text.width(label)
   for _, offset in ipairs { 0, -1, 1 } do
      for side = 1, 2 do
         local at = (side == 1) == not prefer_left and column + 1 or column - width
         if canvas:is_free(at, row + offset, width) then
            canvas:write(at, row + offset, label)
            return true
         end
      end
   end
   return false
end

function draw.points(view, layer)
   local canvas, symbol, dots = view.canvas, M.symbol(layer, view.canvas.ascii), use_dots(view, layer)
   for i, x in ipairs(layer.x) do
      local y = layer.y[i]
      local color = layer.color
      if layer.value then -- a digit from 1 to 9
         local s = (layer.value[i] - layer.low) / (layer.high - layer.low)
         color, symbol = theme.shade(layer.palette, s), tostring(1 + math.max(0, math.min(8, s * 9 // 1 | 0)))
      end
      if dots and not layer.value then
         canvas:dot(math.floor(view:x(x) + 0.5), math.floor(view:y(y) + 0.5), color)
      else
         canvas:put(view:column(x), view:row(y), symbol, color)
      end
   end
   for i, label in ipairs(layer.labels or {}) do
      write_label(canvas, view:column(layer.x[i]), view:row(layer.y[i]), text.truncate(text.plain(label), 20))
   end
end

-- Draw a line through the points of two lists, interrupted at nan.
local function draw_path(view, xs, ys, layer, gap)
   local symbol = view.line_layers > 1 and M.symbol(layer, true) or nil
   local px, py
   for i, x in ipairs(xs) do
      local y = ys[i]
      if x == x and y == y then
         local cx, cy = view:x(x), view:y(y)
         if px and layer.steps then
            view.canvas:line(px, py, cx, py, layer.color, symbol, gap)
            px = cx
         end
         view.canvas:line(px or cx, py or cy, cx, cy, layer.color, symbol, gap)
         px, py = cx, cy
      else
         px, py = nil, nil
      end
   end
end

-- Draw symbols on a line, to distinguish it from others.
local function draw_symbols(view, layer)
   local canvas = view.canvas
   local step = math.max(4, canvas.columns // 8)
   local symbol, offset = M.symbol(layer, canvas.ascii), (layer.series or 1) * 3
   local next_column
   for i, x in ipairs(layer.x) do
      local column, row = view:column(x), view:row(layer.y[i])
      if column and row then
         next_column = next_column or column + offset % step
         if column >= next_column or i == #layer.x then
            canvas:put(column, row, symbol, layer.color)
            next_column = column + step
         end
      end
   end
end

function draw.line(view, layer)
   draw_path(view, layer.x, layer.y, layer)
   if view.line_layers > 1 or layer.markers then draw_symbols(view, layer) end
end

function draw.band(view, layer)
   local canvas, symbol = view.canvas, M.fill(layer, view.canvas.ascii)
   local n = #layer.x
   for i = 1, math.max(1, n - 1) do
      local j = math.min(i + 1, n)
      local from, to = view:column(layer.x[i]), view:column(layer.x[j])
      if from and to and layer.low[i] == layer.low[i] and layer.low[j] == layer.low[j] then
         if from > to then from, to = to, from end
         for column = math.max(1, from), math.min(canvas.columns, to) do
            local s = to > from and (column - from) / (to - from) or 0
            local low = layer.low[i] + (layer.low[j] - layer.low[i]) * s
            local high = layer.high[i] + (layer.high[j] - layer.high[i]) * s
            local top, bottom = view:row(high), view:row(low)
            if top > bottom then top, bottom = bottom, top end
            -- a band of height 0 is not filled
            for row = math.max(1, top), math.min(canvas.rows, high ~= low and bottom or top - 1) do
               canvas:fill(column, row, symbol, layer.color)
            end
         end
      end
   end
end

-- --- bars ---

-- The character of a partly covered cell. Only full blocks have characters for eighths, and only in one direction.
local function partial(symbol, eighth, eighths)
   if eighth >= 8 then return symbol end
   if eighths and symbol == "█" then return eighths[eighth] or " " end
   return eighth >= 4 and symbol or " "
end

-- Draw a vertical bar from `base` to `value` between two columns, with a precision of 1/8 cell.
local function vertical_bar(view, layer, from, to, base, value)
   local canvas = view.canvas
   local symbol = M.fill(layer, canvas.ascii)
   local dots = canvas.ascii and 1 or 4
   local top, bottom = (view:y(value) + 0.5) / dots, (view:y(base) + 0.5) / dots
   local down = top > bottom
   if down then top, bottom = bottom, top end
   for row = math.max(1, math.floor(top) + 1), math.min(canvas.rows, math.ceil(bottom)) do
      local part = math.min(1, math.min(row, bottom) - math.max(row - 1, top))
      local eighth = math.floor(part * 8 + 0.5)
      local at_end = part < 1 and not down and row - 1 < top
      local one = partial(symbol, eighth, at_end and EIGHTHS)
      if one ~= " " then
         for column = from, to do canvas:fill(column, row, one, layer.color) end
      end
   end
end

-- The same for a horizontal bar between two rows.
local function horizontal_bar(view, layer, from, to, base, value)
   local canvas = view.canvas
   local symbol = M.fill(layer, canvas.ascii)
   local dots = canvas.ascii and 1 or 2
   local left, right = (view:x(base) + 0.5) / dots, (view:x(value) + 0.5) / dots
   local back = left > right
   if back then left, right = right, left end
   for column = math.max(1, math.floor(left) + 1), math.min(canvas.columns, math.ceil(right)) do
      local part = math.min(1, math.min(column, right) - math.max(column - 1, left))
      local eighth = math.floor(part * 8 + 0.5)
      local at_end = part < 1 and not back and column > right
      local one = partial(symbol, eighth, at_end and LEFT_EIGHTHS)
      if one ~= " " then
         for row = from, to do canvas:fill(column, row, one, layer.color) end
      end
   end
end

-- The first and last cell between two positions along an axis; the last cell is left to the next bar if there are
-- several.
local function span(a, b, at)
   local from, to = at(a), at(b)
   if from > to then from, to = to, from end
   if to > from + 1 then to = to - 1 end
   return from, to
end

local function whisker(view, layer, i)
   local canvas = view.canvas
   local symbols = canvas.ascii and { "|", "+", "-", "+" } or { "│", "┼", "─", "┼" }
   if layer.horizontal then
      local row, from, to = view:row(layer.x[i]), view:column(layer.low[i]), view:column(layer.high[i])
      for column = math.max(1, from), math.min(canvas.columns, to) do canvas:put(column, row, symbols[3]) end
      canvas:put(from, row, canvas.ascii and "|" or "├")
      canvas:put(to, row, canvas.ascii and "|" or "┤")
   else
      local column, from, to = view:column(layer.x[i]), view:row(layer.high[i]), view:row(layer.low[i])
      for row = math.max(1, from), math.min(canvas.rows, to) do canvas:put(column, row, symbols[1]) end
      canvas:put(column, from, canvas.ascii and "-" or "┬")
      canvas:put(column, to, canvas.ascii and "-" or "┴")
   end
end

-- Overlapping bars are drawn by their outlines.
local function draw_outline(view, layer)
   local xs, ys = {}, {}
   for i, x in ipairs(layer.x) do
      local half = layer.width[i] / 2
      for _, point in ipairs { { x - half, layer.y[i] }, { x + half, layer.y[i] } } do
         xs[#xs + 1], ys[#ys + 1] = point[1], point[2]
      end
   end
   if #xs == 0 then return end
   table.insert(xs, 1, xs[1])
   table.insert(ys, 1, layer.base)
   xs[#xs + 1], ys[#ys + 1] = xs[#xs], layer.base
   draw_path(view, xs, ys, layer)
   for i, x in ipairs(layer.x) do
      if layer.y[i] ~= layer.base then
         view.canvas:put(view:column(x), view:row(layer.y[i]), M.symbol(layer, view.canvas.ascii), layer.color)
      end
   end
end

function M.is_outline(layer)
   return layer.kind == "bars" and layer.opacity and layer.opacity < 0.6 and not layer.horizontal
end

function draw.bars(view, layer)
   if M.is_outline(layer) then return draw_outline(view, layer) end
   local along = layer.horizontal and "x" or "y"
   local low = math.min(view.panel[along .. "_low"], view.panel[along .. "_high"])
   local base = view.panel[along .. "_log"] and math.max(layer.base, low) or layer.base
   for i, x in ipairs(layer.x) do
      local half = layer.width[i] / 2
      if layer.horizontal then
         local from, to = span(x - half, x + half, function(v) return view:row(v) end)
         horizontal_bar(view, layer, from, to, base, layer.y[i])
      else
         local from, to = span(x - half, x + half, function(v) return view:column(v) end)
         vertical_bar(view, layer, from, to, base, layer.y[i])
      end
      if layer.low then whisker(view, layer, i) end
   end
   if layer.labels then require "manilius.draw.bar_labels".text(view, layer) end
end

local BOX = { vertical = "│", horizontal = "─", thick_horizontal = "━", thick_vertical = "┃" }
local ASCII_BOX = { vertical = "|", horizontal = "-", thick_horizontal = "=", thick_vertical = "#" }

-- The symbols of a box: along the values, across them, and the median.
local function box_symbols(layer, ascii)
   local s = ascii and ASCII_BOX or BOX
   if layer.horizontal then return s.horizontal, s.vertical, s.thick_vertical end
   return s.vertical, s.horizontal, s.thick_horizontal
end

function draw.box(view, layer)
   local canvas, five = view.canvas, layer.quartiles
   -- The cell of a value along the axis of the values.
   local function value_cell(v)
      if layer.horizontal then return view:column(v) end
      return view:row(v)
   end
   local function put(value, other, symbol)
      if layer.horizontal then return canvas:put(value, other, symbol, layer.color) end
      return canvas:put(other, value, symbol, layer.color)
   end
   -- The cell of a position along the other axis.
   local function side_cell(v)
      if layer.horizontal then return view:row(v) end
      return view:column(v)
   end
   local middle = side_cell(layer.at)
   for _, v in ipairs(layer.outliers) do put(value_cell(v), middle, "o") end
   if not five then return end
   local half = math.max(layer.horizontal and 0 or 1, math.abs(side_cell(layer.at + layer.width / 2) - middle) - 1)
   if layer.horizontal then half = math.min(half, 2) end
   local along, across, median = box_symbols(layer, canvas.ascii)
   local at = {}
   for i = 1, 5 do at[i] = value_cell(five[i]) end
   for i = math.min(at[1], at[5]), math.max(at[1], at[5]) do put(i, middle, along) end
   for _, ends in ipairs { at[1], at[5] } do
      for k = -(half // 2), half // 2 do put(ends, middle + k, across) end
   end
   for i = math.min(at[2], at[4]), math.max(at[2], at[4]) do
      for k = -half, half do put(i, middle + k, canvas.ascii and ":" or "░") end
   end
   for k = -half, half do put(at[3], middle + k, median) end
end

-- --- segments, rules and texts ---

local HEADS = { "→", "↗", "↑", "↖", "←", "↙", "↓", "↘" }
local ASCII_HEADS = { ">", "/", "^", "\\", "<", "/", "v", "\\" }

function draw.segments(view, layer)
   local canvas = view.canvas
   for i, x1 in ipairs(layer.x1) do
      local ax, ay, bx, by = view:x(x1), view:y(layer.y1[i]), view:x(layer.x2[i]), view:y(layer.y2[i])
      canvas:line(ax, ay, bx, by, layer.color)
      local column, row = view:column(layer.x2[i]), view:row(layer.y2[i])
      if layer.arrow and (ax ~= bx or ay ~= by) then
         local eighth = math.floor(math.atan(ay - by, bx - ax) / (math.pi / 4) + 0.5) % 8
         canvas:put(column, row, (canvas.ascii and ASCII_HEADS or HEADS)[eighth + 1], layer.color)
      end
      local label = layer.labels and text.truncate(text.plain(layer.labels[i]), 20)
      if label and not write_label(canvas, column, row, label, bx < ax) then
         local width = text.width(label)
         column = bx < ax and column - width - 1 or column + 1
         if column + width - 1 > canvas.columns then column = canvas.columns - width + 1 end
         canvas:write(column, row, label)
      end
   end
end

function draw.rule(view, layer)
   local xs, ys = {}, {}
   for i, point in ipairs(gnuplot_layers.rule_points(view.panel, layer)) do xs[i], ys[i] = point[1], point[2] end
   if not (layer.at_x or layer.at_y) then xs, ys = { xs[1], xs[101], xs[201] }, { ys[1], ys[101], ys[201] } end
   draw_path(view, xs, ys, { color = layer.color }, view.canvas.ascii and 1 or 2)
end

function draw.text(view, layer)
   for i, x in ipairs(layer.x) do
      local label = text.lines(layer.text[i])[1]
      local column = view:column(x) - text.width(label) // 2
      view.canvas:write(math.max(1, column), view:row(layer.y[i]), label, layer.color)
   end
end

--- The letter of a contour level.
function M.level_symbol(i)
   return ("abcdefghijklmnopqrstuvwxyz"):sub((i - 1) % 26 + 1, (i - 1) % 26 + 1)
end

require "manilius.draw.text_grids"(draw, { share = share, clamp = clamp, draw_path = draw_path, layers = M })
require "manilius.draw.rectangles".add_text(draw)

--- Draw the layers of a panel on a canvas.
function M.draw_panel(canvas, panel)
   local view = setmetatable({ canvas = canvas, panel = panel, point_layers = 0, line_layers = 0 }, View)
   for _, layer in ipairs(panel.layers) do
      if layer.kind == "points" then view.point_layers = view.point_layers + 1 end
      if layer.kind == "line" or M.is_outline(layer) then view.line_layers = view.line_layers + 1 end
   end
   for _, layer in ipairs(panel.layers) do draw[layer.kind](view, layer) end
   if panel.empty then canvas:write(math.max(1, (canvas.columns - 7) // 2), (canvas.rows + 1) // 2, "no data") end
   return view
end

return M
