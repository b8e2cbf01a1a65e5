local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local near, near_all, near_rows, refuses = support.near, support.near_all, support.near_rows, support.refuses

local function standard(X) return ml.StandardScaler {}:fit(X):transform(X) end

local function crossed(n, seed)
   local x, y = core.random(n, 2, seed) * 2 - 1, {}
   for i = 1, n do y[i] = x:get(i, 1) * x:get(i, 2) > 0 and "same" or "other" end
   return x, y
end

-- Two logistic regressions, one on each side of x1 = 0.3; also the labels of the Bayes classifier.
local function two_regimes(n, seed)
   local x, u, y, best = core.normal(n, 3, seed), core.random(n, nil, seed + 1), {}, {}
   for i = 1, n do
      local z = x:get(i, 1) > 0.3 and 4 * x:get(i, 2) - 1 or -3 * x:get(i, 2) + 2 * x:get(i, 3)
      y[i], best[i] = u[i] < 1 / (1 + math.exp(-z)), z > 0
   end
   return x, y, best
end

-- Three classes whose arrangement differs between vertical strips.
local function three_strips(n, seed)
   local x, y = core.normal(n, 2, seed), {}
   for i = 1, n do
      local a, up = x:get(i, 1), x:get(i, 2) > 0
      y[i] = a < -0.5 and (up and "a" or "b") or a < 0.5 and (up and "c" or "a") or (up and "b" or "c")
   end
   return x, y
end

local function accuracy(wanted, got)
   local hits = 0
   for i = 1, #wanted do hits = hits + (wanted[i] == got[i] and 1 or 0) end
   return hits / #wanted
end

local function assert_decreasing(trace)
   for i = 2, #trace do assert.is_true(trace[i] <= trace[i - 1] + 1e-10 * math.abs(trace[i])) end
end

local function softmax(scores)
   local sum, out = 0, {}
   for j = 1, #scores do sum = sum + math.exp(scores[j]) end
   for j = 1, #scores do out[j] = math.exp(scores[j]) / sum end
   return out
end

-- Parameters of a fitted model as tables that a test can modify.
local function parameters(m)
   local rows = function(matrix)
      local list = {}
      for i = 1, matrix.rows do list[i] = matrix:row(i):totable() end
      return list
   end
   return { coef = rows(m.coef), intercept = m.intercept:totable(), gate_coef = rows(m.gate_coef),
      gate_intercept = m.gate_intercept:totable() }
end

local function score(coef, intercept, row)
   for j = 1, #coef do intercept = intercept + coef[j] * row[j] end
   return intercept
end

