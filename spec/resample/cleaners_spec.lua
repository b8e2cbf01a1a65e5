-- Resamplers that remove rows by their neighbors, against imbalanced-learn: the same rows remain.
local enumerate = require "spec.resample.enumerate"
local ml = require "manilius"
local support = require "spec.support"
local fixture = require "spec.fixtures.resample.resample"

local X, y = ml.Matrix(fixture.X), ml.Factor(fixture.y)

-- A case of the fixture has the rows that remain; everything else in it are parameters.
local function keeps_the_rows_of(class, cases)
   for _, case in ipairs(cases) do
      local params = {}
      for name, value in pairs(case) do
         if name ~= "rows" then params[name] = math.type(value) == "float" and math.tointeger(value) or value end
      end
      if params.allow_minority then params.allow_minority = params.allow_minority == 1 end
      local wanted, left = {}, {}
      for i, row in ipairs(case.rows) do wanted[i], left[i] = fixture.X[row], fixture.y[row] end
      local counts = enumerate.counts(left)
      local ok, Z, labels = pcall(function() return class(params):fit_resample(X, y) end)
      if counts.a and counts.b and counts.c then
         assert(ok, Z)
         assert.same(wanted, Z:totable())
         for i, label in ipairs(left) do assert.equal(label, labels[i]) end
      else -- imbalanced-learn removes the class
         assert.is_false(ok)
         assert.matches("this would remove all %d+ rows of class", Z)
      end
   end
end

describe("Cleaners", function()
   it("keep the rows of imbalanced-learn", function()
      keeps_the_rows_of(ml.TomekLinks, fixture.tomek)
      keeps_the_rows_of(ml.EditedNearestNeighbours, fixture.edited)
      keeps_the_rows_of(ml.RepeatedEditedNearestNeighbours, fixture.repeated)
      keeps_the_rows_of(ml.AllKNN, fixture.all_knn)
      keeps_the_rows_of(ml.NeighbourhoodCleaningRule, fixture.cleaning_rule) -- by enumeration
      keeps_the_rows_of(ml.NearMiss, fixture.near_miss)
      keeps_the_rows_of(ml.NearMiss, fixture.near_miss_counts)
   end)

   it("do not remove a whole class", function()
      local rows, labels = { { 1 }, { 2 }, { 3 }, { 1.4 }, { 2.4 } }, { "a", "a", "a", "b", "b" }
      for _, class in ipairs { ml.TomekLinks, ml.EditedNearestNeighbours } do
         local cleaner = class { sampling_strategy = "not majority" }
         support.refuses("this would remove all 2 rows of class b; choose a sampling_strategy that keeps them",
            cleaner.fit_resample, cleaner, rows, labels)
      end
      for _, class in ipairs { ml.RepeatedEditedNearestNeighbours, ml.AllKNN } do
         local _, left = class { sampling_strategy = "not majority", n_neighbors = 2 }:fit_resample(rows, labels)
         assert.same({ a = 3, b = 2 }, enumerate.counts(left))
      end
   end)

   it("name the number of neighbors that is too large", function()
      support.refuses("EditedNearestNeighbours: n_neighbors = 5 requires at least 6 rows, got 4; lower n_neighbors",
         function() ml.EditedNearestNeighbours { n_neighbors = 5 }:fit(X:slice(1, 4), { 0, 0, 1, 1 }) end)
      support.refuses("NearMiss: class b has 14 rows, but n_neighbors = 15 requires at least 15",
         function() ml.NearMiss { n_neighbors = 15 }:fit(X, y) end)
      support.refuses("NearMiss: class a has 60 rows, but n_neighbors_ver3 = 61 requires at least 61",
         function() ml.NearMiss { version = 3, n_neighbors_ver3 = 61 }:fit(X, y) end)
   end)

   it("remove rows among other classes if rows are duplicated", function()
      local rows, labels = {}, {}
      for i = 1, 12 do rows[i], labels[i] = { 7, 7 }, i <= 3 and "b" or "a" end
      local _, left = ml.EditedNearestNeighbours { kind_sel = "mode", n_neighbors = 11, sampling_strategy = "majority" }
         :fit_resample(rows, labels)
      assert.same({ a = 9, b = 3 }, enumerate.counts(left))
      _, left = ml.NearMiss { n_neighbors = 3 }:fit_resample(rows, labels)
      assert.same({ a = 3, b = 3 }, enumerate.counts(left))
   end)

   it("keep the weights of the rows that they keep", function()
      local weights = {}
      for i = 1, X.rows do weights[i] = i end
      local Z, _, w = ml.EditedNearestNeighbours {}:fit_resample(X, y, { weights = weights })
      assert.equal(#fixture.edited[1].rows, Z.rows)
      for i, row in ipairs(fixture.edited[1].rows) do assert.equal(row, w[i]) end
   end)
end)

describe("NeighbourhoodCleaningRule", function()
   it("removes neighbors of misclassified rare rows only from classes above the threshold", function()
      local rows = {}
      for i, x in ipairs { 0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 2.5, 21.5, 40 } do rows[i] = { x } end
      local labels = { "b", "b", "b", "b", "b", "b", "c", "c", "c", "c", "a", "a", "a" }
      local function counts(threshold)
         local model = ml.NeighbourhoodCleaningRule { threshold_cleaning = threshold }
         return enumerate.counts((select(2, model:fit_resample(rows, labels))))
      end
      assert.same({ a = 3, b = 3, c = 4 }, counts(1.5)) -- 6 rows are more than 1.5 times 3, 4 are not
      assert.same({ a = 3, b = 6, c = 4 }, counts(2))
   end)
end)

describe("Condensed rows", function()
   local rows, labels = {}, {}
   for i, row in ipairs(fixture.first) do
      rows[i], labels[i] = fixture.X[row], fixture.y[row]
   end

   -- Positions of the rows that remain. The rows of the fixture differ.
   local function kept(model)
      local Z, list = model:fit_resample(rows, labels), {}
      local at = 1
      for i = 1, Z.rows do
         while enumerate.distance2(rows[at], Z[i]:totable()) > 0 do at = at + 1 end
         list[i] = at
      end
      return list
   end

   local function is_among(list, cases)
      for _, case in ipairs(cases) do
         if table.concat(case, " "):gsub("%.0", "") == table.concat(list, " ") then return true end
      end
      return false
   end

   it("are those of imbalanced-learn from some row of the large class", function()
      local different = {}
      for seed = 1, 8 do
         local condensed = kept(ml.CondensedNearestNeighbour { seed = seed })
         assert.is_true(is_among(condensed, fixture.condensed))
         assert.is_true(is_among(kept(ml.OneSidedSelection { seed = seed }), fixture.one_sided))
         different[table.concat(condensed, " ")] = true
      end
      assert.is_truthy(next(different, next(different))) -- the seed counts
   end)

   it("classify all rows of two classes by their nearest one", function()
      local data, diagnosis = support.data("breast_cancer", "diagnosis")
      local scaled = ml.StandardScaler {}:fit_transform(data)
      local Z, left = ml.CondensedNearestNeighbour {}:fit_resample(scaled, diagnosis)
      assert.is_true(Z.rows < scaled.rows / 2)
      assert.equal(1, ml.KNeighborsClassifier { n_neighbors = 1 }:fit(Z, left):score(scaled, diagnosis))
   end)
end)
