local ml = require "manilius"
local support = require "spec.support"
local oracle = dofile "spec/fixtures/linear_svm/linear_svm.lua"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, species = ml.read_csv("examples/data/iris.csv"):split "species"
X = ml.StandardScaler {}:fit_transform(X):matrix()

-- The objective, from its definition.
local function objective(model, settings, rows, labels)
   rows, labels = rows or X, labels or species
   local z, sum = rows * model.coef:t(), 0
   for i = 1, rows.rows do
      local most, total, y = 0, 0, 0
      for m = 1, #model.classes do if model.classes[m] == labels[i] then y = m end end
      for m = 1, #model.classes do
         local loss = 1 - z:get(i, y) - model.intercept[y] + z:get(i, m) + model.intercept[m]
         loss = m == y and 0 or math.max(0, loss)
         most, total = math.max(most, loss), total + (settings.loss == "hinge" and loss or loss * loss)
      end
      sum = sum + (settings.multi_class == "crammer_singer" and most or total)
   end
   local scale = settings.intercept_scaling
   local penalty = model.coef:pow(2):sum() + (scale and model.intercept:pow(2):sum() / scale ^ 2 or 0)
   return settings.C * sum + penalty / 2
end

for _, kind in ipairs { "crammer_singer", "weston_watkins" } do
   describe("LinearSVC with multi_class = " .. kind, function()
      it("reaches the minimum", function()
         local cases = {}
         for _, case in ipairs(oracle.multiclass) do cases[#cases + 1] = case.multi_class == kind and case or nil end
         for _, case in ipairs(kind == "crammer_singer" and oracle.crammer_singer or {}) do
            case.intercept_scaling, case.loss = 1, "hinge"
            cases[#cases + 1] = case
         end
         for _, case in ipairs(cases) do
            local settings = { multi_class = kind, loss = case.loss, C = case.C, tol = 1e-9, max_iter = 20000,
               intercept_scaling = case.intercept_scaling }
            local model = ml.LinearSVC(settings):fit(X, species)
            local what = ("%s C = %g"):format(case.loss, case.C)
            assert.is_true(model.converged, what)
            near(case.objective, model.objective, 2e-9, what)
            near(objective(model, settings), model.objective, 1e-12, what)
            for k = 1, 3 do near_all(case.coef[k], model.coef[k], 2e-3, what, 0.1) end
         end
      end)

      it("is the SVM of two classes with 2 C", function()
         local two = {}
         for i = 1, 150 do two[i] = species[i] == "virginica" end
         for _, scaling in ipairs { false, 2 } do
            local settings = { multi_class = kind, loss = "hinge", C = 0.5, tol = 1e-10, max_iter = 20000,
               intercept_scaling = scaling or nil }
            local joint = ml.LinearSVC(settings):fit(X, two)
            settings.multi_class, settings.C = "ovr", 1
            local single = ml.LinearSVC(settings):fit(X, two)
            near(single.objective / 2, joint.objective, 1e-9)
            near_all(single.coef, joint.coef, 1e-3, "coef", 0.1)
            near(single.intercept, joint.intercept, 1e-3, "intercept", 0.1)
         end
      end)

      it("accepts sparse rows, weights, and rows far from the origin", function()
         local settings = { multi_class = kind, C = 0.1, tol = 1e-10, max_iter = 20000 }
         local weights, repeated, labels = {}, {}, {}
         for i = 1, 150 do
            weights[i] = i % 3
            for _ = 1, weights[i] do
               repeated[#repeated + 1] = (X[i] + 100):totable()
               labels[#labels + 1] = species[i]
            end
         end
         local a = ml.LinearSVC(settings):fit(X, species, { weights = weights })
         local b = ml.LinearSVC(settings):fit(repeated, labels)
         local c = ml.LinearSVC(settings):fit(ml.Sparse.from(X:totable()), species, { weights = weights })
         near(a.objective, b.objective, 1e-9)
         near(a.objective, c.objective, 1e-9)
         assert.equal(a:score(X, species), b:score(X + 100, species))
      end)

      it("requires an L2 penalty", function()
         local model = ml.LinearSVC { multi_class = kind, penalty = "l1" }
         refuses(("LinearSVC: multi_class = '%s' requires penalty = 'l2' and dual = 'auto'"):format(kind),
            function() model:fit(X, species) end)
      end)
   end)
end

describe("LinearSVC of several classes", function()
   it("converges on correlated columns, where single rows are slow", function()
      local pixels, digit = ml.read_csv("examples/data/digits.csv"):split "digit"
      -- liblinear 2.3 (through scikit-learn, tol = 1e-9) reaches 0.92209743; ours must be within the gap of the
      -- minimum. 20,000 rounds over single rows end with a gap of 2e-6.
      local model = ml.LinearSVC { multi_class = "crammer_singer", fit_intercept = false, tol = 1e-6, max_iter = 2000 }
      model:fit(pixels, digit)
      assert.is_true(model.converged)
      near(0.92209743, model.objective, 2e-6)
   end)

   -- Labels that X hardly predicts: nearly all variables of the dual are at a bound.
   local function noisy(n, p, k)
      local rows, labels = ml.normal(n, p, 1), {}
      local scores = rows * ml.normal(p, k, 2) + 5 * ml.normal(n, k, 3)
      for i = 1, n do labels[i] = scores[i]:argmax() end
      return rows, labels
   end

   for _, kind in ipairs { "crammer_singer", "weston_watkins" } do
      it("converges on noisy rows with losses that are not squared, " .. kind, function()
         local rows, labels = noisy(600, 8, 4)
         local weights = {}
         for i = 1, 600 do weights[i] = i % 4 end
         local function fit(x, settings, options)
            settings.multi_class, settings.loss = kind, "hinge"
            local model = ml.LinearSVC(settings):fit(x, labels, options)
            assert.is_true(model.converged)
            assert.is_true(model.gap[1] <= (settings.tol or 1e-8) * model.objective)
            return model
         end
         local plain = fit(rows, {})
         near(plain.objective, fit(ml.Sparse.from(rows:totable()), {}).objective, 2e-8)
         near(plain.objective, fit(rows + 1000, {}).objective, 2e-8)
         near(plain.objective, fit(rows, {}, { weights = ml.Vector(600) + 1 }).objective, 2e-8)
         near(plain.objective, fit(rows, { intercept_scaling = 1e5 }).objective, 1e-7)
         assert.is_true(fit(rows, { fit_intercept = false }).objective > plain.objective)
            near(plain.objective, objective(plain, { multi_class = kind, loss = "hinge", C = 1 }, rows, labels), 1e-12)
         local kept, kept_labels = {}, {} -- weights are copies
         for i = 1, 600 do
            for _ = 1, weights[i] do kept[#kept + 1], kept_labels[#kept_labels + 1] = rows[i]:totable(), labels[i] end
         end
         local weighted, all = fit(rows, {}, { weights = weights }), labels
         labels = kept_labels
         near(weighted.objective, fit(kept, {}).objective, 2e-8)
         labels = all
         -- A large cost is one without a penalty; columns of any units; a constant column and one that is there twice.
         near(1e4, fit(rows, { C = 1e10 }).objective / fit(rows, { C = 1e6 }).objective, 1e-7)
         near(fit(rows, { C = 1e10 }).objective / 1e10, fit(rows * 1e5, {}).objective, 1e-7)
         local more = ml.Matrix(600, 10) + 7
         for i = 1, 600 do
            for j = 1, 8 do more:set(i, j, rows:get(i, j)) end
            more:set(i, 9, rows:get(i, 1))
         end
         assert.is_true(fit(more, {}).objective < plain.objective)
      end)

      it("stops at max_iter also in the interior point method, " .. kind, function()
         local rows, labels = noisy(300, 8, 4)
         local model, old = ml.LinearSVC { multi_class = kind, loss = "hinge", max_iter = 53 }, ml.warnings()
         ml.warnings "off"
         model:fit(rows, labels)
         ml.warnings(old)
         assert.is_false(model.converged)
         assert.is_true(model.n_iter <= 53)
      end)
   end

   it("moves more variables together than a matrix holds", function()
      local rows, labels = noisy(1500, 350, 5)
      local model = ml.LinearSVC { multi_class = "crammer_singer", C = 0.1, tol = 1e-6 }:fit(rows, labels)
      assert.is_true(model.converged)
      assert.is_true(model.gap[1] <= 1e-6 * model.objective)
   end)
end)
