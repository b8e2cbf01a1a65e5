-- DBSCAN, OPTICS and HDBSCAN against scikit-learn and the package hdbscan.
local core = require "manilius.core"
local ml = require "manilius"
local oracle = dofile "spec/fixtures/density/density.lua"

local function near(want, got, tolerance, what)
   assert.equal(#want, #got, what)
   for i = 1, #want do
      local same = want[i] == got[i] or math.abs(want[i] - got[i]) <= tolerance * math.max(1, math.abs(want[i]))
      assert(same, ("%s: %.17g instead of %.17g at %d"):format(what, got[i], want[i], i))
   end
end

local function same_partition(want, got, what)
   for i = 1, #want do assert((want[i] == -1) == (got[i] == -1), ("%s: noise at %d"):format(what, i)) end
   assert.near(1, ml.metrics.ari(core.Vector(want), got), 1e-12, what)
end

local function sorted(values)
   local list = {}
   for i = 1, #values do list[i] = values[i] end
   table.sort(list)
   return list
end

-- Two groups of points and one far away.
local function groups()
   local X = core.normal(61, 2, 3)
   for i = 1, 30 do X:set(i, 1, X:get(i, 1) + 12) end
   X:set(61, 2, 50)
   return X
end

local function constructors()
   return { DBSCAN = ml.DBSCAN { eps = 1.2, min_samples = 5 },
      OPTICS = ml.OPTICS { min_samples = 6, cluster_method = "dbscan", eps = 1.5 },
      HDBSCAN = ml.HDBSCAN { min_cluster_size = 10, min_samples = 5 } }
end

describe("DBSCAN", function()
   local METRICS = { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine", "mahalanobis" }

   it("has the core rows and clusters of scikit-learn", function()
      for k, case in ipairs(oracle.dbscan) do
         local X, what = oracle[case.data], "case " .. k
         local options = #case.weights > 0 and { weights = case.weights } or nil
         local model = ml.DBSCAN(case.settings):fit(X, nil, options)
         assert.same(case.core_rows, model.core_rows:totable(), what)
         local want, got = core.Vector(case.labels):take(case.core_rows), model.labels:take(case.core_rows)
         assert.same(want:totable(), got:totable(), what)
         for i, label in ipairs(case.labels) do assert((label == -1) == (model.labels[i] == -1), what) end
      end
   end)

   it("gives other rows the cluster of the nearest core row", function()
      local X = core.Matrix(oracle.quakes)
      local model = ml.DBSCAN { eps = 0.35, min_samples = 12 }:fit(X)
      local D, is_core, others = ml.pairwise_distances(X), {}, 0
      for _, row in ipairs(model.core_rows:totable()) do is_core[row] = true end
      for i = 1, X.rows do
         local label, least = -1, 0.35
         for j in pairs(is_core) do
            if D:get(i, j) <= least then label, least = model.labels[j], D:get(i, j) end
         end
         assert.equal(label, model.labels[i])
         others = others + (label ~= -1 and not is_core[i] and 1 or 0)
      end
      assert(others > 10)
   end)

   it("finds the same with every algorithm, metric and kind of X", function()
      local X = core.Matrix(oracle.quakes)
      for _, metric in ipairs(METRICS) do
         local settings = { eps = metric == "cosine" and 0.02 or 0.3, min_samples = 6, metric = metric, p = 3 }
         local want
         for _, algorithm in ipairs { "kd_tree", "ball_tree", "brute" } do
            settings.algorithm = algorithm
            local labels = ml.DBSCAN(settings):fit(X).labels:totable()
            assert.same(want or labels, labels, metric .. " " .. algorithm)
            want = labels
         end
         local D = ml.pairwise_distances(X, nil, { metric = metric, p = 3 })
         local by_distances = ml.DBSCAN { eps = settings.eps, min_samples = 6, metric = "precomputed" }:fit(D)
         assert.same(want, by_distances.labels:totable(), metric)
         assert.same(want, by_distances:predict(D):totable(), metric)
      end
      local settings = { eps = 0.3, min_samples = 6 }
      assert.same(ml.DBSCAN(settings):fit(X).labels:totable(),
         ml.DBSCAN(settings):fit(core.Sparse.from(X)).labels:totable())
   end)

   it("connects rows of large and small regions as lists of all neighbors do", function()
      local X = core.normal(3000, 2, 5)
      for _, eps in ipairs { 0.02, 0.06, 0.3, 2 } do
         local tree = ml.DBSCAN { eps = eps, min_samples = 4, algorithm = "kd_tree" }:fit(X)
         local lists = ml.DBSCAN { eps = eps, min_samples = 4, algorithm = "brute" }:fit(X)
         assert.same(lists.labels:totable(), tree.labels:totable())
      end
   end)

   it("does not depend on the order of the rows", function()
      local X, order = core.Matrix(oracle.quakes), core.permutation(#oracle.quakes, 4)
      local settings = { eps = 0.3, min_samples = 8 }
      local labels = ml.DBSCAN(settings):fit(X).labels:take(order)
      same_partition(labels:totable(), ml.DBSCAN(settings):fit(X:take(order)).labels)
   end)

   it("finds nothing but noise, or one cluster", function()
      local alone = ml.DBSCAN { eps = 0.1, min_samples = 2 }:fit { { 0 }, { 1 }, { 2 } }
      assert.same({ -1, -1, -1 }, alone.labels:totable())
      assert.same({ -1 }, alone:predict { { 1 } }:totable())
      assert.equal(0, #alone.counts)
      assert.same({ 1, 1, 1 }, ml.DBSCAN { min_samples = 3 }:fit { { 4 }, { 4 }, { 4 } }.labels:totable())
      assert.same({ -1 }, ml.DBSCAN {}:fit({ { 4 } }).labels:totable())
      assert.same({ 1 }, ml.DBSCAN { min_samples = 1 }:fit({ { 4 } }).labels:totable())
   end)
end)

describe("OPTICS", function()
   it("has the ordering, distances and clusters of scikit-learn", function()
      for k, case in ipairs(oracle.optics) do
         local what = "case " .. k
         local model = ml.OPTICS(case.settings):fit(oracle[case.data])
         assert.same(case.ordering, model.ordering:totable(), what)
         near(case.reachability, model.reachability:totable(), 1e-10, what)
         near(case.core_distances, model.core_distances:totable(), 1e-10, what)
         assert.same(case.predecessor, model.predecessor:totable(), what)
         assert.same(case.labels, model.labels:totable(), what)
      end
   end)

   it("contains the clusters of DBSCAN", function()
      local X = core.Matrix(oracle.quakes)
      local optics = ml.OPTICS { min_samples = 8, cluster_method = "dbscan", eps = 0.3 }:fit(X)
      local dbscan = ml.DBSCAN { min_samples = 8, eps = 0.3 }:fit(X)
      same_partition(dbscan.labels:take(dbscan.core_rows):totable(), optics.labels:take(dbscan.core_rows))
   end)

   it("gives the same with distances, sparse rows and a limit that no distance reaches", function()
      local X = core.Matrix(oracle.faithful)
      local want = ml.OPTICS { min_samples = 8 }:fit(X)
      local others = { ml.OPTICS { min_samples = 8, max_eps = 100 }:fit(X),
         ml.OPTICS { min_samples = 8 }:fit(core.Sparse.from(X)),
         ml.OPTICS { min_samples = 8, metric = "precomputed" }:fit(ml.pairwise_distances(X)) }
      for _, model in ipairs(others) do
         assert.same(want.ordering:totable(), model.ordering:totable())
         near(want.reachability:totable(), model.reachability:totable(), 1e-12, "reachability")
         assert.same(want.labels:totable(), model.labels:totable())
      end
   end)
end)

describe("HDBSCAN", function()
   it("has the labels, probabilities, outlier scores and stabilities of the package hdbscan", function()
      for k, case in ipairs(oracle.hdbscan) do
         local what = "case " .. k
         local model = ml.HDBSCAN(case.settings):fit(oracle[case.data])
         same_partition(case.labels, model.labels, what)
         near(case.probabilities, model.probabilities:totable(), 1e-9, what .. " probabilities")
         near(case.outlier_scores, model.outlier_scores:totable(), 1e-9, what .. " outlier scores")
         near(case.stability, sorted(model.condensed_tree:col(4)), 1e-9, what .. " stability")
         if not case.settings.cluster_selection_epsilon then -- then the package sums the stabilities of descendants
            near(case.persistence, sorted(model.persistence), 1e-9, what .. " persistence")
         end
      end
   end)

   it("finds the same tree with and without an index", function()
      local X = core.normal(800, 3, 6)
      for _, metric in ipairs { "euclidean", "manhattan", "chebyshev", "minkowski", "cosine" } do
         local settings = { min_cluster_size = 6, metric = metric, p = 3 }
         local fast = ml.HDBSCAN(settings):fit(X)
         local D = ml.pairwise_distances(X, nil, { metric = metric, p = 3 })
         local slow = ml.HDBSCAN { min_cluster_size = 6, metric = "precomputed" }:fit(D)
         assert.same(slow.labels:totable(), fast.labels:totable(), metric)
         near(slow.outlier_scores:totable(), fast.outlier_scores:totable(), 1e-10, metric)
      end
      local sparse = ml.HDBSCAN { min_cluster_size = 6 }:fit(core.Sparse.from(X))
      assert.same(ml.HDBSCAN { min_cluster_size = 6 }:fit(X).labels:totable(), sparse.labels:totable())
   end)

   it("finds the same tree for groups far apart, also of equal rows, with leaves of any size", function()
      local group = (core.random(700, 1, 4) * 8):floor() * core.ones(1, 4) * 9
      for _, X in ipairs { core.normal(700, 4, 5) + group, core.normal(700, 4, 5):floor() + group } do
         local slow = ml.HDBSCAN { metric = "precomputed" }:fit(ml.pairwise_distances(X))
         for _, leaf_size in ipairs { 3, 30, 64, 200 } do
            local fast = ml.HDBSCAN { leaf_size = leaf_size }:fit(X)
            assert.same(slow.labels:totable(), fast.labels:totable(), leaf_size)
            near(slow.condensed_tree:col(2):totable(), fast.condensed_tree:col(2):totable(), 1e-12, leaf_size)
         end
      end
   end)

   it("counts weights as copies of rows", function()
      local X, weights, rows = core.Matrix(oracle.faithful), {}, {}
      for i = 1, X.rows do
         weights[i] = 1 + i % 3 + (i % 50 == 0 and 12 or 0)
         for _ = 1, weights[i] do rows[#rows + 1] = i end
      end
      for _, method in ipairs { "eom", "leaf" } do
         local settings = { min_cluster_size = 12, min_samples = 9, cluster_selection_method = method }
         local model = ml.HDBSCAN(settings):fit(X, nil, { weights = weights })
         local copied = ml.HDBSCAN(settings):fit(X:take(rows))
         same_partition(model.labels:take(rows):totable(), copied.labels, method)
         near(model.probabilities:take(rows):totable(), copied.probabilities:totable(), 1e-9, method)
         near(sorted(model.condensed_tree:col(4)), sorted(copied.condensed_tree:col(4)), 1e-9, method)
         local new = core.normal(50, 2, 9)
         same_partition(model:predict(new):totable(), copied:predict(new), method)
      end
   end)

   it("predicts training rows as it fitted them", function()
      local X = core.Matrix(oracle.quakes)
      local model = ml.HDBSCAN { min_cluster_size = 10, min_samples = 6 }:fit(X)
      local given = model:approximate_predict(X)
      assert.same(model.labels:totable(), given.labels:totable())
      assert.same(model.probabilities:totable(), given.probabilities:totable())
   end)

   it("does not depend on the order of the rows", function()
      local X, order = core.Matrix(oracle.quakes), core.permutation(#oracle.quakes, 4)
      local settings = { min_cluster_size = 8 }
      local labels = ml.HDBSCAN(settings):fit(X).labels:take(order)
      same_partition(labels:totable(), ml.HDBSCAN(settings):fit(X:take(order)).labels)
   end)

   it("handles rows that are all equal, and one row", function()
      local same = ml.HDBSCAN { min_cluster_size = 5 }:fit(core.full(40, 2, 3))
      assert.equal(-1, same.labels:max())
      same = ml.HDBSCAN { min_cluster_size = 5, allow_single_cluster = true }:fit(core.full(40, 2, 3))
      assert.same({ 40 }, same.counts:totable())
      local one = ml.HDBSCAN { min_samples = 1 }:fit { { 1 } }
      assert.same({ -1 }, one.labels:totable())
   end)
end)

describe("density-based clustering", function()
   it("finds two groups and an outlier", function()
      for name, model in pairs(constructors()) do
         model:fit(groups())
         assert.equal(-1, model.labels[61], name)
         assert.equal(1, #ml.Factor(model.labels:slice(1, 30)).levels, name)
         assert.equal(2, #model.counts, name)
      end
   end)

   it("does not depend on the number of threads", function()
      local X, archives = core.normal(5000, 3, 7), {}
      local before = ml.threads()
      for _, threads in ipairs { 1, 2, 4 } do
         ml.threads(threads)
         archives[threads] = ml.DBSCAN { eps = 0.25 }:fit(X):dump()
            .. ml.HDBSCAN { min_cluster_size = 20 }:fit(X):dump()
            .. ml.AgglomerativeClustering { linkage = "single" }:fit(X):dump()
      end
      ml.threads(before)
      assert(archives[1] == archives[2] and archives[1] == archives[4])
   end)

   it("refuses bad input", function()
      for name, model in pairs(constructors()) do
         local function refused(pattern, X)
            assert.error_matches(function() model:fit(X) end, name .. ".*" .. pattern)
         end
         refused("finite", { { 1 }, { 0 / 0 } })
         if name ~= "DBSCAN" then refused("min_samples must be at most the number of rows.* got", { { 1 }, { 2 } }) end
         model:set_params { metric = "precomputed" }
         model:set_params { min_samples = name == "DBSCAN" and 1 or 2 }
         if name == "HDBSCAN" then model:set_params { min_cluster_size = 2 } end
         refused("symmetric, got 2 in row 2, column 1, and 1 in row 1, column 2", { { 0, 1 }, { 2, 0 } })
         refused("0 on the diagonal, got 3 in row 2", { { 0, 1 }, { 1, 3 } })
         refused("square", { { 0, 1, 2 }, { 1, 0, 2 } })
      end
      assert.error_matches(function() return ml.OPTICS {}:fit(groups()).predict end, "OPTICS has no 'predict'")
   end)

   it("takes a fraction of the rows as the smallest cluster of OPTICS", function()
      local X = ml.normal(200, 2, 1)
      local share = ml.OPTICS { min_cluster_size = 0.1, xi = 0.02 }:fit(X)
      assert.same(ml.OPTICS { min_cluster_size = 20, xi = 0.02 }:fit(X).labels:totable(), share.labels:totable())
      local ok, message = pcall(function() ml.OPTICS { min_cluster_size = 2.5 }:fit(X) end)
      assert.is_false(ok)
      assert.matches("min_cluster_size must be a whole number of at least 2 or, below 1", tostring(message))
   end)
end)
