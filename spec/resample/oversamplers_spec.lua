-- BorderlineSMOTE, ADASYN and SMOTENC: what is not random against imbalanced-learn, new rows by their definition.
local enumerate = require "spec.resample.enumerate"
local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.resample.resample"

local X, y = ml.Matrix(fixture.X), ml.Factor(fixture.y)

-- Weights are those of the row that a new one is made from: its index here.
local row_numbers = {}
for i = 1, X.rows do row_numbers[i] = i end

-- The new rows: { z = row, source = index, label = }.
local function made(model, rows, labels)
   local Z, left, source = model:fit_resample(rows or X, labels or y, { weights = row_numbers })
   local list = {}
   for i = X.rows + 1, #left do
      list[#list + 1] = { z = Z[i]:totable(), source = math.tointeger(source[i]), label = left[i] }
   end
   return list
end

describe("BorderlineSMOTE", function()
   it("makes rows from those that imbalanced-learn finds in danger", function()
      for _, case in ipairs(fixture.borderline) do
         local danger, seen, n = {}, {}, 0
         for _, row in ipairs(case.danger) do danger[row] = true end
         local m = math.tointeger(case.m_neighbors)
         local model = ml.BorderlineSMOTE { m_neighbors = m, counts = { b = 500, c = 500 } }
         for _, one in ipairs(made(model)) do
            assert.is_true(danger[one.source])
            assert.equal(fixture.y[one.source], one.label)
            n = n + (seen[one.source] and 0 or 1)
            seen[one.source] = true
         end
         assert.equal(#case.danger, n) -- among 961 draws
      end
   end)

   it("moves toward neighbors in the class, or half of the way toward others", function()
      local all, half = enumerate.members(y), false
      for _, kind in ipairs { "borderline-1", "borderline-2" } do
         for _, one in ipairs(made(ml.BorderlineSMOTE { kind = kind, k_neighbors = 4 })) do
            local candidates = kind == "borderline-1" and enumerate.members(y, one.label) or all
            local found = false
            for _, other in ipairs(enumerate.nearest(fixture.X, one.source, candidates, 4)) do
               local part = enumerate.part_of_way(one.z, fixture.X[one.source], fixture.X[other])
               found = found or part and (y[other] == one.label or part <= 0.5)
               half = half or part and y[other] ~= one.label
            end
            assert.is_truthy(found)
         end
      end
      assert.is_truthy(half)
   end)

   it("makes rows from the whole class if none is in danger", function()
      local rows, labels = {}, {}
      for i = 1, 40 do rows[i], labels[i] = { i + (i > 30 and 1000 or 0) }, i > 30 and "far" or "near" end
      local _, left = ml.BorderlineSMOTE { m_neighbors = 5 }:fit_resample(rows, labels)
      assert.same({ near = 30, far = 30 }, enumerate.counts(left))
   end)

   it("explains numbers of neighbors that are too large", function()
      support.refuses("BorderlineSMOTE: m_neighbors = 99 requires at least 100 rows, got 99; lower m_neighbors",
         function() ml.BorderlineSMOTE { m_neighbors = 99 }:fit(X, y) end)
      support.refuses("class b has 14 rows, but k_neighbors = 14 requires at least 15; lower k_neighbors or use",
         function() ml.BorderlineSMOTE { k_neighbors = 14 }:fit(X, y) end)
   end)
end)

describe("SVMSMOTE", function()
   it("makes rows from the support vectors of imbalanced-learn, inwards or outwards", function()
      for _, case in ipairs(fixture.svm) do
         local kind, seen, n = {}, {}, 0
         for _, name in ipairs { "danger", "safe" } do
            for _, row in ipairs(case[name]) do kind[row] = name end
         end
         local model = ml.SVMSMOTE { m_neighbors = math.tointeger(case.m_neighbors), k_neighbors = 4, out_step = 0.4,
            counts = { b = 500, c = 500 } }
         for _, one in ipairs(made(model)) do
            local from, found = fixture.X[one.source], false
            local sign = kind[one.source] == "safe" and -1 or 1
            for _, other in ipairs(enumerate.nearest(fixture.X, one.source, enumerate.members(y, one.label), 4)) do
               local goal = {}
               for j = 1, 3 do goal[j] = from[j] + sign * (fixture.X[other][j] - from[j]) end
               local part = enumerate.part_of_way(one.z, from, goal)
               found = found or part and (sign > 0 or part <= 0.4)
            end
            assert.is_truthy(found)
            assert.is_truthy(kind[one.source])
            n = n + (seen[one.source] and 0 or 1)
            seen[one.source] = true
         end
         assert.equal(#case.danger + #case.safe, n) -- among 961 draws
      end
   end)

   it("makes rows from the whole class if all of its support vectors are noise", function()
      local rows, labels = {}, {}
      for i = 1, 60 do rows[i], labels[i] = { i }, i % 10 == 0 and "few" or "many" end
      local _, left = ml.SVMSMOTE { m_neighbors = 3 }:fit_resample(rows, labels)
      assert.same({ many = 54, few = 54 }, enumerate.counts(left))
   end)
end)

describe("ADASYN", function()
   it("makes as many rows from each as imbalanced-learn", function()
      for _, case in ipairs(fixture.adasyn) do
         local model = ml.ADASYN { sampling_strategy = case.sampling_strategy,
            n_neighbors = math.tointeger(case.n_neighbors) }
         local counts = {}
         for i = 1, X.rows do counts[i] = 0 end
         for _, one in ipairs(made(model)) do
            counts[one.source] = counts[one.source] + 1
            local between = false
            for _, other in ipairs(enumerate.nearest(fixture.X, one.source, enumerate.members(y, one.label),
               case.n_neighbors)) do
               between = between or enumerate.part_of_way(one.z, fixture.X[one.source], fixture.X[other])
            end
            assert.is_truthy(between)
         end
         for i = 1, X.rows do assert.equal(case.made[i], counts[i]) end
      end
   end)

   it("makes as many rows from each if no class is near", function()
      local rows, labels = {}, {}
      for i = 1, 40 do rows[i], labels[i] = { i + (i > 30 and 1000 or 0) }, i > 30 and "far" or "near" end
      local _, left = ml.ADASYN {}:fit_resample(rows, labels)
      assert.same({ near = 30, far = 30 }, enumerate.counts(left))
   end)

   it("explains a number of neighbors that is too large", function()
      support.refuses("ADASYN: class b has 14 rows, but n_neighbors = 14 requires at least 15; lower n_neighbors",
         function() ml.ADASYN { n_neighbors = 14 }:fit(X, y) end)
   end)
end)

describe("SMOTENC", function()
   -- Two columns of numbers and two of categories, 1 to 3 and 1 to 4.
   local rows = {}
   for i = 1, X.rows do rows[i] = { fixture.X[i][1], i * i % 3 + 1, fixture.X[i][2] * 3, i * 7 % 4 + 1 } end
   local numbers, categories = { 1, 3 }, { 2, 4 }

   -- The square of the median (of two) of the standard deviations of the numbers in a class.
   local function category_square(members)
      local sum = 0
      for _, j in ipairs(numbers) do
         local mean, square = 0, 0
         for _, i in ipairs(members) do mean = mean + rows[i][j] / #members end
         for _, i in ipairs(members) do square = square + (rows[i][j] - mean) ^ 2 / #members end
         sum = sum + math.sqrt(square) / 2
      end
      return sum ^ 2
   end

   local function distance_in(members)
      local s2 = category_square(members)
      return function(a, b)
         return (a[1] - b[1]) ^ 2 + (a[3] - b[3]) ^ 2 + s2 * ((a[2] ~= b[2] and 1 or 0) + (a[4] ~= b[4] and 1 or 0))
      end
   end

   -- The first of the values that are most frequent.
   local function mode(values)
      local counts, best = enumerate.counts(values), values[1]
      for _, value in ipairs(values) do
         if counts[value] > counts[best] then best = value end
      end
      return best
   end

   local function follows_the_definition(new, k)
      local distances = { b = distance_in(enumerate.members(y, "b")), c = distance_in(enumerate.members(y, "c")) }
      for _, one in ipairs(new) do
         local near = enumerate.nearest(rows, one.source, enumerate.members(y, one.label), k, distances[one.label])
         local between = false
         for _, other in ipairs(near) do
            local from, to = rows[one.source], rows[other]
            between = between or enumerate.part_of_way({ one.z[1], one.z[3] }, { from[1], from[3] }, { to[1], to[3] })
         end
         assert.is_truthy(between)
         for _, j in ipairs(categories) do
            local values = {}
            for s, other in ipairs(near) do values[s] = rows[other][j] end
            assert.equal(mode(values), one.z[j])
         end
      end
   end

   it("gives numbers between neighbors and the most frequent category of all neighbors", function()
      local new = made(ml.SMOTENC { categorical_features = categories, k_neighbors = 5 }, rows)
      assert.equal(60 - 14 + 60 - 25, #new)
      follows_the_definition(new, 5)
   end)

   it("treats factor columns as categories, and gives the levels back", function()
      local columns = { {}, {}, {}, {} }
      for i = 1, X.rows do
         for j = 1, 4 do columns[j][i] = rows[i][j] end
         columns[2][i] = "level " .. rows[i][2]
      end
      local frame = ml.Frame { { "p", columns[1] }, { "q", columns[2] }, { "r", columns[3] }, { "s", columns[4] } }
      local Z = ml.SMOTENC { categorical_features = { "s" }, seed = 4 }:fit_resample(frame, y)
      local plain = ml.SMOTENC { categorical_features = { 2, 4 }, seed = 4 }:fit_resample(rows, y)
      assert.equal(180, #Z.q)
      for i = 1, 180 do
         assert.equal("level " .. math.tointeger(plain[i][2]), Z.q[i])
         assert.equal(plain[i][3], Z.r[i])
      end
   end)

   it("is SMOTE without categories", function()
      assert.equal(tostring(ml.SMOTE { seed = 2 }:fit_resample(X, y)),
         tostring(ml.SMOTENC { seed = 2 }:fit_resample(X, y)))
   end)

   it("takes columns of categories only, and one value everywhere", function()
      local only, constant = {}, {}
      for i = 1, X.rows do only[i], constant[i] = { rows[i][2], rows[i][4] }, { 5, rows[i][2] } end
      local Z, left = ml.SMOTENC { categorical_features = { 1, 2 } }:fit_resample(only, y)
      assert.same({ a = 60, b = 60, c = 60 }, enumerate.counts(left))
      for i = 1, Z.rows do assert.is_true(Z[i][1] % 1 == 0 and Z[i][1] <= 3 and Z[i][2] % 1 == 0) end
      Z = ml.SMOTENC { categorical_features = { 2 } }:fit_resample(constant, y)
      for i = 1, Z.rows do assert.equal(5, Z[i][1]) end
   end)

   it("names a column that X does not have", function()
      support.refuses("SMOTENC: categorical_features must be from 1 to 4", function()
         ml.SMOTENC { categorical_features = { 5 } }:fit(rows, y)
      end)
   end)

   it("resamples passengers in a pipeline with an encoder after it", function()
      local titanic = ml.read_csv "examples/data/titanic.csv"
      local data = titanic:select("survived", "sex", "pclass", "sibsp", "fare"):dropna()
      local passengers, survived = data:split "survived"
      local rare = {}
      for i = 1, #survived do rare[i] = survived[i] == 1 and i % 4 == 0 and "rare" or "common" end
      local encoder = ml.ColumnTransformer {
         { "sex", ml.OneHotEncoder {}, { "sex" } }, { "numbers", ml.StandardScaler {}, { "pclass", "sibsp", "fare" } },
      }
      local pipe = ml.Pipeline { ml.SMOTENC { categorical_features = { "pclass" }, seed = 1 }, encoder,
         ml.LogisticRegression {} }
      local folds = ml.StratifiedKFold { k = 3, seed = 1 }
      local with = ml.cross_validate(pipe, passengers, rare, { cv = folds, scoring = "balanced_accuracy" })
      local without = ml.cross_validate(ml.Pipeline { encoder, ml.LogisticRegression {} }, passengers, rare,
         { cv = folds, scoring = "balanced_accuracy" })
      assert.is_true(with.mean.balanced_accuracy > without.mean.balanced_accuracy + 0.1)
   end)
end)
