local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/cluster/kmeans_family.lua"

local function mean(list)
   local sum = 0
   for _, value in ipairs(list) do sum = sum + value end
   return sum / #list
end

local function digits()
   return ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix()
end

describe("BisectingKMeans", function()
   it("is as good on average as scikit-learn", function()
      local X, references = digits(), { biggest_inertia = oracle.bisecting, largest_cluster = oracle.bisecting_largest }
      for strategy, reference in pairs(references) do
         local found = {}
         for seed = 1, 10 do
            local model = ml.BisectingKMeans { n_clusters = 10, seed = seed, bisecting_strategy = strategy }
            found[seed] = model:fit(X).inertia
         end
         support.near(mean(reference), mean(found), 0.01, strategy)
      end
   end)

   it("splits the cluster with the largest inertia by k-means", function()
      local X = digits()
      local all = ml.BisectingKMeans { n_clusters = 6, init = "k-means++" }:fit(X)
      local parents = ml.BisectingKMeans { n_clusters = 5, init = "k-means++" }:fit(X)
      local D, inertia = parents:transform(X), { 0, 0, 0, 0, 0 }
      for i = 1, X.rows do inertia[parents.labels[i]] = inertia[parents.labels[i]] + D:get(i, parents.labels[i]) ^ 2 end
      local split = 1
      for c = 2, 5 do split = inertia[c] > inertia[split] and c or split end
      for i = 1, X.rows do
         local now, before = all.labels[i], parents.labels[i]
         assert(now == before or (before == split and now == 6))
      end
      for c = 1, 6 do
         support.near_all(X:take(all.labels:eq(c):nonzero()):mean "cols", all.cluster_centers[c], 1e-12,
            "mean", c)
      end
   end)

   it("descends the splits, also for weighted and sparse rows", function()
      local X, w = digits(), ml.random(1797, nil, 3):add(0.1)
      local model = ml.BisectingKMeans { n_clusters = 12 }:fit(X, nil, { weights = w })
      assert(model:predict(X) == model.labels)
      local sparse = ml.BisectingKMeans { n_clusters = 12 }:fit(ml.Sparse.from(X), nil, { weights = w })
      assert(sparse.labels == model.labels and sparse:predict(X) == model.labels)
      support.near(model.inertia, sparse.inertia, 1e-12, "inertia")
   end)

   it("does not split identical rows", function()
      local model = ml.BisectingKMeans { n_clusters = 4 }:fit { { 1 }, { 1 }, { 1 }, { 5 }, { 5 } }
      assert.equal(2, model.cluster_centers.rows)
      assert.equal(0.0, model.inertia)
      assert.equal(1, ml.BisectingKMeans { n_clusters = 3 }:fit(ml.full(9, 2, 3)).cluster_centers.rows)
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(5000, 6, 1)
      support.same_for_any_threads(function() return ml.BisectingKMeans { n_clusters = 9 }:fit(X) end)
   end)
end)
