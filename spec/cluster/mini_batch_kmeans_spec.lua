local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/kmeans_family.lua"

local function mean(list)
   local sum = 0
   for _, value in ipairs(list) do sum = sum + value end
   return sum / #list
end

describe("MiniBatchKMeans", function()
   it("is as good on average as scikit-learn with the same parameters", function()
      local X, found = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix(), {}
      for seed = 1, 10 do
         local model = ml.MiniBatchKMeans { n_clusters = 10, seed = seed }:fit(X)
         assert.is_true(model.converged)
         found[seed] = model.inertia
         assert(model.labels == model:predict(X))
      end
      assert.is_true(mean(found) <= 1.02 * mean(oracle.mini_batch))
   end)

   it("takes the step of the paper, weighted", function()
      local X, w = { { 0 }, { 1 }, { 10 }, { 12 } }, { 1, 3, 2, 2 }
      local model = ml.MiniBatchKMeans { n_clusters = 2, start = { { 1 }, { 9 } }, reassignment_ratio = 0 }
      model:partial_fit(X, nil, { weights = w })
      support.near_all({ 3 / 4, 11 }, model.cluster_centers:col(1), 1e-15, "first")
      support.near_all({ 4, 4 }, model.counts, 0, "count")
      model:partial_fit { { 2 }, { 14 } }
      support.near_all({ 3 / 4 + (2 - 3 / 4) / 5, 11 + 3 / 5 }, model.cluster_centers:col(1), 1e-15, "second")
      assert.equal(2, model.n_steps)
   end)

   it("moves centers without rows to rows of the batch", function()
      local X = ml.vcat(ml.normal(200, 2, 1), ml.normal(200, 2, 2) + 20)
      local start = { { 0, 0 }, { 1000, 1000 } }
      assert.is_true(ml.MiniBatchKMeans { n_clusters = 2, start = start }:fit(X).inertia < 1000)
      assert.is_true(ml.MiniBatchKMeans { n_clusters = 2, start = start, reassignment_ratio = 0 }:fit(X).inertia > 1e4)
   end)

   it("learns a stream of batches, sparse or dense", function()
      local X = ml.normal(4, 6, 3):take((ml.random(3000, nil, 4) * 4):floor():add(1)) * 4 + ml.normal(3000, 6, 5)
      local dense = ml.MiniBatchKMeans { n_clusters = 4, n_init = 3 }
      local sparse = ml.MiniBatchKMeans { n_clusters = 4, n_init = 3 }
      for i = 1, 3000, 300 do
         dense:partial_fit(X:slice(i, i + 299))
         sparse:partial_fit(ml.Sparse.from(X:slice(i, i + 299)))
      end
      assert(dense:predict(X) == sparse:predict(X))
      local full = ml.KMeans { n_clusters = 4, n_init = 4 }:fit(X)
      assert.is_true(ml.metrics.ari(full.labels, dense:predict(X)) > 0.99)
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(20000, 6, 1)
      local model = ml.MiniBatchKMeans { n_clusters = 9, batch_size = 4096 }
      support.same_for_any_threads(function() return model:fit(X) end)
   end)

   it("handles identical rows and as many clusters as rows", function()
      assert.equal(0.0, ml.MiniBatchKMeans { n_clusters = 3 }:fit(ml.full(30, 2, 7)).inertia)
      for n = 1, 9 do -- each row its own center: batches are all rows
         local model = ml.MiniBatchKMeans { n_clusters = n }:fit(ml.normal(n, 2, n))
         assert.equal(0, model.inertia)
         assert.same(ml.range(1, n):totable(), model.labels:sort():totable())
      end
      support.refuses("MiniBatchKMeans: n_clusters must be at most the number of rows, 2, got 3", function()
         ml.MiniBatchKMeans { n_clusters = 3 }:fit { { 1 }, { 2 } }
      end)
   end)
end)
