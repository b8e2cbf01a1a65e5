local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/logistic/logistic_l1.lua"

local raw, species = support.data("iris", "species")
local X = raw:matrix()
local Z = ml.StandardScaler {}:fit(X):transform(X)

--- Rows 51 to 150: versicolor and virginica.
local function two()
   local labels = {}
   for i = 1, 100 do labels[i] = species[50 + i] end
   return Z:slice(51, 150, 1, 4):copy(), labels
end

--- Largest violation of the optimality conditions over all coefficients.
local function worst_condition(model, x, y, C, l1_ratio)
   local classes, proba, worst = model.classes, model:predict_proba(x), 0
   local many = #classes > 2
   local coef = many and model.coef or { model.coef }
   for t = 1, #coef do
      local class = many and t or 2
      local r = ml.Vector(x.rows)
      for i = 1, x.rows do r[i] = proba[i][class] - (y[i] == classes[class] and 1 or 0) end
      local g = x:t() * r * C
      worst = math.max(worst, math.abs(r:sum() * C))
      for j = 1, x.cols do
         local b = coef[t][j]
         local slope = g[j] + (1 - l1_ratio) * b
         local off = b == 0 and math.max(math.abs(slope) - l1_ratio, 0)
            or math.abs(slope + (b > 0 and l1_ratio or -l1_ratio))
         worst = math.max(worst, off)
      end
   end
   return worst
end

local penalties = { { "l1", 1 }, { "elasticnet", 0.3 } }

