local core = require "manilius.core"
local ml = require "manilius"
local oracle = dofile "spec/fixtures/hierarchy/hierarchy.lua"

local LINKAGES = { "single", "complete", "average", "weighted", "centroid", "median", "ward" }

local function numbers(path, dropped)
   return ml.read_csv(path):drop { dropped }:matrix()
end

local function arrests() return numbers("examples/data/usarrests.csv", "state") end
local function wine() return numbers("examples/data/wine.csv", "class") end

local function fit(X, settings)
   return ml.AgglomerativeClustering(settings):fit(X)
end

local function near(want, got, tolerance, what)
   assert.equal(#want, #got, what)
   for i = 1, #want do
      assert(math.abs(want[i] - got[i]) <= tolerance * math.max(1, math.abs(want[i])),
         ("%s: %.17g instead of %.17g at %d"):format(what, got[i], want[i], i))
   end
end

local function same_partition(want, got, what)
   assert.near(1, ml.metrics.ari(core.Vector(want), got), 1e-12, what)
end

-- The square of side 4, on which most distances are equal.
local function grid()
   local rows = {}
   for i = 0, 15 do rows[i + 1] = { i % 4, i // 4 } end
   return core.Matrix(rows)
end

describe("AgglomerativeClustering", function()
   it("merges as scipy does, with each linkage", function()
      local X = arrests()
      for _, linkage in ipairs(LINKAGES) do
         local want, model = oracle.arrests[linkage], fit(X, { linkage = linkage })
         for i, row in ipairs(want.merges) do near(row, model.merges[i]:totable(), 1e-12, linkage .. " merge " .. i) end
         same_partition(want.by_height, ml.cut_tree(model, { height = want.height }), linkage)
         local _, correlation = ml.cophenetic(model, X)
         assert.near(want.correlation, correlation, 1e-12)
         assert.same(want.leaves, ml.leaf_order(model):totable(), linkage)
      end
   end)

   it("gives the same merges from a matrix of distances", function()
      local X = arrests()
      local D = ml.pairwise_distances(X)
      for _, linkage in ipairs(LINKAGES) do
         local rows, distances = ml.linkage(X, { linkage = linkage }), ml.linkage(D, { linkage = linkage, metric =
            "precomputed" })
         for i = 1, rows.rows do near(rows[i]:totable(), distances[i]:totable(), 1e-12, linkage) end
      end
   end)

   it("has the heights of scipy with other metrics", function()
      local X, names = wine(), { cityblock = "manhattan" }
      for metric, heights in pairs(oracle.metrics) do
         local model = fit(X, { linkage = "average", metric = names[metric] or metric })
         near(heights, model.merges:col(3):totable(), 1e-10, metric)
      end
   end)

   it("breaks ties so that heights of linkages without a choice are those of scipy", function()
      for _, linkage in ipairs { "single", "ward", "complete", "average" } do
         near(oracle.grid[linkage], fit(grid(), { linkage = linkage }).merges:col(3):totable(), 1e-12, linkage)
      end
   end)

   it("merges along the links of a graph as scikit-learn does", function()
      local X = wine()
      for _, case in ipairs(oracle.connected) do
         local model = fit(X, { linkage = case.linkage, n_clusters = 4, connectivity = oracle.pairs[case.k] })
         same_partition(case.labels, model.labels, ("%s with %d neighbors"):format(case.linkage, case.k))
      end
   end)

   it("accepts a sparse graph as connectivity", function()
      local X = wine()
      local graph = ml.NearestNeighbors { n_neighbors = 8 }:fit(X):kneighbors_graph()
      local model = fit(X, { n_clusters = 4, connectivity = graph })
      for _, case in ipairs(oracle.connected) do
         if case.k == 8 and case.linkage == "ward" then same_partition(case.labels, model.labels) end
      end
   end)

   it("joins all rows of a complete graph as without one", function()
      local X, pairs_of = arrests(), {}
      for i = 1, 50 do
         for j = i + 1, 50 do pairs_of[#pairs_of + 1] = { i, j } end
      end
      for _, linkage in ipairs { "ward", "average", "complete", "single" } do
         local free, linked = fit(X, { linkage = linkage }), fit(X, { linkage = linkage, connectivity = pairs_of })
         near(free.merges:col(3):totable(), linked.merges:col(3):totable(), 1e-10, linkage)
      end
   end)

   it("finds the same tree for single linkage with and without an index", function()
      local X = core.normal(700, 3, 4)
      local with_index = ml.linkage(X, { linkage = "single" })
      local by_distances = ml.linkage(ml.pairwise_distances(X), { linkage = "single", metric = "precomputed" })
      for i = 1, with_index.rows do near(with_index[i]:totable(), by_distances[i]:totable(), 1e-12, "merge " .. i) end
      for _, metric in ipairs { "manhattan", "chebyshev", "minkowski", "cosine", "mahalanobis" } do
         local fast = ml.linkage(X, { linkage = "single", metric = metric, p = 3 })
         local D = ml.pairwise_distances(X, nil, { metric = metric, p = 3 })
         local slow = ml.linkage(D, { linkage = "single", metric = "precomputed" })
         near(slow:col(3):totable(), fast:col(3):totable(), 1e-12, metric)
      end
   end)

   it("clusters sparse rows as dense ones", function()
      local X = wine()
      for i = 1, X.rows do X:set(i, i % 13 + 1, 0) end
      for _, linkage in ipairs(LINKAGES) do
         local dense, sparse = fit(X, { linkage = linkage }), fit(core.Sparse.from(X), { linkage = linkage })
         near(dense.merges:col(3):totable(), sparse.merges:col(3):totable(), 1e-10, linkage)
      end
   end)

   it("returns the labels in fit_predict", function()
      local X = arrests()
      assert.same(fit(X, {}).labels:totable(), ml.AgglomerativeClustering {}:fit_predict(X):totable())
   end)

   it("stops at a distance", function()
      local X = { { 0 }, { 1 }, { 3 }, { 7 } }
      local function labels(threshold)
         return fit(X, { linkage = "single", distance_threshold = threshold }).labels:totable()
      end
      assert.same({ 1, 2, 3, 4 }, labels(1))
      assert.same({ 1, 1, 2, 3 }, labels(2))
      assert.same({ 1, 1, 1, 2 }, labels(4))
      assert.same({ 1, 1, 1, 1 }, labels(4.1))
      assert.same({ 1, 1, 1, 2 }, ml.cut_tree(ml.linkage(X, { linkage = "single" }), { height = 2 }):totable())
   end)

   it("does not depend on the order of the rows", function()
      local X, order = core.normal(120, 3, 8), core.permutation(120, 5)
      for _, linkage in ipairs(LINKAGES) do
         local labels = fit(X, { linkage = linkage, n_clusters = 5 }).labels:take(order)
         same_partition(labels:totable(), fit(X:take(order), { linkage = linkage, n_clusters = 5 }).labels, linkage)
      end
   end)

   it("handles one row, two rows and rows that are all equal", function()
      assert.same({ 1 }, fit({ { 3, 4 } }, { n_clusters = 1 }).labels:totable())
      assert.same({ 1, 2 }, fit({ { 3 }, { 4 } }, {}).labels:totable())
      for _, linkage in ipairs(LINKAGES) do
         local model = fit(core.full(300, 2, 1.5), { linkage = linkage, n_clusters = 3 })
         assert.equal(0, model.merges:col(3):max())
         assert.equal(3, #model.counts)
      end
   end)

   it("refuses bad input", function()
      local function refused(pattern, X, settings)
         assert.error_matches(function() fit(X, settings) end, pattern)
      end
      local precomputed = { metric = "precomputed", linkage = "average" }
      refused("n_clusters must be at most the number of rows, 2, got 3", { { 1 }, { 2 } }, { n_clusters = 3 })
      refused("symmetric, got 2 in row 2, column 1, and 1 in row 1, column 2", { { 0, 1 }, { 2, 0 } }, precomputed)
      refused("0 on the diagonal, got 1 in row 1", { { 1, 1 }, { 1, 1 } }, precomputed)
      refused("values >= 0, got %-1 in row 2, column 1", { { 0, -1 }, { -1, 0 } }, precomputed)
      refused("square X of distances, got 2 x 3", { { 0, 1, 2 }, { 1, 0, 2 } }, precomputed)
      refused("finite", { { 1 }, { 0 / 0 } }, {})
      refused("linkage 'ward' requires the metric euclidean", { { 1 }, { 2 } }, { metric = "manhattan" })
      refused("requires the linkage ward, complete, average or single, got 'median'", { { 1 }, { 2 } },
         { linkage = "median", connectivity = { { 1, 2 } } })
      refused("from 1 to 2, got 3 in row 1, column 2", { { 1 }, { 2 } }, { connectivity = { { 1, 3 } } })
      assert.error_matches(function() return fit({ { 1 }, { 2 } }, {}).predict end,
         "has no 'predict'; it has results for the rows of fit only, as labels")
   end)
end)

describe("a hierarchy of merges", function()
   it("has cophenetic distances and cuts", function()
      local Z = ml.linkage({ { 0 }, { 1 }, { 5 } }, { linkage = "single" })
      assert.same({ { 0, 1, 4 }, { 1, 0, 4 }, { 4, 4, 0 } }, ml.cophenetic(Z):totable())
      assert.same({ 1, 1, 2 }, ml.cut_tree(Z, { n_clusters = 2 }):totable())
      assert.same({ 1, 2, 3 }, ml.cut_tree(Z, { n_clusters = 3 }):totable())
   end)

   it("has the optimal leaf order", function()
      local X = wine():slice(1, 40)
      local D = ml.pairwise_distances(X)
      local order = ml.leaf_order(ml.linkage(X, { linkage = "average" }), D)
      local sum = 0
      for i = 1, #order - 1 do sum = sum + D:get(order[i], order[i + 1]) end
      assert.near(oracle.best_order.length, sum, 1e-9)
   end)

   it("refuses distances that are none in leaf_order", function()
      local Z = ml.linkage({ { 0 }, { 1 }, { 5 } }, { linkage = "single" })
      local function refused(pattern, D) assert.error_matches(function() ml.leaf_order(Z, D) end, pattern) end
      refused("leaf_order: distances must be symmetric, got 2 in row 2", { { 0, 1, 5 }, { 2, 0, 4 }, { 5, 4, 0 } })
      refused("leaf_order: distances must have values >= 0, got nan", { { 0, 1, 5 }, { 1, 0, 0 / 0 }, { 5, 0 / 0, 0 } })
      refused("0 on the diagonal, got 3 in row 1", { { 3, 1, 5 }, { 1, 0, 4 }, { 5, 4, 0 } })
   end)

   it("refuses matrices that are not merges", function()
      local function refused(pattern, merges, options)
         assert.error_matches(function() ml.cut_tree(merges, options) end, pattern)
      end
      refused("cut_tree: each merge must join two clusters .* merge 2 does not", { { 1, 2, 0, 2 }, { 1, 3, 1, 3 } },
         { n_clusters = 2 })
      refused("got 3 instead of 2 in row 1", { { 1, 2, 0, 3 } }, { n_clusters = 2 })
      refused("4 columns", { { 1, 2, 0 } }, { n_clusters = 1 })
      refused("from 1 to the number of rows, 2", { { 1, 2, 0, 2 } }, { n_clusters = 3 })
      refused("n_clusters or height", { { 1, 2, 0, 2 } })
      refused("height must be a number, got", { { 1, 2, 0, 2 } }, { height = 0 / 0 })
   end)
end)
