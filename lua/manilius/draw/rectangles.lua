--- Draws rectangles, by gnuplot and as text.

local M = {}

local OPACITY = 0.25
M.opacity = OPACITY

--- Add the function for gnuplot to `draw`.
-- @param tools the functions `box_row` and `color_of` of manilius.draw.gnuplot_layers
function M.add_gnuplot(draw, tools)
   function draw.rectangles(script, layer)
      if #layer.x1 == 0 then return end
      local boxes = {}
      for i, x1 in ipairs(layer.x1) do boxes[i] = tools.box_row(x1, layer.x2[i], layer.y1[i], layer.y2[i]) end
      local clause = "%s using 1:2:3:4:5:6 with boxxyerror fillcolor %s fillstyle solid border linecolor rgb '%s' "
         .. "linewidth %g"
      script:plot(clause, script:block(boxes), tools.color_of(layer.color, layer.opacity or OPACITY), layer.color,
         layer.width or 0.8)
   end
end

local UNICODE = { "─", "│", "┌", "┐", "└", "┘" }
local ASCII = { "-", "|", "+", "+", "+", "+" }

-- Draw the border of a rectangle of cells.
local function border(canvas, left, top, right, bottom, color)
   local s = canvas.ascii and ASCII or UNICODE
   for column = left + 1, right - 1 do
      canvas:put(column, top, s[1], color)
      canvas:put(column, bottom, s[1], color)
   end
   for row = top + 1, bottom - 1 do
      canvas:put(left, row, s[2], color)
      canvas:put(right, row, s[2], color)
   end
   canvas:put(left, top, s[3], color)
   canvas:put(right, top, s[4], color)
   canvas:put(left, bottom, s[5], color)
   canvas:put(right, bottom, s[6], color)
end

--- Add the function for text to `draw`. Rectangles of less than four rows have no border, which would hide their texts.
function M.add_text(draw)
   function draw.rectangles(view, layer)
      for i, x1 in ipairs(layer.x1) do
         local left, right = view:column(x1), view:column(layer.x2[i])
         local top, bottom = view:row(layer.y2[i]), view:row(layer.y1[i])
         if left > right then left, right = right, left end
         if top > bottom then top, bottom = bottom, top end
         if bottom - top >= 3 and right > left then border(view.canvas, left, top, right, bottom, layer.color) end
      end
   end
end

return M
