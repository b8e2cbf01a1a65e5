--- DummyClassifier and DummyRegressor: compared with their definitions.
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses
local passengers, survived = support.data("titanic", "survived")
local nan = 0 / 0

describe("DummyClassifier", function()
   local labels, rows = { "a", "b", "b", "c", "b", "a" }, { { 1 }, { nan }, { 3 }, { 4 }, { 5 }, { 6 } }

   local function fitted(strategy, more)
      local model = ml.DummyClassifier { strategy = strategy, seed = 3 }
      return (more and model:set_params(more) or model):fit(rows, labels)
   end

   it("predicts the most frequent class, with its frequency or certainty", function()
      for strategy, proba in pairs { prior = { 1 / 3, 1 / 2, 1 / 6 }, most_frequent = { 0, 1, 0 } } do
         local model = fitted(strategy)
         assert.same({ "b", "b" }, model:predict({ { 7 }, { nan } }):totable())
         support.near_all(proba, model:predict_proba({ { 7 } })[1], 1e-15)
         support.near_all({ 1 / 3, 1 / 2, 1 / 6 }, model.class_prior, 1e-15)
      end
      assert.same({ "c" }, ml.DummyClassifier {}:fit(rows, labels, { weights = { 1, 1, 1, 9, 1, 1 } })
         :predict({ { 0 } }):totable())
   end)

   it("draws classes with the priors, or uniformly", function()
      local many = ml.zeros(6000, 1)
      for strategy, wanted in pairs { stratified = { 1 / 3, 1 / 2, 1 / 6 }, uniform = { 1 / 3, 1 / 3, 1 / 3 } } do
         local model = fitted(strategy)
         local drawn, proba = model:predict(many), model:predict_proba(many)
         for c, label in ipairs { "a", "b", "c" } do
            assert.near(wanted[c], drawn:eq(label):mean(), 0.03) -- 5 standard errors
            assert.near(wanted[c], proba:col(c):mean(), 0.03)
         end
         assert.equal(drawn, model:predict(many))
         assert.is_true(drawn:ne(fitted(strategy, { seed = 4 }):predict(many)):any())
      end
      local model = fitted "stratified"
      assert.same(model:predict(many):totable(), ml.Factor { "a", "b", "c" }:take(model:predict_proba(many)
         :argmax "rows"):totable())
   end)

   it("predicts a given class", function()
      assert.same({ "c" }, fitted("constant", { constant = "c" }):predict({ { 0 } }):totable())
      assert.same({ 2 }, ml.DummyClassifier { strategy = "constant", constant = "2" }:fit({ { 1 }, { 1 } }, { 1, 2 })
         :predict({ { 0 } }):totable())
      refuses("DummyClassifier: constant must be given", fitted, "constant")
      refuses("DummyClassifier: constant must be a class of y, got 'd'", fitted, "constant", { constant = "d" })
   end)

   it("is a baseline in cross-validation of any data", function()
      local scores = ml.cross_validate(ml.DummyClassifier {}, passengers, survived,
         { cv = 5, scoring = { "accuracy", "roc_auc" } })
      assert.near(0.618, scores.mean.accuracy, 0.001)
      assert.near(0.5, scores.mean.roc_auc, 1e-12)
      refuses("its predictions are random", function() fitted("uniform"):export_lua() end)
   end)
end)

describe("DummyRegressor", function()
   local rows, two = { { 1 }, { 2 }, { 3 }, { 4 } }, ml.Matrix { { 1, 8 }, { 2, 1 }, { 6, 3 }, { 9, 4 } }

   it("predicts the mean, a quantile or a constant of each target", function()
      for strategy, wanted in pairs { mean = { 4.5, 4 }, median = { 4, 3.5 }, constant = { 7, -1 } } do
         local model = ml.DummyRegressor { strategy = strategy, constant = { 7, -1 } }:fit(rows, two)
         assert.equal(ml.Matrix { wanted, wanted }, model:predict { { 0 }, { nan } })
      end
      local y = two:col(1):copy()
      support.near(y:quantile(0.3), ml.DummyRegressor { strategy = "quantile", quantile = 0.3 }:fit(rows, y)
         :predict({ { 1 } })[1], 1e-15)
      assert.equal(6, ml.DummyRegressor { strategy = "median" }:fit(rows, y, { weights = { 1, 1, 1, 2 } })
         :predict({ { 1 } })[1])
      assert.equal(3, ml.DummyRegressor { strategy = "constant", constant = 3 }:fit(rows, two):predict({ { 1 } })[1][2])
      assert.near(0, ml.DummyRegressor {}:fit(rows, y):score(rows, y), 1e-15)
   end)

   it("refuses constants that do not fit", function()
      refuses("constant must be given", function() ml.DummyRegressor { strategy = "constant" }:fit(rows, two) end)
      refuses("constant must have 1 value or one per target, 2, got 3", function()
         ml.DummyRegressor { strategy = "constant", constant = { 1, 2, 3 } }:fit(rows, two)
      end)
   end)
end)
