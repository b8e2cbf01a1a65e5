--- ConformalRegressor and ConformalClassifier: compared with MAPIE, with their definitions, and by simulated coverage.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.calibrate.conformal"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = support.data("diabetes", "progression")
X = X:matrix()
local Z, species = support.data("iris", "species")
Z = Z:matrix():select { 1, 2 }
local train, rest = core.range(1, 150), core.range(151, 300)
local new = {}
for i = 301, #y, 28 do new[#new + 1] = i end
new = X:take(new)

local function modulo(n, k)
   local splits = {}
   for f = 0, k - 1 do
      local inner, test = {}, {}
      for i = 1, n do table.insert((i - 1) % k == f and test or inner, i) end
      splits[f + 1] = { train = inner, test = test }
   end
   return splits
end

local function compare(name, model, level)
   local found = model:predict_interval(new, { level = level / 100 })
   near_all(wanted[("%s_%d_low"):format(name, level)], found.low, 1e-9, name)
   near_all(wanted[("%s_%d_high"):format(name, level)], found.high, 1e-9, name)
end

-- Silence the warning about infinite intervals; returns its text.
local function warned(call)
   local rows, text = require "manilius.rows", nil
   local plain = rows.warn
   rows.warn = function(message) text = message end
   local ok, message = pcall(call)
   rows.warn = plain
   assert(ok, message)
   return text
end

