-- Resamplers against imbalanced-learn; only the rows of fit are resampled.
local ml = require "manilius"
local fixture = require "spec.fixtures.resample.resample"

local X, y = ml.Matrix(fixture.X), ml.Factor(fixture.y)

local function counts(labels)
   local found = {}
   for i = 1, #labels do found[labels[i]] = (found[labels[i]] or 0) + 1 end
   return found
end

-- Does z lie on the segment from a to b?
local function is_between(z, a, b)
   local u, longest = 0, 0
   for j = 1, #a do
      if math.abs(b[j] - a[j]) > longest then longest, u = math.abs(b[j] - a[j]), (z[j] - a[j]) / (b[j] - a[j]) end
   end
   if u < 0 or u > 1 then return false end
   for j = 1, #a do
      if math.abs(a[j] + u * (b[j] - a[j]) - z[j]) > 1e-12 then return false end -- rounding of one interpolation
   end
   return true
end

-- For each row of one class, its k nearest rows in the class, by enumeration.
local function neighbors_in_class(label, k)
   local members, near = {}, {}
   for i = 1, X.rows do
      if y[i] == label then members[#members + 1] = fixture.X[i] end
   end
   for i, x in ipairs(members) do
      local list = {}
      for k2, z in ipairs(members) do
         local d = 0
         for j = 1, #x do d = d + (x[j] - z[j]) ^ 2 end
         if k2 ~= i then list[#list + 1] = { d, z } end
      end
      table.sort(list, function(a, b) return a[1] < b[1] end)
      near[i] = { x = x, nearest = table.move(list, 1, k, 1, {}) }
   end
   return near
end

describe("Resamplers", function()
   it("give the numbers of rows of imbalanced-learn", function()
      for _, case in ipairs(fixture.over) do
         for _, class in ipairs { ml.SMOTE, ml.RandomOverSampler } do
            local _, labels = class { sampling_strategy = case.sampling_strategy }:fit_resample(X, y)
            assert.same(case.counts, counts(labels))
         end
      end
      for _, case in ipairs(fixture.under) do
         local _, labels = ml.RandomUnderSampler { sampling_strategy = case.sampling_strategy }:fit_resample(X, y)
         assert.same(case.counts, counts(labels))
      end
      for _, case in ipairs(fixture.over_ratio) do
         local _, labels = ml.RandomOverSampler { ratio = case.ratio }:fit_resample(X, fixture.two)
         assert.same(case.counts, counts(labels))
      end
      for _, case in ipairs(fixture.under_ratio) do
         local _, labels = ml.RandomUnderSampler { ratio = case.ratio }:fit_resample(X, fixture.two)
         assert.same(case.counts, counts(labels))
      end
   end)

   it("take counts by label or in the order of the classes", function()
      local _, labels = ml.SMOTE { counts = { b = 30 } }:fit_resample(X, y)
      assert.same({ a = 60, b = 30, c = 25 }, counts(labels))
      _, labels = ml.RandomUnderSampler { counts = { 20, 14, 5 } }:fit_resample(X, y)
      assert.same({ a = 20, b = 14, c = 5 }, counts(labels))
      local _, numbers = ml.RandomOverSampler { counts = { ["1"] = 4 } }:fit_resample({ { 1 }, { 2 }, { 3 } },
         { 0, 0, 1 })
      assert.same({ [0] = 2, [1] = 4 }, counts(numbers))
   end)

   it("explain what they cannot do", function()
      local function refuses(pattern, model, labels)
         local ok, message = pcall(model.fit, model, X, labels or y)
         assert.is_false(ok)
         assert.matches(pattern, message)
      end
      refuses("class b has 14 rows, but k_neighbors = 14 requires at least 15; lower k_neighbors",
         ml.SMOTE { k_neighbors = 14 })
      local one_class = {}
      for i = 1, X.rows do one_class[i] = "a" end
      refuses("at least 2 classes, got 1 class", ml.SMOTE {}, one_class)
      refuses("ratio must be at least the present 0%.1647 %(14 rows to 85%)", ml.SMOTE { ratio = 0.1 }, fixture.two)
      refuses("ratio must be at least", ml.RandomUnderSampler { ratio = 0.1 }, fixture.two)
      refuses("ratio requires two classes, y has 3", ml.SMOTE { ratio = 0.5 })
      refuses("counts of class a must be at least the 60 rows", ml.SMOTE { counts = { a = 10 } })
      refuses("counts of class b must be at most the 14 rows", ml.RandomUnderSampler { counts = { b = 15 } })
      refuses("counts names the class 'd'", ml.SMOTE { counts = { d = 10 } })
      refuses("only one of sampling_strategy", ml.SMOTE { counts = { b = 30 }, sampling_strategy = "all" })
   end)
end)

describe("TomekLinks", function()
   it("keeps the rows of imbalanced-learn", function()
      for _, case in ipairs(fixture.tomek) do
         local Z = ml.TomekLinks { sampling_strategy = case.sampling_strategy }:fit_resample(X, y)
         assert.equal(#case.rows, Z.rows)
         for i, row in ipairs(case.rows) do assert.same(fixture.X[row], Z[i]:totable()) end
      end
   end)
end)

describe("a resampler", function()
   it("is refused where its rows would stand beside those of others", function()
      local message = "SMOTE, changes the rows; make it a step of the Pipeline around"
      assert.error_matches(function() ml.FeatureUnion { ml.SMOTE {}, ml.PCA {} } end, message)
      assert.error_matches(function() ml.ColumnTransformer { { ml.SMOTE {}, { 1, 2 } } } end, message)
   end)
end)

describe("SMOTE", function()
   it("puts each new row between a row and one of its neighbors in the class", function()
      local near = neighbors_in_class("b", 3)
      local Z, labels = ml.SMOTE { k_neighbors = 3, sampling_strategy = "minority" }:fit_resample(X, y)
      assert.equal(60 + 60 + 25, Z.rows)
      for i = X.rows + 1, Z.rows do
         local found = false
         for _, one in ipairs(near) do
            for _, other in ipairs(one.nearest) do found = found or is_between(Z[i]:totable(), one.x, other[2]) end
         end
         assert.is_true(found)
         assert.equal("b", labels[i])
      end
   end)

   it("gives the same rows for any number of threads", function()
      local before, results = ml.threads(), {}
      for i, n in ipairs { 1, 2 } do
         ml.threads(n)
         results[i] = tostring(ml.SMOTE { seed = 3 }:fit_resample(X, y))
      end
      ml.threads(before)
      assert.equal(results[1], results[2])
   end)
end)

describe("RandomOverSampler", function()
   it("draws from a kernel density estimate of the class with shrinkage", function()
      local Z = ml.RandomOverSampler { counts = { b = 20014 }, shrinkage = 0.5 }:fit_resample(X, y)
      local members = neighbors_in_class("b", 1)
      for j = 1, 3 do
         local mean, square, drawn, drawn_square = 0, 0, 0, 0
         for _, one in ipairs(members) do mean = mean + one.x[j] / 14 end
         for _, one in ipairs(members) do square = square + (one.x[j] - mean) ^ 2 / 14 end
         for i = X.rows + 1, Z.rows do drawn = drawn + Z[i][j] / 20000 end
         for i = X.rows + 1, Z.rows do drawn_square = drawn_square + (Z[i][j] - drawn) ^ 2 / 20000 end
         local h = 0.5 * (4 / (5 * 14)) ^ (1 / 7)
         assert.near(mean, drawn, 4 * math.sqrt(square * (1 + h * h) / 20000)) -- 4 standard errors
         assert.near(square * (1 + h * h), drawn_square, 0.05 * square)        -- about 4 standard errors
      end
   end)
end)

describe("A pipeline with a resampler", function()
   local function pipeline()
      return ml.Pipeline { ml.StandardScaler {}, ml.SMOTE { seed = 1 }, ml.LogisticRegression {} }
   end

   it("fits the next steps to the resampled rows only", function()
      local pipe = pipeline():fit(X, y)
      local scaled = ml.StandardScaler {}:fit_transform(X)
      local Z, labels = ml.SMOTE { seed = 1 }:fit_resample(scaled, y)
      local model = ml.LogisticRegression {}:fit(Z, labels)
      assert.equal(tostring(model.coef), tostring(pipe.logisticregression.coef))
      assert.equal(tostring(model:predict_proba(scaled)), tostring(pipe:predict_proba(X)))
      assert.equal(X.rows, #pipe:predict(X))
   end)

   it("repeats weights with their rows", function()
      local weights = {}
      for i = 1, X.rows do weights[i] = 1 + i % 3 end
      local Z, labels, w = ml.RandomOverSampler {}:fit_resample(X, y, { weights = weights })
      local direct = ml.LogisticRegression {}:fit(Z, labels, { weights = w })
      local pipe = ml.Pipeline { ml.RandomOverSampler {}, ml.LogisticRegression {} }:fit(X, y, { weights = weights })
      assert.equal(tostring(direct.coef), tostring(pipe[2].coef))
   end)

   it("predicts the given rows of the test folds, in the threads of cross-validation as in Lua", function()
      local folds = ml.StratifiedKFold { k = 4, seed = 2 }
      local predicted = ml.cross_val_predict(pipeline(), X, y, { cv = folds })
      local tested = 0
      for _, split in ipairs(folds:split(X, y)) do
         local pipe = pipeline():fit(X:take(split.train), y:take(split.train))
         local wanted = pipe:predict(X:take(split.test))
         for k = 1, #split.test do assert.equal(wanted[k], predicted[split.test[k]]) end
         tested = tested + #split.test
      end
      assert.equal(X.rows, tested)
      assert.equal(X.rows, #predicted)
      assert.is_true(#tostring(ml.cross_validate(pipeline(), X, y, { cv = folds })) > 0)
   end)

   it("fit_transform gives the transform of the given rows", function()
      local pipe = ml.Pipeline { ml.SMOTE {}, ml.StandardScaler {} }
      local Z = pipe:fit_transform(X, y)
      assert.equal(X.rows, Z.rows)
      assert.equal(tostring(pipe:transform(X)), tostring(Z))
      local nested = ml.Pipeline { pipe, ml.LogisticRegression {} }
      assert.equal(X.rows, #nested:fit(X, y):predict(X))
      ml.cross_validate(nested, X, y, { cv = 3 })
   end)

   it("refuses options that belong to the rows before", function()
      local ok, message = pcall(function() return pipeline():fit(X, y, { lengths = { 50, 49 } }) end)
      assert.is_false(ok)
      assert.matches("SMOTE: the option 'lengths' belongs to the rows before resampling", message)
   end)
end)
