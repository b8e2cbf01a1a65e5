--- Factor graphs as figures, laid out by Graphviz if it is installed.

local graph = require "manilius.graphical.graph"
local queries = require "manilius.graphical.queries"
local text = require "manilius.text"

local fail = graph.fail
local MOST = 300 -- variables and factors of a picture

local function check_size(g, what)
   if g.n + #g.table_start > MOST then
      fail(g, "%s: there are %s and %s, at most %d are drawn; use text()", what, text.plural(g.n, "variable"),
         text.plural(#g.table_start, "factor"), MOST)
   end
end

local LETTER, HEIGHT, SQUARE = 7.8, 28, 22 -- in pixels

local function rectangles(color, opacity)
   return { kind = "rectangles", x1 = {}, y1 = {}, x2 = {}, y2 = {}, color = color, opacity = opacity }
end

local function add_box(layer, box, at)
   local k = #layer.x1 + 1
   layer.x1[k], layer.x2[k] = at[1] - box.width / 2, at[1] + box.width / 2
   layer.y1[k], layer.y2[k] = at[2] - box.height / 2, at[2] + box.height / 2
end

local function layers_of(g, boxes, placed)
   local variables, factors = rectangles(1, 0.15), rectangles("grey", 0.5)
   local names = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   local lines = { kind = "segments", x1 = {}, y1 = {}, x2 = {}, y2 = {}, color = "grey", width = 1 }
   for i, box in ipairs(boxes) do
      local at = placed.at[i]
      add_box(i <= g.n and variables or factors, box, at)
      names.x[i], names.y[i], names.text[i] = at[1], at[2], box.title
   end
   for _, points in ipairs(placed.lines) do
      for k = 1, #points - 1 do
         local n = #lines.x1 + 1
         lines.x1[n], lines.y1[n], lines.x2[n], lines.y2[n] = points[k][1], points[k][2], points[k + 1][1],
            points[k + 1][2]
      end
   end
   local layers = {}
   for _, layer in ipairs { lines, variables, factors, names } do
      if #(layer.x1 or layer.x) > 0 then layers[#layers + 1] = layer end
   end
   return layers
end

graph.method("plot", function(g, options)
   local o = require "manilius.options".check(g.class .. ":plot", options, { title = "", caption = "" }, 0)
   check_size(g, "plot")
   local boxes, edges, order = {}, {}, {}
   for v = 1, g.n do
      local name = text.cut(graph.name_of(g, v), 24)
      boxes[v], order[v] = { title = name, width = text.width_of(name) * LETTER + 16, height = HEIGHT }, v
   end
   for f = 1, #g.table_start do
      local i = g.n + f
      boxes[i], order[i] = { title = tostring(f), width = SQUARE, height = SQUARE }, i
      for _, v in ipairs(graph.scope(g, f)) do edges[#edges + 1] = { v, i } end
   end
   local placed = require "manilius.draw.graph_layout".place(boxes, edges, order)
   local width, height = math.max(placed.width, 1), math.max(placed.height, 1)
   return require "manilius.draw.figure".Figure { title = o.title or g.class, caption = o.caption,
      width = math.max(240, width + 80), height = math.max(220, height + 90),
      panels = { { x_range = { -10, width + 10 }, y_range = { -10, height + 10 }, x_ticks = {}, y_ticks = {},
         frame = false, legend = false, layers = layers_of(g, boxes, placed) } } }
end)

return queries
