--- Layers as plots of gnuplot: a block of numbers each, and the clause that draws it.
-- @module manilius.plot.marks

local text = require "manilius.plot.text"
local theme = require "manilius.plot.theme"

local M = {}

local BIG_HEAT = 10000 -- cells; more are drawn as a bitmap

-- What is collected for one panel.
local Sheet = {}
Sheet.__index = Sheet

-- A block of rows of numbers; gives its name. A row that is false is an empty line.
function Sheet:block(rows)
   local name = self.prefix .. (#self.blocks + 1)
   local lines = { name .. " << EOD" }
   for _, row in ipairs(rows) do
      local cells = {}
      for i, v in ipairs(row or {}) do cells[i] = v == v and self.form:format(v) or "NaN" end
      lines[#lines + 1] = table.concat(cells, " ")
   end
   lines[#lines + 1] = "EOD"
   self.blocks[#self.blocks + 1] = table.concat(lines, "\n")
   return name
end

function Sheet:plot(form, ...)
   self.plots[#self.plots + 1] = form:format(...) .. " notitle"
end

function Sheet:label(value, x, y, more)
   local form = "set label %s at %.15g, %.15g front noenhanced %s"
   self.labels[#self.labels + 1] = form:format(text.gnuplot(value), x, y, more)
end

local function columns(...)
   local lists, out = { ... }, {}
   for i = 1, #lists[1] do
      local row = {}
      for j, list in ipairs(lists) do row[j] = list[i] end
      out[i] = row
   end
   return out
end

-- A color with opacity as gnuplot takes it: the first byte is transparency.
local function color_of(color, opacity)
   if not opacity or opacity >= 1 then return ("rgb '%s'"):format(color) end
   return ("rgb '#%02x%s'"):format(math.floor((1 - opacity) * 255 + 0.5), color:sub(2))
end

local function point_of(layer)
   if math.type(layer.shape) then return theme.series_of(layer.shape).point end
   if layer.shape then return theme.points[layer.shape] end
   return layer.series and theme.series_of(layer.series).point or 7
end

local function line_of(layer, default_dash)
   local dash = layer.dash or default_dash or (layer.series and theme.series_of(layer.series).dash) or "solid"
   local form = theme.dashes[dash]
   return ("lines linecolor %s linewidth %g dashtype %s"):format(color_of(layer.color),
      layer.width or theme.line_width, form)
end

-- Smaller points where there are many.
local function size_of(layer, n)
   if layer.size then return layer.size end
   return n > 5000 and 0.25 or n > 1000 and 0.4 or n > 300 and 0.55 or theme.point_size
end

-- --- labels of points ---

local function share(v, low, high, log)
   if log then v, low, high = math.log(v), math.log(low), math.log(high) end
   return (v - low) / (high - low)
end

local function overlaps(a, b)
   return a[1] < b[3] and b[1] < a[3] and a[2] < b[4] and b[2] < a[4]
end

local function is_free(sheet, box)
   local frame = sheet.parts.box
   if box[1] < frame.left or box[3] > frame.left + frame.width + 12 then return false end
   for _, other in ipairs(sheet.labeled) do
      if overlaps(box, other) then return false end
   end
   return true
end

-- Where a label may stand beside its point: the shares of its width and height that lie left of and above its anchor,
-- the anchor in pixels off the point, and how gnuplot calls it.
local RIGHT, LEFT = { 0, 0.5, 6, 0, "left" }, { 1, 0.5, -6, 0, "right" }
local RIGHT_ABOVE, RIGHT_BELOW = { 0, 1, 5, -3, "left" }, { 0, 0, 5, 3, "left" }
local LEFT_ABOVE, LEFT_BELOW = { 1, 1, -5, -3, "right" }, { 1, 0, -5, 3, "right" }
local ABOVE, BELOW = { 0.5, 1, 0, -7, "center" }, { 0.5, 0, 0, 7, "center" }
local HIGH, LOW = { 0.5, 1, 0, -20, "center" }, { 0.5, 0, 0, 20, "center" }

local BESIDE = { RIGHT, LEFT, ABOVE, BELOW, RIGHT_ABOVE, LEFT_ABOVE, RIGHT_BELOW, LEFT_BELOW, HIGH, LOW }
-- Beside the tip of an arrow to the right, or to the left: not where the arrow comes from.
local BEHIND = { RIGHT, RIGHT_ABOVE, RIGHT_BELOW, ABOVE, BELOW, HIGH, LOW }
local BEFORE = { LEFT, LEFT_ABOVE, LEFT_BELOW, ABOVE, BELOW, HIGH, LOW }

-- In pixels from the top left.
local function pixel(sheet, x, y)
   local panel, frame = sheet.panel, sheet.parts.box
   return frame.left + frame.width * share(x, panel.x_low, panel.x_high, panel.x_log),
      frame.top + frame.height * (1 - share(y, panel.y_low, panel.y_high, panel.y_log))
end

-- A label at the first of the sides of its point where no other label is; where there is none it is left out, but
-- for one that `must` be there: that one also stands on a light ground, for it may lie over points.
local function place_label(sheet, label, x, y, sides, must)
   label = text.cut(text.plain(label), 30)
   if label == "" then return end
   local size, px, py = theme.font_size - 2, pixel(sheet, x, y)
   local width, height = text.width(label) * 0.6 * size, size * 1.1
   for k, side in ipairs(sides) do
      local left, top = px + side[3] - side[1] * width, py + side[4] - side[2] * height
      local box = { left, top, left + width, top + height }
      if is_free(sheet, box) or (must and k == #sides) then
         table.insert(sheet.labeled, box)
         local frame = sheet.parts.box -- in its shares, for what gnuplot calls a letter differs with the format
         sheet:label(label, x, y, ("%s offset graph %.5f, graph %.5f font '%s,%.4g'%s"):format(side[5],
            side[3] / frame.width, (-side[4] + (side[2] - 0.5) * height) / frame.height, theme.font, size,
            must and " boxed" or ""))
         return
      end
   end
end

local FEW = 500

-- Labels of the points of a layer, which stand clear of few points and of each other.
local function place_labels(sheet, layer)
   if #layer.x <= FEW then
      for i, x in ipairs(layer.x) do
         local px, py = pixel(sheet, x, layer.y[i])
         table.insert(sheet.labeled, { px - 3, py - 3, px + 3, py + 3 })
      end
   end
   for i, one in ipairs(layer.labels) do place_label(sheet, one, layer.x[i], layer.y[i], BESIDE) end
end

-- Separate strokes { x1, y1, x2, y2 }. (The cairo terminals give a line of two points a spike at its beginning.)
local function draw_strokes(sheet, strokes, color, width)
   local from = {}
   for i, s in ipairs(strokes) do from[i] = { s[1], s[2], s[3] - s[1], s[4] - s[2] } end
   sheet:plot("%s using 1:2:3:4 with vectors nohead linecolor rgb '%s' linewidth %g dashtype solid", sheet:block(from),
      color, width)
end

local draw = {}

function draw.points(sheet, layer)
   local n = #layer.x
   if n == 0 then return end
   local list, using = { layer.x, layer.y }, "1:2"
   if sheet.panel.three_d then list, using = { layer.x, layer.y, layer.z }, "1:2:3" end
   local color = color_of(layer.color, layer.opacity or (n > 1000 and 0.5 or 0.8))
   if layer.value then
      list[#list + 1] = layer.value
      using, color = using .. ":" .. #list, "palette"
   end
   local name = sheet:block(columns(table.unpack(list)))
   sheet:plot("%s using %s with points pointtype %d pointsize %g linecolor %s", name, using,
      point_of(layer), size_of(layer, n), color)
   if layer.labels and not sheet.panel.three_d then place_labels(sheet, layer) end
end

function draw.line(sheet, layer)
   if #layer.x == 0 then return end
   local list = sheet.panel.three_d and { layer.x, layer.y, layer.z } or { layer.x, layer.y }
   local name, style = sheet:block(columns(table.unpack(list))), line_of(layer)
   if layer.steps then style = style:gsub("^lines", "steps") end
   sheet:plot("%s using %s with %s", name, sheet.panel.three_d and "1:2:3" or "1:2", style)
   if layer.markers then
      sheet:plot("%s using 1:2 with points pointtype %d pointsize %g linecolor %s", name, point_of(layer),
         size_of(layer, #layer.x), color_of(layer.color))
   end
end

function draw.band(sheet, layer)
   if #layer.x == 0 then return end
   sheet:plot("%s using 1:2:3 with filledcurves fillcolor %s fillstyle solid noborder",
      sheet:block(columns(layer.x, layer.low, layer.high)), color_of(layer.color, layer.opacity or 0.22))
end

local function filled(sheet, boxes, color, border)
   sheet:plot("%s using 1:2:3:4:5:6 with boxxyerror fillcolor %s fillstyle solid %s linewidth 0.8", sheet:block(boxes),
      color, border)
end

-- A box from corner to corner as a row of a block; gnuplot wants its middle first.
local function corners(x1, x2, y1, y2)
   return { (x1 + x2) / 2, (y1 + y2) / 2, math.min(x1, x2), math.max(x1, x2), math.min(y1, y2), math.max(y1, y2) }
end

local function turned(horizontal, a, b, c, d)
   if horizontal then return corners(c, d, a, b) end
   return corners(a, b, c, d)
end

-- A stroke of an upright layer, turned with it where it lies.
local function laid(layer, s)
   if layer.horizontal then return { s[2], s[1], s[4], s[3] } end
   return s
end

function draw.bars(sheet, layer)
   if #layer.x == 0 then return end
   local boxes, strokes = {}, {}
   local along = layer.horizontal and "x" or "y"
   local low = math.min(sheet.panel[along .. "_low"], sheet.panel[along .. "_high"])
   local base = sheet.panel[along .. "_log"] and math.max(layer.base, low) or layer.base
   for i, x in ipairs(layer.x) do
      local half = layer.width[i] / 2
      boxes[i] = turned(layer.horizontal, x - half, x + half, base, layer.y[i])
      if layer.low then
         local low_end, high_end, q = layer.low[i], layer.high[i], half / 4
         for _, s in ipairs { { x, low_end, x, high_end }, { x - q, low_end, x + q, low_end },
            { x - q, high_end, x + q, high_end } } do
            strokes[#strokes + 1] = laid(layer, s)
         end
      end
   end
   filled(sheet, boxes, color_of(layer.color, layer.opacity or 0.8), ("border linecolor rgb '%s'"):format(layer.color))
   if layer.low then draw_strokes(sheet, strokes, theme.ink, 1.4) end
end

function draw.box(sheet, layer)
   local five = layer.quartiles
   if five then
      local half, at = layer.width / 2, layer.at
      filled(sheet, { turned(layer.horizontal, at - half, at + half, five[2], five[4]) }, color_of(layer.color, 0.35),
         ("border linecolor rgb '%s'"):format(layer.color))
      local q = half / 2
      local strokes = {}
      for i, s in ipairs { { at, five[1], at, five[2] }, { at, five[4], at, five[5] },
         { at - q, five[1], at + q, five[1] }, { at - q, five[5], at + q, five[5] } } do
         strokes[i] = laid(layer, s)
      end
      draw_strokes(sheet, strokes, layer.color, 1.4)
      draw_strokes(sheet, { laid(layer, { at - half, five[3], at + half, five[3] }) }, layer.color, 3)
   end
   if #layer.outliers > 0 then
      local points = {}
      for i, v in ipairs(layer.outliers) do
         points[i] = layer.horizontal and { v, layer.at } or { layer.at, v }
      end
      sheet:plot("%s using 1:2 with points pointtype 6 pointsize 0.6 linecolor rgb '%s'", sheet:block(points),
         layer.color)
   end
end

-- --- grids ---

local function evenly_spaced(edges)
   local step = (edges[#edges] - edges[1]) / (#edges - 1)
   for i = 2, #edges do
      if math.abs(edges[i] - edges[i - 1] - step) > 1e-6 * math.abs(step) then return false end
   end
   return true
end

local function heat_cells(layer)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do
         if v - v == 0 then
            local row = corners(layer.x_edges[j], layer.x_edges[j + 1], layer.y_edges[i], layer.y_edges[i + 1])
            row[7] = math.max(layer.low, math.min(layer.high, v))
            rows[#rows + 1] = row
         end
      end
   end
   return rows
end

local function heat_image(sheet, layer)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do rows[#rows + 1] = { layer.x[j], layer.y[i], v - v == 0 and v or 0 / 0 } end
   end
   sheet:plot("%s using 1:2:3 with image", sheet:block(rows))
end

local function cell_texts(sheet, layer)
   local longest, size = 1, theme.font_size
   for _, line in ipairs(layer.cell_text) do
      for _, one in ipairs(line) do longest = math.max(longest, text.width(text.lines(one)[1])) end
   end
   local box = sheet.parts.box
   local room = math.min(box.width / #layer.x / (0.62 * longest), box.height / #layer.y / 1.3)
   size = math.floor(math.min(size + 1, room))
   if size < 5 then return end
   for i, line in ipairs(layer.cell_text) do
      for j, one in ipairs(line) do
         if one ~= "" then
            local v = layer.values[i][j]
            local color = v - v == 0 and theme.shade(layer.palette, (v - layer.low) / (layer.high - layer.low))
               or theme.background
            sheet:label(one, layer.x[j], layer.y[i], ("center font '%s,%.4g' textcolor rgb '%s'"):format(theme.font,
               size, theme.ink_on(color)))
         end
      end
   end
end

function draw.heat(sheet, layer)
   local panel = sheet.panel
   local n = #layer.x * #layer.y
   if n == 0 then return end
   if n > BIG_HEAT and not panel.x_log and not panel.y_log and evenly_spaced(layer.x_edges)
      and evenly_spaced(layer.y_edges) then
      heat_image(sheet, layer)
   else
      local cells = heat_cells(layer)
      if #cells > 0 then
         sheet:plot("%s using 1:2:3:4:5:6:7 with boxxyerror linewidth 0.4 linecolor palette "
            .. "fillstyle solid border", sheet:block(cells))
      end
   end
   if layer.cell_text then cell_texts(sheet, layer) end
end

function draw.regions(sheet, layer)
   local boxes = {}
   for i, line in ipairs(layer.values) do
      local j = 1
      while j <= #line do -- neighbors of the same class are one box
         local code, from = line[j], j
         while line[j + 1] == code do j = j + 1 end
         if code == code and code >= 1 then
            local index = math.tointeger(code)
            boxes[index] = boxes[index] or {}
            table.insert(boxes[index], corners(layer.x_edges[from], layer.x_edges[j + 1], layer.y_edges[i],
               layer.y_edges[i + 1]))
         end
         j = j + 1
      end
   end
   for code = 1, #layer.colors do
      local color = theme.mix(theme.background, layer.colors[code], 0.3)
      if boxes[code] then
         filled(sheet, boxes[code], ("rgb '%s'"):format(color), ("border linecolor rgb '%s'"):format(color))
      end
   end
end

function draw.contour(sheet, layer)
   for _, curve in ipairs(layer.curves) do
      local rows = {}
      for _, line in ipairs(curve.lines) do
         for i in ipairs(line.x) do rows[#rows + 1] = { line.x[i], line.y[i], curve.level } end
         rows[#rows + 1] = false
      end
      if #rows > 0 then
         sheet:plot("%s using 1:2:3 with lines linewidth %g dashtype solid linecolor %s", sheet:block(rows),
            layer.width or 1.6, layer.color and color_of(layer.color) or "palette")
      end
   end
end

function draw.surface(sheet, layer)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do rows[#rows + 1] = { layer.x[j], layer.y[i], v } end
      rows[#rows + 1] = false
   end
   sheet:plot("%s using 1:2:3 with pm3d", sheet:block(rows))
end

-- --- lines across ---

function draw.segments(sheet, layer)
   if #layer.x1 == 0 then return end
   local rows = {}
   for i, x in ipairs(layer.x1) do rows[i] = { x, layer.y1[i], layer.x2[i] - x, layer.y2[i] - layer.y1[i] } end
   local style = line_of(layer, "solid"):gsub("^lines ", "")
   sheet:plot("%s using 1:2:3:4 with vectors %s %s", sheet:block(rows),
      layer.arrow and "filled head size graph 0.015,20" or "nohead", style)
end

-- The labels of segments, which all must be there, find their places before those of points.
local function label_segments(sheet)
   for _, layer in ipairs(sheet.panel.layers) do
      for i, one in ipairs(layer.kind == "segments" and layer.labels or {}) do
         place_label(sheet, one, layer.x2[i], layer.y2[i], layer.x2[i] < layer.x1[i] and BEFORE or BEHIND, true)
      end
   end
end

local function rule_points(panel, layer)
   if layer.at_x then return { { layer.at_x, panel.y_low }, { layer.at_x, panel.y_high } } end
   if layer.at_y then return { { panel.x_low, layer.at_y }, { panel.x_high, layer.at_y } } end
   local rows, steps = {}, 200
   for i = 0, steps do -- many points, for the axes may be logarithmic
      local x = panel.x_log and panel.x_low * (panel.x_high / panel.x_low) ^ (i / steps)
         or panel.x_low + (panel.x_high - panel.x_low) * i / steps
      rows[#rows + 1] = { x, layer.intercept + layer.slope * x }
   end
   return rows
end
M.rule_points = rule_points

function draw.rule(sheet, layer)
   sheet:plot("%s using 1:2 with %s", sheet:block(rule_points(sheet.panel, layer)),
      line_of({ dash = layer.dash or "dashed", width = layer.width or 1.4, color = layer.color }))
end

function draw.text(sheet, layer)
   for i, x in ipairs(layer.x) do
      sheet:label(layer.text[i], x, layer.y[i], ("center textcolor rgb '%s'"):format(layer.color))
   end
end

-- --- the legend ---

-- One entry: the strongest of its marks, drawn with no data.
local function entry(sheet, name, of)
   local title = "title " .. text.gnuplot(name)
   local function add(form, ...) sheet.plots[#sheet.plots + 1] = "NaN with " .. form:format(...) .. " " .. title end
   local point, line, area = of.marks.point, of.marks.line, of.marks.area
   if point and line then
      local style = line_of(line, line.kind == "rule" and "dashed" or nil):gsub("^lines", "linespoints")
      add("%s pointtype %d pointsize %g", style, point_of(point), theme.point_size)
   elseif point then
      add("points pointtype %d pointsize 0.9 linecolor %s", point_of(point), color_of(point.color))
   elseif line then
      if line.markers then
         add("%s pointtype %d", (line_of(line):gsub("^lines", "linespoints")), point_of(line))
      else
         add("%s", (line_of(line, line.kind == "rule" and "dashed" or nil)))
      end
   elseif area then
      local opacity = area.kind == "band" and 0.22 or area.kind == "box" and 0.35 or 0.8
      local color = area.kind == "regions" and color_of(of.color) or color_of(of.color, area.opacity or opacity)
      add("boxes fillcolor %s fillstyle solid border linecolor rgb '%s'", color, of.color)
   end
end

local function legend(sheet)
   for i, name in ipairs(sheet.parts.legend) do entry(sheet, name, sheet.panel.entries[i]) end
   if sheet.parts.legend.more then
      sheet.plots[#sheet.plots + 1] = "NaN with points pointtype 0 linecolor rgb '#ffffff' title "
         .. text.gnuplot(sheet.parts.legend.more)
   end
end

-- Ten digits, or all where the axes span little of what the numbers are.
local function form_of(panel)
   for _, axis in ipairs { "x_", "y_", "z_" } do
      local low, high = panel[axis .. "low"], panel[axis .. "high"]
      if math.abs(high - low) < 1e-5 * math.max(math.abs(low), math.abs(high)) then return "%.17g" end
   end
   return "%.10g"
end

--- What a panel needs: `blocks` of data, `labels`, `plots` (clauses of one plot command).
function M.of_panel(panel, parts, prefix)
   local sheet = { panel = panel, parts = parts, prefix = prefix, blocks = {}, labels = {}, plots = {}, labeled = {} }
   sheet.form = form_of(panel)
   setmetatable(sheet, Sheet)
   label_segments(sheet)
   for _, layer in ipairs(panel.layers) do draw[layer.kind](sheet, layer) end
   legend(sheet)
   if #sheet.plots == 0 then sheet.plots[1] = "NaN notitle" end
   return sheet
end

return M
