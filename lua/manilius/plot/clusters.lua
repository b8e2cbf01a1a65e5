--- Plots of density-based clusterings: reachability, condensed trees, distances to neighbors.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

-- The learned field of the last step of a model, or an error that names the class that has it.
local function learned(model, field, class)
   local last = inputs.last(inputs.model(model))
   local value = estimator.learned(last, field)
   if value == nil then fail("model must be a fitted %s, got %s", class, estimator.name(last)) end
   return value, last
end

-- --- reachability ---

local MAX_BARS = 1000 -- about the width of a figure in pixels

-- The rows of the plot in groups of equal number: the largest finite height of each, and the label of its first row.
local function grouped(heights, labels, ceiling)
   local n = #heights
   local size = math.ceil(n / MAX_BARS)
   local bars = {}
   for begin = 1, n, size do
      local height, unbounded = 0, false
      for i = begin, math.min(begin + size - 1, n) do
         if heights[i] < math.huge then height = math.max(height, heights[i]) else unbounded = true end
      end
      bars[#bars + 1] = { at = begin + (size - 1) / 2, height = unbounded and ceiling or height, label = labels[begin] }
   end
   return bars, size
end

local function highest_finite(values)
   local highest = 0
   for i = 1, #values do
      if values[i] < math.huge then highest = math.max(highest, values[i]) end
   end
   return highest
end

-- A layer of bars for noise and for each cluster.
local function bar_layers(bars, width, clusters)
   local layers, named = {}, clusters <= 12
   for label = 0, clusters do
      local wanted = label == 0 and -1 or label
      local x, y = {}, {}
      for _, bar in ipairs(bars) do
         if bar.label == wanted then x[#x + 1], y[#y + 1] = bar.at, bar.height end
      end
      if #x > 0 then
         layers[#layers + 1] = { kind = "bars", x = x, y = y, width = width, color = label == 0 and "grey" or label,
            name = named and (label == 0 and "noise" or "cluster " .. label) or nil }
      end
   end
   return layers, named
end

local function reachability(model, o)
   local reached, last = learned(model, "reachability", "OPTICS")
   local heights, labels = reached:take(last.ordering), last.labels:take(last.ordering)
   local ceiling = 1.05 * math.max(highest_finite(heights), 1e-300)
   local bars, width = grouped(heights, labels, ceiling)
   local layers, named = bar_layers(bars, width, #last.counts)
   local eps = parts.number(o, "eps", nil, 0, math.huge)
      or estimator.get_params(last).cluster_method == "dbscan" and estimator.get_params(last).eps or nil
   if eps then layers[#layers + 1] = { kind = "rule", at_y = eps, dash = "dashed", color = "black" } end
   return { title = "Reachability",
      caption = ("%d clusters; a bar of full height begins a new part"):format(#last.counts),
      panels = { { x = "rows in the order of OPTICS", y = "reachability distance", x_range = { 0.5, #heights + 0.5 },
         y_range = { 0, ceiling }, legend = named, legend_position = "below", layers = layers } } }
end

-- --- condensed trees ---

local MAX_STEPS = 150

-- The nodes of the tree: { birth =, label =, size = rows, lambdas = sorted, children = , first = of its lane }.
local function nodes_of(model, limit)
   local tree, node, lambda = model.condensed_tree, model.node, model.lambda
   local nodes = {}
   for i = 1, tree.rows do
      local row = tree[i]
      nodes[i] = { birth = i == 1 and 0 or math.min(1 / row[2], limit), label = row[5], parent = row[1], size = 0,
         lambdas = {}, children = {} }
      if i > 1 then table.insert(nodes[math.tointeger(row[1])].children, nodes[i]) end
   end
   for i = 1, #node do table.insert(nodes[node[i]].lambdas, math.min(lambda[i], limit)) end
   for i = tree.rows, 1, -1 do
      table.sort(nodes[i].lambdas)
      nodes[i].size = nodes[i].size + #nodes[i].lambdas
      local parent = nodes[math.tointeger(nodes[i].parent)]
      if parent then parent.size = parent.size + nodes[i].size end
   end
   return nodes
end

-- Lanes as high as the number of rows; those of children side by side in the middle of that of their parent.
local function place(nodes)
   nodes[1].first = 0
   for _, node in ipairs(nodes) do -- parents come first
      node.selected = node.label > 0
      if node.parent > 0 and not node.selected then node.label = nodes[math.tointeger(node.parent)].label end
      local sum = 0
      for _, child in ipairs(node.children) do sum = sum + child.size end
      local first = node.first + (node.size - sum) / 2
      for _, child in ipairs(node.children) do
         child.first = first
         first = first + child.size
      end
   end
end

-- How many rows of a node are left at each lambda, until it splits or ends.
local function outline(node)
   local x, high, low = {}, {}, {}
   local middle, left = node.first + node.size / 2, node.size
   local function add(lambda)
      x[#x + 1], high[#high + 1], low[#low + 1] = lambda, middle + left / 2, middle - left / 2
   end
   add(node.birth)
   local every = math.ceil(#node.lambdas / MAX_STEPS)
   for i, lambda in ipairs(node.lambdas) do
      if i % every == 0 or i == #node.lambdas then
         add(lambda)
         left = node.size - i
         add(lambda)
      end
   end
   if node.children[1] then add(node.children[1].birth) end
   return x, low, high
end

local function condensed_tree(model, o)
   local _, last = learned(model, "condensed_tree", "HDBSCAN")
   local share = parts.number(o, "share", 0.99, 0, 1)
   local finite = {}
   for i = 1, #last.lambda do
      if last.lambda[i] < 1e300 then finite[#finite + 1] = last.lambda[i] end
   end
   if #finite == 0 then fail("model must have rows that differ") end
   local limit = core.Vector(finite):quantile(share)
   local nodes = nodes_of(last, limit)
   place(nodes)
   local layers, seen = {}, {}
   for _, node in ipairs(nodes) do
      local x, low, high = outline(node)
      local label = node.label > 0 and math.tointeger(node.label) or nil
      layers[#layers + 1] = { kind = "band", x = x, low = low, high = high, color = label or "grey",
         opacity = node.selected and 0.85 or 0.45,
         name = label and #last.counts <= 12 and not seen[label] and "cluster " .. label or nil }
      if label then seen[label] = true end
   end
   return { title = "Condensed tree",
      caption = ("%d of %d nodes are selected; lambda up to its quantile %g"):format(#last.counts, #nodes, share),
      panels = { { x = "lambda = 1 / distance", y = "rows", x_range = { 0, limit },
         y_range = { -0.02 * nodes[1].size, 1.02 * nodes[1].size }, y_ticks = {}, legend = #last.counts <= 12,
         legend_position = "below", layers = layers } } }
end

-- --- distances to neighbors ---

local function neighbor_distances(X, o)
   X = inputs.data(X)
   local k = parts.whole(o, "k", 4, 1)
   local model = core.constructors.NearestNeighbors { n_neighbors = k, metric = o.metric }:fit(X)
   local distances = model:kneighbors(nil).distances:col(k):copy():sort "descending"
   return { title = ("Distance to neighbor %d"):format(k),
      caption = ("DBSCAN with min_samples = %d: choose eps where the curve bends"):format(k + 1),
      panels = { { x = "rows, the most isolated first", y = "distance",
         layers = { { kind = "line", x = core.range(1, #distances), y = distances, color = 1 } } } } }
end

return function(module)
   define(module, "reachability", { args = { "model" }, fn = reachability,
      brief = "Reachability plot of OPTICS: valleys are clusters.",
      notes = "Accepts a fitted OPTICS. Many rows are drawn in groups, each as high as its highest row.",
      options = { eps = "distance to mark; default: that of the method dbscan" },
      source = "Ankerst, Breunig, Kriegel & Sander (1999)" })
   define(module, "condensed_tree", { args = { "model" }, fn = condensed_tree,
      brief = "Condensed tree of HDBSCAN: how clusters split and lose rows as density grows.",
      notes = "Accepts a fitted HDBSCAN. The height of a band is the number of rows left. Selected clusters have "
         .. "colors, and what they split into has them lighter.",
      options = { share = "quantile of lambda at which the axis ends; default 0.99" },
      source = "Campello, Moulavi, Zimek & Sander (2015)" })
   define(module, "neighbor_distances", { args = { "X" }, data_args = 1, fn = neighbor_distances,
      brief = "Sorted distances to the k-th neighbor, to choose eps of DBSCAN.",
      notes = "Where the curve bends, rows in dense regions end and noise begins.",
      options = { k = "number of the neighbor; default 4",
         metric = "metric of NearestNeighbors; default euclidean" },
      source = "Ester, Kriegel, Sander & Xu (1996)" })
end
