local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/manifold/mds.lua"
local scaling = dofile "spec/fixtures/manifold/scaling.lua"

-- Every fifth row, as in mds.py.
local function iris()
   local rows = {}
   for i = 1, 150, 5 do rows[#rows + 1] = i end
   return (support.data("iris", "species")):matrix():take(rows)
end

describe("MDS", function()
   for _, metric in ipairs { "euclidean", "manhattan" } do
      it("takes the iterations of scikit-learn from the same start: " .. metric, function()
         local model = ml.MDS { metric = metric, start = oracle.start, max_iter = 25, tol = 0 }
         model:fit(iris())
         support.near_rows(oracle[metric].embedding, model.embedding, 1e-10, "coordinates", 1)
         support.near(oracle[metric].stress, model.stress, 1e-10, "stress")
      end)
   end

   it("has the stress of its embedding, which no iteration increases", function()
      local X = iris()
      local model = ml.MDS { metric = "manhattan" }:fit(X)
      local given, found = ml.pairwise_distances(X, X, { metric = "manhattan" }), ml.pairwise_distances(model.embedding)
      local stress, total = 0, 0
      for i = 1, X.rows do
         for j = 1, i - 1 do
            stress, total = stress + (given[i][j] - found[i][j]) ^ 2, total + given[i][j] ^ 2
         end
      end
      support.near(stress, model.stress, 1e-10, "stress")
      support.near(math.sqrt(stress / total), model.normalized_stress, 1e-10, "normalized stress")
      local trace = model.trace
      for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-14)) end
      assert.is_true(model.converged)
   end)

   it("has at most the stress of classical scaling, and several starts at most that of one", function()
      local X = iris()
      local classical = ml.MDS { start = ml.ClassicalMDS {}:fit(X).embedding }:fit(X)
      support.near(classical.stress, ml.MDS {}:fit(X).stress, 1e-12, "stress")
      local one = ml.MDS { init = "random", n_init = 1, seed = 3 }:fit(X)
      local four = ml.MDS { init = "random", n_init = 4, seed = 3 }:fit(X)
      assert(four.stress <= one.stress)
   end)

   it("finds points in the plane from their distances", function()
      local draw, rows = support.draws "plane", {}
      for i = 1, 30 do rows[i] = { draw(), draw() } end
      local distances = ml.pairwise_distances(ml.Matrix(rows))
      local model = ml.MDS { metric = "precomputed", tol = 1e-14, max_iter = 2000 }:fit(distances)
      assert(model.normalized_stress < 1e-6)
      support.near_rows(distances, ml.pairwise_distances(model.embedding), 1e-5, "distances", 1)
      support.near_rows(model.embedding, model:transform(distances), 1e-5, "coordinates", 1)
   end)

   it("returns the embedding from fit_transform, and leaves training rows there", function()
      local X = iris()
      local model = ml.MDS { tol = 1e-12, max_iter = 5000 }
      support.near_rows(model:fit_transform(X), model.embedding, 0, "coordinates", 1)
      support.near_rows(model.embedding, model:transform(X), 1e-4, "coordinates", 1)
   end)

   it("places a new row where the stress to the training rows is least", function()
      local X = iris()
      local old, new = X:slice(1, 29), X:slice(30, 30)
      local model = ml.MDS {}:fit(old)
      local z, given = model:transform(new)[1], ml.pairwise_distances(new, old)[1]
      local function stress(a, b)
         local sum = 0
         for j = 1, old.rows do
            local at = model.embedding[j]
            sum = sum + (given[j] - math.sqrt((a - at[1]) ^ 2 + (b - at[2]) ^ 2)) ^ 2
         end
         return sum
      end
      local least = stress(z[1], z[2])
      for _, by in ipairs { { 1e-3, 0 }, { -1e-3, 0 }, { 0, 1e-3 }, { 0, -1e-3 } } do
         assert(stress(z[1] + by[1], z[2] + by[2]) > least)
      end
   end)

   it("takes rows that are all equal", function()
      local model = ml.MDS {}:fit { { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert.equal(0, model.normalized_stress)
      assert.equal(0, model.embedding[3][2])
   end)

   it("refuses a start of another size, and what are not distances", function()
      local model = ml.MDS { start = { { 1, 2 } } }
      support.refuses("start must be rows x n_components = 2 x 2, got 1 x 2", model.fit, model, { { 0, 1 }, { 1, 0 } })
      model = ml.MDS { metric = "precomputed" }
      support.refuses("square X of distances, got 2 x 3", model.fit, model, { { 0, 1, 2 }, { 1, 0, 1 } })
   end)

   it("gives the same for any number of threads", function()
      support.same_for_any_threads(function() return ml.MDS { init = "random", n_init = 2 }:fit(iris()) end)
   end)

   -- Columns with variance 1, as R's scale.
   local function arrests()
      local frame = ml.read_csv "examples/data/usarrests.csv"
      return ml.StandardScaler {}:fit_transform(frame:drop { "state" }):matrix() * math.sqrt(49 / 50)
   end

   describe("non-metric", function()
      local X = arrests()
      local tight = { metric_mds = false, tol = 1e-12, max_iter = 5000 }

      it("reaches the stress and the distances of isoMDS", function()
         local model = ml.MDS(tight):fit(X)
         support.near(scaling.isomds.stress, model.normalized_stress, 1e-8, "stress")
         local wanted, got = ml.pairwise_distances(scaling.isomds.points), ml.pairwise_distances(model.embedding)
         local scale = wanted:sum() / got:sum()
         support.near_rows(wanted, got * scale, 2e-3, "distances", 1)
      end)

      it("treats ties as monoMDS", function()
         local start = ml.ClassicalMDS {}:fit(X).embedding
         local levels = ml.pairwise_distances(X):ceil()
         for _, ties in ipairs { "primary", "secondary" } do
            local model = ml.MDS { metric_mds = false, ties = ties, metric = "precomputed", start = start, tol = 1e-12,
               max_iter = 5000 }:fit(levels)
            support.near(scaling[ties], model.normalized_stress, 1e-6, ties)
         end
      end)

      it("depends on the order of the distances only", function()
         local distances = ml.pairwise_distances(X)
         local start = ml.ClassicalMDS {}:fit(X).embedding
         local function fit(D)
            return ml.MDS { metric_mds = false, metric = "precomputed", start = start, max_iter = 20 }:fit(D).embedding
         end
         support.near_rows(fit(distances), fit(distances:square()), 1e-12, "coordinates", 1)
      end)

      it("has disparities in the order of the distances, at the stress of the embedding", function()
         local model = ml.MDS(tight):fit(X)
         local at, value = model.x_thresholds, model.y_thresholds
         for i = 2, #at do assert(at[i] > at[i - 1] and value[i] >= value[i - 1]) end
         local given, found = ml.pairwise_distances(X), ml.pairwise_distances(model.embedding)
         local f = ml.IsotonicRegression {}
         local x, y = {}, {}
         for i = 1, 50 do
            for j = 1, i - 1 do x[#x + 1], y[#y + 1] = { given[i][j] }, found[i][j] end
         end
         local errors, squares = 0, 0
         local fitted = f:fit(x, y):predict(x)
         for p = 1, #y do errors, squares = errors + (y[p] - fitted[p]) ^ 2, squares + y[p] ^ 2 end
         support.near(math.sqrt(errors / squares), model.normalized_stress, 1e-6, "Kruskal's stress")
         support.near(fitted:max() / fitted:min(), value[#value] / value[1], 1e-5, "disparities")
         support.near_rows(model.embedding, model:transform(X), 0.3, "coordinates", 1)
      end)

      it("never increases the stress", function()
         local trace = ml.MDS { metric_mds = false, init = "random", n_init = 1, seed = 5 }:fit(X).trace
         for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-12)) end
      end)

      it("takes rows that are all equal", function()
         local model = ml.MDS { metric_mds = false }:fit { { 1, 2 }, { 1, 2 }, { 1, 2 } }
         assert.equal(0, model.normalized_stress)
      end)
   end)

   describe("with weights of pairs", function()
      local X = arrests()
      local n = X.rows

      local function weights(f)
         local out = {}
         for i = 1, n do
            out[i] = {}
            for j = 1, n do out[i][j] = i == j and 0 or f(math.min(i, j), math.max(i, j)) end
         end
         return out
      end

      it("gives the same for equal weights as without", function()
         local model = ml.MDS { pair_weights = weights(function() return 3 end), max_iter = 10 }:fit(X)
         support.near_rows(ml.MDS { max_iter = 10 }:fit(X).embedding, model.embedding, 1e-10, "coordinates", 1)
         support.near(3 * ml.MDS { max_iter = 10 }:fit(X).stress, model.stress, 1e-10)
      end)

      it("leaves out pairs of weight 0", function()
         local plane = ml.normal(n, 2, 7)
         local distances = ml.pairwise_distances(plane)
         local some = function(i, j) return (i * 7 + j * 3) % 10 < 7 and 1 + (i + j) % 3 or 0 end
         local spoilt = weights(function(i, j) return some(i, j) > 0 and distances[i][j] or 100 end)
         local model = ml.MDS { metric = "precomputed", pair_weights = weights(some), tol = 1e-15, max_iter = 5000,
            start = plane + ml.normal(n, 2, 8) * 0.3 }:fit(spoilt)
         support.near_rows(distances, ml.pairwise_distances(model.embedding), 1e-4, "distances", 1)
      end)

      it("is at a minimum of the weighted stress, metric or not", function()
         for _, metric_mds in ipairs { true, false } do
            local W = weights(function(i, j) return (i + 2 * j) % 4 end)
            local model = ml.MDS { metric_mds = metric_mds, pair_weights = W, tol = 1e-14, max_iter = 20000 }:fit(X)
            local again = ml.MDS { metric_mds = metric_mds, pair_weights = W, start = model.embedding, tol = 0,
               max_iter = 5 }:fit(X)
            support.near_rows(model.embedding, again.embedding, 1e-3, "coordinates", 1)
            local trace = model.trace
            for i = 2, #trace do assert(trace[i] <= trace[i - 1] * (1 + 1e-12)) end
         end
      end)

      it("refuses weights that do not connect the rows, or are not symmetric", function()
         local two = ml.MDS { pair_weights = weights(function(i, j) return (i <= 25) == (j <= 25) and 1 or 0 end) }
         support.refuses("weights must connect all rows", two.fit, two, X)
         local bad = ml.MDS { pair_weights = { { 0, 1 }, { 2, 0 } } }
         support.refuses("pair_weights must be symmetric", bad.fit, bad, { { 1 }, { 2 } })
         support.refuses("pair_weights must be rows x rows = 3 x 3, got 2 x 2", bad.fit, bad, { { 1 }, { 2 }, { 3 } })
      end)
   end)

   it("refuses rows whose distances fit into no memory", function()
      local model = ml.MDS {}
      support.refuses("take 80[%d]* GB; fit a sample", model.fit, model, ml.Matrix(100001, 1))
   end)
end)
