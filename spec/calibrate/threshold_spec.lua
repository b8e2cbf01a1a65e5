--- FixedThresholdClassifier and TunedThresholdClassifier: compared with scikit-learn and with their definitions.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.calibrate.calibration"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = support.data("breast_cancer", "diagnosis")
X = X:matrix():select { 2, 5 }
local is_malignant = y:eq "malignant"

local function folds(n)
   local splits = {}
   for f = 0, 3 do
      local train, test = {}, {}
      for i = 1, n do table.insert((i - 1) % 4 == f and test or train, i) end
      splits[f + 1] = { train = train, test = test }
   end
   return splits
end

describe("TunedThresholdClassifier", function()
   it("finds scikit-learn's thresholds, scores and curves", function()
      for name, scoring in pairs { balanced = "balanced_accuracy", f1 = "f1" } do
         local model = ml.TunedThresholdClassifier { ml.GaussianNB {}, scoring = scoring, cv = folds(#y) }:fit(X, y)
         near_all(wanted["tuned_" .. name], { model.used_threshold, model.best_score }, 1e-9, name)
         local some = {}
         for i = 1, 100, 11 do some[#some + 1] = model.curve.score[i] end
         near_all(wanted["tuned_" .. name .. "_curve"], some, 1e-9, name)
      end
      local model = ml.TunedThresholdClassifier { ml.GaussianNB {}, scoring = "accuracy", cv = folds(#y),
         thresholds = core.linspace(0.1, 0.9, 17) }:fit(X, y)
      near_all(wanted.tuned_given, { model.used_threshold, model.best_score }, 1e-9)
   end)

   it("minimizes costs, also those of each row", function()
      local base = ml.GaussianNB {}:fit(X, y)
      local s, at = base:predict_proba(X):col(2):copy(), core.linspace(0.05, 0.95, 19)
      local amount = core.random(#y, nil, 1) * 5
      local function cost(t)
         local label = s:ge(t)
         return (label:mul(1 - is_malignant):sum() + (1 - label):mul(is_malignant):dot(amount)) / #y
      end
      local model = ml.TunedThresholdClassifier { base, cv = "prefit", thresholds = at, costs = { fp = 1 } }
      model:fit(X, y, { costs = { fn = amount } })
      local least = math.huge
      for i = 1, #at do
         near(cost(at[i]), model.curve.score[i], 1e-12)
         least = math.min(least, cost(at[i]))
      end
      near(least, model.best_score, 1e-12)
      near(least, cost(model.used_threshold), 1e-12)
      local weights = core.Vector(#y, 1)
      weights[3] = 0
      model:fit(X, y, { costs = { fn = amount }, weights = weights }) -- costs of the remaining rows
      assert.is_true(model.best_score < 2)
   end)

   it("keeps a constraint, and says if no threshold does", function()
      local settings = { ml.GaussianNB {}, scoring = "recall", constraint = { "precision", ">=", 0.8 } }
      local model = ml.TunedThresholdClassifier(settings):fit(X, y)
      local best = -1
      for i = 1, #model.curve.score do
         if model.curve.precision[i] >= 0.8 then best = math.max(best, model.curve.score[i]) end
      end
      near(best, model.best_score, 1e-15)
      local warned
      local rows = require "manilius.rows"
      local plain = rows.warn
      rows.warn = function(text) warned = text end
      settings.constraint = { "accuracy", ">=", 1.5 }
      ml.TunedThresholdClassifier(settings):fit(X, y)
      rows.warn = plain
      assert.matches("no threshold has accuracy >= 1.5; the nearest is", warned)
   end)

   it("treats either class as positive, by probability or decision", function()
      for _, response in ipairs { "predict_proba", "decision_function" } do
         local model = ml.TunedThresholdClassifier { ml.LogisticRegression {}, positive = "benign", response = response,
            scoring = "recall", constraint = { "precision", ">=", 0.9 } }:fit(X, y)
         local s = model.best[response](model.best, X)
         s = response == "predict_proba" and s:col(1):copy() or -s
         local label = model:predict(X)
         for i = 1, #y do assert.equal(s[i] >= model.used_threshold and "benign" or "malignant", label[i]) end
         assert.same(label:totable(), ml.load(model:dump()):predict(X):totable())
      end
   end)

   -- A tree knows its own rows: scores of rows of fit would say that any threshold is perfect.
   it("scores rows that the model has not seen", function()
      local noise, label = core.random(300, 3, 1), core.random(300, nil, 2):gt(0.5)
      local model = ml.TunedThresholdClassifier { ml.RandomForestClassifier { n_estimators = 10 } }:fit(noise, label)
      assert.is_true(model.best_score < 0.62)
   end)

   it("gives the same bytes for any number of threads", function()
      support.same_for_any_threads(function()
         return ml.TunedThresholdClassifier { ml.RandomForestClassifier { n_estimators = 4 }, thresholds = 9 }:fit(X, y)
      end)
   end)

   it("refuses what it cannot tune", function()
      local make = ml.TunedThresholdClassifier
      refuses("the scores of fold 1 are all", function() make { ml.GaussianNB {} }:fit(core.ones(#y, 1), y) end)
      local three = core.range(1, 30):gt(10) + core.range(1, 30):gt(20)
      refuses("y must have 2 classes, got 3", function() make {}:fit(core.normal(30, 2, 1), three) end)
      refuses("scoring must be a score of labels, got log_loss", function() make { scoring = "log_loss" } end)
      refuses("costs has no 'fq'; there are fn, fp, tn, tp", function() make { costs = { fq = 1 } } end)
      refuses("costs must name at least one of fn, fp, tn, tp", function() make { costs = {} } end)
      refuses("costs: fn must have as many values as X has rows, 569, got 2", function()
         make {}:fit(X, y, { costs = { fn = { 1, 2 } } })
      end)
      refuses("constraint must be", function() make { constraint = { "precision", 0.9 } } end)
      refuses("thresholds must be a whole number >= 2", function() make { thresholds = 1 } end)
      refuses("refit = false requires a single split, got 5", function() make { refit = false }:fit(X, y) end)
      refuses("positive must be one of the classes", function() make { positive = "x" }:fit(X, y) end)
      refuses("fewer than the 5 folds", function() make {}:fit({ { 1 }, { 2 } }, { 0, 1 }) end)
   end)
end)

describe("FixedThresholdClassifier", function()
   it("predicts the positive class from the threshold on", function()
      local p = ml.GaussianNB {}:fit(X, y):predict_proba(X):col(2)
      for _, threshold in ipairs { "auto", 0, 0.2, p[5], 1.1 } do
         local model = ml.FixedThresholdClassifier { ml.GaussianNB {}, threshold = threshold }:fit(X, y)
         local label, at = model:predict(X), threshold == "auto" and 0.5 or threshold
         for i = 1, #y do assert.equal(p[i] >= at and "malignant" or "benign", label[i]) end
         assert.same(p:totable(), model:predict_proba(X):col(2):totable())
      end
      refuses("threshold must be a number or \"auto\", got \"high\"", function()
         ml.FixedThresholdClassifier { threshold = "high" }
      end)
   end)
end)
