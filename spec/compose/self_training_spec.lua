--- SelfTrainingClassifier: compared with scikit-learn and with its definition.
local ml = require "manilius"
local support = require "spec.support"
local wrappers = require "spec.compose.wrappers"

local fixture, refuses = wrappers.fixture, support.refuses
local X, y = support.data("breast_cancer", "diagnosis")

-- Every 19th row has a label.
local function partly_labelled()
   local labels = { n = #y }
   for i = 1, #y, 19 do labels[i] = y[i] end
   return ml.Factor(labels)
end

describe("SelfTrainingClassifier", function()
   it("labels the same rows as scikit-learn, in the same iterations", function()
      for name, options in pairs { threshold = { threshold = 0.95 }, best = { criterion = "k_best", k_best = 40 },
         rounds = { threshold = 0.9999, max_iter = 2 } } do
         local wanted = fixture["self_training_" .. name]
         local model = ml.SelfTrainingClassifier(options):set_params { estimator = ml.GaussianNB {} }
         model:fit(X, partly_labelled())
         assert.equal(wanted.n_iter, model.n_iter)
         assert.equal(wanted.termination:gsub("labeled", "labelled"), model.termination_condition)
         if name ~= "best" then -- many probabilities are equal to 1, and k_best then depends on how ties are broken
            for i, iter in ipairs(wanted.labelled_iter) do
               assert.equal(iter, model.labelled_iter[i])
               local label = wanted.transduction[i] == 1 and "malignant" or wanted.transduction[i] == 0 and "benign"
               assert.equal(label or nil, model.transduction[i])
            end
            support.near(wanted.score, model:score(X, y), 1e-15)
         end
      end
   end)

   it("is its estimator if all rows have a label", function()
      local model, alone = ml.SelfTrainingClassifier { ml.GaussianNB {} }:fit(X, y), ml.GaussianNB {}:fit(X, y)
      assert.equal(alone:predict_proba(X), model:predict_proba(X))
      assert.equal("all_labelled", model.termination_condition)
      assert.equal(0, model.n_iter)
   end)

   it("accepts numbers, weights, and is saved and cross-validated", function()
      local numbers = {}
      for i = 1, #y do numbers[i] = i % 5 == 0 and (y[i] == "benign" and 1 or 2) or 0 / 0 end
      local model = ml.SelfTrainingClassifier { ml.GaussianNB {} }
      model:fit(X, ml.Vector(numbers), { weights = ml.Vector(#y, 2) })
      assert.same({ 1, 2 }, model.classes)
      assert.equal(model:dump(), ml.load(model:dump()):dump())
      assert.equal(model.transduction, ml.load(model:dump()).transduction)
      local result = ml.cross_validate(model, X, partly_labelled(), { cv = 5 })
      assert.is_true(result.mean.accuracy > 0.8)
   end)

   it("refuses what it cannot use", function()
      refuses("estimator must have predict_proba, got LinearSVC", ml.SelfTrainingClassifier, { ml.LinearSVC {} })
      refuses("threshold must be a number >= 0 and < 1, got 1", ml.SelfTrainingClassifier, { threshold = 1 })
      refuses("criterion must be threshold or k_best, got \"best\"", ml.SelfTrainingClassifier, { criterion = "best" })
      refuses("y must have at least 2 classes, got 1 class", function()
         ml.SelfTrainingClassifier {}:fit({ { 1 }, { 2 } }, ml.Factor { "a", nil, n = 2 })
      end)
   end)
end)

describe("a list of labels that begins with a missing one", function()
   it("is an error that names ml.Factor", function()
      assert.error_matches(function()
         ml.SelfTrainingClassifier {}:fit({ { 1 }, { 2 }, { 3 } }, { [2] = "a", [3] = "b" })
      end, "missing labels nil in ml.Factor { ..., n = rows }", 1, true)
   end)

   it("warns of -1 as a class, which marks rows without a label in scikit-learn", function()
      local Z, heard = { { 0 }, { 1 }, { 5 }, { 6 }, { 9 } }, {}
      local old = ml.warnings(function(message) heard[#heard + 1] = message end)
      local models = { ml.SelfTrainingClassifier { ml.GaussianNB {} }, ml.LabelSpreading {}, ml.LabelPropagation {} }
      for _, model in ipairs(models) do model:fit(Z, { 0, -1, 1, -1, -1 }) end
      local warned = #heard
      for _, model in ipairs(models) do
         model:fit(Z, { 0, 0 / 0, 1, -1, -1 })
         model:fit(Z, { 1, 1, 1, -1, -1 })
      end
      ml.warnings(old)
      assert.equal(3, warned)
      assert.equal(3, #heard)
      assert.truthy(heard[1]:find("rows without a label must be nan", 1, true))
   end)
end)
