--- OneVsRestClassifier: compared with scikit-learn and with its definition.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses

local function near_all(wanted, got, tolerance)
   for i = 1, #wanted do
      assert.is_true(math.abs(wanted[i] - got[i]) <= tolerance * (1 + math.abs(wanted[i])),
         ("%d: %.15g, not %.15g"):format(i, got[i], wanted[i]))
   end
end

describe("OneVsRestClassifier", function()
   local X, y = ml.read_csv "examples/data/iris.csv":split "species"
   local Z = X:matrix()

   -- scikit-learn 1.9.1: OneVsRestClassifier(LogisticRegression(C=2, tol=1e-12, max_iter=10000)), rows 1, 71 and 134.
   it("gives scikit-learn's probabilities and decisions", function()
      local model = ml.OneVsRestClassifier { ml.LogisticRegression { C = 2 } }:fit(Z, y)
      local rows = Z:take { 1, 71, 134 }
      local proba, decision = model:predict_proba(rows), model:decision_function(rows)
      local wanted = {
         { 0.9068947629069025, 0.09310519796928471, 3.912381272991291e-08 },
         { 0.0014148570587416524, 0.2753116186001614, 0.7232735243410969 },
         { 0.000305257862247725, 0.5031527617588182, 0.4965419803789341 },
      }
      for i, row in ipairs(wanted) do near_all(row, proba[i], 1e-6) end
      near_all({ -6.895260699119732, -1.4062045524780995, 0.06843745808488144 }, decision[2], 1e-5)
      assert.equal(143 / 150, model:score(Z, y))
   end)

   it("has one model per class: the estimator fitted to that class against the others", function()
      local model = ml.OneVsRestClassifier { ml.LogisticRegression {} }:fit(X, y)
      assert.equal(3, #model.estimators)
      assert.same({ "setosa", "versicolor", "virginica" }, model.classes)
      local one = {}
      for i = 1, #y do one[i] = y[i] == "versicolor" and 1 or 0 end
      local alone = ml.LogisticRegression {}:fit(X, one)
      assert.same(alone.coef:totable(), model.estimators[2].coef:totable())
      assert.same(alone:decision_function(X):totable(), model:decision_function(X):col(2):totable())
      local proba = model:predict_proba(X)
      near_all(core.Vector(150, 1), proba:sum "rows", 1e-15)
      assert.same(model:predict(X):totable(), core.Factor(model.classes):take(proba:argmax "rows"):totable())
   end)

   it("is the estimator itself for two classes", function()
      local two = {}
      for i = 1, 150 do two[i] = Z:get(i, 2) > 3 and "wide" or "narrow" end
      local bases = { ml.LogisticRegression {}, ml.DecisionTreeClassifier { max_depth = 2 }, ml.Perceptron {} }
      for _, base in ipairs(bases) do
         local whole, alone = ml.OneVsRestClassifier { base }:fit(Z, two), base:clone():fit(Z, two)
         assert.equal(1, #whole.estimators)
         assert.same(alone:predict(Z):totable(), whole:predict(Z):totable())
         for _, action in ipairs { "predict_proba", "decision_function" } do
            if whole:can(action) then
               assert.same(alone[action](alone, Z):totable(), whole[action](whole, Z):totable())
            end
         end
      end
   end)

   it("uses probabilities if the estimator has no decision function", function()
      local model = ml.OneVsRestClassifier { ml.DecisionTreeClassifier { max_depth = 1 } }:fit(Z, y)
      assert.is_false(model:can "decision_function")
      local proba = model:predict_proba(Z)
      near_all(core.Vector(150, 1), proba:sum "rows", 1e-15)
      assert.same(core.Factor(model.classes):take(proba:argmax "rows"):totable(), model:predict(Z):totable())
   end)

   it("has no probabilities if the estimator has none", function()
      local model = ml.OneVsRestClassifier { ml.Perceptron {} }:fit(Z, y)
      assert.is_false(model:can "predict_proba")
      assert.is_true(model:score(Z, y) > 0.6)
      refuses("OneVsRestClassifier: the estimator Perceptron does not have predict_proba", function()
         model:predict_proba(Z)
      end)
   end)

   it("gives equal probabilities if all models give 0", function()
      local rare = ml.Estimator { name = "Nothing", does = "classify", params = {},
         fit = function(self) self.classes = { 0, 1 } return self end,
         predict = function(_, A) return core.Vector(A.rows, 0) end,
         predict_proba = function(_, A) return core.hcat(core.ones(A.rows, 1), core.zeros(A.rows, 1)) end }
      local model = ml.OneVsRestClassifier { rare {} }:fit(Z, y)
      near_all({ 1 / 3, 1 / 3, 1 / 3 }, model:predict_proba(Z)[1], 1e-15)
   end)

   it("treats weights as repeated rows, and can be searched over the parameters of its estimator", function()
      local weights, labels = core.Vector(150, 1), y:totable()
      local twice = core.vcat(Z, Z:slice(40, 60))
      for i = 40, 60 do weights[i] = 2 end
      for i = 40, 60 do labels[#labels + 1] = labels[i] end
      local model = ml.OneVsRestClassifier {}
      near_all(model:clone():fit(twice, labels):predict_proba(Z):col(2),
         model:clone():fit(Z, y, { weights = weights }):predict_proba(Z):col(2), 1e-8)
      local search = ml.GridSearch { model, { estimator__C = { 0.001, 10 } }, cv = 3 }:fit(Z, y)
      assert.equal(10, search.best_params.estimator__C)
   end)

   it("names itself in error messages", function()
      refuses("OneVsRestClassifier: estimator must classify, got Ridge", function()
         ml.OneVsRestClassifier { ml.Ridge {} }
      end)
      refuses("OneVsRestClassifier: estimator must be an estimator, got 3", function()
         ml.OneVsRestClassifier { 3 }
      end)
      refuses("OneVsRestClassifier: y must have at least 2 classes, got 1 class", function()
         ml.OneVsRestClassifier {}:fit(Z, core.Vector(150, 1))
      end)
      refuses("OneVsRestClassifier: member 'setosa': LogisticRegression: X must be finite, got nan in row 2", function()
         local bad = Z:copy()
         bad:set(2, 1, 0 / 0)
         ml.OneVsRestClassifier {}:fit(bad, y)
      end)
      refuses("OneVsRestClassifier has no parameter 'estimatr'; did you mean 'estimator'", function()
         ml.OneVsRestClassifier { estimatr = ml.Ridge {} }
      end)
   end)
end)
