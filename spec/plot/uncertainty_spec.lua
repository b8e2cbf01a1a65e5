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
