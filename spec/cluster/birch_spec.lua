local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/birch.lua"

local function quakes()
   return ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/quakes.csv":matrix())
end

-- The rows of a matrix in lexicographic order.
local function sorted_rows(X)
   local rows = X:totable()
   table.sort(rows, function(a, b)
      for j = 1, #a do
         if a[j] ~= b[j] then return a[j] < b[j] end
      end
      return false
   end)
   return rows
end

describe("Birch", function()
   it("finds the subclusters and labels of scikit-learn", function()
      local settings = { plain = {}, fine = { threshold = 0.3, branching_factor = 5, n_clusters = 6 },
         subclusters = { threshold = 1.2, branching_factor = 4, n_clusters = 0 } }
      for name, one in pairs(settings) do
         local model, want = ml.Birch(one):fit(quakes()), oracle[name]
         assert.equal(want.count, model.subcluster_centers.rows)
         local rows = sorted_rows(model.subcluster_centers)
         support.near_rows(want.first, { rows[1], rows[2], rows[3] }, 1e-9, name, 1)
         assert.equal(1, ml.metrics.ari(want.labels, model.labels))
         assert.is_true(model:predict(quakes()) == model.labels)
         assert.equal(1000, model.counts:sum())
      end
   end)

   it("counts every row in one subcluster, and transforms to distances from them", function()
      local X = quakes()
      local model = ml.Birch { threshold = 0.7, n_clusters = 0 }:fit(X)
      assert.equal(1000, model.subcluster_counts:sum())
      local D = model:transform(X)
      assert.equal(model.subcluster_centers.rows, D.cols)
      for i = 1, 1000, 97 do assert.equal(model.labels[i], D[i]:argmin()) end
   end)

   it("continues the tree with later batches, also after loading", function()
      local X = quakes()
      local parts = ml.Birch {}:partial_fit(X:slice(1, 400))
      parts = ml.load(parts:dump()):partial_fit(X:slice(401, 1000))
      -- radii are computed about the mean of the first batch, which changes rounding only
      local whole = ml.Birch {}:fit(X)
      assert.equal(whole.subcluster_centers.rows, parts.subcluster_centers.rows)
      assert.equal(1, ml.metrics.ari(whole:predict(X), parts:predict(X)))
   end)

   it("stays accurate far from 0", function()
      local X = quakes()
      local near, far = ml.Birch {}:fit(X), ml.Birch {}:fit(X + 1e8)
      assert.equal(near.subcluster_centers.rows, far.subcluster_centers.rows)
      assert.is_true(ml.metrics.ari(near.labels, far.labels) > 0.999)
   end)

   it("handles equal rows, a single row, and fewer subclusters than clusters", function()
      assert.same({ 5 }, ml.Birch {}:fit(ml.full(5, 2, 1)).counts:totable())
      assert.same({ 1 }, ml.Birch {}:fit({ { 3, 4 } }).counts:totable())
      assert.same({ 2, 1 }, ml.Birch {}:fit({ { 0 }, { 0.1 }, { 9 } }).counts:totable())
   end)
end)
