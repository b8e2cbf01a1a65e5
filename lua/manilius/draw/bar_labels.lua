--- The labels at the ends of bars, in pictures and as text. They are omitted if one of them is wider than its bar.

local reduce = require "manilius.draw.reduce"
local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local M = {}

--- A number as the label of a bar, with thousands separated.
function M.format(v)
   if v ~= v then return "" end
   if v % 1 == 0 and math.abs(v) < 1e15 then
      return (v < 0 and "-" or "") .. reduce.with_commas(math.tointeger(math.abs(v)))
   end
   return math.abs(v) >= 1000 and ("%.0f"):format(v) or ("%.3g"):format(v)
end

local LETTER = 0.6 -- average width of a letter, relative to the font size
local GAP = 4 -- pixels between a bar and its label

--- The labels of a list of numbers.
function M.of(values)
   local out = {}
   for i, v in ipairs(values) do out[i] = M.format(v) end
   return out
end

-- The end of a bar or of its whisker, and whether the bar extends to higher values.
local function tip_of(layer, i)
   local is_up = layer.y[i] >= layer.base
   local whisker = layer[is_up and "high" or "low"]
   if not whisker then return layer.y[i], is_up end
   return is_up and math.max(layer.y[i], whisker[i]) or math.min(layer.y[i], whisker[i]), is_up
end

local function longest(layer)
   local width = 0
   for _, label in ipairs(layer.labels) do width = math.max(width, text.width(text.plain(label))) end
   return width
end

-- The space of the narrowest bar along the axis of its position.
local function slot(layer, panel, length)
   local axis, width = layer.horizontal and "y" or "x", math.huge
   for _, w in ipairs(layer.width) do width = math.min(width, w) end
   return width / math.abs(panel[axis .. "_high"] - panel[axis .. "_low"]) * length
end

--- Add the labels of a layer to a gnuplot script.
function M.gnuplot(script, layer)
   local frame, size = script.parts.box, theme.font_size - 1
   local space = slot(layer, script.panel, layer.horizontal and frame.height or frame.width)
   local needed = layer.horizontal and size * 0.9 or longest(layer) * LETTER * size
   if needed > space * 1.15 then return end
   for i, label in ipairs(layer.labels) do
      local tip, is_up = tip_of(layer, i)
      local x, y, dx, dy, align = layer.x[i], tip, 0, (is_up and 1 or -1) * (GAP + size * 0.5), "center"
      if layer.horizontal then
         x, y, dx, dy, align = tip, layer.x[i], is_up and GAP or -GAP, 0, is_up and "left" or "right"
      end
      local style = "%s offset graph %.5f, graph %.5f font '%s,%.4g' textcolor rgb '%s'"
      script:label(text.plain(label), x, y, style:format(align, dx / frame.width, dy / frame.height, theme.font, size,
         theme.foreground))
   end
end

--- Write the labels of a layer on a canvas.
function M.text(view, layer)
   local canvas = view.canvas
   local space = slot(layer, view.panel, layer.horizontal and canvas.rows or canvas.columns)
   if (layer.horizontal and 1 or longest(layer)) > space + 1 then return end
   for i, label in ipairs(layer.labels) do
      local tip, is_up = tip_of(layer, i)
      label = text.plain(label)
      local width = text.width(label)
      if layer.horizontal then
         local column = view:column(tip)
         canvas:write(is_up and column + 1 or column - width, view:row(layer.x[i]), label)
      else
         local row = view:row(tip) + (is_up and -1 or 1)
         if row >= 1 and row <= canvas.rows then canvas:write(view:column(layer.x[i]) - width // 2, row, label) end
      end
   end
end

return M
