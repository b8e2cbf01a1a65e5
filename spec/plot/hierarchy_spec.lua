--- Plots of hierarchical and density-based clusterings.
local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses
local plot = ml.plot

local function layers(figure, kind)
   local out = {}
   for _, layer in ipairs(figure.panels[1].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("plot.dendrogram", function()
   local X = { { 0 }, { 1 }, { 10 }, { 12 } }
   local model = ml.AgglomerativeClustering { linkage = "single", n_clusters = 2 }:fit(X)

   it("draws each merge, in the color of its cluster", function()
      local figure = plot.dendrogram(model, { labels = { "a", "b", "c", "d" } })
      local segments = layers(figure, "segments")
      assert.equal(3, #segments)
      local count = 0
      for _, layer in ipairs(segments) do count = count + #layer.x1 end
      assert.equal(9, count)
      assert.matches("2 clusters, cut at 5.5", figure.caption)
      assert.equal(4, #figure.panels[1].y_ticks)
      assert.equal("a", figure.panels[1].y_ticks[1][2])
   end)

   it("colors by height, or nothing", function()
      local merges = ml.linkage(X, { linkage = "single" })
      assert.matches("3 clusters", plot.dendrogram(merges, { distance = 1.5 }).caption)
      assert.equal(1, #layers(plot.dendrogram(merges), "segments"))
   end)

   it("shows the last merges of many rows", function()
      local figure = plot.dendrogram(ml.linkage(core.normal(400, 2, 1)), { leaves = 20 })
      assert.matches("The last 19 of 399 merges", figure.caption)
      assert.equal(20, #figure.panels[1].y_ticks)
   end)

   it("is one of the pictures of a clustering without predict", function()
      local numbers = ml.Matrix { { 0, 1 }, { 1, 0 }, { 9, 9 }, { 10, 9 }, { 9, 10 } }
      local tree = ml.AgglomerativeClustering {}:fit(numbers)
      assert.equal("Silhouettes", plot.silhouette(tree, numbers).title)
      refuses("X must be the 5 rows of fit, got 2", function() plot.silhouette(tree, numbers:slice(1, 2)) end)
      local inner = ml.Pipeline { ml.StandardScaler {}, ml.AgglomerativeClustering {} }
      assert.same(tree.labels:totable(), inner:fit_predict(numbers):totable())
      local report = ml.report(ml.AgglomerativeClustering {}, numbers, nil, { pictures = false })
      assert.matches("silhouette", tostring(report))
   end)

   it("refuses what has no merges", function()
      refuses("merges must come from ml.linkage or a fitted AgglomerativeClustering, got KMeans",
         function() plot.dendrogram(ml.KMeans { n_clusters = 2 }:fit(X)) end)
      refuses("give either n_clusters or distance",
         function() plot.dendrogram(model, { n_clusters = 2, distance = 1 }) end)
   end)
end)

local function geyser()
   return ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv")
end

describe("plot.reachability", function()
   it("has a bar for each row, in the colors of the clusters", function()
      local model = ml.OPTICS { min_samples = 10, cluster_method = "dbscan", eps = 0.35 }:fit(geyser())
      local figure = plot.reachability(model)
      local bars, count = layers(figure, "bars"), 0
      for _, layer in ipairs(bars) do count = count + #layer.x end
      assert.equal(272, count)
      assert.equal("noise", bars[1].name)
      assert.equal(0.35, layers(figure, "rule")[1].at_y)
      assert.matches("2 clusters", figure.caption)
   end)

   it("draws many rows in groups", function()
      local model = ml.OPTICS { min_samples = 5, max_eps = 0.5 }:fit(core.normal(2500, 2, 1))
      local count = 0
      for _, layer in ipairs(layers(plot.reachability(model, { eps = 0.1 }), "bars")) do count = count + #layer.x end
      assert.equal(math.ceil(2500 / 3), count)
   end)

   it("refuses other models", function()
      refuses("model must be a fitted OPTICS, got DBSCAN", function() plot.reachability(ml.DBSCAN {}:fit(geyser())) end)
   end)
end)

describe("plot.condensed_tree", function()
   it("has a band for each node", function()
      local model = ml.HDBSCAN { min_cluster_size = 12 }:fit(geyser())
      local bands = layers(plot.condensed_tree(model), "band")
      assert.equal(model.condensed_tree.rows, #bands)
      assert.near(272, bands[1].high[1] - bands[1].low[1], 1e-9)
      for i = 2, #bands do assert.near(1 / model.condensed_tree:get(i, 2), bands[i].x[1], 1e-9) end
   end)

   it("refuses rows that are all equal, and other models", function()
      local same = ml.HDBSCAN {}:fit(core.full(30, 2, 1))
      refuses("model must have rows that differ", function() plot.condensed_tree(same) end)
      refuses("model must be a fitted HDBSCAN, got KMeans",
         function() plot.condensed_tree(ml.KMeans { n_clusters = 2 }:fit(geyser())) end)
   end)
end)

describe("plot.neighbor_distances", function()
   it("sorts the distances", function()
      local line = layers(plot.neighbor_distances({ { 0 }, { 1 }, { 3 }, { 10 } }, { k = 2 }), "line")[1]
      for i, distance in ipairs { 9, 3, 3, 2 } do assert.equal(distance, line.y[i]) end
   end)
end)
