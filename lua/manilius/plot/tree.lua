--- Diagrams of decision trees.

local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail, text = parts.fail, parts.text

local DEPTH, MAX_TEXT, MAX_BRANCHES = 3, 26, 10
local LEAF_WIDTH, MAX_LEAVES = 150, 66 -- in pixels; as many leaves as fit into 10000 pixels
local LETTER, PADDING = 7.2 / LEAF_WIDTH, 0.06 -- width of a letter and of the space beside a text, in leaves
local TOP, BOTTOM = 0.2, -0.27 -- of a box, relative to its node; levels have a distance of 1

local function truncate(value, length)
   local n = utf8.len(value)
   return n and n > length and value:sub(1, utf8.offset(value, length) - 1) .. "…" or value
end

-- The columns of last:nodes() by name. Multiway trees have the column `branch`.
local function nodes_of(last)
   local frame = last:nodes()
   local nodes = { rows = frame.rows }
   for _, name in ipairs(frame.names) do nodes[name] = frame[name] end
   return nodes
end

-- The children of each node in order: left and right, or in a multiway tree all nodes with this parent.
local function children_of(nodes)
   local children = {}
   for i = 1, nodes.rows do children[i] = {} end
   for i = 1, nodes.rows do
      if nodes.branch then
         local parent = math.tointeger(nodes.parent[i]) -- nil for the root
         if parent then table.insert(children[parent], i) end
      elseif nodes.left[i] == nodes.left[i] then
         children[i] = { math.tointeger(nodes.left[i]), math.tointeger(nodes.right[i]) }
      end
   end
   return children
end

