--- Draws heat maps, regions and contours as text.

local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

-- Call paint(column, row, j, i) for each cell of the canvas inside the grid; i and j are the row and column of the
-- grid.
local function each_grid_cell(tools, view, layer, paint)
   local canvas, p = view.canvas, view.panel
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
      return tools.clamp(tools.share(v, p.x_low, p.x_high, p.x_log) * canvas.columns)
   end)
   local down = places(layer.y_edges, canvas.rows, function(v)
      return tools.clamp((1 - tools.share(v, p.y_low, p.y_high, p.y_log)) * canvas.rows)
   end)
   for row = 1, canvas.rows do
      for column = 1, canvas.columns do
         if across[column] and down[row] then paint(column, row, across[column], down[row]) end
      end
   end
end

-- Write the texts of cells if all of them fit.
local function cell_texts(view, layer)
   local canvas, longest = view.canvas, 1
   local texts = layer.cell_text
   for _, line in ipairs(texts) do
      for _, one in ipairs(line) do longest = math.max(longest, text.width(text.lines(one)[1])) end
   end
   if longest + 1 > canvas.columns // #layer.x or canvas.rows // #layer.y < 1 then return end
   for i, line in ipairs(texts) do
      for j, one in ipairs(line) do
         local label = text.lines(one)[1]
         local width = text.width(label)
         local space = canvas.columns // #layer.x
         if width + 2 <= space then label, width = " " .. label .. " ", width + 2 end
         if label:find "%S" then
            canvas:write(math.max(1, view:column(layer.x[j]) - width // 2), view:row(layer.y[i]), label)
         end
      end
   end
end

local function draw_heat(tools, view, layer)
   local ramp = tools.layers.ramp(view.canvas.ascii)
   each_grid_cell(tools, view, layer, function(column, row, j, i)
      local v = layer.values[i][j]
      if v - v ~= 0 then return end
      local s = math.max(0, math.min(1, (v - layer.low) / (layer.high - layer.low)))
      view.canvas:fill(column, row, ramp[math.min(#ramp, math.floor(s * #ramp) + 1)], theme.shade(layer.palette, s))
   end)
   if layer.cell_text and #layer.x > 0 and #layer.y > 0 then cell_texts(view, layer) end
end

local function draw_regions(tools, view, layer)
   each_grid_cell(tools, view, layer, function(column, row, j, i)
      local code = layer.values[i][j]
      if code == code and code >= 1 then
         code = math.tointeger(code)
         view.canvas:fill(column, row, tools.layers.region(code, view.canvas.ascii), layer.colors[code])
      end
   end)
end

local function draw_contour(tools, view, layer)
   for i, curve in ipairs(layer.curves) do
      local color = layer.color or theme.shade(layer.palette, (curve.level - layer.low) / (layer.high - layer.low))
      for _, line in ipairs(curve.lines) do
         tools.draw_path(view, line.x, line.y, { color = color })
         local middle = #line.x // 2 + 1
         view.canvas:put(view:column(line.x[middle]), view:row(line.y[middle]), tools.layers.level_symbol(i), color)
      end
   end
end

--- Add the functions that draw these kinds to `draw`. Surfaces are seen from above.
-- @param tools the functions `share`, `clamp` and `draw_path` of manilius.draw.text_layers, and that module as `layers`
return function(draw, tools)
   function draw.heat(view, layer) draw_heat(tools, view, layer) end
   function draw.regions(view, layer) draw_regions(tools, view, layer) end
   function draw.contour(view, layer) draw_contour(tools, view, layer) end
   draw.surface = draw.heat
end
