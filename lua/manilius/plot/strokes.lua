--- Layers on a canvas of text.
-- @module manilius.plot.strokes

local marks = require "manilius.plot.marks"
local text = require "manilius.plot.text"
local theme = require "manilius.plot.theme"

local M = {}

local RAMP, ASCII_RAMP = { "░", "▒", "▓", "█" }, { ".", ":", "-", "=", "+", "*", "#", "%", "@" }
local FILLS, ASCII_FILLS = { "█", "▒", "░", "▓" }, { "#", "=", "+", ":", "%" }
local REGIONS, ASCII_REGIONS = { "·", "░", "-", "+", "▒", "=", "~", "▓" }, { ".", ":", "-", "+", "=", "~", "%", "&" }
local EIGHTHS = { "▁", "▂", "▃", "▄", "▅", "▆", "▇" }
local LEFT_EIGHTHS = { "▏", "▎", "▍", "▌", "▋", "▊", "▉" }

-- Number `i` of a list that begins again behind its end.
local function turn(list, i)
   return list[(i - 1) % #list + 1]
end

--- The sign of a series.
function M.sign(layer, ascii)
   local series = layer.series and theme.series_of(layer.series)
   if not series then return ascii and "." or "•" end
   return ascii and series.ascii or series.sign
end

--- What an area of that layer is filled with.
function M.filling(layer, ascii)
   if layer.kind == "band" then return ascii and ":" or "░" end
   return turn(ascii and ASCII_FILLS or FILLS, layer.series or 1)
end

function M.region(code, ascii)
   return turn(ascii and ASCII_REGIONS or REGIONS, code)
end

function M.ramp(ascii)
   return ascii and ASCII_RAMP or RAMP
end

-- --- where things are ---

local Sheet = {}
Sheet.__index = Sheet

-- Share of the way from the low to the high end of an axis; nan stays nan.
local function share(v, low, high, log)
   if log then v, low, high = math.log(math.max(v, 1e-320)), math.log(low), math.log(high) end
   return (v - low) / (high - low)
end

local function bounded(v)
   return math.max(-1e6, math.min(1e6, v))
end

--- The cell of a share of the way along `n` cells; below 1 or above n when it is outside.
function M.cell(s, n)
   local at = math.floor(bounded(s * n) + 1e-9) + 1
   return at == n + 1 and s < 1 + 1e-9 and n or at
end

--- In dots from the left and from the top, with fractions.
function Sheet:x(v)
   local p = self.panel
   return bounded(share(v, p.x_low, p.x_high, p.x_log) * self.canvas.wide - 0.5)
end

function Sheet:y(v)
   local p = self.panel
   return bounded((1 - share(v, p.y_low, p.y_high, p.y_log)) * self.canvas.high - 0.5)
end

--- The cell (1 is the first), also outside; nil for nan.
function Sheet:column(v)
   local p = self.panel
   local s = share(v, p.x_low, p.x_high, p.x_log)
   if s ~= s then return nil end
   return M.cell(s, self.canvas.columns)
end

function Sheet:row(v)
   local p = self.panel
   local s = 1 - share(v, p.y_low, p.y_high, p.y_log)
   if s ~= s then return nil end
   return M.cell(s, self.canvas.rows)
end

-- --- points and lines ---

local draw = {}

-- Fine dots are for one series of many points; several series need signs to be told apart.
local function fine(sheet, layer)
   return not sheet.canvas.ascii and sheet.point_layers == 1 and #layer.x > 60
end

-- Write a label beside a cell, where nothing stands yet; false when there is no such place.
local function write_beside(canvas, column, row, words, to_the_left)
   local width = text.width(words)
   for _, lines in ipairs { 0, -1, 1 } do
      for side = 1, 2 do
         local at = (side == 1) == not to_the_left and column + 1 or column - width
         if canvas:free(at, row + lines, width) then
            canvas:write(at, row + lines, words)
            return true
         end
      end
   end
   return false
end

function draw.points(sheet, layer)
   local canvas, sign, dots = sheet.canvas, M.sign(layer, sheet.canvas.ascii), fine(sheet, layer)
   for i, x in ipairs(layer.x) do
      local y = layer.y[i]
      local color = layer.color
      if layer.value then -- a digit for its size
         local s = (layer.value[i] - layer.low) / (layer.high - layer.low)
         color, sign = theme.shade(layer.palette, s), tostring(1 + math.max(0, math.min(8, s * 9 // 1 | 0)))
      end
      if dots and not layer.value then
         canvas:dot(math.floor(sheet:x(x) + 0.5), math.floor(sheet:y(y) + 0.5), color)
      else
         canvas:put(sheet:column(x), sheet:row(y), sign, color)
      end
   end
   for i, label in ipairs(layer.labels or {}) do
      write_beside(canvas, sheet:column(layer.x[i]), sheet:row(layer.y[i]), text.cut(text.plain(label), 20))
   end
end

-- Line through the points of two lists, broken at nan.
local function path(sheet, xs, ys, layer, gap)
   local sign = sheet.line_layers > 1 and M.sign(layer, true) or nil
   local px, py
   for i, x in ipairs(xs) do
      local y = ys[i]
      if x == x and y == y then
         local cx, cy = sheet:x(x), sheet:y(y)
         if px and layer.steps then
            sheet.canvas:line(px, py, cx, py, layer.color, sign, gap)
            px = cx
         end
         sheet.canvas:line(px or cx, py or cy, cx, cy, layer.color, sign, gap)
         px, py = cx, cy
      else
         px, py = nil, nil
      end
   end
end

-- Signs on a line, so that it can be told from others.
local function sign_line(sheet, layer)
   local canvas = sheet.canvas
   local every = math.max(4, canvas.columns // 8)
   local sign, offset = M.sign(layer, canvas.ascii), (layer.series or 1) * 3
   local next_column
   for i, x in ipairs(layer.x) do
      local column, row = sheet:column(x), sheet:row(layer.y[i])
      if column and row then
         next_column = next_column or column + offset % every
         if column >= next_column or i == #layer.x then
            canvas:put(column, row, sign, layer.color)
            next_column = column + every
         end
      end
   end
end

function draw.line(sheet, layer)
   path(sheet, layer.x, layer.y, layer)
   if sheet.line_layers > 1 or layer.markers then sign_line(sheet, layer) end
end

function draw.band(sheet, layer)
   local canvas, sign = sheet.canvas, M.filling(layer, sheet.canvas.ascii)
   local n = #layer.x
   for i = 1, math.max(1, n - 1) do
      local j = math.min(i + 1, n)
      local from, to = sheet:column(layer.x[i]), sheet:column(layer.x[j])
      if from and to and layer.low[i] == layer.low[i] and layer.low[j] == layer.low[j] then
         if from > to then from, to = to, from end
         for column = math.max(1, from), math.min(canvas.columns, to) do
            local s = to > from and (column - from) / (to - from) or 0
            local low = layer.low[i] + (layer.low[j] - layer.low[i]) * s
            local high = layer.high[i] + (layer.high[j] - layer.high[i]) * s
            local top, bottom = sheet:row(high), sheet:row(low)
            if top > bottom then top, bottom = bottom, top end
            -- a band without height has nothing to fill
            for row = math.max(1, top), math.min(canvas.rows, high ~= low and bottom or top - 1) do
               canvas:fill(column, row, sign, layer.color)
            end
         end
      end
   end
end

-- --- bars ---

-- What a cell shows of which so many eighths are covered; only full blocks have signs for eighths, and only one way.
local function partial(sign, eighth, eighths)
   if eighth >= 8 then return sign end
   if eighths and sign == "█" then return eighths[eighth] or " " end
   return eighth >= 4 and sign or " "
end

-- A bar that is as exact as eighths of a cell: from `base` to `value`, between columns.
local function upright(sheet, layer, from, to, base, value)
   local canvas = sheet.canvas
   local sign = M.filling(layer, canvas.ascii)
   local high = canvas.ascii and 1 or 4
   local top, bottom = (sheet:y(value) + 0.5) / high, (sheet:y(base) + 0.5) / high
   local down = top > bottom
   if down then top, bottom = bottom, top end
   for row = math.max(1, math.floor(top) + 1), math.min(canvas.rows, math.ceil(bottom)) do
      local part = math.min(1, math.min(row, bottom) - math.max(row - 1, top))
      local eighth = math.floor(part * 8 + 0.5)
      local at_end = part < 1 and not down and row - 1 < top
      local one = partial(sign, eighth, at_end and EIGHTHS)
      if one ~= " " then
         for column = from, to do canvas:fill(column, row, one, layer.color) end
      end
   end
end

local function lying(sheet, layer, from, to, base, value)
   local canvas = sheet.canvas
   local sign = M.filling(layer, canvas.ascii)
   local wide = canvas.ascii and 1 or 2
   local left, right = (sheet:x(base) + 0.5) / wide, (sheet:x(value) + 0.5) / wide
   local back = left > right
   if back then left, right = right, left end
   for column = math.max(1, math.floor(left) + 1), math.min(canvas.columns, math.ceil(right)) do
      local part = math.min(1, math.min(column, right) - math.max(column - 1, left))
      local eighth = math.floor(part * 8 + 0.5)
      local at_end = part < 1 and not back and column > right
      local one = partial(sign, eighth, at_end and LEFT_EIGHTHS)
      if one ~= " " then
         for row = from, to do canvas:fill(column, row, one, layer.color) end
      end
   end
end

-- The cells between two places along an axis, at least one; they leave the last to the neighbor.
local function span(a, b, at)
   local from, to = at(a), at(b)
   if from > to then from, to = to, from end
   if to > from + 1 then to = to - 1 end
   return from, to
end

local function whisker(sheet, layer, i)
   local canvas = sheet.canvas
   local signs = canvas.ascii and { "|", "+", "-", "+" } or { "│", "┼", "─", "┼" }
   if layer.horizontal then
      local row, from, to = sheet:row(layer.x[i]), sheet:column(layer.low[i]), sheet:column(layer.high[i])
      for column = math.max(1, from), math.min(canvas.columns, to) do canvas:put(column, row, signs[3]) end
      canvas:put(from, row, canvas.ascii and "|" or "├")
      canvas:put(to, row, canvas.ascii and "|" or "┤")
   else
      local column, from, to = sheet:column(layer.x[i]), sheet:row(layer.high[i]), sheet:row(layer.low[i])
      for row = math.max(1, from), math.min(canvas.rows, to) do canvas:put(column, row, signs[1]) end
      canvas:put(column, from, canvas.ascii and "-" or "┬")
      canvas:put(column, to, canvas.ascii and "-" or "┴")
   end
end

-- Bars one behind another are drawn by their outline, a line of steps.
local function outline(sheet, layer)
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
   path(sheet, xs, ys, layer)
   for i, x in ipairs(layer.x) do
      if layer.y[i] ~= layer.base then
         sheet.canvas:put(sheet:column(x), sheet:row(layer.y[i]), M.sign(layer, sheet.canvas.ascii), layer.color)
      end
   end
end

function M.is_outline(layer)
   return layer.kind == "bars" and layer.opacity and layer.opacity < 0.6 and not layer.horizontal
end

function draw.bars(sheet, layer)
   if M.is_outline(layer) then return outline(sheet, layer) end
   local along = layer.horizontal and "x" or "y"
   local low = math.min(sheet.panel[along .. "_low"], sheet.panel[along .. "_high"])
   local base = sheet.panel[along .. "_log"] and math.max(layer.base, low) or layer.base
   for i, x in ipairs(layer.x) do
      local half = layer.width[i] / 2
      if layer.horizontal then
         local from, to = span(x - half, x + half, function(v) return sheet:row(v) end)
         lying(sheet, layer, from, to, base, layer.y[i])
      else
         local from, to = span(x - half, x + half, function(v) return sheet:column(v) end)
         upright(sheet, layer, from, to, base, layer.y[i])
      end
      if layer.low then whisker(sheet, layer, i) end
   end
end

-- --- boxes ---

local BOX = { line = "│", across = "─", median = "━", middle = "┃" }
local ASCII_BOX = { line = "|", across = "-", median = "=", middle = "H" }

-- Signs of a box by its two directions: `along` the values, `across` them.
local function box_signs(layer, ascii)
   local s = ascii and ASCII_BOX or BOX
   if layer.horizontal then return s.across, s.line, ascii and "#" or s.middle end
   return s.line, s.across, s.median
end

function draw.box(sheet, layer)
   local canvas, five = sheet.canvas, layer.quartiles
   local function value_cell(v)
      if layer.horizontal then return sheet:column(v) end
      return sheet:row(v)
   end
   local function put(value, other, sign)
      if layer.horizontal then return canvas:put(value, other, sign, layer.color) end
      return canvas:put(other, value, sign, layer.color)
   end
   local function side(v)
      if layer.horizontal then return sheet:row(v) end
      return sheet:column(v)
   end
   local middle = side(layer.at)
   for _, v in ipairs(layer.outliers) do put(value_cell(v), middle, "o") end
   if not five then return end
   local half = math.max(layer.horizontal and 0 or 1, math.abs(side(layer.at + layer.width / 2) - middle) - 1)
   if layer.horizontal then half = math.min(half, 2) end
   local along, across, median = box_signs(layer, canvas.ascii)
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

-- --- grids ---

-- Calls paint(column, row, j, i) for each cell of the canvas inside the grid, i and j being row and column of the grid.
local function over_grid(sheet, layer, paint)
   local canvas, p = sheet.canvas, sheet.panel
   local function places(edges, cells, at)
      local out = {}
      for k = 1, #edges - 1 do
         local from, to = at(edges[k]), at(edges[k + 1])
         if from > to then from, to = to, from end
         for c = math.max(1, math.ceil(from + 0.5)), math.min(cells, math.ceil(to + 0.5) - 1) do out[c] = k end
      end
      return out
   end
   local across = places(layer.x_edges, canvas.columns, function(v)
      return bounded(share(v, p.x_low, p.x_high, p.x_log) * canvas.columns)
   end)
   local down = places(layer.y_edges, canvas.rows, function(v)
      return bounded((1 - share(v, p.y_low, p.y_high, p.y_log)) * canvas.rows)
   end)
   for row = 1, canvas.rows do
      for column = 1, canvas.columns do
         if across[column] and down[row] then paint(column, row, across[column], down[row]) end
      end
   end
end

-- Texts of cells, where all of them have room.
local function cell_texts(sheet, layer)
   local canvas, longest = sheet.canvas, 1
   local texts = layer.cell_text
   for _, line in ipairs(texts) do
      for _, one in ipairs(line) do longest = math.max(longest, text.width(text.lines(one)[1])) end
   end
   if longest + 1 > canvas.columns // #layer.x or canvas.rows // #layer.y < 1 then return end
   for i, line in ipairs(texts) do
      for j, one in ipairs(line) do
         local words = text.lines(one)[1]
         local width = text.width(words)
         local room = canvas.columns // #layer.x
         if width + 2 <= room then words, width = " " .. words .. " ", width + 2 end
         if words:find "%S" then
            canvas:write(math.max(1, sheet:column(layer.x[j]) - width // 2), sheet:row(layer.y[i]), words)
         end
      end
   end
end

function draw.heat(sheet, layer)
   local ramp = M.ramp(sheet.canvas.ascii)
   over_grid(sheet, layer, function(column, row, j, i)
      local v = layer.values[i][j]
      if v - v ~= 0 then return end
      local s = math.max(0, math.min(1, (v - layer.low) / (layer.high - layer.low)))
      sheet.canvas:fill(column, row, ramp[math.min(#ramp, math.floor(s * #ramp) + 1)], theme.shade(layer.palette, s))
   end)
   if layer.cell_text and #layer.x > 0 and #layer.y > 0 then cell_texts(sheet, layer) end
end

draw.surface = draw.heat

function draw.regions(sheet, layer)
   over_grid(sheet, layer, function(column, row, j, i)
      local code = layer.values[i][j]
      if code == code and code >= 1 then
         code = math.tointeger(code)
         sheet.canvas:fill(column, row, M.region(code, sheet.canvas.ascii), layer.colors[code])
      end
   end)
end

--- The letter that marks a level.
function M.level_sign(i)
   return ("abcdefghijklmnopqrstuvwxyz"):sub((i - 1) % 26 + 1, (i - 1) % 26 + 1)
end

function draw.contour(sheet, layer)
   for i, curve in ipairs(layer.curves) do
      local color = layer.color or theme.shade(layer.palette, (curve.level - layer.low) / (layer.high - layer.low))
      for _, line in ipairs(curve.lines) do
         path(sheet, line.x, line.y, { color = color })
         local middle = #line.x // 2 + 1
         sheet.canvas:put(sheet:column(line.x[middle]), sheet:row(line.y[middle]), M.level_sign(i), color)
      end
   end
end

-- --- lines across ---

local HEADS = { "→", "↗", "↑", "↖", "←", "↙", "↓", "↘" }
local ASCII_HEADS = { ">", "/", "^", "\\", "<", "/", "v", "\\" }

function draw.segments(sheet, layer)
   local canvas = sheet.canvas
   for i, x1 in ipairs(layer.x1) do
      local ax, ay, bx, by = sheet:x(x1), sheet:y(layer.y1[i]), sheet:x(layer.x2[i]), sheet:y(layer.y2[i])
      canvas:line(ax, ay, bx, by, layer.color)
      local column, row = sheet:column(layer.x2[i]), sheet:row(layer.y2[i])
      if layer.arrow and (ax ~= bx or ay ~= by) then
         local eighth = math.floor(math.atan(ay - by, bx - ax) / (math.pi / 4) + 0.5) % 8
         canvas:put(column, row, (canvas.ascii and ASCII_HEADS or HEADS)[eighth + 1], layer.color)
      end
      local label = layer.labels and text.cut(text.plain(layer.labels[i]), 20)
      if label and not write_beside(canvas, column, row, label, bx < ax) then
         local width = text.width(label)
         column = bx < ax and column - width - 1 or column + 1
         if column + width - 1 > canvas.columns then column = canvas.columns - width + 1 end
         canvas:write(column, row, label)
      end
   end
end

function draw.rule(sheet, layer)
   local xs, ys = {}, {}
   for i, point in ipairs(marks.rule_points(sheet.panel, layer)) do xs[i], ys[i] = point[1], point[2] end
   if not (layer.at_x or layer.at_y) then xs, ys = { xs[1], xs[101], xs[201] }, { ys[1], ys[101], ys[201] } end
   path(sheet, xs, ys, { color = layer.color }, sheet.canvas.ascii and 1 or 2)
end

function draw.text(sheet, layer)
   for i, x in ipairs(layer.x) do
      local words = text.lines(layer.text[i])[1]
      local column = sheet:column(x) - text.width(words) // 2
      sheet.canvas:write(math.max(1, column), sheet:row(layer.y[i]), words, layer.color)
   end
end

--- Draw the layers of a panel on a canvas.
function M.panel(canvas, panel)
   local sheet = setmetatable({ canvas = canvas, panel = panel, point_layers = 0, line_layers = 0 }, Sheet)
   for _, layer in ipairs(panel.layers) do
      if layer.kind == "points" then sheet.point_layers = sheet.point_layers + 1 end
      if layer.kind == "line" or M.is_outline(layer) then sheet.line_layers = sheet.line_layers + 1 end
   end
   for _, layer in ipairs(panel.layers) do draw[layer.kind](sheet, layer) end
   if panel.empty then canvas:write(math.max(1, (canvas.columns - 7) // 2), (canvas.rows + 1) // 2, "no data") end
   return sheet
end

return M
