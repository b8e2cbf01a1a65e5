--- The picture of a decision tree.
-- @module manilius.plot.tree

local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local given = require "manilius.plot.given"
local parts = require "manilius.metrics_parts"

local fail, text = parts.fail, parts.text

local DEPTH, LETTERS = 3, 26

local function cut(words)
   local letters = utf8.len(words)
   return letters and letters > LETTERS and words:sub(1, utf8.offset(words, LETTERS) - 1) .. "…" or words
end

local function is_leaf(nodes, i)
   return nodes.left[i] ~= nodes.left[i] -- no number: it has no children
end

-- Where the nodes stand: leaves side by side, in the order of the tree, a question over the middle of its answers.
-- Below `depth` nothing is drawn.
local function places(nodes, depth)
   local place, leaves = {}, 0
   local function put(i)
      if is_leaf(nodes, i) or nodes.depth[i] >= depth then
         leaves = leaves + 1
         place[#place + 1] = { node = i, x = leaves, y = -nodes.depth[i] }
         return leaves
      end
      local own = { node = i, y = -nodes.depth[i] }
      place[#place + 1] = own
      local a, b = put(math.tointeger(nodes.left[i])), put(math.tointeger(nodes.right[i]))
      own.x, own.children = (a + b) / 2, { { a, own.y - 1 }, { b, own.y - 1 } }
      return own.x
   end
   put(1)
   return place, leaves
end

local function words_of(nodes, at, is_classifier)
   local i = at.node
   local count = ("%.4g rows"):format(nodes.cover[i])
   if at.children then return cut(nodes.question[i]), count end
   if not is_leaf(nodes, i) then return "…", count end
   if is_classifier then
      return cut(nodes.answer[i]), ("%.0f%% of %.4g"):format(100 * nodes.value[i], nodes.cover[i])
   end
   return ("%.4g"):format(nodes.value[i]), count
end

-- What is drawn: edges, and two lines of text at each node.
local function layers_of(nodes, place, is_classifier)
   local edges = { kind = "segments", color = "grey", width = 1, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local upper = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   local lower = { kind = "text", x = {}, y = {}, text = {}, color = "grey" }
   for k, at in ipairs(place) do
      upper.x[k], upper.y[k], lower.x[k], lower.y[k] = at.x, at.y + 0.06, at.x, at.y - 0.15
      upper.text[k], lower.text[k] = words_of(nodes, at, is_classifier)
      for _, child in ipairs(at.children or {}) do
         local e = #edges.x1 + 1
         edges.x1[e], edges.y1[e], edges.x2[e], edges.y2[e] = at.x, at.y - 0.27, child[1], child[2] + 0.2
      end
   end
   return #edges.x1 > 0 and { edges, upper, lower } or { upper, lower }
end

-- The lowest y, and whether the tree goes on below it.
local function extent(nodes, place)
   local deepest, goes_on = 0, false
   for _, at in ipairs(place) do
      deepest = math.min(deepest, at.y)
      goes_on = goes_on or not at.children and not is_leaf(nodes, at.node)
   end
   return deepest, goes_on
end

local function tree(model, o)
   model = given.model(model)
   local last = given.last(model)
   if not estimator.can(last, "nodes") then fail("needs a fitted decision tree, got %s", estimator.name(last)) end
   local depth = o.depth or DEPTH
   if math.type(depth) ~= "integer" or depth < 0 then
      fail("depth must be a whole number from 0, got %s", text(depth))
   end
   local nodes = last:nodes()
   local place, leaves = places(nodes, depth)
   local deepest, goes_on = extent(nodes, place)
   return { title = estimator.name(last), width = math.max(480, 60 + 150 * leaves),
      height = math.max(220, 110 + 84 * (1 - deepest)),
      caption = "left: yes; right: no" .. (goes_on and ("; …: goes on below depth %d"):format(depth) or ""),
      panels = { { x_range = { 0.4, leaves + 0.6 }, y_range = { deepest - 0.4, 0.3 }, x_ticks = {}, y_ticks = {},
         frame = false, layers = layers_of(nodes, place, estimator.does(last) == "classify") } } }
end

return function(module)
   define(module, "tree", { args = { "model" }, fn = tree,
      brief = "A decision tree: questions, and the answers at its leaves.",
      notes = "A pipeline that ends in a tree is drawn with the names of what comes before it. tree:text() and "
         .. "tree:rules() tell the same in words.",
      options = { depth = "how deep it is drawn, default 3" } })
end
