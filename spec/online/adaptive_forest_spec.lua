local ml = require "manilius"
local bytes = require "spec.conformance.bytes"
local support = require "spec.support"

-- Rows of [0, 1)^4 and whether the first two features add up to more than 1; labels are inverted from row `from` on.
local function stream(n, seed, from)
   local X, y = ml.random(n, 4, seed), {}
   for i = 1, n do y[i] = (X:get(i, 1) + X:get(i, 2) > 1) ~= (i >= from) end
   return X, y
end

-- Accuracy on rows before they are learned, in `parts` parts of the stream.
local function guessed(model, X, y, parts)
   local shares, size = {}, X.rows // parts
   for i = 1, X.rows do
      local part, row = (i - 1) // size + 1, X:slice(i, i)
      local right = i > 1 and model:predict(row)[1] == y[i]
      shares[part] = (shares[part] or 0) + (right and 1 / size or 0)
      model:partial_fit(row, { y[i] }, i == 1 and { classes = { false, true } } or nil)
   end
   return shares
end

local function new(settings)
   settings.seed = settings.seed or 1
   return ml.AdaptiveRandomForestClassifier(settings)
end

describe("AdaptiveRandomForestClassifier", function()
   it("learns a stationary stream without detecting drift", function()
      local X, y = stream(4000, 1, math.huge)
      local model = new {}
      local shares = guessed(model, X, y, 4)
      assert.is_true(shares[1] > 0.85 and shares[4] > 0.95)
      assert.equal(0, model:structure().drifts:sum())
      assert.equal(4000, model.n_rows)
      local Z, z = stream(1000, 2, math.huge)
      assert.is_true(model:score(Z, z) > 0.95)
   end)

   it("replaces its trees after a drift, sooner with larger significance levels", function()
      local X, y = stream(6000, 3, 3001)
      local model = new {}
      local shares = guessed(model, X, y, 6)
      assert.is_true(shares[3] > 0.95 and shares[4] < shares[3] and shares[6] > 0.95)
      assert.equal(1, model:structure().drifts:min())
      local blind = guessed(new { drift_delta = 1e-300, warning_delta = 1e-300 }, X, y, 6)
      assert.is_true(blind[3] > 0.95 and blind[4] < shares[4] - 0.15)
   end)

   it("splits when the Hoeffding bound allows, or at once with a large tau", function()
      local X, y = stream(3000, 4, math.huge)
      assert.equal(10, new { grace_period = 1000000 }:fit(X, y):structure().leaves:sum())
      assert.equal(10, new { delta = 1e-300, tau = 0 }:fit(X:slice(1, 600), table.move(y, 1, 600, 1, {})):structure()
         .leaves:sum())
      local eager = new { tau = 10 }:fit(X, y):structure().leaves:mean()
      local careful = new { delta = 1e-7, tau = 0.01 }:fit(X, y):structure().leaves:mean()
      assert.is_true(eager > 2 * careful and careful > 1)
      -- One split attempt per grace_period; each row is learned lambda times on average.
      assert.is_true(eager <= 3000 * 6 * 1.1 / 50 + 1)
   end)

   it("predicts class frequencies if no leaf was split", function()
      local y = {}
      for i = 1, 600 do y[i] = i % 3 == 0 and "a" or "b" end
      local model = new { n_estimators = 100, grace_period = 1000000, leaf_prediction = "majority" }
      local p = model:fit(ml.random(600, 2, 5), y):predict_proba { { 0.1, 0.9 }, { 7, 7 } }
      for i = 1, 2 do assert.near(1 / 3, p[i][1], 0.01) end
   end)

   -- Normal classes at 0 and 2 with standard deviation 1, equally frequent: log odds 2 (x - 1).
   it("predicts by naive Bayes where that is more accurate", function()
      local noise, X, y = ml.normal(4000, nil, 6), {}, {}
      for i = 1, 4000 do
         X[i], y[i] = { noise[i] + (i % 2 == 0 and 2 or 0) }, i % 2 == 0 and "two" or "zero"
      end
      local model = new { n_estimators = 50, grace_period = 1000000 }:fit(X, y)
      for _, x in ipairs { 0, 0.5, 1, 1.7, 3 } do
         assert.near(1 / (1 + math.exp(-2 * (x - 1))), model:predict_proba({ { x } })[1][1], 0.03)
      end
   end)

   it("does not depend on batches or on the number of threads", function()
      local threads = require "manilius.core".memory.threads
      local X, y = stream(900, 7, 400)
      local Z, given = ml.random(30, 4, 8), {}
      for i, size in ipairs { 1, 13, 900 } do
         threads(i)
         local model = new { n_estimators = 7 }
         for first = 1, 900, size do
            local last = math.min(900, first + size - 1)
            model:partial_fit(X:slice(first, last), table.move(y, first, last, 1, {}), { classes = { false, true } })
         end
         given[i] = model:predict_proba(Z)
      end
      threads(0)
      assert.equal(0, (given[1] - given[2]):abs():max())
      assert.equal(0, (given[1] - given[3]):abs():max())
      assert.equal(0, (given[1] - new { n_estimators = 7 }:fit(X, y):predict_proba(Z)):abs():max())
   end)

   it("accepts constant and duplicate features, and identical rows", function()
      local X, y = {}, {}
      for i = 1, 400 do X[i], y[i] = { 5, i % 2, i % 2, 5 }, i % 2 == 0 and "even" or "odd" end
      local model = new {}:fit(X, y)
      assert.same({ "even", "odd" }, model:predict({ { 5, 0, 0, 5 }, { 5, 1, 1, 5 } }):totable())
      local p = new {}:fit({ { 1 }, { 1 }, { 1 } }, { "a", "b", "b" }):predict_proba { { 1 } }
      assert.is_true(p[1][2] > 0.5 and p[1][2] < 0.9)
      support.refuses("delta must be > 0 and < 1, got 1", function() new { delta = 1 } end)
   end)

   it("refuses numbers whose squares overflow, and keeps the old model", function()
      local X, y = { { -1.7e308, 1 }, { 1.7e308, 2 }, { 0, 3 } }, { "a", "b", "a" }
      local wanted = "X must hold numbers below 1e100 so that their squares are finite, got"
      support.refuses(wanted, function() new {}:fit(X, y) end)
      local model = new {}:fit({ { 1, 2 }, { 3, 4 } }, { "a", "b" })
      local before = model:dump()
      support.refuses(wanted, function() model:partial_fit(X, y) end)
      support.refuses(wanted, function() model:partial_fit({ { 1e101, 0 } }, { "a" }) end)
      assert.equal(before, model:dump())
   end)

   it("does not overflow a drift counter that is at its maximum in a file", function()
      local model = new { n_estimators = 1 }:fit({ { 1 }, { 2 }, { 3 } }, { "a", "b", "a" })
      local records = bytes.records(model:dump())
      for i, record in ipairs(records) do
         if record.name == "drifts" then
            records[i] = { kind = "indexes", name = "drifts", value = ("<I8i4"):pack(1, 0x7fffffff) }
         elseif record.name == "errors" then -- half of 1000 rows wrong, none of the first 500
            records[i] = { kind = "matrix", name = "errors",
               value = ("<I8I8dddddd"):pack(1, 6, 1000, 500, 500, 0, 1000, 500) }
         end
      end
      local loaded = ml.load(bytes.archive(records))
      assert.equal(0x7fffffff, loaded:structure().drifts[1])
      local after = loaded:partial_fit({ { 2 } }, { "b" }):structure()
      assert.equal(0x7fffffff, after.drifts[1])
      assert.is_true(after.accuracy[1] ~= after.accuracy[1]) -- it has drifted once more
   end)
end)
