local ml = require "manilius"
local support = require "spec.support"
local tools = require "manilius.check.tools"
local oracle = dofile "spec/fixtures/sgd/sgd.lua"

local near_all, near_rows, refuses = support.near_all, support.near_rows, support.refuses

-- Iris with the classes in turn, as in the fixture script.
local function iris()
   local X, y = support.data("iris", "species")
   X = (X:matrix() - 3) / 4
   local order, two = {}, {}
   for i = 1, 50 do
      for c = 0, 2 do order[#order + 1] = c * 50 + i end
   end
   X, y = X:take(order), y:take(order)
   for i = 1, 150 do
      if y[i] ~= "setosa" then two[#two + 1] = i end
   end
   return X, y, X:take(two), y:take(two)
end

local function diabetes()
   local X, y = support.data("diabetes", "progression")
   local center, scale = { 48, 1.5, 26, 94, 189, 115, 50, 4, 4.6, 91 }, { 130, 5, 40, 140, 350, 300, 130, 13, 5, 110 }
   local Z = X:matrix():copy()
   for i = 1, Z.rows do
      for j = 1, Z.cols do Z:set(i, j, (Z:get(i, j) - center[j]) / scale[j]) end
   end
   return Z, y / 100
end

local learned = { coef = true, intercept = true, n_iter = true, t = true, classify = true, classes = true }

-- A fixed number of rounds unless the case tests stopping; rows in order.
local function settings(case)
   local out = { shuffle = false, n_iter_no_change = not case.n_iter and 1000 or nil }
   for name, value in pairs(case) do
      if not learned[name] then out[name] = value end
   end
   return out
end

local function agrees(case, model, tolerance)
   local coef = tools.kind(model.coef) == "Vector" and { model.coef } or model.coef
   local what = ("%s, %s, %s, C %s"):format(case.loss, case.penalty, case.learning_rate, case.C)
   near_rows(case.coef, coef, tolerance or 1e-10, what .. ": coef", 1e-2)
   local intercept = type(model.intercept) == "number" and { model.intercept } or model.intercept
   near_all(case.intercept, intercept, tolerance or 1e-10, what .. ": intercept", 1e-2)
end

describe("SGDClassifier", function()
   local X, y, X2, y2 = iris()

   it("agrees with scikit-learn for every loss, penalty and schedule", function()
      assert.equal(9 * 4 * 4, #oracle.classifier)
      for _, case in ipairs(oracle.classifier) do agrees(case, ml.SGDClassifier(settings(case)):fit(X2, y2)) end
   end)

   it("agrees with scikit-learn for three classes, averaged and not", function()
      for _, case in ipairs(oracle.three) do agrees(case, ml.SGDClassifier(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on balanced classes", function()
      local few = {}
      for i = 1, 150 do
         if y[i] == "virginica" or y[i] == "versicolor" and (i - 1) % 4 > 0 then few[#few + 1] = i end
      end
      for _, case in ipairs(oracle.balanced) do
         local model = ml.SGDClassifier(settings(case)):set_params { class_weight = "balanced" }
         agrees(case, model:fit(X:take(few), y:take(few)))
      end
   end)

   it("passes the estimator checks with non-default settings", function()
      for _, settings_of in ipairs { { loss = "log_loss" }, { loss = "modified_huber", penalty = "elasticnet" },
         { learning_rate = "pa1", average = 5 } } do
         ml.check(ml.SGDClassifier(settings_of)):assert()
      end
      ml.check(ml.SGDRegressor { penalty = "l1", loss = "squared_epsilon_insensitive", average = 3 }):assert()
   end)

   it("gives the probabilities implied by the loss", function()
      local of_log = ml.SGDClassifier { loss = "log_loss", alpha = 1e-2 }:fit(X2, y2)
      local of_huber = ml.SGDClassifier { loss = "modified_huber", alpha = 1e-2 }:fit(X2, y2)
      for i = 1, 100 do
         local row = X2:slice(i, i)
         local z = of_log:decision_function(row)[1]
         near_all({ 1 / (1 + math.exp(z)), 1 / (1 + math.exp(-z)) }, of_log:predict_proba(row)[1], 1e-13, "log_loss")
         z = of_huber:decision_function(row)[1]
         local p = (math.max(-1, math.min(1, z)) + 1) / 2
         near_all({ 1 - p, p }, of_huber:predict_proba(row)[1], 1e-13, "modified_huber", 1e-3)
      end
      local sum = ml.SGDClassifier { loss = "log_loss", alpha = 1e-2 }:fit(X, y):predict_proba(X):sum "rows"
      near_all(ml.ones(150, 1):col(1), sum, 1e-13, "sum")
   end)

   it("has no probabilities for other losses", function()
      local model = ml.SGDClassifier {}:fit(X, y)
      assert.is_false(model:can "predict_proba")
      refuses("SGDClassifier has no 'predict_proba' with these parameters", function() return model.predict_proba end)
      assert.is_true(ml.SGDClassifier { loss = "log_loss" }:can "predict_proba")
      local cv = ml.cross_validate(ml.SGDClassifier { loss = "log_loss", alpha = 0.01 }, X, y,
         { cv = 3, scoring = "log_loss" })
      assert.is_true(tools.finite(cv.scores:col "log_loss"))
   end)

   it("fits each class against the rest", function()
      local three = ml.SGDClassifier { alpha = 0.01, seed = 4, max_iter = 8, n_iter_no_change = 100 }:fit(X, y)
      for c, name in ipairs(three.classes) do
         local rest = {}
         for i = 1, 150 do rest[i] = y[i] == name and 1 or 0 end
         local one = ml.SGDClassifier { alpha = 0.01, seed = 4, max_iter = 8, n_iter_no_change = 100 }:fit(X, rest)
         near_all(one.coef, three.coef[c], 0, name)
      end
   end)

   it("rejects balanced class weights in partial_fit", function()
      local model = ml.SGDClassifier {}:set_params { class_weight = "balanced" }
      refuses("class_weight must be a table of weights with partial_fit", function() model:partial_fit(X, y) end)
      model:set_params { class_weight = { setosa = 2, versicolor = 1, virginica = 1 } }
      assert.is_true(model:partial_fit(X, y).fitted)
   end)

   it("never holds out all rows of a class", function()
      local rows = { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 }, { 7 }, { 8 } }
      local label = { "a", "a", "a", "a", "b", "b", "b", "c" }
      local model = ml.SGDClassifier { early_stopping = true, validation_fraction = 0.9 }:fit(rows, label)
      assert.equal(3, #model.classes)
      assert.equal(0, (model.t - 1) % 3) -- one row of each class is trained on
   end)

   it("stops early by the score of held-out rows", function()
      local Z = ml.StandardScaler {}:fit_transform(X)
      local model = ml.SGDClassifier { early_stopping = true, alpha = 0.01, seed = 2, n_iter_no_change = 3 }:fit(Z, y)
      assert.is_true(model.converged)
      assert.equal((model.t - 1) % 135, 0) -- 5 rows of each class are held out
      assert(model:score(Z, y) > 0.85)
      local same = ml.SGDClassifier { early_stopping = true, alpha = 0.01, seed = 2, n_iter_no_change = 3 }:fit(Z, y)
      assert.equal(model:dump(), same:dump())
      refuses("early_stopping must be false with partial_fit", function() same:partial_fit(Z, y) end)
   end)
end)

describe("SGDRegressor", function()
   local X, y = diabetes()

   it("agrees with scikit-learn for every loss, penalty and schedule", function()
      assert.equal(4 * 4 * 4, #oracle.regressor)
      for _, case in ipairs(oracle.regressor) do agrees(case, ml.SGDRegressor(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on averages from any step on", function()
      for _, case in ipairs(oracle.averaged) do agrees(case, ml.SGDRegressor(settings(case)):fit(X, y)) end
   end)

   it("agrees with scikit-learn on weights, without an intercept", function()
      local w = {}
      for i = 1, #y do w[i] = 0.5 + (i - 1) % 3 end
      for _, case in ipairs(oracle.weighted) do
         agrees(case, ml.SGDRegressor(settings(case)):fit(X, y, { weights = w }))
      end
   end)

   it("agrees with scikit-learn on passive-aggressive steps", function()
      local _, _, X2, y2 = iris()
      for _, case in ipairs(oracle.aggressive) do
         agrees(case, case.classify and ml.SGDClassifier(settings(case)):fit(X2, y2)
            or ml.SGDRegressor(settings(case)):fit(X, y))
      end
   end)

   it("agrees with scikit-learn in batches", function()
      for _, case in ipairs(oracle.batches) do
         local model = ml.SGDRegressor(settings(case))
         for first = 1, 442, 100 do
            local last = math.min(first + 99, 442)
            model:partial_fit(X:slice(first, last), y:slice(first, last))
         end
         agrees(case, model)
         assert.equal(case.t, model.t)
      end
   end)

   it("stops in the same round as scikit-learn", function()
      for _, case in ipairs(oracle.stopped) do
         local model = ml.SGDRegressor(settings(case)):fit(X, y)
         agrees(case, model, 1e-9)
         assert.equal(case.n_iter, model.n_iter)
         assert.is_true(model.converged)
      end
   end)

   it("gives the same result on sparse and dense rows, with all L1 penalties applied", function()
      local S = ml.normal(300, 12, 1):mul(ml.random(300, 12, 2):lt(0.3))
      local target = S:slice(1, 300, 1, 3) * ml.Vector { 1, -2, 3 } + 0.1 * ml.normal(300, 1, 3):col(1)
      for _, penalty in ipairs { "l2", "l1", "elasticnet", "none" } do
         for _, average in ipairs { 0, 1, 50 } do
            local function fit(rows)
               return ml.SGDRegressor { penalty = penalty, alpha = 0.02, average = average, max_iter = 7, seed = 3 }
                  :fit(rows, target)
            end
            local dense, sparse = fit(S), fit(ml.Sparse.from(S))
            near_all(dense.coef, sparse.coef, 1e-12, penalty .. ": coef", 1)
            near_all({ dense.intercept }, { sparse.intercept }, 1e-12, "intercept", 1)
            near_all({ dense.objective }, { sparse.objective }, 1e-12, "objective")
         end
      end
   end)

   -- Steps of the perceptron are all or nothing, so any difference would show in the coefficients.
   it("makes the same steps on sparse and dense rows of a perceptron", function()
      for _, columns in ipairs { 6, 150 } do
         local S = ml.normal(90, columns, 4):mul(ml.random(90, columns, 5):lt(3 / columns))
         local label = {}
         for i = 1, 90 do label[i] = S:row(i):sum() + math.sin(7 * i) > 0 and "up" or "down" end
         for _, penalty in ipairs { "l2", "l1", "elasticnet" } do
            for _, alpha in ipairs { 1e-4, 1e-3, 1e-2 } do
               for _, l1_ratio in ipairs { 0.15, 0.9 } do
                  local model = ml.Perceptron { penalty = penalty, alpha = alpha, l1_ratio = l1_ratio, max_iter = 100,
                     n_iter_no_change = columns == 6 and 5 or 1000, tol = 1e-9 }
                  local dense, sparse = model:clone():fit(S, label), model:clone():fit(ml.Sparse.from(S), label)
                  local what = ("%d columns, %s, alpha %g, l1_ratio %g"):format(columns, penalty, alpha, l1_ratio)
                  assert.equal(dense.n_iter, sparse.n_iter, what)
                  near_all(dense.coef, sparse.coef, 1e-10, what, 1)
               end
            end
         end
      end
      local report = ml.check(ml.Perceptron { penalty = "elasticnet" })
      assert.equal(0, report.failures, tostring(report))
   end)

   it("averages the coefficients of its steps", function()
      for _, penalty in ipairs { "l2", "l1" } do
         local common = { penalty = penalty, alpha = 0.05, shuffle = false, eta0 = 0.05 }
         local step, whole = ml.SGDRegressor(common), ml.SGDRegressor(common):set_params { average = 1 }
         local sum = ml.zeros(10, 1):col(1)
         for i = 1, 60 do
            step:partial_fit(X:slice(i, i), y:slice(i, i))
            sum = sum + step.coef
         end
         whole:partial_fit(X:slice(1, 60), y:slice(1, 60))
         near_all(sum / 60, whole.coef, 1e-12, "average of " .. penalty, 0.1)
      end
   end)

   it("gives the same result for batches in order as for one round over all rows", function()
      for _, penalty in ipairs { "l2", "l1", "elasticnet" } do
         for _, average in ipairs { 0, 20 } do
            local function new()
               return ml.SGDRegressor { penalty = penalty, alpha = 0.01, average = average, shuffle = false,
                  max_iter = 1 }
            end
            local whole, parts = new():fit(X, y), new()
            for first = 1, 442, 50 do
               local last = math.min(first + 49, 442)
               parts:partial_fit(X:slice(first, last), y:slice(first, last))
               parts = ml.load(parts:dump())
            end
            near_all(whole.coef, parts.coef, 1e-12, penalty, 1e-3)
            near_all({ whole.intercept, whole.t }, { parts.intercept, parts.t }, 1e-12, "intercept")
            assert.equal(9, parts.n_iter)
         end
      end
   end)

   it("continues after fit", function()
      local model = ml.SGDRegressor { max_iter = 5 }:fit(X, y)
      local before, t = model:score(X, y), model.t
      for _ = 1, 20 do model:partial_fit(X, y) end
      assert(model:score(X, y) > before)
      assert.equal(t + 20 * 442, model.t)
   end)

   it("approaches ridge regression, which has the same objective", function()
      local n, alpha = 442, 0.001
      local ridge = ml.Ridge { alpha = n * alpha }:fit(X, y)
      local model = ml.SGDRegressor { alpha = alpha, average = n * 500, max_iter = 3000, n_iter_no_change = 5000,
         eta0 = 0.5 }
      model:fit(X, y)
      near_all(ridge.coef, model.coef, 0.02, "coef", ridge.coef:abs():max())
   end)

   it("does not converge when the objective gets worse, and never returns nan", function()
      local model = ml.SGDRegressor { learning_rate = "constant", eta0 = 2 }:fit(X * 10, y)
      assert.is_false(model.converged)
      assert.is_true(tools.finite(model.coef))
      refuses("SGDRegressor: the coefficients overflowed in round 1; scale the columns", function()
         ml.SGDRegressor { learning_rate = "constant", eta0 = 1e200 }:fit(X * 1e100, y)
      end)
   end)

   it("rejects incompatible settings", function()
      refuses("alpha must be > 0 with learning_rate 'optimal'", function()
         ml.SGDRegressor { learning_rate = "optimal", alpha = 0 }:fit(X, y)
      end)
      refuses("learning_rate 'pa1' requires loss 'epsilon_insensitive', got 'huber'", function()
         ml.SGDRegressor { learning_rate = "pa1", loss = "huber" }:fit(X, y)
      end)
      refuses("rows for training and for validation", function()
         ml.SGDRegressor { early_stopping = true }:fit({ { 1 } }, { 1 })
      end)
   end)
end)

describe("Perceptron", function()
   local X, y, X2, y2 = iris()

   it("agrees with scikit-learn on penalties, rates and classes, to the last round", function()
      assert.equal(4 * 2 * 2 + 3, #oracle.perceptron)
      for _, case in ipairs(oracle.perceptron) do
         local three = case.classes == 3
         local model = ml.Perceptron(settings(case)):fit(three and X or X2, three and y or y2)
         agrees(case, model)
         if case.n_iter then assert.equal(case.n_iter, model.n_iter) end
      end
   end)

   it("equals SGDClassifier with loss perceptron", function()
      local one = ml.Perceptron { penalty = "l1", alpha = 0.01, seed = 3 }:fit(X, y)
      local same = ml.SGDClassifier { loss = "perceptron", learning_rate = "constant", eta0 = 1, penalty = "l1",
         alpha = 0.01, seed = 3 }:fit(X, y)
      near_all(same.coef[2], one.coef[2], 0, "coef")
      assert.equal(same.n_iter, one.n_iter)
   end)

   it("makes no mistakes in the end on separable classes", function()
      local names = {}
      for i = 1, 150 do names[i] = y[i] == "setosa" end
      local model = ml.Perceptron { max_iter = 100, n_iter_no_change = 100 }:fit(X, names)
      assert.equal(1, model:score(X, names))
      assert.equal(0, model.trace[100])
      -- eta0 only scales the coefficients
      local long = ml.Perceptron { max_iter = 100, n_iter_no_change = 100, eta0 = 4 }:fit(X, names)
      near_all(4 * model.coef, long.coef, 1e-13, "coef")
   end)

   it("learns in batches, and passes the estimator checks with a penalty", function()
      local whole, parts = ml.Perceptron { shuffle = false, max_iter = 1 }:fit(X, y), ml.Perceptron { shuffle = false }
      for first = 1, 150, 30 do parts:partial_fit(X:slice(first, first + 29), y:slice(first, first + 29)) end
      near_all(whole.coef[3], parts.coef[3], 1e-13, "coef")
      ml.check(ml.Perceptron { penalty = "l1" }):assert()
      refuses("Perceptron: class_weight must be a table of weights with partial_fit", function()
         parts:set_params { class_weight = "balanced" }
         parts:partial_fit(X, y)
      end)
   end)
end)

describe("PassiveAggressive", function()
   local X, y, X2, y2 = iris()
   local Z, target = diabetes()

   it("classifier agrees with scikit-learn on losses, C, averages and classes", function()
      assert.equal(2 * 2 * 3 * 2, #oracle.passive_classifier)
      for _, case in ipairs(oracle.passive_classifier) do
         local three = case.classes == 3
         agrees(case, ml.PassiveAggressiveClassifier(settings(case)):fit(three and X or X2, three and y or y2))
      end
   end)

   it("regressor agrees with scikit-learn on losses, C, epsilon and averages, to the last round", function()
      assert.equal(2 * 2 * 2 * 2 + 1, #oracle.passive_regressor)
      for _, case in ipairs(oracle.passive_regressor) do
         local model = ml.PassiveAggressiveRegressor(settings(case)):fit(10 * Z, target)
         agrees(case, model)
         if case.n_iter then assert.equal(case.n_iter, model.n_iter) end
      end
   end)

   it("makes the loss of the row 0, within the limit C", function()
      for i = 1, 40 do
         local row, want = Z:slice(i, i), target:slice(i, i)
         local free = ml.PassiveAggressiveRegressor { C = 1e6, fit_intercept = false, epsilon = 0.05 }
         free:partial_fit(row, want)
         near_all({ 0.05 }, { math.abs(free:predict(row)[1] - want[1]) }, 1e-12, "rest", 1)
         local bound = ml.PassiveAggressiveRegressor { C = 1e-3, fit_intercept = false, epsilon = 0.05 }
         bound:partial_fit(row, want)
         near_all(row:row(1) * 1e-3, bound.coef, 1e-15, "coef", 1)
      end
   end)

   it("multiplies C by the row weight and never overshoots", function()
      for _, loss in ipairs { "epsilon_insensitive", "squared_epsilon_insensitive" } do
         for i = 1, 20 do
            local row, want = Z:slice(i, i), target:slice(i, i)
            local weighted = ml.PassiveAggressiveRegressor { C = 0.01, loss = loss }
            local larger = ml.PassiveAggressiveRegressor { C = 0.07, loss = loss }
            weighted:partial_fit(row, want, { weights = { 7 } })
            larger:partial_fit(row, want)
            near_all(larger.coef, weighted.coef, 1e-14, "coef", 1)
            local firm = ml.PassiveAggressiveRegressor { C = 1, loss = loss, fit_intercept = false }
            firm:partial_fit(row, want, { weights = { 1e9 } })
            near_all({ 0.1 }, { math.abs(firm:predict(row)[1] - want[1]) }, 1e-6, "rest", 1)
         end
      end
      local weights = {}
      for i = 1, #target do weights[i] = 1 + i % 4 end
      local model = ml.PassiveAggressiveRegressor {}:fit(Z, (target - target:mean()) / target:std(),
         { weights = weights })
      assert.is_true(model.intercept < 5 and model.intercept > -5)
   end)

   it("names the parameter to lower", function()
      local path = os.tmpname()
      local file = assert(io.open(path, "w"))
      file:write [[warn "@on"
         local ml = require "manilius"
         local X, y = ml.normal(40, 2, 1), ml.normal(40, nil, 2)
         ml.PassiveAggressiveRegressor { C = 1e3 }:fit(X, y)
         ml.SGDRegressor { learning_rate = "pa1", loss = "epsilon_insensitive", eta0 = 1e3, penalty = "none" }
            :fit(X, y)]]
      file:close()
      local pipe = assert(io.popen((os.getenv "LUA" or "lua5.4") .. " " .. path .. " 2>&1"))
      local said = pipe:read "a"
      pipe:close()
      os.remove(path)
      assert.matches("PassiveAggressiveRegressor: [^\n]*worse than that of zero coefficients; lower C\n", said)
      assert.matches("SGDRegressor: [^\n]*worse than that of zero coefficients; lower eta0\n", said)
   end)

   it("passes the estimator checks with the squared losses", function()
      ml.check(ml.PassiveAggressiveClassifier { loss = "squared_hinge", average = 5 }):assert()
      ml.check(ml.PassiveAggressiveRegressor { loss = "squared_epsilon_insensitive", C = 0.1 }):assert()
   end)

   it("rejects columns whose squares overflow where steps divide by them", function()
      local huge, answer = ml.normal(30, 2, 1) * 1e160, ml.normal(30, nil, 2)
      local passive = ml.SGDRegressor { learning_rate = "pa1", loss = "epsilon_insensitive" }
      for _, model in ipairs { ml.PassiveAggressiveRegressor {}, passive } do
         assert.error_matches(function() model:fit(huge, answer) end, "X must hold numbers below 1e100")
      end
   end)
end)

describe("the advice of a fit that did not converge", function()
   -- The warnings of a script, which has scaled columns X, the same with one wide column, and targets.
   local function said(code)
      local path = os.tmpname()
      local file = assert(io.open(path, "w"))
      file:write([[warn "@on"
         local ml = require "manilius"
         local X, y, labels = ml.normal(60, 3, 1), ml.random(60, nil, 2), {}
         local wide = X * 1
         for i = 1, 60 do
            labels[i] = X:get(i, 1) + y[i] > 0.7
            wide:set(i, 1, 1000 * X:get(i, 1))
         end
         ]] .. code)
      file:close()
      local pipe = assert(io.popen((os.getenv "LUA" or "lua5.4") .. " " .. path .. " 2>&1"))
      local text = pipe:read "a"
      pipe:close()
      os.remove(path)
      return text
   end

   it("mentions scaling only if the columns are not scaled", function()
      for _, case in ipairs { "SGDClassifier { max_iter = 2 }:fit(%s, labels)",
         "SGDClassifier { max_iter = 2, learning_rate = 'constant' }:fit(%s, labels)",
         "SGDRegressor { max_iter = 2 }:fit(%s, y)", "SGDClassifier { max_iter = 2 }:fit(ml.Sparse(%s), labels)",
         "LogisticRegression { max_iter = 1 }:fit(%s, labels)", "Lasso { max_iter = 1, alpha = 1e-3 }:fit(%s, y)",
         "GLM { max_iter = 1, family = 'poisson' }:fit(%s, y)" } do
         local text = said("ml." .. case:format "X")
         assert.matches("converged", text)
         assert(not text:find "scale the columns", text)
         assert(text:find "raise" or text:find "increase max_iter" or text:find "lower", text)
         local wide = said("ml." .. case:format "wide")
         assert(wide:find "scale the columns" or wide:find "overflowed", wide)
      end
   end)
end)
