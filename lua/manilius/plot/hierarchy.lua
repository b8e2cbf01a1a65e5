--- Dendrograms: the merges of a hierarchical clustering.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail, text = parts.fail, parts.text

local MAX_LEAVES, LEAF_HEIGHT, MARGIN = 150, 20, 160 -- leaves drawn; pixels of a leaf, and of title and axis

-- The merges, and the fitted model if there is one.
local function merges_of(first)
   if not estimator.is(first) then return core.Matrix(first), nil end
   local model = inputs.last(inputs.model(first))
   local merges = estimator.learned(model, "merges")
   if merges == nil then
      fail("merges must come from ml.linkage or a fitted AgglomerativeClustering, got %s", estimator.name(model))
   end
   return merges, model
end

-- The number of clusters to color: of the options, or of the model; nil: none.
local function labels_at_cut(merges, model, o)
   if o.n_clusters ~= nil and o.distance ~= nil then fail("give either n_clusters or distance") end
   if o.n_clusters ~= nil then return core.cut_tree(merges, parts.whole(o, "n_clusters", 1, 1), nil) end
   if o.distance ~= nil then return core.cut_tree(merges, nil, parts.number(o, "distance", 0, 0, math.huge)) end
   return model and model.labels or nil
end

local function names_of(o, n)
   if o.labels == nil then
      local names = {}
      for i = 1, n do names[i] = tostring(i) end
      return names
   end
   parts.same_length("labels", #o.labels, "merges + 1", n)
   local names = {}
   for i = 1, n do names[i] = tostring(o.labels[i]) end
   return names
end

-- The clusters by number: { first = position of its first row, size =, height =, a =, b = }.
local function clusters_of(merges, order)
   local n, clusters = merges.rows + 1, {}
   for position = 1, n do
      local row = math.tointeger(order[position])
      clusters[row] = { first = position, size = 1, height = 0, row = row }
   end
   for i, merge in ipairs(merges:totable()) do
      local a, b = clusters[math.tointeger(merge[1])], clusters[math.tointeger(merge[2])]
      clusters[n + i] = { first = math.min(a.first, b.first), size = a.size + b.size, height = merge[3], a = a, b = b,
         row = a.row }
   end
   return clusters
end

-- The leaves to draw: clusters that are rows, or were made before the last `most` - 1 merges. Their y, from the top.
local function place_leaves(clusters, n, most)
   local leaves, hidden = {}, math.max(0, n - most)
   local function visit(number, cluster)
      if number <= n + hidden then
         leaves[#leaves + 1] = cluster
         cluster.leaf, cluster.y = true, -#leaves
      end
   end
   local number_of = {}
   for number, cluster in ipairs(clusters) do number_of[cluster] = number end
   local pending = { clusters[#clusters] }
   while #pending > 0 do -- not recursive: a chain of merges may be deep
      local cluster = table.remove(pending)
      visit(number_of[cluster], cluster)
      if not cluster.leaf then
         pending[#pending + 1] = cluster.b
         pending[#pending + 1] = cluster.a
      end
   end
   for i = n + hidden + 1, #clusters do clusters[i].y = (clusters[i].a.y + clusters[i].b.y) / 2 end
   return leaves, hidden
end

-- The label that all rows of a cluster have, or nil.
local function common_label(cluster, order, labels)
   local label = labels[order[cluster.first]]
   for position = cluster.first + 1, cluster.first + cluster.size - 1 do
      if labels[order[position]] ~= label then return nil end
   end
   return label
end

local function add_segment(layer, x1, y1, x2, y2)
   local k = #layer.x1 + 1
   layer.x1[k], layer.y1[k], layer.x2[k], layer.y2[k] = x1, y1, x2, y2
end

-- A layer for each cluster of the cut, in the order of the leaves from the top, and one for the merges above it.
local function layers_of(clusters, from, order, labels)
   local layers, by_label, above = {}, {}, nil
   local function layer_of(label)
      local layer = label and by_label[label] or not label and above
      if layer then return layer end
      layer = { kind = "segments", x1 = {}, y1 = {}, x2 = {}, y2 = {}, width = 1.2, dash = "solid",
         color = label or "grey", name = label and ("cluster %s"):format(text(label)) or nil }
      layers[#layers + 1] = layer
      if label then by_label[label] = layer else above = layer end
      return layer
   end
   for i = #clusters, from, -1 do
      local cluster = clusters[i]
      local own = layer_of(labels and common_label(cluster, order, labels) or not labels and 1 or nil)
      add_segment(own, cluster.height, cluster.a.y, cluster.height, cluster.b.y)
      for _, part in ipairs { cluster.a, cluster.b } do
         local label = labels and common_label(part, order, labels) or not labels and 1 or nil
         add_segment(layer_of(label), part.height, part.y, cluster.height, part.y)
      end
   end
   if not labels then layers[1].name = nil end
   table.sort(layers, function(one, two) return (tonumber(one.color) or 0) < (tonumber(two.color) or 0) end)
   return layers
end

-- The height between the merges that were made and those that were not; nil if heights are not in order.
local function cut_height(clusters, n, order, labels)
   local below, above = 0, math.huge
   for i = n + 1, #clusters do
      if common_label(clusters[i], order, labels) then
         below = math.max(below, clusters[i].height)
      else
         above = math.min(above, clusters[i].height)
      end
   end
   return above < math.huge and below <= above and (below + above) / 2 or nil
end

local function leaf_ticks(leaves, names)
   local ticks = {}
   for i, leaf in ipairs(leaves) do
      ticks[i] = { leaf.y, leaf.size == 1 and names[leaf.row] or ("%d rows"):format(leaf.size) }
   end
   return ticks
end

local function dendrogram(first, o)
   local merges, model = merges_of(first)
   local n = merges.rows + 1
   if n < 2 then fail("merges must have at least one merge") end
   local order = core.leaf_order(merges)
   local labels = labels_at_cut(merges, model, o)
   local names = names_of(o, n)
   local clusters = clusters_of(merges, order)
   local leaves, hidden = place_leaves(clusters, n, parts.whole(o, "leaves", MAX_LEAVES, 2))
   local layers = layers_of(clusters, n + hidden + 1, order, labels)
   local at = labels and cut_height(clusters, n, order, labels)
   if at then table.insert(layers, 1, { kind = "rule", at_x = at, dash = "dashed", color = "grey" }) end
   local highest = 0
   for i = n + 1, #clusters do highest = math.max(highest, clusters[i].height) end
   local caption = {}
   if labels then
      local count = labels:max()
      caption[1] = ("%d clusters%s"):format(count, at and (", cut at %.4g (dashed)"):format(at) or "")
   end
   if hidden > 0 then caption[#caption + 1] = ("the last %d of %d merges"):format(#leaves - 1, n - 1) end
   return { title = "Dendrogram", caption = #caption > 0 and table.concat(caption, "; ") or nil,
      height = math.max(300, MARGIN + LEAF_HEIGHT * #leaves),
      panels = { { x = "distance", x_range = { 0, highest > 0 and 1.03 * highest or 1 },
         y_range = { -#leaves - 0.5, -0.5 }, y_ticks = leaf_ticks(leaves, names), legend_position = "below",
         legend = labels ~= nil and labels:max() <= 12, layers = layers } } }
end

return function(module)
   define(module, "dendrogram", { args = { "merges" }, fn = dendrogram,
      brief = "Dendrogram: the merges of a hierarchical clustering.",
      notes = "Accepts a fitted AgglomerativeClustering, whose clusters have colors, or the result of ml.linkage. For "
         .. "another order of the rows pass the merges of ml.leaf_order.",
      options = { labels = "names of the rows; default: their numbers", n_clusters = "number of clusters to color",
         distance = "color the clusters at this distance, inclusive",
         leaves = "maximum number of leaves; if there are more rows, the last merges only; default 150" },
      source = "Sneath & Sokal (1973)" })
end
