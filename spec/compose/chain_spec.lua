--- ClassifierChain and RegressorChain: compared with scikit-learn and with their definition.
local ml = require "manilius"
local support = require "spec.support"
local wrappers = require "spec.compose.wrappers"

local fixture, refuses = wrappers.fixture, support.refuses
local X, y = wrappers.linnerud()

describe("RegressorChain", function()
   it("gives scikit-learn's predictions, in any order and on out-of-fold predictions", function()
      local base = ml.Ridge { alpha = 2 }
      for name, chain in pairs { chain = ml.RegressorChain { base }, chain_order = ml.RegressorChain { base,
         order = { 3, 1, 2 } }, chain_cv = ml.RegressorChain { base, cv = ml.KFold { k = 4 } } } do
         support.near_rows(fixture["targets_" .. name], chain:fit(X, y:matrix()):predict(X), 1e-9, name)
      end
   end)

   it("fits each model to X and the targets before it", function()
      local chain = ml.RegressorChain { ml.Ridge {}, order = { "pulse", "weight", "waist" } }:fit(X, y)
      assert.same({ 3, 1, 2 }, chain.chain_order)
      assert.same({ "chins", "situps", "jumps", "chain__pulse", "chain__weight" }, chain.estimators[3].feature_names)
      local seen = ml.hcat(X:matrix(), y.pulse:as_column(), y.weight:as_column())
      assert.equal(ml.Ridge {}:fit(seen, y.waist).coef, chain.estimators[3].coef)
      local pulse = chain.estimators[1]:predict(X)
      local weight = chain.estimators[2]:predict(ml.hcat(X:matrix(), pulse:as_column()))
      local predicted = chain:predict(X)
      assert.same({ "weight", "waist", "pulse" }, predicted.names)
      assert.equal(pulse, predicted.pulse)
      assert.equal(weight, predicted.weight)
      assert.equal(predicted.waist, chain:predict(X:select { "jumps", "chins", "situps" }).waist)
   end)

   it("draws a random order from the seed", function()
      local orders = {}
      for seed = 1, 12 do
         local order = ml.RegressorChain { order = "random", seed = seed }:fit(X, y).chain_order
         orders[table.concat(order, " ")] = true
         table.sort(order)
         assert.same({ 1, 2, 3 }, order)
      end
      local count = 0
      for _ in pairs(orders) do count = count + 1 end
      assert.is_true(count >= 3)
   end)

   it("does not depend on threads, weights rows and reports progress", function()
      for _, cv in ipairs { ml.unset, 4 } do
         local total
         support.same_for_any_threads(function()
            return ml.RegressorChain { ml.SVR {}, cv = cv }:fit(X, y, { weights = ml.Vector(20, 2),
               on_iter = function(state) total = state.total end })
         end)
         assert.equal(3, total)
      end
   end)

   it("accepts sparse rows", function()
      local sparse, matrix = ml.Sparse(X:matrix()), X:matrix()
      support.near_rows(ml.RegressorChain {}:fit(matrix, y:matrix()):predict(matrix),
         ml.RegressorChain {}:fit(sparse, y:matrix()):predict(sparse), 1e-9)
   end)

   it("refuses what it cannot use", function()
      local function fit(order) return function() ml.RegressorChain { order = order }:fit(X, y) end end
      refuses("order must name columns of y, got 4", fit { 1, 2, 4 })
      refuses("order must name columns of y, got \"height\"", fit { "height" })
      refuses("order has the column 2 twice", fit { 2, 2, 3 })
      refuses("order must have each of the 3 columns of y, got 2", fit { 1, 2 })
      refuses("order must be a list of columns of y, \"random\" or nil, got 7", fit(7))
      refuses("RegressorChain: estimator must regress, got GaussianNB", ml.RegressorChain, { ml.GaussianNB {} })
      refuses("RegressorChain: cv must test each row once", function()
         ml.RegressorChain { cv = ml.ShuffleSplit { n = 2 } }:fit(X, y)
      end)
   end)
end)

describe("ClassifierChain", function()
   local Z, tags = wrappers.tags()
   local few = wrappers.few(178)

   it("gives scikit-learn's probabilities and decisions", function() -- the tolerance is that of the logistic fits
      local base = ml.LogisticRegression { C = 2 }
      for name, chain in pairs { tag_chain = ml.ClassifierChain { base, order = { 2, 3, 1 } },
         tag_chain_cv = ml.ClassifierChain { base, cv = ml.KFold {}, chain_method = "predict_proba" },
         tag_chain_decision = ml.ClassifierChain { base, chain_method = "decision_function" } } do
         chain:fit(Z, tags)
         local wanted, columns = fixture["targets_" .. name], {}
         for j, proba in ipairs(chain:predict_proba(Z)) do columns[j] = proba:col(2):copy():as_column() end
         support.near_rows(wanted.proba, ml.hcat(table.unpack(columns)):take(few), 1e-5, name)
         support.near_rows(wanted.decision, chain:decision_function(Z):take(few), 1e-5, name, 1)
         assert.equal(ml.Matrix(wanted.predict), chain:predict(Z):take(few))
         support.near(wanted.score, chain:score(Z, tags), 1e-15)
      end
   end)

   it("adds an indicator for each of several classes", function()
      local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
      local bills, both = penguins:select { "bill_length_mm", "body_mass_g" }, penguins:select { "species", "sex" }
      local base = ml.LogisticRegression { C = 100 }
      local alone = ml.MultiOutputClassifier { base }:fit(bills, both):score(bills, both)
      for _, method in ipairs { "predict", "predict_proba", "decision_function" } do
         local chain = ml.ClassifierChain { base, cv = 5, chain_method = method }:fit(bills, both)
         assert.same({ "bill_length_mm", "body_mass_g", "chain__species__Adelie", "chain__species__Chinstrap",
            "chain__species__Gentoo" }, chain.estimators[2].feature_names)
         assert.is_true(method == "decision_function" or chain:score(bills, both) > alone + 0.2)
         assert.equal(chain:dump(), ml.load(chain:dump()):dump())
      end
   end)

   it("refuses what it cannot use", function()
      refuses("chain_method must be one of predict, predict_proba", ml.ClassifierChain, { chain_method = "transform" })
      refuses("chain_method: the estimator Perceptron does not have predict_proba", ml.ClassifierChain,
         { ml.Perceptron {}, chain_method = "predict_proba" })
   end)
end)
