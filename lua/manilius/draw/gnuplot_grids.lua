--- Draws heat maps, regions, contours and surfaces by gnuplot.

local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local MAX_HEAT_CELLS = 10000 -- larger heat maps are drawn as a bitmap

local function evenly_spaced(edges)
   local step = (edges[#edges] - edges[1]) / (#edges - 1)
   for i = 2, #edges do
      if math.abs(edges[i] - edges[i - 1] - step) > 1e-6 * math.abs(step) then return false end
   end
   return true
end

local function heat_cells(layer, box_row)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do
         if v - v == 0 then
            local row = box_row(layer.x_edges[j], layer.x_edges[j + 1], layer.y_edges[i], layer.y_edges[i + 1])
            row[7] = math.max(layer.low, math.min(layer.high, v))
            rows[#rows + 1] = row
         end
      end
   end
   return rows
end

local function heat_image(script, layer)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do rows[#rows + 1] = { layer.x[j], layer.y[i], v - v == 0 and v or 0 / 0 } end
   end
   script:plot("%s using 1:2:3 with image", script:block(rows))
end

local function cell_texts(script, layer)
   local longest, size = 1, theme.font_size
   for _, line in ipairs(layer.cell_text) do
      for _, one in ipairs(line) do longest = math.max(longest, text.width(text.lines(one)[1])) end
   end
   local box = script.parts.box
   local max_size = math.min(box.width / #layer.x / (0.62 * longest), box.height / #layer.y / 1.3)
   size = math.floor(math.min(size + 1, max_size))
   if size < 5 then return end
   for i, line in ipairs(layer.cell_text) do
      for j, one in ipairs(line) do
         if one ~= "" then
            local v = layer.values[i][j]
            local color = v - v == 0 and theme.shade(layer.palette, (v - layer.low) / (layer.high - layer.low))
               or theme.background
            script:label(one, layer.x[j], layer.y[i], ("center font '%s,%.4g' textcolor rgb '%s'"):format(theme.font,
               size, theme.contrast_color(color)))
         end
      end
   end
end

local function draw_heat(tools, script, layer)
   local panel = script.panel
   local n = #layer.x * #layer.y
   if n == 0 then return end
   if n > MAX_HEAT_CELLS and not panel.x_log and not panel.y_log and evenly_spaced(layer.x_edges)
      and evenly_spaced(layer.y_edges) then
      heat_image(script, layer)
   else
      local cells = heat_cells(layer, tools.box_row)
      if #cells > 0 then
         script:plot("%s using 1:2:3:4:5:6:7 with boxxyerror linewidth 0.4 linecolor palette "
            .. "fillstyle solid border", script:block(cells))
      end
   end
   if layer.cell_text then cell_texts(script, layer) end
end

local function draw_regions(tools, script, layer)
   local boxes = {}
   for i, line in ipairs(layer.values) do
      local j = 1
      while j <= #line do -- adjacent cells of the same class are one box
         local code, from = line[j], j
         while line[j + 1] == code do j = j + 1 end
         if code == code and code >= 1 then
            local index = math.tointeger(code)
            boxes[index] = boxes[index] or {}
            table.insert(boxes[index], tools.box_row(layer.x_edges[from], layer.x_edges[j + 1], layer.y_edges[i],
               layer.y_edges[i + 1]))
         end
         j = j + 1
      end
   end
   for code = 1, #layer.colors do
      local color = theme.mix(theme.background, layer.colors[code], 0.3)
      if boxes[code] then
         tools.filled(script, boxes[code], ("rgb '%s'"):format(color), ("border linecolor rgb '%s'"):format(color))
      end
   end
end

local function draw_contour(tools, script, layer)
   for _, curve in ipairs(layer.curves) do
      local rows = {}
      for _, line in ipairs(curve.lines) do
         for i in ipairs(line.x) do rows[#rows + 1] = { line.x[i], line.y[i], curve.level } end
         rows[#rows + 1] = false
      end
      if #rows > 0 then
         script:plot("%s using 1:2:3 with lines linewidth %g dashtype solid linecolor %s", script:block(rows),
            layer.width or 1.6, layer.color and tools.color_of(layer.color) or "palette")
      end
   end
end

local function draw_surface(script, layer)
   local rows = {}
   for i, line in ipairs(layer.values) do
      for j, v in ipairs(line) do rows[#rows + 1] = { layer.x[j], layer.y[i], v } end
      rows[#rows + 1] = false
   end
   script:plot("%s using 1:2:3 with pm3d", script:block(rows))
end

--- Add the functions that draw these kinds to `draw`.
-- @param tools the functions `filled`, `box_row` and `color_of` of manilius.draw.gnuplot_layers
return function(draw, tools)
   function draw.heat(script, layer) draw_heat(tools, script, layer) end
   function draw.regions(script, layer) draw_regions(tools, script, layer) end
   function draw.contour(script, layer) draw_contour(tools, script, layer) end
   draw.surface = draw_surface
end
