--- Bayesian networks as graphs, with bars of the posteriors in the nodes.

local define = require "manilius.plot.diagnose"
local contents = require "manilius.bayes_net.draw"
local layout = require "manilius.draw.graph_layout"
local models = require "manilius.bayes_net.model"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

local LETTER, LINE, PADDING, BAR = 7.8, 15, 8, 56 -- in pixels
local MOST = 10000

local function length(value) return utf8.len(value) or #value end

local function cut(value, most)
   return length(value) > most and value:sub(1, utf8.offset(value, most) - 1) .. "…" or value
end

-- Texts and sizes of the box of a node.
local function box_of(one, max_levels)
   local box = { title = cut(one.name, 24), rows = {}, known = one.known }
   local widest = 0
   for i, row in ipairs(one.rows or {}) do
      if i > max_levels then
         box.more = ("%d more"):format(#one.rows - max_levels)
         break
      end
      box.rows[i] = { cut(row[1], 14), row[2], ("%.1f%%"):format(100 * row[2]) }
      widest = math.max(widest, length(box.rows[i][1]))
   end
   if one.mean then box.note = ("%.4g ± %.4g"):format(one.mean, one.sd) end
   box.label_width = widest * LETTER
   local inner = #box.rows > 0 and box.label_width + BAR + 6 * LETTER + 2 * PADDING or 0
   box.width = math.max(length(box.title) * LETTER, inner, box.note and length(box.note) * LETTER or 0) + 2 * PADDING
   box.height = LINE * (1 + #box.rows + (box.more and 1 or 0) + (box.note and 1 or 0)) + 2 * PADDING
   return box
end

local function new_texts() return { kind = "text", x = {}, y = {}, text = {}, color = "black" } end

local function add_text(layer, x, y, value)
   layer.x[#layer.x + 1], layer.y[#layer.y + 1], layer.text[#layer.text + 1] = x, y, value
end

-- Rectangles of one look, as one layer.
local function new_rectangles(color, opacity)
   return { kind = "rectangles", x1 = {}, y1 = {}, x2 = {}, y2 = {}, color = color, opacity = opacity }
end

local function add_rectangle(layer, x1, y1, x2, y2)
   local k = #layer.x1 + 1
   layer.x1[k], layer.y1[k], layer.x2[k], layer.y2[k] = x1, y1, x2, y2
end

local function add_box(box, at, layers)
   local left, top = at[1] - box.width / 2, at[2] + box.height / 2
   add_rectangle(box.known and layers.known or layers.free, left, top - box.height, left + box.width, top)
   local y = top - PADDING - LINE / 2
   add_text(layers.texts, at[1], y, box.title)
   for _, row in ipairs(box.rows) do
      y = y - LINE
      local from = left + PADDING + box.label_width + PADDING
      add_text(layers.texts, left + PADDING + box.label_width / 2, y, row[1])
      add_rectangle(layers.bars, from, y - LINE * 0.35, from + math.max(BAR * row[2], 0.5), y + LINE * 0.35)
      add_text(layers.texts, from + BAR + PADDING + 2.5 * LETTER, y, row[3])
   end
   for _, note in ipairs { box.more or box.note } do add_text(layers.texts, at[1], y - LINE, note) end
end

local HEAD = 18 -- pixels: the heads of shorter arrows are smaller

local function add_segment(layer, from, to)
   local n = #layer.x1 + 1
   layer.x1[n], layer.y1[n], layer.x2[n], layer.y2[n] = from[1], from[2], to[1], to[2]
end

-- Lines of the edges, and arrows of equal length at their ends.
local function edge_layers(lines)
   local plain = { kind = "segments", x1 = {}, y1 = {}, x2 = {}, y2 = {}, color = "grey", width = 1 }
   local arrows = { kind = "segments", x1 = {}, y1 = {}, x2 = {}, y2 = {}, color = "grey", width = 1, arrow = true }
   for _, points in ipairs(lines) do
      local tip, last = points[#points], #points - 1
      local function distance(k) return math.sqrt((points[k][1] - tip[1]) ^ 2 + (points[k][2] - tip[2]) ^ 2) end
      while last > 1 and distance(last) < HEAD do last = last - 1 end
      local share = math.min(1, HEAD / math.max(distance(last), 1e-9))
      local start = { tip[1] + share * (points[last][1] - tip[1]), tip[2] + share * (points[last][2] - tip[2]) }
      for k = 1, last - 1 do add_segment(plain, points[k], points[k + 1]) end
      add_segment(plain, points[last], start)
      add_segment(arrows, start, tip)
   end
   return plain, arrows
end

local function layers_of(boxes, placed)
   local layers = { known = new_rectangles(2, 0.25), free = new_rectangles(1, 0.1), bars = new_rectangles(1, 0.75),
      texts = new_texts() }
   for i, box in ipairs(boxes) do add_box(box, placed.at[i], layers) end
   local out = {}
   local plain, arrows = edge_layers(placed.lines)
   for _, layer in ipairs { plain, arrows, layers.known, layers.free, layers.bars, layers.texts } do
      if #(layer.x1 or layer.x) > 0 then out[#out + 1] = layer end
   end
   return out
end

local function network(model, o)
   model = inputs.model(model)
   local class = estimator.class_of(model)
   if not class or class.name ~= "BayesNet" then
      fail("net must be a BayesNet, got %s", estimator.name(model))
   end
   local most = o.max_levels or 6
   if math.type(most) ~= "integer" or most < 1 then
      fail("max_levels must be a whole number >= 1, got %s", parts.text(most))
   end
   local net, boxes, edges = models.network(model), {}, {}
   for v, one in ipairs(contents.contents(net, model.memory_limit, o.evidence)) do boxes[v] = box_of(one, most) end
   for v, parents in ipairs(net.parents) do
      for _, u in ipairs(parents) do edges[#edges + 1] = { u, v } end
   end
   local placed = layout.place(boxes, edges, net.order:totable())
   local width, height = placed.width + 80, placed.height + 90
   if width > MOST or height > MOST then
      fail("the picture would need %.0f x %.0f pixels, at most %d are allowed; use net:text() or net:dot()", width,
         height, MOST)
   end
   return { title = "Bayesian network", width = math.max(320, width), height = math.max(220, height),
      panels = { { x_range = { -10, placed.width + 10 }, y_range = { -10, placed.height + 10 }, x_ticks = {},
         y_ticks = {}, frame = false, layers = layers_of(boxes, placed) } } }
end

return function(module)
   define(module, "network", { args = { "net" }, fn = network,
      brief = "Bayesian network as a graph, with bars of the posteriors in the nodes.",
      notes = "Nodes are placed by Graphviz dot if it is installed, else in layers. Nodes of the evidence have another "
         .. "color. net:text() shows the same as text.",
      options = { evidence = "what is known of nodes, as for net:query",
         max_levels = "most levels shown in a node; default 6" } })
end
