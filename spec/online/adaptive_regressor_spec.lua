local ml = require "manilius"
local bytes = require "spec.conformance.bytes"
local support = require "spec.support"
local near, refuses = support.near, support.refuses

local function new(settings)
   settings.seed = settings.seed or 1
   return ml.AdaptiveRandomForestRegressor(settings)
end

-- Rows of [0, 1)^4, and y with a step, a slope and some noise; inverted from row `from` on.
local function stream(n, seed, from)
   local X, noise, y = ml.random(n, 4, seed), ml.normal(n, nil, seed + 100), {}
   for i = 1, n do
      local value = (X:get(i, 1) > 0.4 and 2 or 0) + X:get(i, 2)
      y[i] = (i >= from and -value or value) + 0.1 * noise[i]
   end
   return X, ml.Vector(y)
end

-- Root mean squared errors on rows before they are learned, in parts of the stream, by batches of 10.
local function guessed(model, X, y, parts)
   local sums, size = {}, X.rows // parts
   for first = 1, X.rows, 10 do
      local rows, wanted = X:slice(first, first + 9), y:slice(first, first + 9)
      local off = first > 1 and model:predict(rows) - wanted or wanted
      local part = (first - 1) // size + 1
      sums[part] = (sums[part] or 0) + off:dot(off) / size
      model:partial_fit(rows, wanted)
   end
   for part, sum in ipairs(sums) do sums[part] = math.sqrt(sum) end
   return sums
end

