--- The picture of a decision tree.
-- @module manilius.plot.tree

local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail, text = parts.fail, parts.text

local DEPTH, LETTERS, BRANCHES = 3, 26, 10
local WIDTH, MOST = 150, 66 -- of a leaf in pixels; leaves that a picture of at most 10000 pixels holds

local function cut(words, letters)
   local n = utf8.len(words)
   return n and n > letters and words:sub(1, utf8.offset(words, letters) - 1) .. "…" or words
end

-- The columns of last:nodes() by name; those of a tree with many branches have `branch`.
local function nodes_of(last)
   local frame = last:nodes()
   local nodes = { rows = frame.rows }
   for _, name in ipairs(frame.names) do nodes[name] = frame[name] end
   return nodes
end

-- The children of each node in their order: two that answer a question, or all that name it as their parent.
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

-- Of many branches the largest, in their order, and how many are left out.
local function drawn(nodes, children)
   if #children <= BRANCHES then return children, 0 end
   local largest = table.move(children, 1, #children, 1, {})
   table.sort(largest, function(a, b)
      return nodes.cover[a] > nodes.cover[b] or nodes.cover[a] == nodes.cover[b] and a < b
   end)
   local some = table.move(largest, 1, BRANCHES - 1, 1, {})
   table.sort(some)
   return some, #children - #some
end

-- Where the nodes stand: leaves side by side, in the order of the tree, a question over the middle of its answers.
-- Below `depth` nothing is drawn; every level that is has a leaf at least, so the walk ends early in a chain. A place
-- without `node` stands for `left_out` branches.
local function places(nodes, depth)
   local place, leaves, children = {}, 0, children_of(nodes)
   local function put(i)
      local own = { node = i, y = -nodes.depth[i], is_leaf = #children[i] == 0 }
      place[#place + 1] = own
      if leaves >= MOST or nodes.depth[i] >= MOST then
         fail("depth = %d shows more than %d leaves; draw less of the tree, or read its text() or rules()", depth, MOST)
      end
      if own.is_leaf or nodes.depth[i] >= depth then
         leaves = leaves + 1
         own.x = leaves
         return leaves
      end
      own.children = {}
      local some, left_out = drawn(nodes, children[i])
      for k, child in ipairs(some) do own.children[k] = { put(child), own.y - 1, child } end
      if left_out > 0 then
         leaves = leaves + 1
         place[#place + 1] = { left_out = left_out, x = leaves, y = own.y - 1, is_leaf = true }
      end
      own.x = (own.children[1][1] + own.children[#some][1]) / 2
      return own.x
   end
   put(1)
   return place, leaves
end

local function words_of(nodes, at, is_classifier)
   local i = at.node
   if not i then return "…", ("%d more branches"):format(at.left_out) end
   local count = ("%.4g rows"):format(nodes.cover[i])
   if at.children then return cut(nodes.question[i], LETTERS), count end
   if not at.is_leaf then return "…", count end
   if is_classifier then
      return cut(nodes.answer[i], LETTERS), ("%.0f%% of %.4g"):format(100 * nodes.value[i], nodes.cover[i])
   end
   return ("%.4g"):format(nodes.value[i]), count
end

-- The label of a child: its branch, and whether rows with a missing value go there. A question that is itself about
-- missing values needs no such label.
local function label_of(nodes, node, side, child)
   if nodes.branch then return cut(nodes.branch[child], LETTERS // 2) end
   if not nodes.has_missing or nodes.has_missing[node] ~= 1 then return nil end
   if nodes.question[node]:find " is missing$" or nodes.question[node]:find " is not missing$" then return nil end
   if (nodes.missing_left[node] == 1) ~= (side == 1) then return nil end
   return side == 1 and "yes or missing" or "no or missing"
end

-- What is drawn: edges, two lines of text at each node, and at each of several branches which it is.
local function layers_of(nodes, place, is_classifier)
   local edges = { kind = "segments", color = "grey", width = 1, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local upper = { kind = "text", x = {}, y = {}, text = {}, color = "black" }
   local lower = { kind = "text", x = {}, y = {}, text = {}, color = "grey" }
   local branch = { kind = "text", x = {}, y = {}, text = {}, color = "blue" }
   for k, at in ipairs(place) do
      upper.x[k], upper.y[k], lower.x[k], lower.y[k] = at.x, at.y + 0.06, at.x, at.y - 0.15
      upper.text[k], lower.text[k] = words_of(nodes, at, is_classifier)
      for side, child in ipairs(at.children or {}) do
         local e, label, b = #edges.x1 + 1, label_of(nodes, at.node, side, child[3]), #branch.x + 1
         edges.x1[e], edges.y1[e], edges.x2[e], edges.y2[e] = at.x, at.y - 0.27, child[1], child[2] + 0.2
         if label then
            edges.y2[e] = child[2] + 0.34
            branch.x[b], branch.y[b], branch.text[b] = child[1], child[2] + 0.25, label
         end
      end
   end
   local layers = { upper, lower }
   if #edges.x1 > 0 then table.insert(layers, 1, edges) end
   if #branch.x > 0 then layers[#layers + 1] = branch end
   return layers
end

-- The lowest y, and whether the tree goes on below it.
local function extent(place)
   local deepest, goes_on = 0, false
   for _, at in ipairs(place) do
      deepest = math.min(deepest, at.y)
      goes_on = goes_on or not at.children and not at.is_leaf
   end
   return deepest, goes_on
end

-- What a reader must know.
local function caption_of(nodes, goes_on, depth, has_lines)
   local told = {}
   if not nodes.branch then told[1] = "left: yes; right: no" end
   if has_lines then told[#told + 1] = "leaves: the mean of y; text() tells their lines" end
   if goes_on then told[#told + 1] = ("…: goes on below depth %d"):format(depth) end
   return #told > 0 and table.concat(told, "; ") or nil
end

local function tree(model, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   if not estimator.can(last, "nodes") then fail("needs a fitted decision tree, got %s", estimator.name(last)) end
   local depth = o.depth or DEPTH
   if math.type(depth) ~= "integer" or depth < 0 then
      fail("depth must be a whole number from 0, got %s", text(depth))
   end
   local nodes = nodes_of(last)
   local place, leaves = places(nodes, depth)
   local deepest, goes_on = extent(place)
   return { title = estimator.name(last), width = math.max(480, 60 + WIDTH * leaves),
      height = math.max(220, 110 + 84 * (1 - deepest)),
      caption = caption_of(nodes, goes_on, depth, estimator.learned(last, "coef") ~= nil),
      panels = { { x_range = { 0.4, leaves + 0.6 }, y_range = { deepest - 0.4, 0.3 }, x_ticks = {}, y_ticks = {},
         frame = false, layers = layers_of(nodes, place, estimator.does(last) == "classify") } } }
end

return function(module)
   define(module, "tree", { args = { "model" }, fn = tree,
      brief = "Diagram of a decision tree.",
      notes = "For a pipeline that ends in a tree, the feature names of its last step are used. tree:text() and "
         .. "tree:rules() return the tree as text. If a node has more than 10 branches, the largest 9 are drawn.",
      options = { depth = "maximum depth that is drawn; default 3" } })
end
