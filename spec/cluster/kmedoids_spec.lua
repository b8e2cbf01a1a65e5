local ml = require "manilius"
local support = dofile "spec/support.lua"
local from_r = dofile "spec/fixtures/cluster/medoids.lua"
local from_start = dofile "spec/fixtures/cluster/medoids_start.lua"

-- Columns with mean 0 and standard deviation 1, as by scale in R.
local function scaled(path, label)
   local X = ml.read_csv(path):drop { label }:matrix()
   for j = 1, X.cols do
      local column = X:col(j):copy()
      local mean, deviation = column:mean(), column:std(1)
      for i = 1, X.rows do X:set(i, j, (X:get(i, j) - mean) / deviation) end
   end
   return X
end

local function sorted(indexes)
   local list = indexes:totable()
   table.sort(list)
   return list
end

describe("KMedoids", function()
   it("agrees with pam of the R package cluster", function()
      local data = { arrests = scaled("examples/data/usarrests.csv", "state"),
         wine = scaled("examples/data/wine.csv", "class") }
      for name, X in pairs(data) do
         for _, k in ipairs { 2, 3, 5 } do
            for _, metric in ipairs { "euclidean", "manhattan" } do
               local expected = from_r[("%s_%s_%d"):format(name, metric, k)]
               local model = ml.KMedoids { n_clusters = k, metric = metric, method = "pam" }:fit(X)
               support.near(expected.loss, model.inertia, 1e-12, name .. metric .. k)
               assert.same(expected.medoids, sorted(model.medoid_indices))
               assert.is_true(model.converged)
               local fast = ml.KMedoids { n_clusters = k, metric = metric }:fit(X)
               assert.is_true(fast.inertia <= expected.loss * 1.02)
            end
         end
      end
   end)

   it("makes the swaps of the package kmedoids from given medoids", function()
      local X = ml.read_csv "examples/data/digits.csv":drop { "digit" }:matrix():slice(1, 600):copy()
      local names = { euclidean = "euclidean", cityblock = "manhattan", cosine = "cosine" }
      local start = ml.range(1, 10)
      for theirs, metric in pairs(names) do
         local D = ml.pairwise_distances(X, nil, { metric = metric })
         for _, method in ipairs { "fasterpam", "pam", "alternate" } do
            local expected = from_start[theirs .. "_" .. method]
            local model = ml.KMedoids { n_clusters = 10, metric = metric, method = method, start = start }:fit(X)
            support.near(expected.loss, model.inertia, 1e-12, theirs .. method)
            assert.equal(math.tointeger(expected.iterations), model.n_iter)
            support.near_all(expected.medoids, sorted(model.medoid_indices), 0, "medoid")
            local given = ml.KMedoids { n_clusters = 10, metric = "precomputed", method = method, start = start }
            given:fit(D)
            assert.same(model.medoid_indices:totable(), given.medoid_indices:totable())
            assert(given.labels == model.labels and given:predict(D) == given.labels)
         end
         local built = ml.KMedoids { n_clusters = 10, metric = metric }:fit(X)
         assert.is_true(built.inertia <= from_start[theirs .. "_build"].loss)
      end
   end)

   it("finds medoids that no swap improves", function()
      local X, w = ml.normal(60, 2, 4), ml.random(60, nil, 5):add(0.1)
      local D = ml.pairwise_distances(X)
      local function loss(medoids)
         local total = 0
         for i = 1, 60 do
            local least = math.huge
            for _, m in ipairs(medoids) do least = math.min(least, D:get(i, m)) end
            total = total + w[i] * least
         end
         return total
      end
      for _, method in ipairs { "fasterpam", "pam" } do
         local model = ml.KMedoids { n_clusters = 4, method = method, init = "random", seed = 3 }
         model:fit(X, nil, { weights = w })
         local medoids = model.medoid_indices:totable()
         support.near(loss(medoids), model.inertia, 1e-12, "inertia")
         for c = 1, 4 do
            for j = 1, 60 do
               local other = table.move(medoids, 1, 4, 1, {})
               other[c] = j
               assert.is_true(loss(other) >= model.inertia * (1 - 1e-12))
            end
         end
         for i = 2, #model.trace do assert.is_true(model.trace[i] <= model.trace[i - 1]) end
      end
   end)

   it("predicts by every metric, dense or sparse", function()
      local X = ml.normal(80, 2, 1):add(0.1)
      local Z = ml.normal(30, 2, 2)
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "correlation", "hamming",
         "mahalanobis", "haversine" } do
         local model = ml.KMedoids { n_clusters = 3, metric = metric, p = 3 }:fit(X)
         local options = { metric = metric, p = 3 }
         assert(model:predict(X) == model.labels, metric)
         local D = ml.pairwise_distances(Z, X, options):t():take(model.medoid_indices):t()
         assert.near(0, (D - model:transform(Z)):abs():max(), 1e-12, metric)
      end
      local sparse = ml.Sparse.from(X:maximum(ml.zeros(80, 2)))
      local dense = ml.KMedoids { n_clusters = 3 }:fit(sparse:todense())
      assert(ml.KMedoids { n_clusters = 3 }:fit(sparse):predict(sparse) == dense.labels)
   end)

   it("keeps the best of random starts", function()
      local X = ml.normal(100, 2, 8)
      local one, best = math.huge, ml.KMedoids { n_clusters = 8, init = "random", n_init = 5 }:fit(X)
      for _, n in ipairs { 1, 2 } do
         local model = ml.KMedoids { n_clusters = 8, init = "random", n_init = n }:fit(X)
         assert.is_true(model.inertia <= one)
         one = model.inertia
      end
      assert.is_true(best.inertia <= one)
   end)

   it("handles one cluster, as many as rows, and identical rows", function()
      local X = { { 0 }, { 1 }, { 2 }, { 10 }, { 3 } }
      local model = ml.KMedoids { n_clusters = 1 }:fit(X)
      assert.equal(3, model.medoid_indices[1])
      assert.equal(12.0, model.inertia)
      assert.equal(0.0, ml.KMedoids { n_clusters = 5 }:fit(X).inertia)
      for _, method in ipairs { "fasterpam", "pam", "alternate" } do
         assert.equal(0.0, ml.KMedoids { n_clusters = 3, method = method }:fit(ml.full(9, 2, 1)).inertia)
      end
   end)

   it("does not exchange forever rows that are equally good but for rounding", function()
      local X = ml.read_csv("examples/data/faithful.csv"):select { "eruptions" }
      for _, method in ipairs { "fasterpam", "pam", "alternate" } do
         local model = ml.KMedoids { n_clusters = 2, metric = "manhattan", method = method }:fit(X)
         assert.is_true(model.converged and model.n_iter < 10, method)
         assert.near(77.349, model.inertia, 1e-9)
      end
   end)

   it("leaves out rows of weight 0 of a matrix of distances", function()
      local X = ml.normal(40, 2, 1)
      local w, D = {}, ml.pairwise_distances(X)
      for i = 1, 40 do w[i] = (i == 1 or i == 7 or i == 40) and 0 or 1 end
      local given = ml.KMedoids { n_clusters = 3, metric = "precomputed" }:fit(D, nil, { weights = w })
      local rows = ml.KMedoids { n_clusters = 3 }:fit(X, nil, { weights = w })
      assert(given.labels == rows.labels)
      assert(given:predict(D) == rows:predict(X))
   end)

   it("refuses what is not a matrix of distances, and invalid starts", function()
      local function fit(X, settings)
         settings.n_clusters = settings.n_clusters or 2
         return function() ml.KMedoids(settings):fit(X) end
      end
      local function precomputed() return { metric = "precomputed" } end
      support.refuses("KMedoids: X must be symmetric, got 2 in row 2, column 1, and 1 in row 1, column 2",
         fit({ { 0, 1 }, { 2, 0 } }, precomputed()))
      support.refuses("KMedoids: X must have 0 on the diagonal, got 1 in row 2",
         fit({ { 0, 1 }, { 1, 1 } }, precomputed()))
      support.refuses("KMedoids: X must have values >= 0, got %-1", fit({ { 0, -1 }, { -1, 0 } }, precomputed()))
      support.refuses("KMedoids: the metric precomputed requires a square dense X of distances, got 3 x 2",
         fit({ { 0, 1 }, { 1, 0 }, { 1, 1 } }, precomputed()))
      support.refuses("KMedoids: start must have n_clusters = 2 rows, got 1", fit({ { 0 }, { 1 } }, { start = { 1 } }))
      support.refuses("KMedoids: start must have different row numbers from 1 to 2, got 1 at 2",
         fit({ { 0 }, { 1 } }, { start = { 1, 1 } }))
      support.refuses("KMedoids: n_clusters must be at most the number of rows, 2, got 3",
         fit({ { 0 }, { 1 } }, { n_clusters = 3 }))
   end)

   it("does not depend on the number of threads", function()
      local X = ml.normal(700, 3, 1)
      support.same_for_any_threads(function() return ml.KMedoids { n_clusters = 9, init = "random" }:fit(X) end)
   end)
end)