describe("ConformalRegressor", function()
   it("gives the intervals of MAPIE: split, CV+, jackknife+", function()
      local base = ml.LinearRegression {}:fit(X:take(train), y:take(train))
      local split = ml.ConformalRegressor { base, cv = "prefit" }:fit(X:take(rest), y:take(rest))
      local cv = ml.ConformalRegressor { method = "cv+", cv = modulo(150, 5) }:fit(X:take(train), y:take(train))
      local jackknife = ml.ConformalRegressor { method = "jackknife+" }:fit(X:take(train), y:take(train))
      for _, level in ipairs { 80, 95 } do
         compare("split", split, level)
         compare("cv", cv, level)
         compare("jackknife", jackknife, level)
      end
      assert.same(base:predict(new):totable(), split:predict(new):totable())
   end)

   -- y = x + noise whose size grows with x
   local function sample(n, seed)
      local x = core.random(n, 1, seed)
      return x, x:flatten() + core.normal(n, nil, seed + 1000):mul(x:flatten() + 0.1)
   end

   -- The coverage over many samples has a standard error of 0.01 or less.
   it("covers at its level, whatever the model", function()
      local settings = { split = {}, normalized = {}, cqr = { ml.QuantileRegressor {} }, ["cv+"] = {},
         ["jackknife+"] = {}, jackknife_after_bootstrap = { n_estimators = 12 } }
      for method, given in pairs(settings) do
         given[1] = given[1] or ml.KNeighborsRegressor { n_neighbors = 3 } -- not even nearly right
         given.method, given.level = method, 0.8
         local sum, rounds = 0, 30
         for r = 1, rounds do
            given.seed = r
            local A, a = sample(40, r)
            local B, b = sample(100, r + 500)
            local found = ml.ConformalRegressor(given):fit(A, a):predict_interval(B)
            sum = sum + found.low:le(b):mul(found.high:ge(b)):mean()
         end
         assert.is_true(sum / rounds > 0.76, ("%s covers %.3f"):format(method, sum / rounds))
         assert.is_true(sum / rounds < 0.93, ("%s covers %.3f"):format(method, sum / rounds))
      end
   end)

   it("covers with ties in y", function()
      local sum = 0
      for r = 1, 60 do
         local a, b = (core.random(30, nil, r) * 3):floor(), (core.random(50, nil, r + 99) * 3):floor()
         local found = ml.ConformalRegressor { level = 0.7, seed = r }:fit(core.ones(30, 1), a):predict_interval(
            core.ones(50, 1))
         sum = sum + found.low:le(b + 1e-9):mul(found.high:ge(b - 1e-9)):mean()
      end
      assert.is_true(sum / 60 >= 0.68)
   end)

   it("adapts the width: normalized residuals and quantiles", function()
      local A, a = sample(1500, 1)
      for _, one in ipairs { { method = "normalized" }, { ml.QuantileRegressor {}, method = "cqr" } } do
         local found = ml.ConformalRegressor(one):fit(A, a):predict_interval { { 0.05 }, { 0.95 } }
         local width = found.high - found.low
         assert.is_true(width[2] > 3 * width[1])
      end
   end)

   it("computes conformalized quantiles and bootstrap intervals by their definitions", function()
      local model = ml.ConformalRegressor { ml.QuantileRegressor {}, method = "cqr", level = 0.9 }:fit(X, y)
      local low, high = model.lower:predict(new), model.upper:predict(new)
      local q = core.calibration.quantile(model.scores, 0.9)
      local found = model:predict_interval(new)
      near_all((low - q):totable(), found.low, 1e-12)
      near_all((high + q):totable(), found.high, 1e-12)
      near(0.05, model.lower.quantile, 1e-12)
      model = ml.ConformalRegressor { ml.GradientBoostingRegressor { n_estimators = 3 }, method = "cqr" }:fit(X, y)
      near(0.025, model.lower.alpha, 1e-12)
      assert.equal("quantile", model.lower.loss)
   end)

   -- The calibration rows are those whose score it has; the quantiles are fitted to all others.
   it("scores rows by their distance outside of the quantiles of the other rows", function()
      local model = ml.ConformalRegressor { ml.QuantileRegressor {}, method = "cqr", level = 0.9 }:fit(X, y)
      local low, high = model.lower:predict(X), model.upper:predict(X)
      local scores, held_out, others = model.scores:sort(), {}, {}
      for i = 1, #y do
         local s = math.max(low[i] - y[i], y[i] - high[i])
         local found = false
         for j = 1, #scores do found = found or math.abs(scores[j] - s) < 1e-9 end
         table.insert(found and held_out or others, i)
      end
      assert.equal(#scores, #held_out)
      assert.near(0.25, #held_out / #y, 0.005)
      for alpha, fitted in pairs { [0.05] = low, [0.95] = high } do
         local quantile = ml.QuantileRegressor { quantile = alpha }:fit(X:take(others), y:take(others))
         near_all(quantile:predict(X), fitted, 1e-6, "quantile")
      end
      local n = #scores
      near(scores[math.ceil((n + 1) * 0.9)], core.calibration.quantile(model.scores, 0.9), 1e-12)
   end)

   it("says when there are too few rows for the level", function()
      local model = ml.ConformalRegressor { calibration_size = 0.5, level = 0.8 }:fit({ { 1 }, { 2 }, { 3 }, { 5 } },
         { 1, 2, 4, 3 })
      local found
      local text = warned(function() found = model:predict_interval { { 2 } } end)
      assert.matches("intervals of level 0.8 are infinite: 2 calibration rows, at least 4 are needed", text)
      assert.same({ -math.huge, math.huge }, { found.low[1], found.high[1] })
      assert.is_nil(warned(function() model:predict_interval({ { 2 } }, { level = 0.5 }) end))
      model = ml.ConformalRegressor { method = "cv+", cv = 2 }:fit({ { 1 }, { 2 }, { 3 }, { 5 } }, { 1, 2, 4, 3 })
      assert.is_string(warned(function() found = model:predict_interval { { 2 } } end))
      assert.same({ -math.huge, math.huge }, { found.low[1], found.high[1] })
      warned(function() ml.ConformalRegressor {}:fit({ { 1 }, { 2 } }, { 1, 2 }):predict_interval { { 1 } } end)
   end)

   it("counts weights as rows, and gives the same bytes for any number of threads", function()
      local weights, places = core.Vector(150, 1), core.range(1, 150):totable()
      for i = 1, 40 do
         weights[i] = 2
         places[#places + 1] = i
      end
      local base = ml.LinearRegression {}:fit(X:take(rest), y:take(rest))
      local twice = core.Vector(places)
      local a = ml.ConformalRegressor { base, cv = "prefit" }:fit(X:take(train), y:take(train), { weights = weights })
      local b = ml.ConformalRegressor { base, cv = "prefit" }:fit(X:take(twice), y:take(twice))
      near_all(b:predict_interval(new).low, a:predict_interval(new).low, 1e-12)
      for _, method in ipairs { "normalized", "cv+", "jackknife_after_bootstrap" } do
         support.same_for_any_threads(function()
            return ml.ConformalRegressor { ml.RandomForestRegressor { n_estimators = 3 }, method = method }:fit(X, y)
         end)
      end
   end)

   it("refuses wrong settings", function()
      local make = ml.ConformalRegressor
      refuses("method must be one of .*did you mean 'split'", function() make { method = "splits" } end)
      refuses("method = \"cqr\" requires a regressor of quantiles, such as QuantileRegressor, got Ridge", function()
         make { ml.Ridge {}, method = "cqr" }
      end)
      refuses("cv = \"prefit\" requires method = \"split\", got \"cv%+\"", function()
         make { cv = "prefit", method = "cv+" }
      end)
      refuses("level must be a number above 0 and below 1, got 95", function() make { level = 95 } end)
      refuses("level must be a number above 0 and below 1, got 1.5", function()
         make {}:fit(X, y):predict_interval(X, { level = 1.5 })
      end)
      refuses("predict_interval has no option 'levle'; there are level", function()
         make {}:fit(X, y):predict_interval(X, { levle = 0.9 })
      end)
      refuses("call fit before predict_interval", function() make {}:predict_interval(X) end)
      refuses("X must have at least 2 rows, got 1", function() make {}:fit({ { 1 } }, { 1 }) end)
      refuses("difficulty must be a regressor", function() make { difficulty = ml.GaussianNB {} } end)
   end)
end)

describe("ConformalClassifier", function()
   local odd, even = {}, {}
   for i = 1, 150 do table.insert(i % 2 == 0 and odd or even, i) end
   odd, even = core.Vector(odd), core.Vector(even) -- rows 1, 3, ... counted from 0, as in the fixture

   it("gives the sets of MAPIE", function()
      local base = ml.GaussianNB {}:fit(Z:take(odd), species:take(odd))
      local model = ml.ConformalClassifier { base, cv = "prefit" }:fit(Z:take(even), species:take(even))
      for _, level in ipairs { 80, 95 } do
         local sets = model:predict_set(Z:take(odd), { level = level / 100 })
         near_all(wanted["lac_" .. level], sets:flatten(), 0, "set", 1)
      end
   end)

   -- MAPIE subtracts the fraction u of the probability of the label; here 1 - u of it is added to those before it.
   it("gives the adaptive scores of MAPIE for the same uniform numbers", function()
      local base = ml.GaussianNB {}:fit(Z:take(odd), species:take(odd))
      local p, column = base:predict_proba(Z:take(even)), { setosa = 1, versicolor = 2, virginica = 3 }
      local u = 1 - core.Vector(wanted.uniform)
      for name, penalty in pairs { aps = 0, raps = 0.1 } do
         local scores = core.calibration.label_scores(p, "adaptive", penalty, 1, u)
         for i, label in ipairs(species:take(even):totable()) do
            near(wanted[name][i], scores[i][column[label]], 1e-9, name, 1)
         end
      end
   end)

   it("scores labels by their definitions", function()
      local p = core.Matrix { { 0.2, 0.5, 0.3 }, { 0.25, 0.25, 0.5 } }
      local function scores(...) return core.calibration.label_scores(p, ...):totable() end
      near_all({ 0.8, 0.5, 0.7 }, scores("lac", 0, 1)[1], 1e-15)
      near_all({ 1, 0.5, 0.8 }, scores("adaptive", 0, 1)[1], 1e-15)
      near_all({ 0.75, 1, 0.5 }, scores("adaptive", 0, 1)[2], 1e-15) -- equal probabilities by column
      near_all({ 0.9 + 0.02, 0.25, 0.65 + 0.01 }, scores("adaptive", 0.01, 1, core.Vector { 0.5, 0.5 })[1], 1e-15)
   end)

   local function sample(n, seed)
      local label = (core.random(n, nil, seed) ^ 2 * 4):floor() -- frequencies 0.5, 0.21, 0.16, 0.13
      return core.normal(n, 2, seed + 1000) + core.hcat(label:as_column(), (label / 2):as_column()), label
   end

   -- Exact when randomized; otherwise at least the level. Standard errors are near 0.01.
   it("covers at its level; exactly when randomized", function()
      for _, method in ipairs { "lac", "aps", "raps" } do
         for _, randomized in ipairs { true, false } do
            local sum, rounds = 0, 30
            for r = 1, rounds do
               local A, a = sample(120, r)
               local B, b = sample(120, r + 500)
               local model = ml.ConformalClassifier { ml.GaussianNB {}, method = method, randomized = randomized,
                  level = 0.8, seed = r }:fit(A, a)
               local sets = model:predict_set(B)
               for i = 1, #b do sum = sum + sets:get(i, b[i] // 1 + 1) end
            end
            local coverage = sum / (rounds * 120)
            assert.is_true(coverage > 0.77, ("%s covers %.3f"):format(method, coverage))
            assert.is_true(not (randomized or method == "lac") or coverage < 0.87,
               ("%s covers %.3f"):format(method, coverage))
         end
      end
   end)

   it("covers every class with by_class", function()
      local hits, count = { 0, 0, 0, 0 }, { 0, 0, 0, 0 }
      for r = 1, 25 do
         local A, a = sample(200, r)
         local B, b = sample(200, r + 500)
         local sets = ml.ConformalClassifier { ml.GaussianNB {}, by_class = true, level = 0.75, seed = r }:fit(A, a)
            :predict_set(B)
         for i = 1, #b do
            local c = b[i] // 1 + 1
            hits[c], count[c] = hits[c] + sets:get(i, c), count[c] + 1
         end
      end
      for c = 1, 4 do assert.is_true(hits[c] / count[c] > 0.70, ("class %d: %.3f"):format(c, hits[c] / count[c])) end
   end)

   it("returns lists of labels, and a Matrix named by the classes", function()
      local model = ml.ConformalClassifier { ml.GaussianNB {}, level = 0.9 }:fit(Z, species)
      local sets, lists = model:predict_set(Z), model:predict_set(Z, { labels = true })
      assert.same({ "setosa", "versicolor", "virginica" }, table.move(sets.names, 1, 3, 1, {}))
      for i = 1, 150 do
         local seen = {}
         for _, label in ipairs(lists[i]) do seen[label] = true end
         for c, class in ipairs(model.classes) do assert.equal(seen[class] and 1 or 0, sets:get(i, c)) end
      end
      assert.same(sets:totable(), ml.load(model:dump()):predict_set(Z):totable())
      assert.same(model.best:predict(Z):totable(), model:predict(Z):totable())
   end)

   it("says when there are too few rows, and refuses what it cannot use", function()
      local model = ml.ConformalClassifier { ml.GaussianNB {} }:fit({ { 1 }, { 2 }, { 8 }, { 9 } }, { 0, 0, 1, 1 })
      local sets
      local text = warned(function() sets = model:predict_set { { 1 } } end)
      assert.matches("sets of level 0.95 contain all classes: at least 19 calibration rows are needed", text)
      assert.same({ { 1, 1 } }, sets:totable())
      refuses("y has 1 row of class 1; at least 2 are needed", function()
         ml.ConformalClassifier {}:fit({ { 1 }, { 2 }, { 3 } }, { 0, 0, 1 })
      end)
      refuses("estimator must have predict_proba, got Perceptron; wrap it in CalibratedClassifier", function()
         ml.ConformalClassifier { ml.Perceptron {} }
      end)
      refuses("y must have at least 2 classes", function()
         ml.ConformalClassifier {}:fit({ { 1 }, { 2 } }, { 1, 1 })
      end)
   end)
end)
