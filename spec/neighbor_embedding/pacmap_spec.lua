local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/neighbor_embedding/pacmap_peer.lua"

local function wine()
   local frame, columns = ml.read_csv "examples/data/wine.csv", {}
   for j = 1, 13 do columns[j] = frame.names[j] end
   return ml.StandardScaler {}:fit_transform(frame:select(columns):matrix())
end

-- Every `step`-th digit from `first` on, and the digits themselves.
local function digits(first, step)
   local frame, columns, rows = ml.read_csv "examples/data/digits.csv", {}, {}
   for j = 1, 64 do columns[j] = frame.names[j] end
   for i = first, frame.rows, step do rows[#rows + 1] = i end
   local part = frame:take(rows)
   return part:select(columns):matrix(), part[frame.names[65]]
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

-- The loss of the pairs of a model at y, with these weights, and its derivative by each coordinate.
local function loss_of(model, y, weights)
   local n, sum, slope = #y, 0, {}
   for i = 1, n do slope[i] = { 0, 0 } end
   local function add(pairs_of, weight, offset, repels)
      local count = #pairs_of // n
      for i = 1, n do
         for e = (i - 1) * count + 1, i * count do
            local j = pairs_of[e]
            local dx, dy = y[i][1] - y[j][1], y[i][2] - y[j][2]
            local z = 1 + dx * dx + dy * dy
            sum = sum + weight * (repels and 1 or z) / (offset + z)
            local factor = 2 * weight * (repels and -1 or offset) / (offset + z) ^ 2
            slope[i][1], slope[i][2] = slope[i][1] + factor * dx, slope[i][2] + factor * dy
            slope[j][1], slope[j][2] = slope[j][1] - factor * dx, slope[j][2] - factor * dy
         end
      end
   end
   add(model.near_pairs, weights[1], 10)
   add(model.mid_near_pairs, weights[2], 10000)
   add(model.further_pairs, weights[3], 1, true)
   return sum, slope
end

local function distance_between(a, b)
   local most = 0
   for i = 1, a.rows do most = math.max(most, (a[i] - b[i]):dot(a[i] - b[i]) ^ 0.5) end
   return most
end

describe("PaCMAP", function()
   it("has the near pairs of pacmap with exact neighbors", function()
      local model = ml.PaCMAP { num_iters = 1 }:fit(wine())
      assert.equal(1780, #model.near_pairs)
      for i, row in ipairs(oracle.near) do
         for j, other in ipairs(row) do assert.equal(math.tointeger(other), model.near_pairs[(i - 1) * 10 + j]) end
      end
   end)

   it("draws mid-near and further pairs that differ from the row and each other", function()
      local model = ml.PaCMAP { num_iters = 1, seed = 4 }:fit(wine())
      local near = model.near_pairs
      for _, list in ipairs { { model.mid_near_pairs, 5 }, { model.further_pairs, 20, true } } do
         local pairs_of, count, far = list[1], list[2], list[3]
         assert.equal(178 * count, #pairs_of)
         for i = 1, 178 do
            local seen = { [i] = true }
            for e = 10 * i - 9, far and 10 * i or 0 do seen[near[e]] = true end
            for e = (i - 1) * count + 1, i * count do
               assert.is_nil(seen[pairs_of[e]])
               seen[pairs_of[e]] = true
            end
         end
      end
   end)

   it("moves rows down the gradient, whose loss it reports", function()
      -- one step: the weights are those of the third phase. Adam's first step takes the sign of each derivative.
      local start = ml.normal(178, 2, 3)
      local mean, y = start:mean "cols", {}
      local deviation = start:std "cols"
      local model = ml.PaCMAP { start = start, num_iters = 1, learning_rate = 1e-5 }:fit(wine())
      for i = 1, 178 do
         y[i] = {}
         for c = 1, 2 do y[i][c] = 1e-4 * (start:get(i, c) - mean[c]) / (deviation[c] * (177 / 178) ^ 0.5) end
      end
      local weights = { 1, 0, 1 }
      local loss, slope = loss_of(model, y, weights)
      support.near(loss, model.loss, 1e-5, "loss") -- float32
      for i = 1, 178, 20 do -- the formula of the derivative
         local by = 1e-3
         local kept = y[i][1]
         y[i][1] = kept + by
         local above = loss_of(model, y, weights)
         y[i][1] = kept - by
         local below = loss_of(model, y, weights)
         y[i][1] = kept
         support.near((above - below) / (2 * by), slope[i][1], 1e-3, "derivative", 1e-2)
      end
      local tested = 0
      for i = 1, 178 do
         for c = 1, 2 do
            local moved = model.embedding:get(i, c) - y[i][c]
            if math.abs(slope[i][c]) > 3e-4 then -- epsilon is 1e-7
               support.near(slope[i][c] > 0 and -1e-5 or 1e-5, moved, 0.02, "step")
               tested = tested + 1
            end
         end
      end
      assert(tested > 100, tested .. " steps tested")
   end)

   for name, X in pairs { digits = digits(1, 3), wine = wine() } do
      it("is as good as pacmap over five seeds: " .. name, function()
         local worst = { 1, 1, 0 }
         for _, row in ipairs(oracle[name]) do
            worst = { math.min(worst[1], row[1]), math.min(worst[2], row[2]), math.max(worst[3], row[3]) }
         end
         local model = ml.PaCMAP {}:fit(X)
         local trust = ml.metrics.trustworthiness(X, model.embedding, { k = 15 })
         assert(trust >= worst[1] - 2e-3, "trustworthiness " .. trust)
         assert(recall(X, model.embedding, 15) >= worst[2] - 0.015, "recall " .. recall(X, model.embedding, 15))
         -- a seed makes the draws of pacmap less random; without one, the loss of wine is between 551 and 567
         assert(model.loss <= worst[3] * 1.03, "loss " .. model.loss)
      end)
   end

   it("transforms training rows to their places, and near rows near", function()
      local X, y = digits(1, 3)
      local rest, labels = digits(2, 3)
      local model = ml.PaCMAP { pca_components = 40 }:fit(X)
      assert.equal(0, distance_between(model.embedding, model:transform(X)))
      local places = ml.KNeighborsClassifier { n_neighbors = 5 }:fit(model.embedding, y):predict(model:transform(rest))
      local hits = 0
      for i = 1, rest.rows do hits = hits + (places[i] == labels[i] and 1 or 0) end
      assert(hits / rest.rows > 0.92, "accuracy " .. hits / rest.rows)
   end)

   it("accepts every metric, start and number of coordinates", function()
      local X = wine()
      for _, metric in ipairs { "euclidean", "manhattan", "angular", "hamming" } do
         local model = ml.PaCMAP { metric = metric, n_components = 3, init = "random" }:fit(X)
         assert.equal(3, model.embedding.cols)
         assert(model.embedding:max() < math.huge)
      end
      local kept = ml.metrics.trustworthiness(X, ml.PaCMAP { n_components = 3 }:fit(X).embedding, { k = 15 })
      assert(kept > 0.93, "trustworthiness " .. kept)
   end)

   it("accepts duplicates, constants and few rows", function()
      local rows = {}
      for i = 1, 40 do rows[i] = { i % 2, 3 } end
      assert(ml.PaCMAP {}:fit(rows).embedding:max() < math.huge)
      assert.equal(4, #ml.PaCMAP { n_neighbors = 2 }:fit({ { 1, 2 }, { 2, 1 }, { 4, 3 }, { 0, 1 } }).embedding)
      local far = ml.normal(50, 3, 1)
      far:set(1, 1, 1e200)
      support.refuses("the distances of row 1 from its neighbors overflow", function() ml.PaCMAP {}:fit(far) end)
      support.refuses("the distances of row 1 from its neighbors overflow", function() ml.UMAP {}:fit(far) end)
      support.refuses("n_neighbors must be at most rows %- 2 = 1, got 10",
         function() ml.PaCMAP {}:fit { { 1, 2 }, { 2, 1 }, { 3, 5 } } end)
      support.refuses("X must have at least 3 rows, got 1", function() ml.PaCMAP {}:fit { { 1, 2 } } end)
      support.refuses("start must have different rows, got 40 equal rows",
         function() ml.PaCMAP { start = ml.zeros(40, 2) }:fit(rows) end)
      support.refuses("n_components must be at most the number of features, 1, got 2; use init = 'random'",
         function() ml.PaCMAP { n_neighbors = 1 }:fit { { 1 }, { 2 }, { 3 } } end)
      support.refuses("start must be rows x n_components = 40 x 2, got 1 x 1",
         function() ml.PaCMAP { start = { { 1 } } }:fit(rows) end)
   end)

   it("gives the same bytes for any number of threads", function()
      local X, before = digits(1, 3), ml.threads()
      ml.threads(1)
      local one = ml.PaCMAP { num_iters = 90 }:fit(X)
      ml.threads(3)
      local three = ml.PaCMAP { num_iters = 90 }:fit(X)
      ml.threads(before)
      assert.equal(0, distance_between(one.embedding, three.embedding))
   end)
end)
