--- CalibratedClassifier: compared with scikit-learn and with its definition; no row calibrates a model that saw it.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.calibrate.calibration"

local near_all, refuses = support.near_all, support.refuses

-- The folds i mod 4, counted from row 0.
local function folds(n)
   local splits = {}
   for f = 0, 3 do
      local train, test = {}, {}
      for i = 1, n do table.insert((i - 1) % 4 == f and test or train, i) end
      splits[f + 1] = { train = train, test = test }
   end
   return splits
end

local function every(n, step)
   local list = {}
   for i = 1, n, step do list[#list + 1] = i end
   return list
end

-- 1, 2, 3, 1, 2, 3, ...
local function cycle(n)
   local w = core.Vector(n)
   for i = 1, n do w[i] = 1 + (i - 1) % 3 end
   return w
end

local X, y = support.data("breast_cancer", "diagnosis")
X = X:matrix()
local Z, species = support.data("iris", "species")
Z = Z:matrix()

describe("CalibratedClassifier", function()
   -- scikit-learn minimizes by L-BFGS to a gradient of 1e-6, and the temperature over a logarithm to 1e-8.
   for _, method in ipairs { "sigmoid", "isotonic", "temperature" } do
      it("gives scikit-learn's probabilities: " .. method, function()
         for _, ensemble in ipairs { true, false } do
            local name = method .. (ensemble and "" or "_single")
            local model = ml.CalibratedClassifier { ml.GaussianNB {}, method = method, cv = folds(#y),
               ensemble = ensemble }:fit(X, y)
            near_all(wanted["cancer_" .. name], model:predict_proba(X:take(every(#y, 97))):col(2), 1e-5, name, 1e-3)
            model.cv = folds(150)
            model:fit(Z, species)
            near_all(wanted["iris_" .. name], model:predict_proba(Z:take(every(150, 29))):flatten(), 1e-5, name, 1e-3)
         end
         local exact = ml.GaussianNB { var_smoothing = 1e-20 } -- scikit-learn smooths by a variance without weights
         local model = ml.CalibratedClassifier { exact, method = method, cv = folds(#y) }
         model:fit(X, y, { weights = cycle(#y) })
         near_all(wanted["cancer_" .. method .. "_w"], model:predict_proba(X:take(every(#y, 97))):col(2), 1e-5,
            "weights", 1e-3)
      end)
   end

   it("maps the scores of models that have not seen the rows", function()
      local splits = folds(#y)
      for _, method in ipairs { "sigmoid", "beta", "venn_abers" } do
         local model = ml.CalibratedClassifier { ml.GaussianNB {}, method = method, cv = splits }:fit(X, y)
         for f, split in ipairs(splits) do
            local train, test = core.Vector(split.train), core.Vector(split.test)
            local alone = ml.GaussianNB {}:fit(X:take(train), y:take(train))
            local p = alone:predict_proba(X:take(test)):col(2):maximum(2 ^ -52):minimum(1 - 2 ^ -52)
            local map = method == "sigmoid" and ml.SigmoidCalibration {} or method == "beta" and ml.BetaCalibration {}
               or ml.VennAbersCalibration {}
            local S = method == "beta" and (p:log() - (1 - p):log()):as_column()
               or alone:predict_proba(X:take(test)):col(2):as_column()
            map:fit(S, y:take(test))
            assert.same(map:predict_proba(S:slice(1, 9)):totable(),
               model.calibrators[f][1]:predict_proba(S:slice(1, 9)):totable())
         end
      end
   end)

   -- A tree memorizes labels that are noise: its own rows would be calibrated to certainty.
   it("does not leak labels into the probabilities", function()
      local noise = core.random(400, 3, 1)
      local labels = core.random(400, nil, 2):gt(0.5)
      for _, method in ipairs { "sigmoid", "isotonic", "temperature", "beta", "venn_abers" } do
         for _, ensemble in ipairs { true, false } do
            local model = ml.CalibratedClassifier { ml.DecisionTreeClassifier {}, method = method,
               ensemble = ensemble, cv = ml.StratifiedKFold { k = 5, seed = 1 } }:fit(noise, labels)
            local p = model:predict_proba(noise)
            assert.is_true(ml.metrics.brier(labels, p) > 0.2, method .. " knows labels that are noise")
         end
      end
   end)

   it("keeps the predicted class with a temperature, and merges Venn-Abers folds by geometric means", function()
      local model = ml.CalibratedClassifier { ml.LogisticRegression {}, method = "temperature", ensemble = false }
      model:fit(Z, species)
      assert.same(ml.LogisticRegression {}:fit(Z, species):predict(Z):totable(), model:predict(Z):totable())
      model = ml.CalibratedClassifier { ml.GaussianNB {}, method = "venn_abers", cv = 3 }:fit(X, y)
      local found, no, yes = model:probability_interval(X), 1, 1
      for f, one in ipairs(model.estimators) do
         local p = model.calibrators[f][1]:probability_interval(one:predict_proba(X):col(2):as_column())
         no, yes = no * (1 - p.low[7]) ^ (1 / 3), yes * p.high[7] ^ (1 / 3)
      end
      near_all({ 1 - no, yes }, { found.low[7], found.high[7] }, 1e-12)
      near_all({ yes / (no + yes) }, { model:predict_proba(X):get(7, 2) }, 1e-12)
   end)

   it("improves the log loss of naive Bayes", function()
      local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.4, seed = 3 })
      local before = ml.GaussianNB {}:fit(X_train, y_train):score(X_test, y_test, { scoring = "log_loss" })
      for _, method in ipairs { "sigmoid", "temperature", "beta", "venn_abers" } do
         local model = ml.CalibratedClassifier { ml.GaussianNB {}, method = method }:fit(X_train, y_train)
         assert.is_true(model:score(X_test, y_test, { scoring = "log_loss" }) < 0.7 * before, method)
      end
   end)

   it("calibrates a fitted model, which clones and archives keep", function()
      local first, rest = core.range(1, 300), core.range(301, #y)
      local base = ml.GaussianNB {}:fit(X:take(first), y:take(first))
      local model = ml.CalibratedClassifier { base, cv = "prefit" }:fit(X:take(rest), y:take(rest))
      local map = ml.SigmoidCalibration {}:fit(base:predict_proba(X:take(rest)):col(2):as_column(), y:take(rest))
      local p = map:predict_proba(base:predict_proba(X):col(2):as_column()):col(2)
      near_all(p:totable(), model:predict_proba(X):col(2), 1e-12)
      assert.same(model:predict_proba(X):totable(), ml.load(model:dump()):predict_proba(X):totable())
      assert.same(model:predict_proba(X):totable(),
         model:clone():fit(X:take(rest), y:take(rest)):predict_proba(X):totable())
      refuses("requires a fitted estimator", function()
         ml.CalibratedClassifier { ml.GaussianNB {}, cv = "prefit" }:fit(X, y)
      end)
      refuses("y has the class \"x\", which is not a class of the fitted estimator", function()
         ml.CalibratedClassifier { base, cv = "prefit" }:fit({ X[1], X[2] }, { "x", y[1] })
      end)
   end)

   it("gives the same bytes for any number of threads and in a search", function()
      support.same_for_any_threads(function()
         return ml.CalibratedClassifier { ml.RandomForestClassifier { n_estimators = 5 }, method = "beta" }:fit(X, y)
      end)
      local search = ml.GridSearch { ml.CalibratedClassifier { ml.GaussianNB {} },
         { method = { "sigmoid", "isotonic" }, estimator__var_smoothing = { 1e-9, 1e-3 } }, cv = 3,
         scoring = "log_loss" }:fit(X, y)
      assert.is_true(search.best_score < 0.3)
   end)

   it("refuses folds without a class, a single class and unknown methods", function()
      refuses("y has 2 rows of class \"b\", fewer than the 5 folds; reduce cv", function()
         ml.CalibratedClassifier { ml.GaussianNB {} }:fit(core.normal(20, 2, 1),
            { "a", "a", "a", "a", "a", "a", "a", "a", "a", "b", "a", "a", "a", "a", "a", "a", "a", "a", "a", "b" })
      end)
      refuses("the test rows of fold 1 have no class \"setosa\"", function()
         local splits = { { train = core.range(1, 120), test = core.range(121, 150) } }
         ml.CalibratedClassifier { ml.GaussianNB {}, cv = splits }:fit(Z, species)
      end)
      refuses("have 2 of 3 classes", function()
         ml.CalibratedClassifier { ml.LogisticRegression {},
            cv = { { train = core.range(1, 100), test = core.range(1, 150) } } }:fit(Z, species)
      end)
      refuses("y must have at least 2 classes, got 1 class", function()
         ml.CalibratedClassifier {}:fit(Z, core.Vector(150, 1))
      end)
      refuses("method must be one of .*did you mean 'sigmoid'", function()
         ml.CalibratedClassifier { method = "sigmoids" }
      end)
      refuses("cv must be a whole number >= 2", function() ml.CalibratedClassifier { cv = 1 } end)
      refuses("probability_interval requires method = \"venn_abers\" and two classes", function()
         ml.CalibratedClassifier { ml.GaussianNB {} }:fit(Z, species):probability_interval(Z)
      end)
      refuses("y has 1 row of class", function() ml.CalibratedClassifier {}:fit({ { 1 }, { 2 } }, { 0, 1 }) end)
   end)

   it("calibrates constant scores to the frequency of the class", function()
      local flat = core.ones(40, 1)
      local label = core.range(1, 40):le(10)
      for _, method in ipairs { "sigmoid", "isotonic", "beta", "venn_abers" } do
         local model = ml.CalibratedClassifier { ml.DecisionTreeClassifier {}, method = method }:fit(flat, label)
         near_all({ 0.25 }, { model:predict_proba { { 1 } }:get(1, 2) }, 0.35, method) -- 10 rows a fold
      end
   end)

   it("predicts by what was fitted when settings are changed after it", function()
      local model = ml.CalibratedClassifier { ml.GaussianNB {}, cv = 3 }:fit(X, y)
      local before = tostring(model:predict_proba(X:slice(1, 5)))
      model:set_params { method = "isotonic" }
      assert.equal(before, tostring(model:predict_proba(X:slice(1, 5))))
      local sets = ml.ConformalClassifier { ml.GaussianNB {}, method = "aps", randomized = false }:fit(X, y)
      before = tostring(sets:predict_set(X:slice(1, 5)))
      sets:set_params { method = "lac" }
      assert.equal(before, tostring(sets:predict_set(X:slice(1, 5))))
   end)
end)
