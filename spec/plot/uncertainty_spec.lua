--- Plots of tuned thresholds and of sets of labels.
local ml = require "manilius"
local support = require "spec.support"

local plot, refuses = ml.plot, support.refuses

local X, y = support.data("breast_cancer", "diagnosis")
X = X:matrix():select { 2, 5 }

local function layers(fig, kind)
   local found = {}
   for _, layer in ipairs(fig.panels[1].layers) do
      if layer.kind == kind then found[#found + 1] = layer end
   end
   return found
end

describe("plot.threshold", function()
   it("draws the curve, the best threshold and the constraint", function()
      local model = ml.TunedThresholdClassifier { ml.GaussianNB {}, costs = { fn = 5, fp = 1 } }:fit(X, y)
      local fig = plot.threshold(model)
      support.near_all(model.curve.score:totable(), layers(fig, "line")[1].y, 0, "curve", 1)
      assert.equal(model.used_threshold, layers(fig, "rule")[1].at_x)
      assert.equal("mean cost", fig.panels[1].y)
      model = ml.TunedThresholdClassifier { ml.GaussianNB {}, scoring = "recall",
         constraint = { "precision", ">=", 0.8 } }:fit(X, y)
      fig = plot.threshold(model)
      assert.equal(2, #layers(fig, "line"))
      assert.equal(0.8, layers(fig, "rule")[1].at_y)
      refuses("plot%.threshold: model must be a fitted TunedThresholdClassifier, got GaussianNB", plot.threshold,
         ml.GaussianNB {}:fit(X, y))
   end)
end)

describe("plot.label_sets", function()
   it("draws the shares of the sizes", function()
      local Z, species = support.data("iris", "species")
      local model = ml.ConformalClassifier { ml.GaussianNB {} }:fit(Z, species)
      local fig = plot.label_sets(model, Z, species, { level = 0.8 })
      local all, hit = layers(fig, "bars")[1], layers(fig, "bars")[2]
      local total, size, hits = 0, 0, 0
      for i, share in ipairs(all.y) do total, size, hits = total + share, size + share * all.x[i], hits + hit.y[i] end
      local sets = model:predict_set(Z, { level = 0.8 })
      support.near(1, total, 1e-12)
      support.near(ml.metrics.set_size(sets), size, 1e-12)
      support.near(ml.metrics.set_coverage(species, sets), hits, 1e-12)
      refuses("model must be a ConformalClassifier, got GaussianNB", plot.label_sets, ml.GaussianNB {}:fit(Z, species),
         Z, species)
   end)
end)

describe("plot.cost", function()
   local model = ml.GaussianNB {}:fit(X, y)

   it("draws the mean cost at each threshold, as counted", function()
      local figure = plot.cost(model, X, y, { costs = { fp = 1, fn = 5 } })
      local line = figure.panels[1].layers[1]
      local p, positive = model:predict_proba(X):col(2), y:eq "malignant"
      local function counted(threshold)
         local is = p:ge(threshold)
         return (is:mul(1 - positive):sum() + 5 * (1 - is):mul(positive):sum()) / #y
      end
      local least = math.huge
      for i = 1, #line.x - 1 do
         local middle = (line.x[i] + line.x[i + 1]) / 2
         if line.x[i] < middle and middle < line.x[i + 1] then assert.near(counted(middle), line.y[i], 1e-12) end
         least = math.min(least, line.y[i])
      end
      assert.near(least, figure.panels[1].layers[2].y[1], 1e-12)
      assert.near(least, counted(figure.panels[1].layers[2].x[1]), 1e-12)
      local rules = {}
      for _, layer in ipairs(figure.panels[1].layers) do
         if layer.kind == "rule" then rules[#rules + 1] = layer end
      end
      assert.near(1 - positive:mean(), rules[1].at_y, 1e-12) -- all malignant: only false positives
      assert.near(1 / 6, rules[2].at_x, 1e-12)
      assert.matches("Positive class: malignant; least cost: ", figure.caption)
   end)

   it("compares models, and accepts probabilities", function()
      local figure = plot.cost({ { "before", model }, { "after", model } }, X, y)
      assert.equal("after", figure.panels[1].layers[4].name)
      assert.matches("^Least cost: before [%d.]+ at [%d.]+, after ", figure.caption)
      local given = plot.cost({ 0, 1, 1, 0 }, { 0.1, 0.9, 0.4, 0.6 })
      assert.same({ 0.5, 0.25, 0.5, 0.25, 0.5 }, { table.unpack(given.panels[1].layers[1].y, 1, 5) })
      refuses("costs has no 'fpp'; there are fn, fp, tn, tp", function()
         plot.cost(model, X, y, { costs = { fpp = 1 } })
      end)
      refuses("costs.fp must be a number, got 'a'", function() plot.cost(model, X, y, { costs = { fp = "a" } }) end)
      refuses("y must be given after X", function() plot.cost(model, X) end)
   end)
end)

describe("plot.intervals", function()
   local D, target = ml.read_csv "examples/data/diabetes.csv":split "progression"

   it("draws the rows by prediction, inside or outside of their intervals", function()
      local model = ml.ConformalRegressor { ml.Ridge {} }:fit(D, target)
      local figure = plot.intervals(model, D, target, { level = 0.8 })
      local found, drawn = model:predict_interval(D, { level = 0.8 }), figure.panels[1].layers
      local inside = target:ge(found.low):mul(target:le(found.high)):sum()
      assert.equal(inside, #drawn[3].y)
      assert.equal(#target - inside, #drawn[4].y)
      assert.equal("outside", drawn[4].name)
      for i = 2, #target do assert.is_true(drawn[2].y[i] >= drawn[2].y[i - 1]) end
      assert.matches(("Level 0.8: %.1f%%%% of 442 rows inside"):format(100 * inside / #target), figure.caption)
      assert.matches("Prediction intervals", plot.intervals(ml.LinearRegression {}:fit(D, target), D, target):svg())
   end)

   it("draws the intervals at the level of a conformal model", function()
      local model = ml.ConformalRegressor { ml.Ridge {}, level = 0.7 }:fit(D, target)
      assert.matches("^Level 0.7: ", plot.intervals(model, D, target).caption)
      assert.matches("^Level 0.9: ", plot.intervals(ml.LinearRegression {}:fit(D, target), D, target).caption)
      assert.matches("70%% prediction", plot.fit(ml.ConformalRegressor { ml.Ridge {}, level = 0.7 }
         :fit(D:select "bmi", target), D:select "bmi", target, { interval = "prediction" }).caption)
   end)

   it("refuses models without intervals", function()
      refuses("model must have prediction intervals, as ConformalRegressor, got KNeighborsRegressor", function()
         plot.intervals(ml.KNeighborsRegressor {}:fit(D, target), D, target)
      end)
   end)
end)
