local ml = require "manilius"
local support = require "spec.support"
local oracle = dofile "spec/fixtures/linear_svm/linear_svm.lua"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local function scaled(name, target)
   local X, y = ml.read_csv("examples/data/" .. name .. ".csv"):split(target)
   return ml.StandardScaler {}:fit_transform(X):matrix(), y
end

local cancer, diagnosis = scaled("breast_cancer", "diagnosis")
local n = cancer.rows
local weights, sign = {}, {}
for i = 1, n do
   weights[i] = 0.5 + (i - 1) % 4
   sign[i] = diagnosis[i] == diagnosis.levels[2] and 1 or -1
end
local sugar, progression = scaled("diabetes", "progression")
progression = progression / 50

local function hinge(model, X, y)
   local z, losses = X * model.coef + model.intercept, {}
   for i = 1, #y do losses[i] = math.max(0, 1 - y[i] * z[i]) end
   return losses
end

-- The objective, from its definition.
local function objective(model, settings, squared)
   local sum, b = 0, model.coef
   for i, loss in ipairs(hinge(model, cancer, sign)) do sum = sum + weights[i] * (squared and loss ^ 2 or loss) end
   local scale = settings.intercept_scaling
   if settings.penalty == "l1" then
      return settings.C * sum + b:abs():sum() + (scale and math.abs(model.intercept) or 0)
   end
   return settings.C * sum + (b:dot(b) + (scale and model.intercept ^ 2 / scale ^ 2 or 0)) / 2
end