describe("LogisticRegression with an L1 norm", function()
   it("agrees with scikit-learn", function()
      local x, y = two()
      for name, want in pairs(oracle.two) do
         local model = ml.LogisticRegression { penalty = "elasticnet", C = want.C, l1_ratio = want.l1_ratio }
         model:set_params { tol = 1e-14 }:fit(x, y)
         support.near_all(want.coef, model.coef, 1e-6, name .. " coef", 1)
         support.near(want.intercept, model.intercept, 1e-6, name .. " intercept", 1)
      end
      local want = oracle.three
      local model = ml.LogisticRegression { penalty = "l1", C = want.C, tol = 1e-14 }:fit(Z, species)
      support.near(want.objective, model.objective, 1e-8, "objective")
      support.near_rows(want.proba, model:predict_proba(Z):slice(1, 150, 1, 3):totable(), 1e-4, "proba", 1)
   end)

   it("meets the optimality conditions for two and three classes", function()
      local x, y = two()
      for _, penalty in ipairs(penalties) do
         for _, C in ipairs { 0.05, 1, 20 } do
            for _, case in ipairs { { x, y }, { Z, species } } do
               local model = ml.LogisticRegression { penalty = penalty[1], l1_ratio = penalty[2], C = C, tol = 1e-15 }
               model:fit(case[1], case[2])
               local worst = worst_condition(model, case[1], case[2], C, penalty[2])
               assert(worst < 1e-4, ("%s, C = %g: off by %g"):format(penalty[1], C, worst))
            end
         end
      end
   end)

   it("gives the same result on sparse rows and with many columns", function()
      local x, y = two()
      local wide = ml.hcat(x, ml.normal(100, 700, 3))
      for _, case in ipairs { { x, 1 }, { wide, 0.3 } } do
         local settings = { penalty = "l1", C = case[2], tol = 1e-13 }
         local dense = ml.LogisticRegression(settings):fit(case[1], y)
         local sparse = ml.LogisticRegression(settings):fit(ml.Sparse(case[1]), y)
         assert.is_true(dense.converged and sparse.converged)
         support.near(dense.objective, sparse.objective, 1e-10, "objective")
         support.near_all(dense.coef, sparse.coef, 1e-4, "coef", 1)
         assert(worst_condition(sparse, case[1], y, case[2], 1) < 1e-4)
      end
   end)

   it("agrees with the other solvers without an L1 norm", function()
      for _, y in ipairs { species } do
         local one = ml.LogisticRegression { solver = "cd", tol = 1e-14 }:fit(Z, y)
         local two_ = ml.LogisticRegression { solver = "lbfgs", tol = 1e-14 }:fit(Z, y)
         support.near(two_.objective, one.objective, 1e-9, "objective")
         support.near_rows(two_.coef:totable(), one.coef, 1e-4, "coef", 1)
      end
   end)

   it("sets all coefficients to 0 under a strong penalty, and rejects solvers without L1 support", function()
      local x, y = two()
      local model = ml.LogisticRegression { penalty = "l1", C = 1e-4 }:fit(x, y)
      support.near_all({ 0, 0, 0, 0 }, model.coef, 0, "coef", 1)
      support.refuses("LogisticRegression: penalty 'l1' requires solver 'cd' or 'saga', got 'lbfgs'", function()
         ml.LogisticRegression { penalty = "l1", solver = "lbfgs" }:fit(x, y)
      end)
   end)

   it("gives the same result by SAGA and on sparse rows, for all penalties", function()
      local x, y = two()
      local shares = { l1 = 1, elasticnet = 0.3, l2 = 0 }
      for penalty, share in pairs(shares) do
         for _, C in ipairs { 0.3, 5 } do
            local s = { penalty = penalty, l1_ratio = share, C = C, tol = 1e-14 }
            local want = ml.LogisticRegression(s):fit(x, y)
            local least = ml.LogisticRegression(s):set_params { solver = "saga", max_iter = 20000 }:fit(x, y)
            local sparse = ml.LogisticRegression(s):set_params { solver = "cd" }:fit(ml.Sparse.from(x), y)
            for name, model in pairs { saga = least, sparse = sparse } do
               assert.is_true(model.converged)
               support.near(want.objective, model.objective, 1e-12, name .. ": objective")
               support.near_all(want.coef, model.coef, 1e-5, name .. ": coef", 1)
               support.near(want.intercept, model.intercept, 1e-5, name .. ": constant", 1)
               assert(worst_condition(model, x, y, C, share) < 2e-5 * math.max(1, C))
            end
         end
      end
      support.refuses("solver 'saga' supports only two classes, got 3; use 'auto'", function()
         ml.LogisticRegression { solver = "saga" }:fit(Z, species)
      end)
   end)

   it("gives the same result on sparse rows with many columns that stay 0", function()
      local S = ml.normal(200, 80, 3):mul(ml.random(200, 80, 4):lt(0.1))
      local z = S:slice(1, 200, 1, 4) * ml.Vector { 3, -2, 2, 1 } + ml.normal(200, nil, 5) * 0.3
      local y, w = {}, {}
      for i = 1, 200 do y[i], w[i] = z[i] > 0.1, i % 4 end
      for _, C in ipairs { 0.5, 3, 50 } do
         local s = { penalty = "l1", C = C, tol = 1e-14 }
         local dense = ml.LogisticRegression(s):fit(S, y, { weights = w })
         local sparse = ml.LogisticRegression(s):fit(ml.Sparse.from(S), y, { weights = w })
         support.near(dense.objective, sparse.objective, 1e-12, "objective")
         support.near_all(dense.coef, sparse.coef, 2e-5, "coef", 1)
         assert.equal(dense.coef:eq(0):sum(), sparse.coef:eq(0):sum())
      end
   end)
end)

describe("LogisticRegressionCV", function()
   it("scores folds like scikit-learn", function()
      local x, y = two()
      local want = oracle.cv
      local model = ml.LogisticRegressionCV { Cs = want.Cs, penalty = "l1", scoring = "neg_log_loss", cv = 4 }
      model:set_params { tol = 1e-13 }:fit(x, y)
      support.near_rows(want.scores, model.score_path, 1e-6, "score")
      support.near(want.C, model.C, 1e-12, "C")
      support.near_all(want.coef, model.coef, 1e-5, "coef", 1)
   end)

   it("chooses among l1_ratios and lists all scores", function()
      local model = ml.LogisticRegressionCV { Cs = { 1, 0.1 }, penalty = "elasticnet", l1_ratios = { 0.1, 0.9 }, cv = 3,
         scoring = "neg_log_loss" }:fit(Z, species)
      local result = model:scores()
      assert.same({ 0.1, 1, 0.1, 1 }, result.scores.C:totable())
      assert.same({ 0.1, 0.1, 0.9, 0.9 }, result.scores.l1_ratio:totable())
      local best = -math.huge
      for i = 1, 4 do best = math.max(best, result.scores.score[i]) end
      assert.equal(best, model.best_score)
      assert.equal(4, result.folds.rows)
      assert(model:score(Z, species) > 0.95)
   end)

   it("rejects a class with one row", function()
      support.refuses("each class must have at least 2 rows, got 1 for class 2", function()
         ml.LogisticRegressionCV { cv = 2 }:fit({ { 1 }, { 2 }, { 3 } }, { "a", "a", "b" })
      end)
   end)
end)