-- The children to draw, at most MAX_BRANCHES - 1 of more, and the number of those omitted.
local function visible_children(nodes, children)
   if #children <= MAX_BRANCHES then return children, 0 end
   local largest = table.move(children, 1, #children, 1, {})
   table.sort(largest, function(a, b)
      return nodes.cover[a] > nodes.cover[b] or nodes.cover[a] == nodes.cover[b] and a < b
   end)
   local visible = table.move(largest, 1, MAX_BRANCHES - 1, 1, {})
   table.sort(visible)
   return visible, #children - #visible
end

-- The positions of the nodes down to `depth`: leaves side by side in the order of the tree, inner nodes centered above
-- their children. A position without `node` stands for `omitted` branches.
local function layout(nodes, depth)
   local positions, leaves, children = {}, 0, children_of(nodes)
   local function put(i)
      local own = { node = i, y = -nodes.depth[i], is_leaf = #children[i] == 0 }
      positions[#positions + 1] = own
      if leaves >= MAX_LEAVES or nodes.depth[i] >= MAX_LEAVES then
         fail("depth must be smaller, got %d, which shows more than %d leaves; or use tree:text() or tree:rules()",
            depth, MAX_LEAVES)
      end
      if own.is_leaf or nodes.depth[i] >= depth then
         leaves = leaves + 1
         own.x = leaves
         return leaves
      end
      own.children = {}
      local visible, omitted = visible_children(nodes, children[i])
      for k, child in ipairs(visible) do own.children[k] = { put(child), own.y - 1, child } end
      if omitted > 0 then
         leaves = leaves + 1
         positions[#positions + 1] = { omitted = omitted, x = leaves, y = own.y - 1, is_leaf = true }
      end
      own.x = (own.children[1][1] + own.children[#visible][1]) / 2
      return own.x
   end
   put(1)
   return positions, leaves
end

-- The two lines of text of a node.
local function node_texts(nodes, at, is_classifier)
   local i = at.node
   if not i then return "…", ("%d more branches"):format(at.omitted) end
   local count = ("%.4g rows"):format(nodes.cover[i])
   if at.children then return truncate(nodes.question[i], MAX_TEXT), count end
   if not at.is_leaf then return "…", count end
   if is_classifier then
      return truncate(nodes.answer[i], MAX_TEXT), ("%.0f%% of %.4g"):format(100 * nodes.value[i], nodes.cover[i])
   end
   return ("%.4g"):format(nodes.value[i]), count
end

-- The label of an edge: the branch, or yes or no, and whether rows with missing values follow it. Splits on missing
-- values need no such note.
local function edge_label(nodes, node, side, child)
   if nodes.branch then return truncate(nodes.branch[child], MAX_TEXT // 2) end
   local answer = side == 1 and "yes" or "no"
   if not nodes.has_missing or nodes.has_missing[node] ~= 1 then return answer end
   if nodes.question[node]:find " is missing$" or nodes.question[node]:find " is not missing$" then return answer end
   return (nodes.missing_left[node] == 1) == (side == 1) and answer .. " or missing" or answer
end

-- The opacity of the box of a node: the purer a node, or the higher its value, the darker.
local function opacities(nodes, is_classifier)
   local low, high = nodes.value:min(), nodes.value:max()
   if is_classifier then low, high = 1 / math.max(2, #nodes.answer.levels), 1 end
   return function(i)
      local share = high > low and (nodes.value[i] - low) / (high - low) or 0.5
      return 0.08 + 0.42 * math.max(0, math.min(1, share))
   end
end

-- A box for each node, in the color of its class. Each class has a name in the legend.
local function boxes_of(nodes, positions, is_classifier)
   local opacity, layers, color_of = opacities(nodes, is_classifier), {}, {}
   for c, level in ipairs(is_classifier and nodes.answer.levels or {}) do color_of[tostring(level)] = c end
   for _, at in ipairs(positions) do
      local upper, lower = node_texts(nodes, at, is_classifier)
      local half = math.max(utf8.len(upper) or #upper, #lower) * LETTER / 2 + PADDING
      local class = is_classifier and at.node and tostring(nodes.answer[at.node])
      layers[#layers + 1] = { kind = "rectangles", x1 = { at.x - half }, x2 = { at.x + half }, y1 = { at.y + BOTTOM },
         y2 = { at.y + TOP }, color = not at.node and "grey" or class and color_of[class] or 1,
         opacity = at.node and opacity(at.node) or 0.1, name = class or nil }
   end
   return layers
end

-- The edges between boxes, and their labels beside the middle.
local function edges_of(nodes, positions)
   local edges = { kind = "segments", color = "grey", width = 1, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local labels = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   for _, at in ipairs(positions) do
      for side, child in ipairs(at.children or {}) do
         local e = #edges.x1 + 1
         edges.x1[e], edges.y1[e], edges.x2[e], edges.y2[e] = at.x, at.y + BOTTOM, child[1], child[2] + TOP
         local label = edge_label(nodes, at.node, side, child[3])
         local direction = child[1] < at.x and -1 or child[1] > at.x and 1 or 0
         labels.x[e] = (at.x + child[1]) / 2 + direction * (0.06 + #label * LETTER / 2)
         labels.y[e], labels.text[e] = (edges.y1[e] + edges.y2[e]) / 2 + 0.06, label
      end
   end
   return edges, labels
end

-- The layers: edges with labels, boxes, and two lines of text for each node.
local function layers_of(nodes, positions, is_classifier)
   local upper = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   local lower = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   for k, at in ipairs(positions) do
      upper.x[k], upper.y[k], lower.x[k], lower.y[k] = at.x, at.y + 0.06, at.x, at.y - 0.15
      upper.text[k], lower.text[k] = node_texts(nodes, at, is_classifier)
   end
   local layers = boxes_of(nodes, positions, is_classifier)
   local edges, labels = edges_of(nodes, positions)
   if #edges.x1 > 0 then table.insert(layers, 1, edges) end
   layers[#layers + 1], layers[#layers + 2] = upper, lower
   if #edges.x1 > 0 then layers[#layers + 1] = labels end
   return layers
end

-- The lowest y, and whether nodes below it are not drawn.
local function extent(positions)
   local lowest, is_truncated = 0, false
   for _, at in ipairs(positions) do
      lowest = math.min(lowest, at.y)
      is_truncated = is_truncated or not at.children and not at.is_leaf
   end
   return lowest, is_truncated
end

local function caption_of(is_truncated, depth, has_lines)
   local texts = {}
   if has_lines then texts[1] = "leaves: mean of y; tree:text() shows their linear models" end
   if is_truncated then texts[#texts + 1] = ("…: truncated at depth %d"):format(depth) end
   return #texts > 0 and table.concat(texts, "; ") or nil
end

local function tree(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   if not estimator.can(last, "nodes") then
      fail("model must be a fitted decision tree, got %s", estimator.name(last))
   end
   local depth = o.depth or DEPTH
   if math.type(depth) ~= "integer" or depth < 0 then
      fail("depth must be a whole number >= 0, got %s", text(depth))
   end
   local nodes = nodes_of(last)
   local positions, leaves = layout(nodes, depth)
   local lowest, is_truncated = extent(positions)
   local is_classifier = estimator.does(last) == "classify"
   return { title = estimator.name(last), width = math.max(480, 60 + LEAF_WIDTH * leaves),
      height = math.max(220, 110 + 84 * (1 - lowest)),
      caption = caption_of(is_truncated, depth, estimator.learned(last, "coef") ~= nil),
      panels = { { x_range = { 0.4, leaves + 0.6 }, y_range = { lowest - 0.4, 0.3 }, x_ticks = {}, y_ticks = {},
         frame = false, legend_position = "below", legend = is_classifier,
         layers = layers_of(nodes, positions, is_classifier) } } }
end

return function(module)
   define(module, "tree", { args = { "model" }, fn = tree,
      brief = "Diagram of a decision tree.",
      notes = "Boxes have the color of the most frequent class, darker in purer nodes; in regression, darker means a "
         .. "higher mean. For a pipeline that ends in a tree, the feature names of its last step are used. tree:text() "
         .. "and tree:rules() return the tree as text. If a node has more than 10 branches, the largest 9 are drawn.",
      options = { depth = "maximum depth to draw; default 3" } })
end
