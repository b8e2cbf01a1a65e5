local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.forest.rotation_forest"
local near, near_all, near_rows, refuses, data = support.near, support.near_all, support.near_rows, support.refuses,
   support.data

local function parts(X, y)
   local train, test = {}, {}
   for i = 1, X.rows do table.insert(i % 3 == 0 and test or train, i) end
   return X:take(train), y:take(train), X:take(test), y:take(test)
end

-- The p x p matrix whose rows are the axes of a tree, as coefficients of all features.
local function axes_of(forest, tree)
   local p, group = #forest.center, forest.rotation.cols
   local R, first = ml.zeros(p, p), (tree - 1) * p
   for q = 1, p do
      local begin = (q - 1) // group * group
      for a = 1, math.min(group, p - begin) do
         R:set(q, forest.order[first + begin + a], forest.rotation:get(first + q, a))
      end
   end
   return R
end

-- X rotated by the axes of a tree.
local function rotated(forest, tree, X)
   local Z = X:matrix():copy()
   for i = 1, X.rows do
      for j = 1, X.cols do Z:set(i, j, (Z:get(i, j) - forest.center[j]) / forest.scale[j]) end
   end
   return Z * axes_of(forest, tree):t()
end

describe("RotationForestClassifier", function()
   for _, wanted in ipairs(fixture) do
      local name, target, low, high = table.unpack(wanted)
      it("scores like a reference implementation with scikit-learn's trees: " .. name, function()
         local X, y, test, answers = parts(data(name, target))
         local sum = 0
         for seed = 1, 4 do
            sum = sum + ml.RotationForestClassifier { seed = seed }:fit(X, y):score(test, answers)
         end
         -- The mean of four seeds is within the range of ten, which may be a single row wide.
         local slack = 1.5 / test.rows
         assert(sum / 4 >= low - slack and sum / 4 <= high + slack,
            ("%.4f is not from %.4f to %.4f"):format(sum / 4, low, high))
      end)
   end

   it("separates oblique classes better than a random forest", function()
      local X, y, test, answers = parts(data("breast_cancer", "diagnosis"))
      local gain = 0
      for seed = 1, 5 do
         gain = gain + ml.RotationForestClassifier { seed = seed }:fit(X, y):score(test, answers)
             - ml.RandomForestClassifier { seed = seed }:fit(X, y):score(test, answers)
      end
      assert(gain > 0, gain)
   end)

   it("has orthonormal axes, with the features of one group each", function()
      local X, y = data("wine", "class")
      for _, group in ipairs { 1, 3, 5, 13, 40 } do
         local forest = ml.RotationForestClassifier { n_estimators = 3, group_size = group }:fit(X, y)
         assert.equal(math.min(group, 13), forest.rotation.cols)
         assert.equal(3 * 13, #forest.order)
         for tree = 1, 3 do
            local R = axes_of(forest, tree)
            near_rows(ml.eye(13), R * R:t(), 1e-12, "R R'", 1)
            local seen = {}
            for q = 1, 13 do seen[forest.order[(tree - 1) * 13 + q]] = true end
            assert.equal(13, #seen)
         end
      end
   end)

   it("is the mean of trees on the rotated rows", function()
      for _, settings in ipairs { {}, { group_size = 4, standardize = false, criterion = "entropy", max_depth = 4 } } do
         local X, y, test = parts(data("wine", "class"))
         settings.n_estimators = 6
         local forest = ml.RotationForestClassifier(settings):fit(X, y)
         local sum = ml.zeros(test.rows, 3)
         for tree = 1, 6 do
            sum = sum + ml.DecisionTreeClassifier { criterion = settings.criterion, max_depth = settings.max_depth }
               :fit(rotated(forest, tree, X), y):predict_proba(rotated(forest, tree, test))
         end
         near_rows(sum / 6, forest:predict_proba(test), 1e-9, "p", 1)
      end
   end)

   it("finds the principal axes of the rows", function()
      -- y is independent of X, so that every set of classes has the axes of all rows.
      local X = data("iris", "species"):matrix()
      local many, y = {}, {}
      for i = 1, 40 * X.rows do many[i], y[i] = (i - 1) % X.rows + 1, (i - 1) // X.rows % 2 end
      local rows = X:take(many)
      local forest = ml.RotationForestClassifier { n_estimators = 3, group_size = 4, max_depth = 1 }
         :fit(rows, ml.Factor(y))
      local wanted = ml.PCA {}:fit(ml.StandardScaler {}:fit_transform(rows)).components
      for tree = 1, 3 do
         local along = wanted * axes_of(forest, tree):t()
         for c = 1, 4 do near(1, math.abs(along:get(c, c)), 2e-3, "along axis " .. c) end
      end
   end)

   it("draws all sets of classes with equal probability", function()
      -- The first axis is (1, 1) within the class "up", (1, -1) within "down", and (1, 0) for both.
      local noise, rows, y = ml.normal(400, 2, 1), {}, {}
      for i = 1, 400 do
         local up = i % 2 == 0
         local long, short = noise:get(i, 1), noise:get(i, 2) / 20
         rows[i] = { long + short + (up and 20 or -20), up and long - short or short - long }
         y[i] = up and "up" or "down"
      end
      local settings = { n_estimators = 900, group_size = 2, standardize = false }
      local forest = ml.RotationForestClassifier(settings):fit(rows, y)
      local up, down, both = 0, 0, 0
      for tree = 1, 900 do
         local axes = axes_of(forest, tree)
         local a, b = axes:get(1, 1), axes:get(1, 2)
         if math.abs(b) < 0.1 then
            both = both + 1
         elseif a * b > 0 then
            up = up + 1
         else
            down = down + 1
         end
      end
      -- Of 900 draws 300 are expected; 5 standard deviations are 71.
      for _, count in ipairs { up, down, both } do near(300, count, 71 / 300, "trees") end
   end)

   it("centers and scales the features", function()
      local X, y = data("wine", "class")
      local scaler = ml.StandardScaler {}:fit(X)
      local forest = ml.RotationForestClassifier { n_estimators = 1 }:fit(X, y)
      near_all(scaler.mean, forest.center, 1e-14, "center")
      near_all(scaler.scale, forest.scale, 1e-14, "scale")
      local most = 0
      for _, s in ipairs(scaler.scale) do most = math.max(most, s) end
      local alike = ml.RotationForestClassifier { n_estimators = 1, standardize = false }:fit(X, y).scale
      near_all(ml.Vector(13, most), alike, 1e-14, "scale")
   end)

   it("has importances that sum to 1 and identify the relevant features", function()
      local X = ml.normal(300, 6, 1)
      local y = {}
      for i = 1, 300 do y[i] = X:get(i, 2) + X:get(i, 5) > 0 and "a" or "b" end
      local forest = ml.RotationForestClassifier {}:fit(X, y)
      local f = forest.feature_importances
      near(1, f:sum(), 1e-12, "sum")
      for _, j in ipairs { 1, 3, 4, 6 } do assert(f[j] < f[2] / 2 and f[j] < f[5] / 2) end
   end)

   it("accepts constant and duplicate features, and more features than rows", function()
      local X, y = data("iris", "species")
      X = X:matrix()
      local rows = {}
      for i = 1, X.rows do rows[i] = { 0.1, X:get(i, 3), X:get(i, 3), 7, X:get(i, 4), X:get(i, 3) } end
      local forest = ml.RotationForestClassifier { n_estimators = 20 }:fit(rows, y)
      assert.equal(1, forest.scale[1])
      near(0, forest.feature_importances[1], 1e-12, "importance of a constant", 1)
      assert(forest:score(rows, y) > 0.99)
      local wide = ml.normal(6, 40, 2)
      local few = ml.RotationForestClassifier { n_estimators = 5, group_size = 40 }:fit(wide, { 1, 2, 1, 2, 1, 2 })
      assert.equal(1, few:score(wide, { 1, 2, 1, 2, 1, 2 }))
      local flat = ml.RotationForestClassifier { n_estimators = 5 }:fit(ml.ones(4, 3), { "a", "b", "a", "a" })
      near_all({ 0.75, 0.25 }, flat:predict_proba(ml.ones(1, 3))[1], 1e-12, "p")
      near(0, flat.feature_importances:sum(), 0, "importances", 1)
   end)

   it("treats weights as repeated rows, also very large ones", function()
      local X, y = data("iris", "species")
      local w = ml.Vector(X.rows, 1e9)
      assert(ml.RotationForestClassifier { n_estimators = 10 }:fit(X, y, { weights = w }):score(X, y) > 0.99)
   end)

   it("does not depend on the number of threads", function()
      local X, y = data("breast_cancer", "diagnosis")
      support.same_for_any_threads(function()
         return ml.RotationForestClassifier { n_estimators = 7, seed = 3 }:fit(X, y)
      end)
   end)

   it("refuses invalid input", function()
      refuses("X must be finite.*RandomForestClassifier and ExtraTreesClassifier, which accept them",
         function() ml.RotationForestClassifier {}:fit({ { 1 }, { 0 / 0 } }, { "a", "b" }) end)
      refuses("RotationForestClassifier: max_samples must be", function()
         ml.RotationForestClassifier { max_samples = 1.5 }
      end)
   end)
end)