-- The softmax does not depend on a common shift of the coefficients; without removing it at once this took 214 rounds.
describe("The elastic net of many classes", function()
   it("removes a common shift of the classes in one step", function()
      local model = ml.LogisticRegression { C = 100, penalty = "elasticnet", max_iter = 40 }:fit(Z, species)
      assert.is_true(model.converged)
      assert.near(711.3282473, model.objective, 1e-6)
      local rows = model.coef.rows
      for j = 1, 4 do
         local best, shifted = 0, { 0, 0 }
         for t = 1, rows do
            local b = model.coef:get(t, j)
            best = best + math.abs(b) / 2 + b * b / 4
            for s, move in ipairs { 0.01, -0.01 } do
               shifted[s] = shifted[s] + math.abs(b + move) / 2 + (b + move) * (b + move) / 4
            end
         end
         assert(shifted[1] >= best and shifted[2] >= best, "a common shift lowers the penalty")
      end
   end)
end)

-- Classes that take turns undo part of what the others did: 967 rounds and more, ending above the minimum.
describe("Many classes with similar columns", function()
   local n = 400
   local A, E = ml.normal(n, 5, 3), ml.normal(n, 15, 4)
   local noise = ml.normal(n, 5, 9)
   local near_copies = ml.hcat(A, A + ml.normal(n, 5, 5) * 0.05, E)
   local dependent = ml.hcat(A, A + E:slice(1, n, 1, 5) * 0.05, E)
   local labels, codes = {}, {}
   for i = 1, n do
      local best = -math.huge
      for t = 1, 5 do
         local value = 2 * A:get(i, t) + noise:get(i, t)
         if value > best then
            best, codes[i] = value, t
         end
      end
      labels[i] = "c" .. codes[i]
   end

   local function objective(model, x, C, share)
      local sum, proba = 0, model:predict_log_proba(x)
      for i = 1, n do sum = sum - C * proba:get(i, codes[i]) end
      for t = 1, 5 do
         for j = 1, x.cols do
            local b = model.coef:get(t, j)
            sum = sum + share * math.abs(b) + (1 - share) / 2 * b * b
         end
      end
      return sum
   end

   for _, penalty in ipairs(penalties) do
      it("converge in a few rounds with " .. penalty[1], function()
         for _, x in ipairs { near_copies, dependent } do
            for _, C in ipairs { 1, 100 } do
               local settings = { penalty = penalty[1], l1_ratio = penalty[2], C = C, tol = 1e-13 }
               local model = ml.LogisticRegression(settings):fit(x, labels)
               assert(model.converged and model.n_iter <= 15, ("C = %g: %d rounds"):format(C, model.n_iter))
               assert(worst_condition(model, x, labels, C, penalty[2]) < 1e-3)
               support.near(objective(model, x, C, penalty[2]), model.objective, 1e-12, "objective")
               local loose = ml.LogisticRegression(settings):set_params({ tol = 1e-6 }):fit(x, labels)
               support.near(model.objective, loose.objective, 2e-5, "objective at a loose tol")
               local sparse = ml.LogisticRegression(settings):fit(ml.Sparse.from(x), labels)
               support.near(model.objective, sparse.objective, 1e-11, "objective of sparse rows")
            end
         end
      end)
   end
end)