-- Gate probabilities of the experts, and class probabilities by each expert, by the definition.
local function by_hand(q, row, branching, levels, classes)
   local share, at = { 1 }, 0
   for _ = 1, levels do
      local below = {}
      for _, above in ipairs(share) do
         local scores = {}
         for j = 1, branching do scores[j] = score(q.gate_coef[at + j], q.gate_intercept[at + j], row) end
         at = at + branching
         for _, g in ipairs(softmax(scores)) do below[#below + 1] = above * g end
      end
      share = below
   end
   local each, decisions = {}, classes == 2 and 1 or classes
   for k = 1, #share do
      local scores = classes == 2 and { 0 } or {}
      for c = 1, decisions do
         local d = (k - 1) * decisions + c
         scores[#scores + 1] = score(q.coef[d], q.intercept[d], row)
      end
      each[k] = softmax(scores)
   end
   return share, each
end

-- The objective by the definition, for columns of variance 1; codes start at 1.
local function objective(q, X, codes, classes, settings)
   local sum, squares = 0, { coef = 0, gate_coef = 0 }
   for i = 1, #codes do
      local share, each = by_hand(q, X[i], settings.n_experts, settings.levels or 1, classes)
      local proba = 0
      for k = 1, #share do proba = proba + share[k] * each[k][codes[i]] end
      sum = sum - math.log(proba)
   end
   for name in pairs(squares) do
      for _, row in ipairs(q[name]) do
         for _, b in ipairs(row) do squares[name] = squares[name] + b * b end
      end
   end
   return sum + settings.expert_penalty / 2 * squares.coef + settings.gate_penalty / 2 * squares.gate_coef
end

local function codes_of(m, y)
   local code, codes = {}, {}
   for c, label in ipairs(m.classes) do code[label] = c end
   for i = 1, #y do codes[i] = code[y[i]] end
   return codes
end

describe("MixtureOfExpertsClassifier", function()
   it("equals logistic regression with the same penalty if there is one expert", function()
      for name, target in pairs { iris = "species", wine = "class", breast_cancer = "diagnosis" } do
         local X, y = support.data(name, target)
         X = standard(X)
         for _, fit_intercept in ipairs { true, false } do
            local one = ml.MixtureOfExpertsClassifier { n_experts = 1, levels = 2, expert_penalty = 0.5, tol = 1e-14,
               fit_intercept = fit_intercept }:fit(X, y)
            local two = ml.LogisticRegression { C = 2, tol = 1e-15, fit_intercept = fit_intercept }:fit(X, y)
            near(two.objective / 2, one.objective, 1e-10, name)
            local binary = #two.classes == 2
            near_rows(binary and two.coef:as_row() or two.coef, one.coef, 1e-6, name, 1)
            near_all(binary and { two.intercept } or two.intercept, one.intercept, 1e-6, name, 1)
            near_rows(two:predict_proba(X), one:predict_proba(X), 1e-6, name, 1)
            near(1, one:gate_proba(X):min(), 1e-15)
         end
      end
   end)

   it("learns the exclusive or", function()
      local X, y = crossed(1000, 3)
      local new, wanted = crossed(2000, 4)
      for _, init in ipairs { "k-means++", "rows", "random" } do
         local m = ml.MixtureOfExpertsClassifier { init = init }:fit(X, y)
         assert.is_true(accuracy(wanted, m:predict(new)) > 0.98)
         assert_decreasing(m.trace)
      end
      assert.is_true(ml.LogisticRegression {}:fit(X, y):score(X, y) < 0.7)
   end)

   it("recovers two regimes and their boundary, with nearly the accuracy of the Bayes classifier", function()
      local X, y = two_regimes(3000, 4)
      local new, wanted, best = two_regimes(4000, 90)
      local m = ml.MixtureOfExpertsClassifier { gate_penalty = 1e-3 }:fit(X, y)
      assert.is_true(accuracy(wanted, m:predict(new)) > accuracy(wanted, best) - 0.01)
      local right = m.gate_coef:get(1, 1) > 0 and 1 or 2
      near(0.3, -m.gate_intercept[1] / m.gate_coef:get(1, 1), 0.06, "boundary", 1)
      near_all({ 0, 4, 0 }, m.coef:row(right), 0.6, "right", 1)
      near_all({ 0, -3, 2 }, m.coef:row(3 - right), 0.5, "left", 1)
      near(-1, m.intercept[right], 0.4)
      assert_decreasing(m.trace)
   end)

   it("learns three classes in strips with one level and with two", function()
      local X, y = three_strips(500, 7)
      local new, wanted = three_strips(2000, 8)
      for _, settings in ipairs { { n_experts = 3 }, { n_experts = 2, levels = 2, expert_penalty = 0.01,
         gate_penalty = 0.01 } } do
         settings.max_iter, settings.n_init, settings.init = 200, 5, "rows"
         local m = ml.MixtureOfExpertsClassifier(settings):fit(X, y)
         assert.is_true(accuracy(wanted, m:predict(new)) > 0.93)
         assert_decreasing(m.trace)
      end
   end)

   it("combines gates and experts level by level, by the definition", function()
      local X, y = three_strips(200, 7)
      local codes = { a = 1, b = 2, c = 3 }
      for _, shape in ipairs { { 3, 1 }, { 2, 2 }, { 2, 3 } } do
         local m = ml.MixtureOfExpertsClassifier { n_experts = shape[1], levels = shape[2], n_init = 1,
            gate_penalty = 1, max_iter = 20 }:fit(X, y)
         local experts, q = shape[1] ^ shape[2], parameters(m)
         assert.equal(3 * experts, m.coef.rows)
         local known = m:posterior(X, y)
         for i = 1, 5 do
            local share, each = by_hand(q, X[i], shape[1], shape[2], 3)
            near_all(share, m:gate_proba(X:take { i }):row(1), 1e-11, "share", 1e-3)
            local proba, joint = { 0, 0, 0 }, {}
            for k = 1, experts do
               near_all(each[k], m:expert_proba(X:take { i }, { expert = k }):row(1), 1e-11, "expert", 1e-3)
               for c = 1, 3 do proba[c] = proba[c] + share[k] * each[k][c] end
               joint[k] = share[k] * each[k][codes[y[i]]]
            end
            near_all(proba, m:predict_proba(X:take { i }):row(1), 1e-11, "probability", 1e-3)
            near(math.log(proba[codes[y[i]]]), known.log_density[i], 1e-10, "log density", 1)
            for k = 1, experts do
               near(joint[k] / proba[codes[y[i]]], known.responsibilities:get(i, k), 1e-10, "share", 1e-3)
            end
         end
         near(m.loglik, known.log_density:sum(), 1e-10)
         near_rows(m.responsibilities, known.responsibilities, 1e-8, nil, 1e-3)
         refuses("expert must be at most the number of experts, " .. #m.responsibilities[1] .. ", got 99", function()
            m:expert_proba(X, { expert = 99 })
         end)
      end
   end)

   it("ends at a stationary point of the penalized likelihood", function()
      local cases = { { n_experts = 2, data = two_regimes, classes = 2 },
         { n_experts = 2, data = three_strips, classes = 3 },
         { n_experts = 2, levels = 2, data = two_regimes, classes = 2 } }
      for _, case in ipairs(cases) do
         local X, y = case.data(150, 4)
         X = standard(X)
         local settings = { n_experts = case.n_experts, levels = case.levels, n_init = 1, gate_penalty = 0.7,
            expert_penalty = 0.4, tol = 1e-15, max_iter = 20000 }
         local m = ml.MixtureOfExpertsClassifier(settings):fit(X, y)
         local q, codes = parameters(m), codes_of(m, y)
         local function value() return objective(q, X, codes, case.classes, settings) end
         near(value(), m.objective, 1e-11)
         near(m.objective - settings.expert_penalty / 2 * (m.coef * m.coef:t()):diag():sum()
            - settings.gate_penalty / 2 * (m.gate_coef * m.gate_coef:t()):diag():sum(), -m.loglik, 1e-11)
         for _, list in ipairs { q.coef[1], q.coef[2], q.intercept, q.gate_coef[1], q.gate_coef[#q.gate_coef],
            q.gate_intercept } do
            for j = 1, #list do
               local here, h = list[j], 1e-4
               list[j] = here + h
               local above = value()
               list[j] = here - h
               local below = value()
               list[j] = here
               near(0, (above - below) / (2 * h), 2e-4, "gradient", 1)
            end
         end
         assert_decreasing(m.trace)
      end
   end)

   -- As many coefficients as on the satellite images of Statlog: 6 classes, 36 correlated columns.
   it("fits many classes and columns in few iterations, from each init", function()
      local n, p, classes = 1200, 36, 6
      local draw = support.draws "satellite"
      local function normal() return math.sqrt(-2 * math.log(1 - draw())) * math.cos(2 * math.pi * draw()) end
      local X, y = ml.Matrix(n, p), {}
      for i = 1, n do
         local c, side = i % classes, draw() < 0.5 and 1 or -1
         local f = { 2 * math.cos(c) * side + 0.6 * normal(), 2 * math.sin(c) + 0.6 * normal(), 2 * side, normal() }
         for j = 1, p do X:set(i, j, 60 + 12 * (f[j % 4 + 1] + 0.3 * f[j % 3 + 1]) + 3 * normal()) end
         y[i] = c
      end
      local plain = ml.LogisticRegression { max_iter = 1000 }:fit(X, y):score(X, y)
      for _, init in ipairs { "k-means++", "rows", "random" } do
         local m = ml.MixtureOfExpertsClassifier { init = init, n_init = 2 }:fit(X, y)
         assert.is_true(m.converged and m.n_iter < 1000)
         assert.is_true(m:score(X, y) > plain + 0.02, init)
         assert_decreasing(m.trace)
      end
   end)

   -- L-BFGS on the objective from random starts (spec/fixtures/mixture_of_experts/experts_labels.py) reached each of
   -- these optima from at least a third of its starts; no lower objective is known.
   it("finds the optimum found by L-BFGS, and its probabilities", function()
      for i, case in ipairs(require "spec.fixtures.mixture_of_experts.experts_labels") do
         local frame = ml.read_csv("examples/data/" .. case.data .. ".csv")
         local X, y = frame:select(case.x):matrix(), frame[case.y]
         local settings = { n_init = 10, tol = 1e-12, max_iter = 5000, init = i % 2 == 0 and "rows" or nil }
         for name, value in pairs(case.settings) do settings[name] = value end
         local m = ml.MixtureOfExpertsClassifier(settings):fit(X, y)
         assert.is_true(m.converged)
         near(case.objective, m.objective, 1e-8)
         near(case.loglik, m.loglik, 1e-5)
         local third = {}
         for row = 1, #y, 3 do third[#third + 1] = row end
         near_rows(case.proba, m:predict_proba(X:take(third)), 1e-5, nil, 1)
      end
   end)

   it("treats weights as repetitions of rows, and accepts class weights", function()
      local X, y = two_regimes(80, 4)
      local weights, rows, of_classes = {}, {}, {}
      for i = 1, 80 do
         weights[i] = i % 3 + 1
         of_classes[i] = y[i] and 2 or 1
         for _ = 1, weights[i] do rows[#rows + 1] = i end
      end
      local again = {}
      for i, row in ipairs(rows) do again[i] = y[row] end
      -- Starts draw different rows if rows are repeated; with enough starts both find the same optimum.
      local settings = { tol = 1e-13, max_iter = 20000, gate_penalty = 1, expert_penalty = 1, n_init = 20 }
      local one = ml.MixtureOfExpertsClassifier(settings):fit(X, y, { weights = weights })
      local two = ml.MixtureOfExpertsClassifier(settings):fit(X:take(rows), again)
      near(two.objective, one.objective, 1e-9)
      near(two.bic, one.bic, 1e-7)
      near_rows(two:predict_proba(X), one:predict_proba(X), 1e-4, nil, 1)
      local three = ml.MixtureOfExpertsClassifier(settings):fit(X, y, { weights = of_classes })
      settings.class_weight = { [true] = 2, [false] = 1 }
      local four = ml.MixtureOfExpertsClassifier(settings):fit(X, y)
      near(three.objective, four.objective, 1e-12)
   end)

   it("predicts the survivors of the Titanic better than one logistic regression", function()
      local frame = ml.read_csv("examples/data/titanic.csv"):select { "pclass", "survived", "sibsp", "parch", "fare" }
      local X, y = frame:dropna():split "survived"
      local how = { cv = ml.StratifiedKFold { k = 3, seed = 1 }, scoring = { "log_loss", "accuracy" } }
      local function of(model) return ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, model }, X, y, how) end
      local mixed = of(ml.MixtureOfExpertsClassifier { n_init = 3, tol = 1e-6, gate_penalty = 1, expert_penalty = 1 })
      local plain = of(ml.LogisticRegression {})
      assert.is_true(mixed.mean.log_loss < plain.mean.log_loss - 0.01)
      assert.is_true(mixed.mean.accuracy > plain.mean.accuracy + 0.01)
   end)

   it("does not depend on the units of the columns", function()
      local X, y = two_regimes(150, 4)
      local scale = core.Vector { 1024, 1 / 4096, 2 ^ 40 }
      local one = ml.MixtureOfExpertsClassifier { n_init = 2 }:fit(X, y)
      local two = ml.MixtureOfExpertsClassifier { n_init = 2 }:fit(X:mul(scale), y)
      near(one.objective, two.objective, 1e-11)
      near_rows(one:predict_proba(X), two:predict_proba(X:mul(scale)), 1e-9, nil, 1)
   end)

   it("stays finite if experts or gates can separate the rows, with any penalty", function()
      local X, y = { { 1 }, { 2 }, { 3 }, { 7 }, { 8 }, { 9 } }, { "a", "a", "b", "b", "c", "c" }
      for _, penalty in ipairs { 0, 1e-6, 0.1, 10 } do
         local m = ml.MixtureOfExpertsClassifier { gate_penalty = penalty, expert_penalty = penalty, max_iter = 200 }
         m:fit(X, y)
         assert_decreasing(m.trace)
         local proba = m:predict_proba(X)
         near_all({ 1, 1, 1, 1, 1, 1 }, proba:sum "rows", 1e-12)
         for i = 1, m.coef.rows do assert.is_true(math.abs(m.coef:get(i, 1)) < 1e6) end
         if penalty < 1 then assert.same(y, m:predict(X):totable()) end
      end
   end)

   it("ignores constant and duplicate columns", function()
      local X, y = two_regimes(200, 4)
      local settings = { gate_penalty = 0, expert_penalty = 0, max_iter = 30, n_init = 2 }
      local one = ml.MixtureOfExpertsClassifier(settings):fit(X, y)
      local two = ml.MixtureOfExpertsClassifier(settings):fit(core.hcat(X, core.full(200, 1, 7), X), y)
      near(one.loglik, two.loglik, 1e-2)
      assert.equal(one.n_parameters, two.n_parameters)
      assert.equal(12, one.n_parameters)
   end)

   it("accepts more columns than rows and a class with one row, and refuses one class and too many experts", function()
      local X, y = core.normal(9, 20, 1), { "a", "b", "a", "b", "a", "b", "a", "b", "rare" }
      local m = ml.MixtureOfExpertsClassifier {}:fit(X, y)
      assert.same(y, m:predict(X):totable())
      refuses("MixtureOfExpertsClassifier: .*at least 2 classes", function()
         ml.MixtureOfExpertsClassifier {}:fit({ { 1 }, { 2 } }, { "a", "a" })
      end)
      refuses("MixtureOfExpertsClassifier: n_experts %^ levels must be at most the number of rows, 9, got 4 %^ 2",
         function() ml.MixtureOfExpertsClassifier { n_experts = 4, levels = 2 }:fit(X, y) end)
   end)

   it("returns labels of the original type, can be saved, and can be exported to Lua", function()
      local X, y = three_strips(120, 7)
      local new = three_strips(40, 9)
      local m = ml.MixtureOfExpertsClassifier { n_experts = 2, levels = 2, n_init = 2, max_iter = 50 }
      m:fit(X, ml.Factor(y))
      assert.same({ "a", "b", "c" }, { m.classes[1], m.classes[2], m.classes[3] })
      local again = ml.load(m:dump())
      near_rows(m:predict_proba(new), again:predict_proba(new), 0)
      near_rows(m:predict_log_proba(new):exp(), m:predict_proba(new), 1e-14, nil, 1)
      local exported = assert(load(m:export_lua()))()
      local labels = m:predict(new)
      for i = 1, 40 do assert.equal(labels[i], exported.predict(new:row(i):totable())) end
   end)

   it("gives the same result for any number of threads", function()
      local X, y = two_regimes(4000, 4)
      support.same_for_any_threads(function()
         return ml.MixtureOfExpertsClassifier { n_experts = 2, levels = 2, n_init = 2, max_iter = 10 }:fit(X, y)
      end)
   end)
end)