describe("AdaptiveRandomForestRegressor", function()
   it("learns a stationary stream without detecting drift", function()
      local X, y = stream(4000, 1, math.huge)
      local model = new {}
      local off = guessed(model, X, y, 4)
      assert.is_true(off[1] < 0.7 and off[4] < 0.3 and off[4] < off[2])
      local about = model:structure()
      assert.equal(0, about.drifts:sum())
      assert.is_true(about.leaves:min() >= 2)
      assert.equal(4000, model.n_rows)
      local Z, z = stream(1000, 2, math.huge)
      assert.is_true(model:score(Z, z) > 0.9)
      assert.is_true(about.rmse:max() < 0.7)
   end)

   it("replaces its trees after a drift, and soon recovers its accuracy", function()
      local X, y = stream(6000, 3, 3001)
      local model = new {}
      local off = guessed(model, X, y, 6)
      local about = model:structure()
      assert.is_true(about.drifts:min() >= 1 and about.drifts:max() <= 3)
      assert.is_true(off[4] > 2 * off[3] and off[6] < 1.3 * off[3])
      local blind = guessed(new { drift_delta = 1e-300, warning_delta = 1e-300 }, X, y, 6)
      assert.is_true(blind[4] > off[4] and blind[6] > 2 * off[6])
   end)

   it("does not split noise, and splits at most once per attempt", function()
      local X, noise = ml.random(4000, 4, 4), ml.normal(4000, nil, 5)
      assert.equal(10, new {}:fit(X, noise):structure().leaves:sum())
      local _, y = stream(4000, 4, math.huge)
      local eager = new { tau = 10 }:fit(X, y):structure().leaves:mean()
      local careful = new { delta = 1e-7, tau = 0.01 }:fit(X, y):structure().leaves:mean()
      assert.is_true(eager > careful and careful > 1 and eager <= 4000 * 6 * 1.1 / 50 + 1)
      assert.equal(10, new { grace_period = 1000000 }:fit(X, y):structure().leaves:sum())
   end)

   -- The best threshold of a step function is the step, wherever it lies in the range of the feature.
   it("splits a step function at the step", function()
      for _, at in ipairs { 0.1, 0.5, 0.8 } do
         local x, y = ml.random(2000, 1, 6), {}
         for i = 1, 2000 do y[i] = x:get(i, 1) > at and 10 or -10 end
         local model = new { leaf_prediction = "mean", n_estimators = 20 }:fit(x, y)
         local said = model:predict { { at - 0.05 }, { at + 0.05 } }
         assert.is_true(said[1] < -8 and said[2] > 8, ("at %g: %g, %g"):format(at, said[1], said[2]))
      end
   end)

   it("predicts the mean of a leaf, weighted by how often a tree learns each row", function()
      local X, y = stream(600, 7, math.huge)
      local model = new { n_estimators = 200, grace_period = 1000000, leaf_prediction = "mean" }:fit(X, y)
      for _, row in ipairs { { 0, 0, 0, 0 }, { 7, 7, 7, 7 } } do near(y:mean(), model:predict({ row })[1], 0.005) end
   end)

   it("predicts by linear models where these are more accurate, clipped to the range of y", function()
      local X = ml.random(3000, 2, 8)
      local y = X:col(1) * 3 - X:col(2) + 5
      local settings = { grace_period = 1000000, max_features = 2 }
      local model = new(settings):fit(X, y)
      for _, row in ipairs { { 0.2, 0.3 }, { 0.9, 0.8 }, { 0.5, 0.1 } } do
         assert.near(3 * row[1] - row[2] + 5, model:predict({ row })[1], 0.05)
      end
      near(y:max(), model:predict({ { 100, -100 } })[1], 1e-12)
      near(y:min(), model:predict({ { -1e99, 1e99 } })[1], 1e-12)
      settings.leaf_prediction = "mean"
      near(y:mean(), new(settings):fit(X, y):predict({ { 0.9, 0.1 } })[1], 0.02)
   end)

   it("does not depend on batches or on the number of threads", function()
      local threads = require "manilius.core".memory.threads
      local X, y = stream(1500, 9, 700)
      local Z, given = ml.random(30, 4, 8), {}
      for i, size in ipairs { 1, 13, 1500 } do
         threads(i)
         local model = new { n_estimators = 7 }
         for first = 1, 1500, size do
            local last = math.min(1500, first + size - 1)
            model:partial_fit(X:slice(first, last), y:slice(first, last))
         end
         given[i] = model
      end
      threads(0)
      assert.is_true(given[1]:structure().drifts:sum() > 0)
      assert.equal(given[1]:dump(), given[2]:dump())
      assert.equal(given[1]:dump(), given[3]:dump())
      assert.equal(given[1]:predict(Z), new { n_estimators = 7 }:fit(X, y):predict(Z))
   end)

   it("is saved and exported exactly, with splits, linear models and replaced trees", function()
      local X, y = stream(2500, 10, 1500)
      local model, Z = new { n_estimators = 5 }:fit(X, y), ml.random(50, 4, 11)
      local said = model:predict(Z)
      assert.is_true(model:structure().leaves:min() > 1 and model:structure().drifts:sum() > 0)
      assert.equal(said, ml.load(model:dump()):predict(Z))
      local exported = load(model:export_lua())()
      for i = 1, 50 do
         local row = Z:slice(i, i):totable()[1]
         assert.equal(said[i], exported.predict(row))
      end
      local more = ml.load(model:dump()):partial_fit(X:slice(1, 300), y:slice(1, 300))
      assert.equal(model:partial_fit(X:slice(1, 300), y:slice(1, 300)):dump(), more:dump())
   end)

   it("accepts constant and duplicate features, identical rows, and trees that learn few rows", function()
      local X, y = {}, {}
      for i = 1, 600 do X[i], y[i] = { 5, i % 2, i % 2, 5 }, i % 2 == 0 and 1 or 3 end
      local model = new {}:fit(X, y)
      near(1, model:predict({ { 5, 0, 0, 5 } })[1], 1e-2)
      near(3, model:predict({ { 5, 1, 1, 5 } })[1], 1e-2)
      assert.equal(7, new {}:fit({ { 1 }, { 2 } }, { 7, 7 }):predict({ { 9 } })[1])
      assert.equal(-4, new { lambda = 0.01 }:fit({ { 1 }, { 2 } }, { -6, -2 }):predict({ { 9 } })[1])
      assert.equal(0, new { lambda = 0.01 }:fit({ { 1 } }, { 5 }):structure().drifts:sum())
   end)

   it("refuses numbers whose squares overflow, and keeps the old model", function()
      local model = new {}:fit({ { 1, 2 }, { 3, 4 } }, { 1, 2 })
      local before = model:dump()
      refuses("X must hold numbers below 1e100 so that their squares are finite, got",
         function() model:partial_fit({ { 1e101, 0 } }, { 1 }) end)
      refuses("y must hold numbers below 1e100", function() model:partial_fit({ { 1, 0 } }, { -1e100 }) end)
      refuses("y must hold numbers below 1e100", function() new {}:fit({ { 1 }, { 2 } }, { 1e200, 1 }) end)
      refuses("delta must be > 0 and < 1, got 1", function() new { delta = 1 } end)
      assert.equal(before, model:dump())
   end)

   it("refuses a file whose histogram bins have no weight, or are too many", function()
      local model = new { n_estimators = 1 }:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      local function with(name, place, value)
         local records = bytes.records(model:dump())
         for _, record in ipairs(records) do
            if record.name == name then
               local at = 17 + 8 * place
               record.value = record.value:sub(1, at - 1) .. ("<d"):pack(value) .. record.value:sub(at + 8)
            end
         end
         return bytes.archive(records)
      end
      ml.load(with("bins", 0, 1))
      for _, change in ipairs { { "bins", 0, 17 }, { "bins", 0, 1.5 }, { "bins", 2, 0 }, { "bins", 2, 0 / 0 },
         { "sums", 4, -1 }, { "sums", 2, 1e9 }, { "lines", 1, -1 }, { "errors", 4, -1 } } do
         refuses("AdaptiveRandomForestRegressor: the trees are invalid", function()
            ml.load(with(table.unpack(change)))
         end)
      end
   end)

   describe("on California housing", function()
      local houses = ml.read_csv "examples/data/california_housing.csv"
      local X = ml.MinMaxScaler {}:fit_transform(houses:select { "longitude", "latitude", "housing_median_age",
         "total_rooms", "population", "households", "median_income" })
      local y = houses.median_house_value / 1e5

      local function off(model, rows)
         local parts = ml.Vector(guessed(model, X:take(rows), y:take(rows), 4))
         return math.sqrt(parts:dot(parts) / 4)
      end

      -- In file order, which goes from county to county.
      it("is more accurate than a forest that does not forget", function()
         local rows = {}
         for i = 1, 12000 do rows[i] = i end
         local forest = off(new {}, rows)
         assert.is_true(forest < 0.62, forest)
         assert.is_true(forest < 0.96 * off(new { drift_delta = 1e-300, warning_delta = 1e-300 }, rows))
      end)

      it("in random order is more accurate than a linear model, and detects no drift", function()
         local rows, key = {}, ml.random(X.rows, nil, 5)
         for i = 1, 8000 do rows[i] = i end
         table.sort(rows, function(a, b) return key[a] < key[b] end)
         local model = new {}
         local forest = off(model, rows)
         assert.equal(0, model:structure().drifts:sum())
         assert.is_true(forest < 0.95 * off(ml.SGDRegressor { learning_rate = "constant", eta0 = 0.05 }, rows))
      end)
   end)
end)
