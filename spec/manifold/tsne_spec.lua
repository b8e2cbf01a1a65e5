local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/manifold/tsne.lua"

local function every(X, step, first)
   local rows = {}
   for i = first or 1, X.rows, step do rows[#rows + 1] = i end
   return X:take(rows)
end

-- Every fourth row, as in tsne.py.
local function iris() return every((support.data("iris", "species")):matrix(), 4) end

local digits, labels
local function half_of_digits()
   if not digits then
      local frame = ml.read_csv "examples/data/digits.csv"
      digits, labels = frame:drop("digit"):matrix(), frame.digit
   end
   return every(digits, 2)
end

local function label_of(i) return labels[2 * i - 1] end

local function merged(a, b)
   local all = {}
   for k, v in pairs(a) do all[k] = v end
   for k, v in pairs(b) do all[k] = v end
   return all
end

local function quietly(...)
   local before = ml.warnings "off"
   local model = ml.TSNE(...)
   return model, before
end

-- A fit of one iteration from a given map.
local function step_from(start, X, settings, rate)
   local model = quietly(merged({ start = start, n_components = #start[1], max_iter = 1, early_exaggeration_iter = 0,
      learning_rate = rate, max_step_norm = 1e9 }, settings))
   return model:fit(X)
end

-- The divergence of a map: after a step of no length.
local function divergence(start, X, settings) return step_from(start, X, settings, 1e-100).kl_divergence end

-- The gradient at a centered map: the first step is 0.8 times it.
local function gradient(start, X, settings)
   local model = step_from(start, X, settings, 1e-3)
   return (model.embedding - ml.Matrix(start)) * (-1 / 8e-4)
end

local function centered(rows)
   local Y = ml.Matrix(rows)
   return Y - Y:mean "cols"
end

local function rows_of(Y)
   local rows = {}
   for i = 1, Y.rows do
      rows[i] = {}
      for c = 1, Y.cols do rows[i][c] = Y:get(i, c) end
   end
   return rows
end

-- A map of n points in a few clumps.
local function clumps(n, dims, text)
   local draw, rows = support.draws(text), {}
   for i = 1, n do
      rows[i] = {}
      for c = 1, dims do rows[i][c] = 8 * (i * (c + 1) % 5) + 3 * (draw() + draw() - 1) end
   end
   return rows_of(centered(rows))
end

local function error_of(got, wanted) return (got - wanted):norm() / wanted:norm() end

-- The mean of the largest of k neighbors' label fractions that agree with each row.
local function agreement(Z, label)
   local found = ml.NearestNeighbors { n_neighbors = 10 }:fit(Z):kneighbors(nil).indexes
   local same = 0
   for i = 1, Z.rows do
      for j = 1, 10 do same = same + (label(found[i][j]) == label(i) and 0.1 or 0) end
   end
   return same / Z.rows
end

describe("TSNE", function()
   for _, case in ipairs { "plane", "heavy", "light", "space" } do
      local o = oracle[case]
      it("has the divergence of scikit-learn: " .. case, function()
         local settings = { method = "exact", perplexity = o.perplexity, dof = o.dof }
         support.near(o.kl, divergence(o.start, iris(), settings), 1e-8, "divergence")
      end)

      it("has the gradient of its divergence: " .. case, function()
         local X, settings = iris(), { method = "exact", perplexity = o.perplexity, dof = o.dof }
         local start = rows_of(centered(o.start))
         local slope, by = gradient(start, X, settings), 1e-5
         for i = 1, #start, 9 do
            for c = 1, #start[1] do
               local at = start[i][c]
               start[i][c] = at + by
               local above = divergence(start, X, settings)
               start[i][c] = at - by
               local below = divergence(start, X, settings)
               start[i][c] = at
               support.near((above - below) / (2 * by), slope:get(i, c), 1e-5, "slope", 1e-2)
            end
         end
      end)
   end

   it("has the gradient of scikit-learn", function()
      local o = oracle.plane
      local got = gradient(rows_of(centered(o.start)), iris(), { method = "exact", perplexity = 8 })
      support.near_rows(o.gradient, got, 1e-6, "gradient", 1e-2)
   end)

   it("descends as scikit-learn does from the same start", function()
      local o = oracle.descent
      local model = quietly { method = "exact", perplexity = 8, start = o.start, max_iter = 25, learning_rate = 50,
         early_exaggeration_iter = 10, max_step_norm = 1e9 }
      model:fit(iris())
      support.near_rows(o.embedding, model.embedding, 1e-6, "coordinates", 1)
      support.near(o.kl, model.kl_divergence, 1e-6, "divergence")
   end)

   -- With all others as neighbors the affinities are those of the exact method, in float32.
   for _, dof in ipairs { 1, 0.5, 4 } do
      it("approximates the gradient by groups and by a grid: dof " .. dof, function()
         local X = every((support.data("iris", "species")):matrix(), 2)
         for dims = 1, 3 do
            local start, settings = clumps(X.rows, dims, "map " .. dims), { perplexity = (X.rows - 1) / 3, dof = dof }
            local function find(method, more)
               return gradient(start, X, merged({ method = method }, merged(settings, more or {})))
            end
            local exact = find "exact"
            assert(error_of(find("barnes_hut", { angle = 0 }), exact) < 1e-5)
            assert(error_of(find "barnes_hut", exact) < 0.02)
            if dims < 3 then
               assert(error_of(find "fft", exact) < 5e-3)
               assert(error_of(find("fft", { grid_spacing = 0.1 }), exact) < 1e-5)
            end
            local kl = divergence(start, X, merged({ method = "exact" }, settings))
            for _, method in ipairs { "barnes_hut", dims < 3 and "fft" or nil } do
               support.near(kl, divergence(start, X, merged({ method = method }, settings)), 2e-3, method)
            end
         end
      end)
   end

   it("takes longer steps at the end of early exaggeration", function()
      local X = ml.normal(600, 3, 1)
      local function rate(settings)
         settings.early_exaggeration, settings.early_exaggeration_iter = 2, 1
         return quietly(settings):fit(X).effective_learning_rate
      end
      assert.equal(75, rate { max_iter = 1 })
      assert.equal(150, rate { max_iter = 2 })
      assert.equal(50, rate { max_iter = 2, exaggeration = 4 })
      assert.equal(150, rate { max_iter = 2, exaggeration = 0.5 })
      assert.equal(77, rate { max_iter = 2, learning_rate = 77 })
   end)

   it("reaches the divergence of openTSNE and scikit-learn on digits", function()
      local X, peers = half_of_digits(), oracle.digits
      local model = ml.TSNE { method = "barnes_hut", seed = 1 }:fit(X)
      local best = math.min(peers.sklearn[1], peers.openTSNE_bh[1], peers.openTSNE_bh[2])
      assert(model.kl_divergence < 1.01 * best, model.kl_divergence)
      local trace = model.trace
      assert.equal(model.n_iter, #trace)
      assert(trace[#trace] < trace[300] and trace[300] < trace[10])
      assert(ml.metrics.trustworthiness(X, model.embedding, { k = 10 }) > 0.98)
      assert(agreement(model.embedding, label_of) > 0.93)
   end)

   it("finds the same quality on a grid, and places new rows", function()
      local X = half_of_digits()
      local model = ml.TSNE { method = "fft", max_iter = 500, snapshot_interval = 200 }:fit(X)
      assert(agreement(model.embedding, label_of) > 0.93)
      assert.equal(2 * X.rows, model.snapshots.rows)

      -- Copies of training rows are placed on them, rows that are almost copies near them.
      local size = model.embedding:max() - model.embedding:min()
      local few = X:slice(1, 60)
      support.near_rows(model.embedding:slice(1, 60), model:transform(few), 0, "coordinates", 1)
      local near, shifts = model:transform(few + ml.normal(60, X.cols, 5) * 1e-3), {}
      for i = 1, 60 do
         local a, b = near[i], model.embedding[i]
         shifts[i] = math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2)
      end
      table.sort(shifts)
      assert(shifts[30] < 0.02 * size, shifts[30])

      -- The rows that were left out are placed among those of the same digit.
      local new = every(digits, 2, 2):slice(1, 200)
      local map = ml.NearestNeighbors { n_neighbors = 1 }:fit(model.embedding)
      local votes = map:kneighbors(model:transform(new)).indexes
      local right = 0
      for i = 1, 200 do right = right + (label_of(votes[i][1]) == labels[2 * i] and 1 or 0) end
      assert(right >= 190, right)
   end)

   it("places new rows one by one", function()
      local X = iris()
      for _, dims in ipairs { 2, 3 } do
         local model = ml.TSNE { n_components = dims, max_iter = 300 }:fit(X)
         local new = X:slice(1, 5) * 1.01
         local all = model:transform(new)
         for i = 1, 5 do support.near_rows({ all[i] }, model:transform(new:slice(i, i)), 1e-12, "coordinates", 1) end
      end
   end)

   it("takes distances in place of rows", function()
      local X, start = iris(), oracle.plane.start
      for _, method in ipairs { "exact", "barnes_hut" } do
         local settings = { start = start, method = method, max_iter = 30, early_exaggeration_iter = 10 }
         local rows = quietly(settings):fit(X)
         local given = quietly(merged({ metric = "precomputed" }, settings)):fit(ml.pairwise_distances(X))
         support.near_rows(rows.embedding, given.embedding, 1e-6, "coordinates", 1)
         local new = X:slice(1, 4) * 1.01
         support.near_rows(rows:transform(new), given:transform(ml.pairwise_distances(new, X)), 1e-6, "coordinates", 1)
      end
      local model = ml.TSNE { metric = "precomputed", max_iter = 300 }:fit(ml.pairwise_distances(X))
      assert(model.kl_divergence < 0.5)
   end)

   it("takes the distances of near rows only", function()
      local X, start = iris(), oracle.plane.start
      local function graph(k, rows)
         return ml.NearestNeighbors { n_neighbors = k }:fit(X):kneighbors_graph(rows, { mode = "distance" })
      end
      local settings = { start = start, method = "barnes_hut", max_iter = 30, perplexity = 10 }
      local rows = quietly(settings):fit(X)
      local given = quietly(merged({ metric = "precomputed" }, settings)):fit(graph(30))
      support.near_rows(rows.embedding, given.embedding, 1e-6, "coordinates", 1)
      local new = X:slice(1, 4) * 1.01
      support.near_rows(rows:transform(new), given:transform(graph(15, new)), 1e-6, "coordinates", 1)
      local model = ml.TSNE { metric = "precomputed", perplexity = 10, max_iter = 400 }:fit(graph(30)) -- from random
      assert(model.kl_divergence < 0.6, model.kl_divergence)
      support.refuses("to at least 36 other rows in each row, got 30 in row 1; decrease perplexity", function()
         ml.TSNE { metric = "precomputed", perplexity = 12 }:fit(graph(30))
      end)
      support.refuses("exact requires the distances of all pairs, got a sparse X", function()
         ml.TSNE { metric = "precomputed", method = "exact", perplexity = 10 }:fit(graph(30))
      end)
   end)

   it("gives the same for a sparse X", function()
      local X, start = iris(), oracle.plane.start
      for _, method in ipairs { "exact", "barnes_hut" } do
         local settings = { start = start, method = method, max_iter = 20 }
         support.near_rows(quietly(settings):fit(X).embedding, quietly(settings):fit(ml.Sparse(X)).embedding, 1e-6,
            "coordinates", 1)
      end
      assert(quietly({ max_iter = 300 }):fit(ml.Sparse(X)).kl_divergence < 0.5)
   end)

   it("separates planted clusters in one, two and three dimensions", function()
      local rows, draw = {}, support.draws "clusters"
      for i = 1, 90 do
         local k = i % 3
         rows[i] = { 10 * k + draw(), 10 * (k == 1 and 1 or 0) + draw(), draw(), 7 }
      end
      local X = ml.Matrix(rows)
      for dims = 1, 3 do
         for _, method in ipairs { "exact", "barnes_hut", dims < 3 and "fft" or nil } do
            local model = quietly { n_components = dims, method = method, max_iter = 400, perplexity = 10 }:fit(X)
            assert(agreement(model.embedding, function(i) return i % 3 end) > 0.99, dims .. method)
         end
      end
   end)

   it("takes rows that are all equal, duplicates, constant columns and very few rows", function()
      local equal = quietly({ max_iter = 260 }):fit { { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 }, { 1, 2 } }
      assert(equal.kl_divergence < 0.2) -- five points have no five equal distances
      local rows = {}
      for i = 1, 60 do rows[i] = { i <= 40 and 0 or i, 5 } end -- more copies than the perplexity
      for _, method in ipairs { "exact", "barnes_hut", "fft" } do
         local model = quietly({ max_iter = 300, method = method, perplexity = 10 }):fit(rows)
         assert(model.kl_divergence > 0 and model.kl_divergence < 1.5, method)
      end
      for n = 2, 4 do
         local few = {}
         for i = 1, n do few[i] = { i * i } end
         assert.equal(n, quietly({ max_iter = 260 }):fit(few).embedding.rows)
      end
   end)

   it("refuses what it cannot embed, and says why", function()
      local X = iris()
      local function refuses(pattern, settings, data)
         local model = ml.TSNE(settings)
         support.refuses(pattern, model.fit, model, data or X)
      end
      refuses("perplexity must be at most %(rows %- 1%) / 3 = 12.33333333, got 30", { perplexity = 30 })
      refuses("at least 2 rows", {}, { { 1, 2 } })
      refuses("start must be rows x n_components = 38 x 2, got 1 x 2", { start = { { 1, 2 } } })
      refuses("start must have different rows, got 38 equal rows", { start = ml.zeros(38, 2) })
      refuses("method fft is for 1 or 2 components", { method = "fft", n_components = 3 })
      refuses("more than 3 components", { method = "barnes_hut", n_components = 4 })
      refuses("square X of distances, got 38 x 4", { metric = "precomputed" })
      refuses("at most 30000 rows, got 30001; use fft or barnes_hut", { method = "exact" }, ml.zeros(30001, 1))
      refuses("the map diverges; decrease learning_rate",
         { method = "barnes_hut", learning_rate = 1e300, max_step_norm = 1e300 })
      refuses("X must be finite, got nan in row 2", {}, { { 1 }, { 0 / 0 }, { 3 } })
   end)

   it("stops when on_iter says so, and keeps the map", function()
      local seen = {}
      local model = quietly({ max_iter = 300 }):fit(iris(), nil, { on_iter = function(state)
         seen[#seen + 1] = state.objective
         return state.done >= 25 and "stop" or nil
      end })
      assert.equal(25, model.n_iter)
      assert.equal(25, #seen)
      assert(model.kl_divergence > 0)
   end)

   it("stops without progress", function()
      local model = ml.TSNE { max_iter = 20000, n_iter_without_progress = 50 }:fit(iris())
      assert.is_true(model.converged)
      assert(model.n_iter < 20000)
   end)

   it("gives the same for any number of threads", function()
      for _, settings in ipairs { { method = "exact" }, { method = "barnes_hut" }, { method = "fft" },
         { method = "barnes_hut", n_components = 3 } } do
         settings.max_iter = 30
         support.same_for_any_threads(function() return quietly(settings):fit(half_of_digits()) end)
      end
   end)
end)
