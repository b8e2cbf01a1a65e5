--- MultiOutputClassifier and MultiOutputRegressor: compared with scikit-learn and with one model per target.
local ml = require "manilius"
local support = require "spec.support"
local wrappers = require "spec.compose.wrappers"

local fixture, refuses = wrappers.fixture, support.refuses
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local bills, both = penguins:select { "bill_length_mm", "bill_depth_mm" }, penguins:select { "species", "sex" }

describe("MultiOutputRegressor", function()
   local X, y = wrappers.linnerud()

   it("gives scikit-learn's predictions", function()
      local model = ml.MultiOutputRegressor { ml.Ridge { alpha = 2 } }:fit(X, y:matrix())
      support.near_rows(fixture.targets_linnerud, model:predict(X), 1e-11)
   end)

   it("keeps the names of a Frame, and the shape of a single target", function()
      local model = ml.MultiOutputRegressor { ml.SVR {} }:fit(X, y)
      local predicted = model:predict(X)
      assert.same({ "weight", "waist", "pulse" }, predicted.names)
      assert.same({ "weight", "waist", "pulse" }, model.target_names)
      assert.equal(ml.SVR {}:fit(X, y.waist):predict(X), predicted.waist)
      assert.equal(predicted.waist, ml.MultiOutputRegressor { ml.SVR {} }:fit(X, y.waist):predict(X))
      assert.equal(predicted.waist, ml.MultiOutputRegressor { ml.SVR {} }:fit(X, y.waist:as_column()):predict(X))
      support.near(ml.metrics.r2(y, predicted), model:score(X, y), 1e-14)
   end)

   it("weights rows, reports progress and does not depend on threads", function()
      local total
      support.same_for_any_threads(function()
         return ml.MultiOutputRegressor { ml.SVR {} }:fit(X, y, { weights = ml.Vector(20, 2),
            on_iter = function(state) total = state.total end })
      end)
      assert.equal(3, total)
      refuses("member 'weight': KNeighborsRegressor does not support weights", function()
         ml.MultiOutputRegressor { ml.KNeighborsRegressor {} }:fit(X, y, { weights = ml.Vector(20, 2) })
      end)
   end)

   it("is searched and cross-validated like other models", function()
      local search = ml.GridSearch { ml.MultiOutputRegressor { ml.SVR {} }, { estimator__C = { 1, 100 } }, cv = 4 }
      assert.equal(2, #search:fit(X, y).results.columns[1])
      local matrix = ml.cross_val_predict(ml.MultiOutputRegressor {}, X, y:matrix(), { cv = 4 })
      assert.equal(3, matrix.cols)
      local chain = ml.RegressorChain { order = { "waist", "weight", "pulse" } }
      local frame = ml.cross_val_predict(chain, X, y, { cv = 4 })
      assert.same({ "weight", "waist", "pulse" }, frame.names)
      support.near(ml.cross_validate(ml.MultiOutputRegressor {}, X, y:matrix(), { cv = 4 }).mean.r2,
         ml.cross_validate(ml.MultiOutputRegressor {}, X, y, { cv = 4 }).mean.r2, 1e-12)
   end)
end)

describe("MultiOutputClassifier", function()
   it("gives scikit-learn's probabilities of tags", function()
      local X, y = wrappers.tags()
      local wanted = fixture.targets_tags
      local model = ml.MultiOutputClassifier { ml.LogisticRegression { C = 2 } }:fit(X, y)
      for j, proba in ipairs(model:predict_proba(X)) do
         support.near_rows(wanted.proba[j], proba:take(wrappers.few(178)), 1e-6)
      end
      support.near(wanted.score, model:score(X, y), 1e-15)
      assert.is_true(ml.metrics.f1(y, model:predict(X), { average = "macro" }) > 0.7)
      local result = ml.cross_validate(model, X, y, { cv = 5, scoring = { "label_ranking_loss", "f1_samples" } })
      assert.is_true(result.mean.label_ranking_loss < 0.4 and result.mean.f1_samples > 0.4)
   end)

   it("predicts a Frame of labels, each by its own model", function()
      local model = ml.MultiOutputClassifier { ml.GaussianNB {} }:fit(bills, both)
      local predicted = model:predict(bills)
      for j, name in ipairs { "species", "sex" } do
         local alone = ml.GaussianNB {}:fit(bills, both[name])
         assert.same(alone:predict(bills):totable(), predicted[name]:totable())
         assert.equal(alone:predict_proba(bills), model:predict_proba(bills)[j])
         assert.same(alone.classes, model.classes[j])
      end
      local right = 0
      for i = 1, #both.sex do
         right = right + (predicted.sex[i] == both.sex[i] and predicted.species[i] == both.species[i] and 1 or 0)
      end
      support.near(right / #both.sex, model:score(bills, both), 1e-15)
      assert.equal(model:dump(), ml.load(model:dump()):dump())
      assert.matches("2 models, 2%s+features, 2%s+targets", tostring(model))
   end)

   it("is cross-validated, with labels, probabilities and scores of whole rows", function()
      local model = ml.MultiOutputClassifier { ml.GaussianNB {} }
      local cv = ml.KFold { k = 4, seed = 1 }
      local labels = ml.cross_val_predict(model, bills, both, { cv = cv })
      local proba = ml.cross_val_predict(model, bills, both, { cv = cv, method = "predict_proba" })
      for j, name in ipairs { "species", "sex" } do
         local alone = { cv = cv, method = "predict_proba" }
         assert.same(ml.cross_val_predict(ml.GaussianNB {}, bills, both[name], { cv = cv }):totable(),
            labels[name]:totable())
         assert.equal(ml.cross_val_predict(ml.GaussianNB {}, bills, both[name], alone), proba[j])
      end
      local scores = ml.cross_validate(model, bills, both, { cv = cv, scoring = { "accuracy", "hamming" } })
      assert.is_true(scores.mean.accuracy > 0.6 and scores.mean.hamming < 0.25)
   end)

   it("refuses what it cannot use", function()
      local model = ml.MultiOutputClassifier {}
      refuses("MultiOutputClassifier: estimator must classify, got Ridge", ml.MultiOutputClassifier, { ml.Ridge {} })
      refuses("MultiOutputClassifier: column 'sex' of y must have at least 2 classes, got 1 class", function()
         model:fit(bills, ml.Frame { { "species", both.species }, { "sex", both.sex:take(ml.Vector(333, 1)) } })
      end)
      refuses("MultiOutputClassifier: column '2' of y must be class labels", function()
         model:fit({ { 1 }, { 2 } }, { { 1, 1.5 }, { 2, 3 } })
      end)
      refuses("y must have as many rows as X, 333, got 2", function() model:fit(bills, { { 1, 0 }, { 0, 1 } }) end)
      refuses("y must have at least 1 column, got 0", function() model:fit(bills, ml.zeros(333, 0)) end)
      assert.is_nil(rawget(model, "classes"))
   end)
end)
