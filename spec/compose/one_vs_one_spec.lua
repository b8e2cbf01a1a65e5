--- OneVsOneClassifier and OutputCodeClassifier: compared with scikit-learn and with their definitions.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wrappers = require "spec.compose.wrappers"

local fixture, refuses = wrappers.fixture, support.refuses
local X, y = support.data("iris", "species")
local Z = X:matrix()

local FEW = wrappers.few(150)

describe("OneVsOneClassifier", function()
   it("prints the lists that it has learned, also when it is loaded", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.OneVsOneClassifier { ml.GaussianNB {} }:fit(flowers, species)
      for _, one in ipairs { model, ml.load(model:dump()) } do
         assert.equal('{ "setosa", "versicolor", "virginica" }', tostring(one.classes))
         assert.matches('^{ "sepal_length", "sepal_width"', tostring(one.feature_names))
         assert.matches("^{ GaussianNB {}", tostring(one.estimators))
      end
   end)

   it("predicts by the fitted models, whatever estimator is set for the next fit", function()
      for _, class in ipairs { ml.OneVsOneClassifier, ml.OneVsRestClassifier } do
         for _, change in ipairs { { ml.LogisticRegression {}, ml.GaussianNB {} },
            { ml.GaussianNB {}, ml.LinearSVC {} } } do
            local model = class { change[1] }:fit(X, y)
            local expected = model:predict(X)
            model:set_params { estimator = change[2] }
            assert.same(expected:totable(), model:predict(X):totable())
         end
      end
   end)
   it("gives scikit-learn's decisions", function() -- the tolerance is that of the logistic fits
      for name, base in pairs { decision = ml.LogisticRegression { C = 2 }, proba = ml.GaussianNB {} } do
         local wanted = fixture["classes_ovo_" .. name]
         local model = ml.OneVsOneClassifier { base }:fit(X, y)
         support.near_rows(wanted.decision, model:decision_function(Z:take(FEW)), 1e-6, name, 1)
         support.near(wanted.score, model:score(X, y), 1e-15)
      end
   end)

   it("has one model per pair: the estimator fitted to the rows of both classes", function()
      local model = ml.OneVsOneClassifier { ml.LogisticRegression {} }:fit(X, y)
      local both = y:eq("setosa"):add(y:eq("virginica")):nonzero()
      local alone = ml.LogisticRegression {}:fit(X:take(both), y:take(both))
      assert.equal(3, #model.estimators)
      assert.equal(alone.coef, model.estimators[2].coef)
      assert.same({ "setosa", "virginica" }, model.estimators[2].classes)
   end)

   it("is the estimator itself for two classes", function()
      local two = y:take(core.range(1, 100))
      for _, base in ipairs { ml.LogisticRegression {}, ml.GaussianNB {} } do
         local whole = ml.OneVsOneClassifier { base }:fit(Z:slice(1, 100), two)
         local alone = base:clone():fit(Z:slice(1, 100), two)
         assert.same(alone:predict(Z):totable(), whole:predict(Z):totable())
         assert.equal(alone:can "decision_function" and alone:decision_function(Z)
            or alone:predict_proba(Z):col(2) - 0.5, whole:decision_function(Z))
      end
   end)

   it("is the same for any number of threads and in Lua, and reports progress", function()
      local calls = 0
      support.same_for_any_threads(function()
         return ml.OneVsOneClassifier { ml.LinearSVC {} }:fit(X, y, { weights = core.range(1, 150),
            on_iter = function(state) calls = state.total end })
      end)
      assert.equal(3, calls)
   end)

   it("refuses what it cannot use", function()
      refuses("OneVsOneClassifier: estimator must classify, got Ridge", ml.OneVsOneClassifier, { ml.Ridge {} })
      local bad = Z:copy()
      bad:set(149, 2, 0 / 0)
      refuses("OneVsOneClassifier: member 'setosa against virginica': LogisticRegression: X must be finite, got nan in "
         .. "row 149", function() ml.OneVsOneClassifier {}:fit(bad, y) end)
      assert.is_false(ml.OneVsOneClassifier {}:can "predict_proba")
   end)
end)

describe("OutputCodeClassifier", function()
   it("gives scikit-learn's labels with its code book", function()
      for name, base in pairs { decision = ml.LogisticRegression { C = 2 }, proba = ml.GaussianNB {} } do
         local wanted = fixture["classes_code_" .. name]
         local model = ml.OutputCodeClassifier { base, codes = ml.Matrix(wanted.book) }:fit(X, y)
         assert.same(wanted.predict, model:predict(X):take(FEW):totable())
         assert.equal(ml.Matrix(wanted.book), model.code_book)
         support.near(wanted.score, model:score(X, y), 1e-15)
      end
   end)

   it("draws codes that distinguish all classes", function()
      for seed = 1, 5 do
         local model = ml.OutputCodeClassifier { ml.GaussianNB {}, code_size = 0.7, seed = seed }:fit(X, y)
         assert.equal(2, model.code_book.cols)
         for j = 1, 2 do assert.equal(1, model.code_book:col(j):max() - model.code_book:col(j):min()) end
         assert.is_true(model:score(X, y) > 0.9)
      end
      refuses("OutputCodeClassifier: 1 bit cannot distinguish 3 classes; increase code_size", function()
         ml.OutputCodeClassifier { code_size = 0.4 }:fit(X, y)
      end)
   end)

   it("refuses codes that are not words of bits", function()
      local function fit(rows)
         return function() ml.OutputCodeClassifier { codes = ml.Matrix(rows) }:fit(X, y) end
      end
      refuses("codes must have a row for each of the 3 classes, got 2", fit { { 0, 1 }, { 1, 0 } })
      refuses("codes must contain only 0 and 1, or only %-1 and 1", fit { { 0, 1 }, { 1, 0.5 }, { 1, 1 } })
      refuses("column 2 of codes must have both bits, got one", fit { { 0, 1 }, { 1, 1 }, { 1, 1 } })
      refuses("codes must have different rows, got two equal ones", fit { { 0, 1 }, { 1, 0 }, { 1, 0 } })
      refuses("codes must be a Matrix", ml.OutputCodeClassifier, { codes = 3 })
      refuses("code_size must be a number > 0, got 0", ml.OutputCodeClassifier, { code_size = 0 })
   end)
end)
