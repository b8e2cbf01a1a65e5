local ml = require "manilius"
local support = dofile "spec/support.lua"

local function moons(n)
   local rows = {}
   for i = 1, n do
      local t = math.pi * i / n
      rows[i] = i % 2 == 0 and { math.cos(t), math.sin(t) } or { 1 - math.cos(t), 0.5 - math.sin(t) }
   end
   return ml.Matrix(rows) + ml.normal(n, 2, 1) * 0.05
end

describe("consensus", function()
   it("counts how often two rows are together", function()
      local given = { { 1, 1, 2, 2 }, { "a", "a", "a", "b" }, ml.Factor { "x", "x", "y", "y" }, { 5, 5, 6, -1 } }
      local found = ml.consensus(given, { n_clusters = 2 })
      local wanted = { { 1, 1, 0.25, 0 }, { 1, 1, 0.25, 0 }, { 0.25, 0.25, 1, 0.5 }, { 0, 0, 0.5, 1 } }
      for i = 1, 4 do support.near_all(wanted[i], found.coassociation[i], 1e-15, "pair", i) end
      -- merges at 0, 0.5 and 0.875: three clusters exist for the longest range of distances
      assert.equal(3, ml.consensus(given).n_clusters)
      support.near_all({ 0, 0.5, 0.875 }, found.merges:col(3), 1e-15, "height")
      support.near_all({ 1, 1, 2, 2 }, found.labels, 0, "label")
      support.near_all({ 1, 1, 0.5, 0.5 }, found.confidence, 1e-15, "confidence")
      assert.equal(1.0, found.agreement[1])
      assert.equal(4, found.n_clusterings)
   end)

   it("returns what all clusterings agree on", function()
      local labels = { 1, 1, 2, 2, 3, 3 }
      local found = ml.consensus { labels, labels, { 3, 3, 1, 1, 2, 2 } }
      support.near_all(labels, found.labels, 0, "label")
      support.near_all({ 1, 1, 1 }, found.agreement, 0, "agreement")
      assert.equal(1, ml.consensus({ labels, labels }, { n_clusters = 1 }).labels:max())
   end)

   it("joins small clusters of k-means to shapes", function()
      local X = moons(240)
      local found = ml.consensus(ml.KMeans {}, X, { n = 60, k = { 10, 30 }, linkage = "single" })
      assert.equal(2, found.n_clusters)
      local wanted = {}
      for i = 1, 240 do wanted[i] = i % 2 end
      assert.equal(1.0, ml.metrics.ari(wanted, found.labels))
   end)

   it("accepts fitted models, and draws the co-association", function()
      local X = ml.vcat(ml.normal(40, 2, 1), ml.normal(40, 2, 2) + 9)
      local models = { ml.KMeans { n_clusters = 2 }:fit(X), ml.KMedoids { n_clusters = 2 }:fit(X),
         ml.AgglomerativeClustering { n_clusters = 2 }:fit(X) }
      local found = ml.consensus(models)
      assert(found.labels == ml.consensus({ models[1], models[2] }, X).labels)
      assert.matches("^2 clusters from 3 clusterings", tostring(found))
      assert.equal("heat", found:plot().panels[1].layers[1].kind)
   end)

   it("refuses invalid arguments", function()
      support.refuses("consensus: clusterings must be a list of at least two label vectors or fitted models",
         function() ml.consensus { { 1, 2 } } end)
      support.refuses("consensus: clusterings must have the same rows, but number 1 has 2 and number 2 has 3",
         function() ml.consensus { { 1, 2 }, { 1, 2, 3 } } end)
      support.refuses("consensus: n_clusters must be at most the number of rows, 2, got 3",
         function() ml.consensus({ { 1, 2 }, { 1, 2 } }, { n_clusters = 3 }) end)
      support.refuses("consensus: linkage must be", function()
         ml.consensus({ { 1, 2 }, { 1, 2 } }, { linkage = "w" })
      end)
      support.refuses("consensus: k must be { from, to } with whole numbers from 1 to 4",
         function() ml.consensus(ml.KMeans {}, { { 1 }, { 2 }, { 3 }, { 4 } }, { k = { 2, 9 } }) end)
   end)
end)
