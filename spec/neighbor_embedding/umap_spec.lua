local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/neighbor_embedding/umap_learn.lua"

-- Every `step`-th row of the columns first .. last, as in umap_learn.py.
local function data(name, first, last, step, most)
   local rows, frame = {}, ml.read_csv("examples/data/" .. name .. ".csv")
   for i = 1, most or frame.rows, step do rows[#rows + 1] = i end
   local columns = {}
   for j = first, last do columns[#columns + 1] = frame.names[j] end
   return frame:select(columns):take(rows):matrix()
end

local function wine() return data("wine", 1, 13, 3) end

local codes, numbers = {}, {}
for i = 0, 59 do
   codes[i + 1] = i % 4 ~= 0 and i * i % 3 or nil
   numbers[i + 1] = math.sin(i + 1.0)
end
local labels = ml.Factor { n = 60, table.unpack(codes, 1, 60) }

-- umap-learn ends its bisection when the strengths of a row add up to log2(k) within 1e-5; where they change slowly
-- with sigma, weights differ by a little more.
local tolerance = 3e-5

local function near_graph(edges, graph)
   local dense, count = graph:todense(), 0
   for _, edge in ipairs(edges) do
      local i, j, w = math.tointeger(edge[1]), math.tointeger(edge[2]), edge[3]
      local got = dense:get(i, j)
      assert(math.abs(got - w) <= tolerance, ("edge %d %d: wanted %.9g, got %.9g"):format(i, j, w, got))
      dense:set(i, j, 0)
      count = count + 1
   end
   assert(count > 100)
   assert(dense:max() <= tolerance, "an edge that umap-learn does not have")
end

-- The cross-entropy with the repulsion that negative sampling gives on average, for each row.
local function objective(model)
   local Y, n, total, attraction, repulsion = model.embedding, model.embedding.rows, model.graph:todense(), 0, 0
   local D = ml.pairwise_distances(Y)
   for i = 1, n do
      local distances, weights = D[i]:totable(), total[i]:totable()
      for j = 1, n do
         local power = model.a * distances[j] ^ (2 * model.b)
         if weights[j] > 0 then attraction = attraction + weights[j] * math.log(1 + power) end
         if distances[j] > 0 then repulsion = repulsion - math.log(math.max(power / (1 + power), 1e-4)) end
      end
   end
   return (attraction + 0.5 * 5 * total:sum() / n ^ 2 * repulsion) / n
end

local function recall(X, Y, k)
   local one = ml.NearestNeighbors { n_neighbors = k - 1 }:fit(X):kneighbors(nil).indexes
   local two = ml.NearestNeighbors { n_neighbors = k - 1 }:fit(Y):kneighbors(nil).indexes
   local hits = X.rows
   for i = 1, X.rows do
      local seen = {}
      for _, j in ipairs(one[i]:totable()) do seen[j] = true end
      for _, j in ipairs(two[i]:totable()) do hits = hits + (seen[j] and 1 or 0) end
   end
   return hits / (k * X.rows)
end

local function distance_between(a, b)
   local most = 0
   for i = 1, a.rows do most = math.max(most, (a[i] - b[i]):dot(a[i] - b[i]) ^ 0.5) end
   return most
end

describe("UMAP", function()
   it("fits the curve as umap-learn", function()
      for _, row in ipairs(oracle.curves) do
         local model = ml.UMAP { min_dist = row[1], spread = row[2], n_epochs = 1 }:fit(wine())
         support.near(row[3], model.a, 1e-5, "a")
         support.near(row[4], model.b, 1e-5, "b")
      end
   end)

   it("has the fuzzy graph of umap-learn, also with targets", function()
      local X = wine()
      local function graph(settings, y)
         settings.n_epochs = 1
         return ml.UMAP(settings):fit(X, y).graph
      end
      near_graph(oracle.plain, graph {})
      near_graph(oracle.mixed, graph { n_neighbors = 10, local_connectivity = 2.5, set_op_mix_ratio = 0.3 })
      near_graph(oracle.manhattan, graph { n_neighbors = 5, metric = "manhattan" })
      near_graph(oracle.labels, graph({ target_weight = 0.7 }, labels))
      near_graph(oracle.all_labels, graph({ target_weight = 1 }, labels))
      near_graph(oracle.numbers, graph({ target_metric = "euclidean" }, ml.Vector(numbers)))
      near_graph(oracle.heavy_numbers, graph({ target_metric = "euclidean", target_weight = 0.8 }, ml.Vector(numbers)))
   end)

   it("joins strengths that add up to log2(n_neighbors)", function()
      local model = ml.UMAP { n_epochs = 1, n_neighbors = 8 }:fit(wine())
      local graph = model.graph:todense()
      for i = 1, graph.rows do assert(graph[i]:sum() >= math.log(8, 2) - 1e-9) end -- a union only adds
      assert.equal(1, graph:max())
   end)

   for name, X in pairs { digits = data("digits", 1, 64, 3),
      housing = ml.StandardScaler {}:fit_transform(ml.hcat(data("california_housing", 1, 4, 1, 500),
         data("california_housing", 6, 8, 1, 500))) } do
      it("is as good as umap-learn over five seeds: " .. name, function()
         local worst = { 1, 1, 0 }
         for _, row in ipairs(oracle[name]) do
            worst = { math.min(worst[1], row[1]), math.min(worst[2], row[2]), math.max(worst[3], row[3]) }
         end
         local trust = 0
         for seed = 1, 5 do
            trust = trust + ml.metrics.trustworthiness(X, ml.UMAP { seed = seed }:fit(X).embedding, { k = 15 }) / 5
         end
         -- single seeds and processors differ by 4e-3, means of five by 1.5e-3
         assert(trust >= worst[1] - 1.5e-3, "trustworthiness " .. trust)
         local model = ml.UMAP {}:fit(X)
         assert(recall(X, model.embedding, 15) >= worst[2] - 0.01, "recall " .. recall(X, model.embedding, 15))
         -- Adam stops a little short of what single steps reach: at most 2%
         assert(objective(model) <= worst[3] * 1.02, "objective " .. objective(model))
      end)
   end

   it("moves rows down the gradient of the cross-entropy", function()
      -- the first step of Adam takes the sign of each force
      local start = ml.normal(60, 2, 5)
      local low, high, y = start:min "cols", start:max "cols", {}
      for i = 1, 60 do
         y[i] = {}
         for c = 1, 2 do y[i][c] = 10 * (start:get(i, c) - low[c]) / (high[c] - low[c]) end
      end
      local function energy(model, graph, repulsion, i, c, by)
         local sum, nearest = 0, math.huge
         for j = 1, 60 do
            local square = 0
            for k = 1, 2 do square = square + (y[i][k] + (k == c and by or 0) - y[j][k]) ^ 2 end
            local power = model.a * square ^ model.b
            nearest = j == i and nearest or math.min(nearest, square)
            if j ~= i and not repulsion then sum = sum + graph:get(i, j) * math.log(1 + power) end
            if j ~= i and repulsion then sum = sum - math.log(power / (1 + power)) end
         end
         return sum, nearest
      end
      for repulsion, settings in pairs { [false] = { negative_sample_rate = 0 },
         [true] = { negative_sample_rate = 1000, repulsion_strength = 1e6 } } do
         settings.start, settings.n_epochs, settings.learning_rate = start, 1, 0.05
         local model = ml.UMAP(settings):fit(wine())
         local graph, tested = model.graph:todense(), 0
         for i = 1, 60 do
            for c = 1, 2 do
               local above, nearest = energy(model, graph, repulsion, i, c, 1e-4)
               local slope = (above - energy(model, graph, repulsion, i, c, -1e-4)) / 2e-4
               local moved = model.embedding:get(i, c) - y[i][c]
               -- the layout limits the force between near rows
               if math.abs(slope) > (repulsion and 2 or 0.5) and nearest > 0.2 then
                  support.near(slope > 0 and -0.1 or 0.1, moved, 0.01, "step") -- the start has noise of 1e-4
                  tested = tested + 1
               end
            end
         end
         assert(tested > 20, ("%d steps tested, repulsion: %s"):format(tested, repulsion))
      end
   end)

   it("transforms training rows to their places, and near rows near", function()
      local X = data("digits", 1, 64, 3)
      local model = ml.UMAP { seed = 3 }:fit(X)
      assert.equal(0, distance_between(model.embedding, model:transform(X)))
      local rest = data("digits", 1, 64, 1)
      local y = ml.read_csv("examples/data/digits.csv")
      local label = y[y.names[65]]
      local own = {}
      for i = 1, 1797, 3 do own[#own + 1] = label[i] end
      local neighbors = ml.KNeighborsClassifier { n_neighbors = 5 }:fit(model.embedding, ml.Vector(own))
      local hits, places = 0, neighbors:predict(model:transform(rest))
      for i = 1, 1797 do hits = hits + (places[i] == label[i] and 1 or 0) end
      assert(hits / 1797 > 0.93, "accuracy " .. hits / 1797)
   end)

   it("inverts places to rows like those around them", function()
      local X = data("digits", 1, 64, 3)
      local model = ml.UMAP {}:fit(X)
      local back = model:inverse_transform(model.embedding)
      local mean, error_, spread = X:mean "cols", 0, 0
      for i = 1, X.rows do
         error_ = error_ + (back[i] - X[i]):dot(back[i] - X[i])
         spread = spread + (X[i] - mean):dot(X[i] - mean)
      end
      assert(error_ / spread < 0.5, "unexplained " .. error_ / spread)
      support.refuses("metric = 'euclidean'", model.inverse_transform, ml.UMAP { metric = "cosine" }:fit(X),
         model.embedding)
   end)

   it("separates labels, and keeps rows without one near their neighbors", function()
      local frame = ml.read_csv "examples/data/iris.csv"
      local X, y = frame:split "species"
      local plain, with = ml.UMAP {}:fit(X), ml.UMAP { target_weight = 0.9 }:fit(X, y)
      local function apart(model) return ml.metrics.silhouette(model.embedding, y) end
      assert(apart(with) > apart(plain) + 0.1)
      local some = { n = 150 }
      for i = 1, 150, 2 do some[i] = y[i] end
      assert(apart(ml.UMAP {}:fit(X, ml.Factor(some))) > apart(plain) - 0.1)
   end)

   it("follows local radii with densmap", function()
      local X = data("digits", 1, 64, 3)
      local plain, dense = ml.UMAP { densmap = true, dens_lambda = 0 }:fit(X), ml.UMAP { densmap = true }:fit(X)
      assert(dense.radius_correlation > 0.7, "correlation " .. dense.radius_correlation)
      assert(dense.radius_correlation > plain.radius_correlation + 0.2)
      support.near_all(oracle.radii, ml.UMAP { densmap = true }:fit(wine()).radii, 1e-5, "radius")
      assert.is_nil(ml.UMAP {}:fit(wine()).radius_correlation)
   end)

   it("accepts distances, sparse distances of near rows, and sparse rows", function()
      local X = wine()
      local model = ml.UMAP { n_epochs = 1 }:fit(X)
      local D = ml.pairwise_distances(X)
      near_graph(oracle.plain, ml.UMAP { n_epochs = 1, metric = "precomputed" }:fit(D).graph)
      local near = ml.NearestNeighbors { n_neighbors = 14 }:fit(X):kneighbors_graph(nil, { mode = "distance" })
      local sparse = ml.UMAP { metric = "precomputed" }:fit(near)
      near_graph(oracle.plain, sparse.graph)
      assert.equal(0, distance_between(sparse.embedding, ml.UMAP { metric = "precomputed" }:fit(D).embedding))
      near_graph(oracle.plain, ml.UMAP { n_epochs = 1 }:fit(ml.Sparse(X)).graph)
      assert.equal(2, #model:transform(X:take { 1, 2 }))
      support.refuses("at least 19 other rows in each row, got 14", function()
         ml.UMAP { metric = "precomputed", n_neighbors = 20 }:fit(near)
      end)
      support.refuses("requires a square X", function() ml.UMAP { metric = "precomputed" }:fit(X) end)
      local function refuses(pattern, i, j, value)
         local changed = D + 0
         changed:set(i, j, value)
         support.refuses(pattern, function() ml.UMAP { metric = "precomputed" }:fit(changed) end)
      end
      refuses("values >= 0, got %-1 in row 2, column 5", 2, 5, -1)
      refuses("X must be symmetric", 2, 5, 1e3)
      refuses("0 on the diagonal, got 1 in row 3", 3, 3, 1)
   end)

   it("places the parts of a graph that is not connected, and warns", function()
      local rows = {}
      for part = 0, 6 do
         for i = 1, 12 do
            rows[#rows + 1] = { 1000 * (part % 3) + math.sin(i * part + i), 1000 * (part // 3) + math.cos(i * i) }
         end
      end
      local warned = support.warnings and support.warnings(function() ml.UMAP { n_neighbors = 6 }:fit(rows) end)
      local model = ml.UMAP { n_neighbors = 6 }:fit(rows)
      assert.equal(7, model.n_connected_components)
      assert.equal(0, model.n_isolated)
      if warned then assert(warned[1]:find "7 connected components") end
      local part = {}
      for i = 1, 84 do part[i] = (i - 1) // 12 end
      assert(ml.metrics.silhouette(model.embedding, ml.Vector(part)) > 0.5)
   end)

   it("accepts duplicates, constants and few rows", function()
      local rows = {}
      for i = 1, 40 do rows[i] = { i % 2, 3 } end
      for _, init in ipairs { "spectral", "random", "pca" } do
         local model = ml.UMAP { n_neighbors = 5, init = init }:fit(rows)
         assert(model.embedding:max() < math.huge)
      end
      assert.equal(2, #ml.UMAP { n_neighbors = 2 }:fit({ { 1 }, { 2 } }).embedding)
      assert(ml.UMAP { n_components = 5, n_neighbors = 3 }:fit({ { 1 }, { 2 }, { 4 } }).embedding:max() < math.huge)
   end)

   it("gives the same bytes for any number of threads", function()
      local X, before = data("digits", 1, 64, 3), ml.threads()
      ml.threads(1)
      local one = ml.UMAP { densmap = true, n_epochs = 60 }:fit(X)
      ml.threads(3)
      local three = ml.UMAP { densmap = true, n_epochs = 60 }:fit(X)
      ml.threads(before)
      assert.equal(0, distance_between(one.embedding, three.embedding))
   end)

   it("explains wrong arguments", function()
      local X = wine()
      support.refuses("n_neighbors must be at most the number of rows, 3, got 15",
         function() ml.UMAP {}:fit { { 1 }, { 2 }, { 3 } } end)
      support.refuses("min_dist must be at most spread, 1, got 2", function() ml.UMAP { min_dist = 2 }:fit(X) end)
      support.refuses("start must be rows x n_components = 60 x 2, got 2 x 1",
         function() ml.UMAP { start = ml.zeros(2, 1) }:fit(X) end)
      support.refuses("spread must be nearer to 1, got 1e%-300",
         function() ml.UMAP { spread = 1e-300, min_dist = 0 }:fit(X) end)
      support.refuses("requires a dense X of features",
         function() ml.UMAP { init = "pca", metric = "precomputed" }:fit(ml.pairwise_distances(X)) end)
      support.refuses("y must be numeric", function() ml.UMAP { target_metric = "euclidean" }:fit(X, labels) end)
   end)
end)