describe("LinearSVC", function()
   local function compare(case, settings, tolerance)
      local model = ml.LinearSVC(settings):fit(cancer, diagnosis, { weights = weights })
      local what = ("%s %s C = %g dual %s"):format(case.loss, case.penalty or "l2", case.C, settings.dual)
      local value = objective(model, settings, case.loss == "squared_hinge")
      assert.is_true(value <= case.objective * (1 + 1e-9), what)
      near(case.objective, value, tolerance, what)
      near(value, model.objective, 1e-12, what)
      assert.is_true(model.converged, what)
      assert.is_true(value - model.gap <= case.objective * (1 + 1e-12), what) -- the gap bounds the distance
      return model, what
   end

   it("reaches the objective of liblinear", function()
      for _, case in ipairs(oracle.penalized) do
         local settings = { C = case.C, loss = case.loss, penalty = case.penalty, intercept_scaling = 1, tol = 1e-10 }
         local model, what = compare(case, settings, 1e-9)
         if case.penalty == "l2" then near_all(case.coef, model.coef, 1e-3, what, 0.1) end
      end
   end)

   it("reaches the objective of quadratic programming without a penalty on the intercept", function()
      for _, case in ipairs(oracle.free) do
         for _, dual in ipairs(case.C < 10 and { "auto", "yes", "no" } or { "auto" }) do
            local model, what = compare(case, { C = case.C, loss = case.loss, tol = 1e-10, dual = dual,
               max_iter = 20000 }, 1e-8)
            near_all(case.coef, model.coef, 1e-3, what, 0.1)
            near(case.intercept, model.intercept, 1e-3, what, 0.1)
         end
      end
   end)

   it("satisfies the optimality conditions of the squared hinge", function()
      local model = ml.LinearSVC { C = 3 }:fit(cancer, diagnosis)
      local slope = {}
      for i, loss in ipairs(hinge(model, cancer, sign)) do slope[i] = -2 * 3 * sign[i] * loss end
      slope = ml.Vector(slope)
      assert.near(0, slope:sum(), 1e-10)
      assert.near(0, (cancer:t() * slope + model.coef):abs():max(), 1e-9)
   end)

   it("satisfies the optimality conditions of the hinge", function()
      local C = 0.5
      local model = ml.LinearSVC { C = C, loss = "hinge", tol = 1e-12 }:fit(cancer, diagnosis)
      -- b - sum over rows inside of the margin must be a combination of the rows on it, with factors from 0 to C
      local rest, on, total = model.coef:copy(), {}, 0
      local z = cancer * model.coef + model.intercept
      for i = 1, n do
         local margin = sign[i] * z[i]
         if math.abs(margin - 1) < 1e-5 then
            on[#on + 1] = i
         elseif margin < 1 then
            rest = rest - cancer[i] * (C * sign[i])
            total = total + C * sign[i]
         end
      end
      local A, y = {}, rest:totable()
      for j = 1, cancer.cols do
         A[j] = {}
         for k, i in ipairs(on) do A[j][k] = cancer[i][j] * sign[i] end
      end
      A[#A + 1], y[#y + 1] = {}, -total
      for k, i in ipairs(on) do A[#A][k] = sign[i] end
      local fit = ml.LinearRegression { fit_intercept = false, inference = false }:fit(A, y)
      assert.near(0, (fit:predict(A) - ml.Vector(y)):abs():max(), 1e-5)
      assert.is_true(fit.coef:min() > -1e-5 and fit.coef:max() < C + 1e-5)
   end)

   it("is right by hand", function()
      -- 1/2 w^2 + 2 (1 - w)^2, whose derivative is w - 4 (1 - w)
      local model = ml.LinearSVC {}:fit({ { 0 }, { 2 } }, { "a", "b" })
      near(0.8, model.coef[1], 1e-12)
      near(-0.8, model.intercept, 1e-12)
      -- the widest margin lies between (1, 0) and (3, 1): w = 2 (2, 1) / |(2, 1)|^2
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         for _, dual in ipairs { "auto", "yes" } do
            local hard = ml.LinearSVC { C = 1e10, loss = loss, dual = dual }
               :fit({ { 0, 0 }, { 1, 0 }, { 3, 1 }, { 4, 1 } }, { "a", "a", "b", "b" })
            near_all({ 0.8, 0.4 }, hard.coef, 1e-4, loss)
            near(-1.8, hard.intercept, 1e-4, loss)
         end
      end
   end)

   it("handles rows that are equal but have different labels", function()
      for _, C in ipairs { 1, 1e10 } do
         for _, loss in ipairs { "hinge", "squared_hinge" } do
            local model = ml.LinearSVC { C = C, loss = loss }:fit({ { 1 }, { 1 }, { 1 } }, { "a", "b", "b" })
            assert.near(0, model.coef[1], 1e-12)
            near(loss == "hinge" and 1 or 1 / 3, model.intercept, 1e-9)
         end
      end
   end)

   it("counts a weight of k as k rows, and fits classes one against the rest", function()
      local X, species = scaled("iris", "species")
      local w, repeated, labels = {}, {}, {}
      for i = 1, 150 do
         w[i] = 1 + i % 3
         for _ = 1, w[i] do
            repeated[#repeated + 1] = X[i]:totable()
            labels[#labels + 1] = species[i]
         end
      end
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         local a = ml.LinearSVC { loss = loss, tol = 1e-12 }:fit(X, species, { weights = w })
         local b = ml.LinearSVC { loss = loss, tol = 1e-12 }:fit(repeated, labels)
         assert.near(0, (a.coef - b.coef):abs():max(), 1e-4)
         local virginica = {}
         for i = 1, 150 do virginica[i] = species[i] == "virginica" end
         local one = ml.LinearSVC { loss = loss, tol = 1e-12 }:fit(X, virginica, { weights = w })
         near_all(one.coef, a.coef[3], 1e-9, loss)
      end
   end)

   it("reports the objective of each round", function()
      for _, settings in ipairs { {}, { dual = true }, { loss = "hinge" }, { loss = "hinge", dual = true },
         { penalty = "l1" }, { penalty = "l1", loss = "hinge" } } do
         settings.tol, settings.C = 1e-7, 0.1
         local model = ml.LinearSVC(settings):fit(cancer, diagnosis)
         local trace = model.trace
         near(model.objective, trace[#trace], 1e-6, tostring(model))
         for i = 2, #trace do assert.is_true(trace[i] <= trace[i - 1] * (1 + 1e-9), tostring(model)) end
      end
   end)

   it("agrees with SVC of a linear kernel", function()
      for _, C in ipairs { 0.01, 1 } do
         local linear = ml.LinearSVC { C = C, loss = "hinge", tol = 1e-12 }:fit(cancer, diagnosis)
         local kernel = ml.SVC { C = C, kernel = "linear", tol = 1e-6 }:fit(cancer, diagnosis)
         local a, b = linear:decision_function(cancer), kernel:decision_function(cancer)
         assert.is_true((a - b):abs():max() < 1e-4)
      end
   end)

   it("has zero coefficients where an L1 norm outweighs all costs", function()
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         local model = ml.LinearSVC { C = 1e-10, penalty = "l1", loss = loss }:fit(cancer, diagnosis)
         assert.equal(0, model.coef:abs():max())
         assert.is_true(model.converged and model.gap <= 1e-8 * model.objective)
      end
   end)

   it("solves by conjugate gradients what Cholesky factors solve", function()
      -- Columns of zeros change nothing, but there are then too many for a matrix.
      local count, p = 400, 12
      local X, noise, label, y, copies = ml.normal(count, p, 1), ml.normal(count, nil, 2), {}, {}, {}
      local wide = ml.Matrix(count, p + 1000)
      for i = 1, count do
         X:set(i, 2, 1e3 * X:get(i, 1) + X:get(i, 2)) -- ill-conditioned
         y[i] = X[i]:sum() / 500 + noise[i]
         label[i], copies[i] = y[i] > 0, 1 + i % 3
         for j = 1, p do wide:set(i, j, X:get(i, j)) end
      end
      for _, settings in ipairs { {}, { fit_intercept = false }, { intercept_scaling = 2 }, { C = 100 } } do
         settings.dual, settings.tol = "no", 1e-10
         for _, class in ipairs { "LinearSVC", "LinearSVR" } do
            local target = class == "LinearSVC" and label or y
            settings.loss = class == "LinearSVR" and "squared_epsilon_insensitive" or nil
            local few = ml[class](settings):fit(X, target, { weights = copies })
            local many = ml[class](settings):fit(wide, target, { weights = copies })
            local sparse = ml[class](settings):fit(ml.Sparse.from(wide), target, { weights = copies })
            for _, model in ipairs { many, sparse } do
               assert.is_true(model.converged)
               near(few.objective, model.objective, 1e-9, class)
               near_all(few.coef, model.coef:slice(1, p), 1e-4, class, 1e-2)
               assert.equal(0, model.coef:slice(p + 1, p + 1000):abs():max())
            end
         end
      end
   end)

   it("gives the same for sparse X, by each solver", function()
      local entries, label, p = {}, {}, 1200
      local column, noise = ml.random(300, 20, 1), ml.normal(300, nil, 2)
      for i = 1, 300 do
         local score, seen = 0, {}
         for k = 1, 20 do
            local j = math.floor(p * column:get(i, k) ^ 2) + 1
            if not seen[j] then
               entries[#entries + 1] = { i, j, 1 + k / 20 }
               score = score + (j % 3 - 1)
            end
            seen[j] = true
         end
         label[i] = score + noise[i] > 0 and "yes" or "no"
      end
      local X = ml.Sparse { rows = 300, cols = p, entries = entries }
      for _, loss in ipairs { "hinge", "squared_hinge" } do
         local best
         for _, settings in ipairs { {}, { dual = "yes" }, { dual = "no" } } do
            settings.loss, settings.tol, settings.C = loss, 1e-9, 0.1
            local sparse, dense = ml.LinearSVC(settings):fit(X, label), ml.LinearSVC(settings):fit(X:todense(), label)
            best = best or sparse.objective
            near(best, sparse.objective, 2e-9, loss)
            near(best, dense.objective, 2e-9, loss)
         end
      end
   end)

   it("gives the same for any number of threads", function()
      for _, settings in ipairs { { loss = "hinge", dual = "yes" }, {}, { penalty = "l1" } } do
         support.same_for_any_threads(function() return ml.LinearSVC(settings):fit(cancer, diagnosis) end)
      end
   end)

   it("reports what it cannot do", function()
      refuses("LinearSVC: dual = 'yes' requires penalty = 'l2', got 'l1'; use dual = 'auto'",
         function() ml.LinearSVC { penalty = "l1", dual = "yes" }:fit(cancer, diagnosis) end)
      local wide = ml.Sparse { rows = 2, cols = 4000, entries = { { 1, 1, 1 }, { 2, 4000, 1 } } }
      refuses("LinearSVC: this loss supports penalty = 'l1' for at most 3000 columns, got 4000",
         function() ml.LinearSVC { penalty = "l1", loss = "hinge" }:fit(wide, { "a", "b" }) end)
      refuses("LinearSVC: y must have at least 2 classes", function() ml.LinearSVC {}:fit({ { 1 } }, { "a" }) end)
      local quick = ml.LinearSVC { loss = "hinge", dual = "yes", max_iter = 3 }
      local said
      ml.warnings(function(message) said = message end)
      quick:fit(cancer, diagnosis)
      ml.warnings "off"
      assert.is_false(quick.converged)
      assert.matches("use dual = 'auto'", said)
      assert.is_true(quick.gap > 0 and quick.gap < quick.objective)
   end)
end)

describe("LinearSVR", function()
   it("reaches the objective of liblinear and quadratic programming", function()
      for _, case in ipairs(oracle.regression) do
         for _, dual in ipairs(case.C < 1 and { "auto", "yes", "no" } or { "auto" }) do
            local model = ml.LinearSVR { C = case.C, loss = case.loss, epsilon = 0.3, tol = 1e-10, dual = dual,
               intercept_scaling = case.intercept_scaling, max_iter = 20000 }:fit(sugar, progression)
            local what = ("%s C = %g dual %s"):format(case.loss, case.C, dual)
            assert.is_true(model.objective <= case.objective * (1 + 1e-9), what)
            near(case.objective, model.objective, 1e-8, what)
            near_all(case.coef, model.coef, 1e-3, what, 0.1)
            near(case.intercept, model.intercept, 1e-4, what, 0.1)
         end
      end
   end)

   it("is right by hand", function()
      -- one row: the middle of the intercepts without loss
      for _, loss in ipairs { "epsilon_insensitive", "squared_epsilon_insensitive" } do
         local model = ml.LinearSVR { epsilon = 0.5, loss = loss }:fit({ { 3 } }, { 2 })
         assert.equal(0, model.coef[1])
         near(2, model.intercept, 1e-12)
      end
      -- two rows: 1/2 w^2 + C (5 - w) is least at w = C, as both errors have the cost C and the intercept is free
      local model = ml.LinearSVR { C = 2, tol = 1e-12 }:fit({ { 3 }, { 4 } }, { 2, 7 })
      near(2, model.coef[1], 1e-6)
      -- far from 0: the line through the rows
      local line = ml.LinearSVR { C = 1e10 }:fit({ { 3 }, { 4 }, { 5 } }, { 1e6, 1e6 + 1, 1e6 + 2 })
      near(1, line.coef[1], 1e-6)
      near(1e6 - 3, line.intercept, 1e-9)
   end)

   it("is not moved by an outlier", function()
      local X, y = {}, {}
      for i = 1, 20 do X[i], y[i] = { i }, 2 * i + 1 end
      y[20] = 1000
      local model = ml.LinearSVR { C = 100 }:fit(X, y)
      near(2, model.coef[1], 1e-4)
      near(1, model.intercept, 1e-3)
   end)
end)
