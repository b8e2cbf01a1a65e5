--- Draws layers by gnuplot: each becomes a block of numbers and a clause of the plot command.

local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}

local MAX_DASHED = 200 -- longer dashed lines are simplified

-- The parts of the script of one panel.
local Script = {}
Script.__index = Script

-- Add a block of rows of numbers, and return its name. A row that is false becomes an empty line.
function Script:block(rows)
   local name = self.prefix .. (#self.blocks + 1)
   local lines = { name .. " << EOD" }
   for _, row in ipairs(rows) do
      local cells = {}
      for i, v in ipairs(row or {}) do cells[i] = v == v and self.format:format(v) or "NaN" end
      lines[#lines + 1] = table.concat(cells, " ")
   end
   lines[#lines + 1] = "EOD"
   self.blocks[#self.blocks + 1] = table.concat(lines, "\n")
   return name
end

function Script:plot(format, ...)
   self.plots[#self.plots + 1] = format:format(...) .. " notitle"
end

function Script:label(value, x, y, more)
   local format = "set label %s at %.15g, %.15g front noenhanced %s"
   self.labels[#self.labels + 1] = format:format(text.gnuplot(value), x, y, more)
end

-- Lists of equal length as a list of rows.
local function transpose(...)
   local lists, out = { ... }, {}
   for i = 1, #lists[1] do
      local row = {}
      for j, list in ipairs(lists) do row[j] = list[i] end
      out[i] = row
   end
   return out
end

-- A color of gnuplot; its first byte is the transparency.
local function color_of(color, opacity)
   if not opacity or opacity >= 1 then return ("rgb '%s'"):format(color) end
   return ("rgb '#%02x%s'"):format(math.floor((1 - opacity) * 255 + 0.5), color:sub(2))
end

local function point_of(layer)
   if math.type(layer.shape) then return theme.series_of(layer.shape).point end
   if layer.shape then return theme.points[layer.shape] end
   return layer.series and theme.series_of(layer.series).point or 7
end

local function dash_of(layer, default)
   return layer.dash or default or (layer.series and theme.series_of(layer.series).dash) or "solid"
end

local function line_of(layer, default_dash)
   return ("lines linecolor %s linewidth %g dashtype %s"):format(color_of(layer.color),
      layer.width or theme.line_width, theme.dashes[dash_of(layer, default_dash)])
end

-- The size of points: the more points, the smaller.
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

local function is_free(script, box)
   local frame = script.parts.box
   if box[1] < frame.left or box[3] > frame.left + frame.width + 12 then return false end
   for _, other in ipairs(script.labeled) do
      if overlaps(box, other) then return false end
   end
   return true
end

-- Positions of a label relative to its point: the fractions of its width and height to the left of and above its
-- anchor, the offset of the anchor in pixels, and the alignment of gnuplot.
local RIGHT, LEFT = { 0, 0.5, 6, 0, "left" }, { 1, 0.5, -6, 0, "right" }
local RIGHT_ABOVE, RIGHT_BELOW = { 0, 1, 5, -3, "left" }, { 0, 0, 5, 3, "left" }
local LEFT_ABOVE, LEFT_BELOW = { 1, 1, -5, -3, "right" }, { 1, 0, -5, 3, "right" }
local ABOVE, BELOW = { 0.5, 1, 0, -7, "center" }, { 0.5, 0, 0, 7, "center" }
local HIGH, LOW = { 0.5, 1, 0, -20, "center" }, { 0.5, 0, 0, 20, "center" }

local POINT_POSITIONS = { RIGHT, LEFT, ABOVE, BELOW, RIGHT_ABOVE, LEFT_ABOVE, RIGHT_BELOW, LEFT_BELOW, HIGH, LOW }
-- Positions at the tip of an arrow that points right or left, without those on the arrow.
local RIGHT_TIP_POSITIONS = { RIGHT, RIGHT_ABOVE, RIGHT_BELOW, ABOVE, BELOW, HIGH, LOW }
local LEFT_TIP_POSITIONS = { LEFT, LEFT_ABOVE, LEFT_BELOW, ABOVE, BELOW, HIGH, LOW }

-- The position of a point in pixels from the top left.
local function pixel(script, x, y)
   local panel, frame = script.panel, script.parts.box
   return frame.left + frame.width * share(x, panel.x_low, panel.x_high, panel.x_log),
      frame.top + frame.height * (1 - share(y, panel.y_low, panel.y_high, panel.y_log))
end

-- Write a label at the first free position. Without one, the label is omitted, unless it is `required`; required labels
-- have a light background, because they may cover points.
local function place_label(script, label, x, y, positions, required)
   label = text.truncate(text.plain(label), 30)
   if label == "" then return end
   local size, px, py = theme.font_size - 2, pixel(script, x, y)
   local width, height = text.width(label) * 0.6 * size, size * 1.1
   for k, position in ipairs(positions) do
      local left, top = px + position[3] - position[1] * width, py + position[4] - position[2] * height
      local box = { left, top, left + width, top + height }
      if is_free(script, box) or (required and k == #positions) then
         table.insert(script.labeled, box)
         -- The offset is relative to the frame, because the size of gnuplot's character unit depends on the format.
         local frame = script.parts.box
         script:label(label, x, y, ("%s offset graph %.5f, graph %.5f font '%s,%.4g'%s"):format(position[5],
            position[3] / frame.width, (-position[4] + (position[2] - 0.5) * height) / frame.height, theme.font, size,
            required and " boxed" or ""))
         return
      end
   end
end

local MAX_AVOIDED = 500 -- labels avoid the points of layers with at most so many

-- Write the labels of the points of a layer without overlaps.
local function place_labels(script, layer)
   if #layer.x <= MAX_AVOIDED then
      for i, x in ipairs(layer.x) do
         local px, py = pixel(script, x, layer.y[i])
         table.insert(script.labeled, { px - 3, py - 3, px + 3, py + 3 })
      end
   end
   for i, one in ipairs(layer.labels) do place_label(script, one, layer.x[i], layer.y[i], POINT_POSITIONS) end
end

-- Draw line segments { x1, y1, x2, y2 } as vectors: the cairo terminals draw a spike at the start of a line of two
-- points.
local function draw_segments(script, segments, color, width)
   local from = {}
   for i, s in ipairs(segments) do from[i] = { s[1], s[2], s[3] - s[1], s[4] - s[2] } end
   script:plot("%s using 1:2:3:4 with vectors nohead linecolor rgb '%s' linewidth %g dashtype solid",
      script:block(from), color, width)
end

local draw = {}

function draw.points(script, layer)
   local n = #layer.x
   if n == 0 then return end
   local list, using = { layer.x, layer.y }, "1:2"
   if script.panel.three_d then list, using = { layer.x, layer.y, layer.z }, "1:2:3" end
   local color = color_of(layer.color, layer.opacity or (n > 1000 and 0.5 or 0.8))
   if layer.value then
      list[#list + 1] = layer.value
      using, color = using .. ":" .. #list, "palette"
   end
   local name = script:block(transpose(table.unpack(list)))
   script:plot("%s using %s with points pointtype %d pointsize %g linecolor %s", name, using,
      point_of(layer), size_of(layer, n), color)
   if layer.labels and not script.panel.three_d then place_labels(script, layer) end
end

-- The corners of steps, each constant until the next x. gnuplot's own steps restart the dashes at each point.
local function corners(xs, ys)
   local rows, y = {}, nil
   for i, x in ipairs(xs) do
      if y and ys[i] == ys[i] and ys[i] ~= y then rows[#rows + 1] = { x, y } end
      if ys[i] ~= y or i == #xs or ys[i + 1] ~= ys[i + 1] then rows[#rows + 1] = { x, ys[i] } end
      y = ys[i] == ys[i] and ys[i] or nil
   end
   return rows
end

-- A path without its tiny zigzags, along which dashes would not be visible.
local function smooth_path(script, rows)
   if #rows <= MAX_DASHED then return rows end
   local px, py, out = {}, {}, {}
   for i, row in ipairs(rows) do px[i], py[i] = pixel(script, row[1], row[2]) end
   for k, i in ipairs(require "manilius.draw.simplify"(px, py, 1)) do out[k] = rows[i] end
   return out
end

function draw.line(script, layer)
   if #layer.x == 0 then return end
   local list = script.panel.three_d and { layer.x, layer.y, layer.z } or { layer.x, layer.y }
   local rows = layer.steps and corners(layer.x, layer.y) or transpose(table.unpack(list))
   if dash_of(layer) ~= "solid" and not layer.markers and not script.panel.three_d then
      rows = smooth_path(script, rows)
   end
   local name = script:block(rows)
   script:plot("%s using %s with %s", name, script.panel.three_d and "1:2:3" or "1:2", line_of(layer))
   if layer.markers then
      script:plot("%s using 1:2 with points pointtype %d pointsize %g linecolor %s", name, point_of(layer),
         size_of(layer, #layer.x), color_of(layer.color))
   end
end

function draw.band(script, layer)
   if #layer.x == 0 then return end
   script:plot("%s using 1:2:3 with filledcurves fillcolor %s fillstyle solid noborder",
      script:block(transpose(layer.x, layer.low, layer.high)), color_of(layer.color, layer.opacity or 0.22))
end

local function filled(script, boxes, color, border)
   script:plot("%s using 1:2:3:4:5:6 with boxxyerror fillcolor %s fillstyle solid %s linewidth 0.8",
      script:block(boxes), color, border)
end

-- A box as a row of a block: its center, followed by its limits.
local function box_row(x1, x2, y1, y2)
   return { (x1 + x2) / 2, (y1 + y2) / 2, math.min(x1, x2), math.max(x1, x2), math.min(y1, y2), math.max(y1, y2) }
end

-- The same for a box of a layer that may be horizontal.
local function oriented_box(horizontal, a, b, c, d)
   if horizontal then return box_row(c, d, a, b) end
   return box_row(a, b, c, d)
end

-- A line segment of a layer that may be horizontal.
local function oriented_segment(layer, s)
   if layer.horizontal then return { s[2], s[1], s[4], s[3] } end
   return s
end

function draw.bars(script, layer)
   if #layer.x == 0 then return end
   local boxes, segments = {}, {}
   local along = layer.horizontal and "x" or "y"
   local low = math.min(script.panel[along .. "_low"], script.panel[along .. "_high"])
   local base = script.panel[along .. "_log"] and math.max(layer.base, low) or layer.base
   for i, x in ipairs(layer.x) do
      local half = layer.width[i] / 2
      boxes[i] = oriented_box(layer.horizontal, x - half, x + half, base, layer.y[i])
      if layer.low then
         local low_end, high_end, q = layer.low[i], layer.high[i], half / 4
         for _, s in ipairs { { x, low_end, x, high_end }, { x - q, low_end, x + q, low_end },
            { x - q, high_end, x + q, high_end } } do
            segments[#segments + 1] = oriented_segment(layer, s)
         end
      end
   end
   filled(script, boxes, color_of(layer.color, layer.opacity or 0.8), ("border linecolor rgb '%s'"):format(layer.color))
   if layer.low then draw_segments(script, segments, theme.foreground, 1.4) end
   if layer.labels then require "manilius.draw.bar_labels".gnuplot(script, layer) end
end

function draw.box(script, layer)
   local five = layer.quartiles
   if five then
      local half, at = layer.width / 2, layer.at
      filled(script, { oriented_box(layer.horizontal, at - half, at + half, five[2], five[4]) },
         color_of(layer.color, 0.35), ("border linecolor rgb '%s'"):format(layer.color))
      local q = half / 2
      local segments = {}
      for i, s in ipairs { { at, five[1], at, five[2] }, { at, five[4], at, five[5] },
         { at - q, five[1], at + q, five[1] }, { at - q, five[5], at + q, five[5] } } do
         segments[i] = oriented_segment(layer, s)
      end
      draw_segments(script, segments, layer.color, 1.4)
      draw_segments(script, { oriented_segment(layer, { at - half, five[3], at + half, five[3] }) }, layer.color, 3)
   end
   if #layer.outliers > 0 then
      local points = {}
      for i, v in ipairs(layer.outliers) do
         points[i] = layer.horizontal and { v, layer.at } or { layer.at, v }
      end
      script:plot("%s using 1:2 with points pointtype 6 pointsize 0.6 linecolor rgb '%s'", script:block(points),
         layer.color)
   end
end

-- --- segments, rules and texts ---

function draw.segments(script, layer)
   if #layer.x1 == 0 then return end
   local rows = {}
   for i, x in ipairs(layer.x1) do rows[i] = { x, layer.y1[i], layer.x2[i] - x, layer.y2[i] - layer.y1[i] } end
   local style = line_of(layer, "solid"):gsub("^lines ", "")
   script:plot("%s using 1:2:3:4 with vectors %s %s", script:block(rows),
      layer.arrow and "filled head size graph 0.015,20" or "nohead", style)
end

-- The labels of segments are required, and are placed before those of points.
local function label_segments(script)
   for _, layer in ipairs(script.panel.layers) do
      for i, one in ipairs(layer.kind == "segments" and layer.labels or {}) do
         place_label(script, one, layer.x2[i], layer.y2[i], layer.x2[i] < layer.x1[i] and LEFT_TIP_POSITIONS
            or RIGHT_TIP_POSITIONS, true)
      end
   end
end

local function rule_points(panel, layer)
   if layer.at_x then return { { layer.at_x, panel.y_low }, { layer.at_x, panel.y_high } } end
   if layer.at_y then return { { panel.x_low, layer.at_y }, { panel.x_high, layer.at_y } } end
   local rows, steps = {}, 200
   for i = 0, steps do -- many points, because the axes may be logarithmic
      local x = panel.x_log and panel.x_low * (panel.x_high / panel.x_low) ^ (i / steps)
         or panel.x_low + (panel.x_high - panel.x_low) * i / steps
      rows[#rows + 1] = { x, layer.intercept + layer.slope * x }
   end
   return rows
end
M.rule_points = rule_points

function draw.rule(script, layer)
   script:plot("%s using 1:2 with %s", script:block(rule_points(script.panel, layer)),
      line_of({ dash = layer.dash or "dashed", width = layer.width or 1.4, color = layer.color }))
end

function draw.text(script, layer)
   for i, x in ipairs(layer.x) do
      script:label(layer.text[i], x, layer.y[i],
         ("center textcolor rgb '%s'%s"):format(layer.color, layer.boxed and " boxed" or ""))
   end
end

-- --- the legend ---

--- A legend entry as a clause of the plot command: its points, lines or area, drawn without data.
function M.legend_entry(name, entry)
   local function clause(format, ...)
      return "NaN with " .. format:format(...) .. " title " .. text.gnuplot(name)
   end
   local point, line, area = entry.marks.point, entry.marks.line, entry.marks.area
   if point and line then
      local style = line_of(line, line.kind == "rule" and "dashed" or nil):gsub("^lines", "linespoints")
      return clause("%s pointtype %d pointsize %g", style, point_of(point), theme.point_size)
   elseif point then
      return clause("points pointtype %d pointsize 0.9 linecolor %s", point_of(point), color_of(point.color))
   elseif line and line.markers then
      return clause("%s pointtype %d", (line_of(line):gsub("^lines", "linespoints")), point_of(line))
   elseif line then
      return clause("%s", (line_of(line, line.kind == "rule" and "dashed" or nil)))
   end
   local opacity = area.kind == "band" and 0.22 or area.kind == "box" and 0.35
      or area.kind == "rectangles" and 0.35 or 0.8
   local color = area.kind == "regions" and color_of(entry.color) or color_of(entry.color,
      area.kind ~= "rectangles" and area.opacity or opacity)
   return clause("boxes fillcolor %s fillstyle solid border linecolor rgb '%s'", color, entry.color)
end

local function legend(script)
   for i, name in ipairs(script.parts.legend) do
      script.plots[#script.plots + 1] = M.legend_entry(name, script.panel.entries[i])
   end
   if script.parts.legend.more then
      script.plots[#script.plots + 1] = "NaN with points pointtype 0 linecolor rgb '#ffffff' title "
         .. text.gnuplot(script.parts.legend.more)
   end
end

-- The format of numbers: 10 digits, or 17 where the range of an axis is small compared with its values.
local function number_format(panel)
   for _, axis in ipairs { "x_", "y_", "z_" } do
      local low, high = panel[axis .. "low"], panel[axis .. "high"]
      if math.abs(high - low) < 1e-5 * math.max(math.abs(low), math.abs(high)) then return "%.17g" end
   end
   return "%.10g"
end

require "manilius.draw.gnuplot_grids"(draw, { filled = filled, box_row = box_row, color_of = color_of })
require "manilius.draw.rectangles".add_gnuplot(draw, { box_row = box_row, color_of = color_of })

--- The parts of the script of a panel: `blocks` of data, `labels`, and `plots`, the clauses of the plot command.
function M.draw_panel(panel, parts, prefix)
   local script = { panel = panel, parts = parts, prefix = prefix, blocks = {}, labels = {}, plots = {}, labeled = {} }
   script.format = number_format(panel)
   setmetatable(script, Script)
   label_segments(script)
   for _, layer in ipairs(panel.layers) do draw[layer.kind](script, layer) end
   legend(script)
   if #script.plots == 0 then script.plots[1] = "NaN notitle" end
   return script
end

return M
