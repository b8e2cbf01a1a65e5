-- Resamplers against imbalanced-learn; only the rows of fit are resampled.
local enumerate = require "spec.resample.enumerate"
local ml = require "manilius"
local fixture = require "spec.fixtures.resample.resample"

local X, y = ml.Matrix(fixture.X), ml.Factor(fixture.y)
local counts = enumerate.counts

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

describe("a resampler", function()
   it("is refused where its rows would stand beside those of others", function()
      local message = "SMOTE, changes the rows; make it a step of the Pipeline around"
      assert.error_matches(function() ml.FeatureUnion { ml.SMOTE {}, ml.PCA {} } end, message)
      assert.error_matches(function() ml.ColumnTransformer { { ml.SMOTE {}, { 1, 2 } } } end, message)
      local inner = ml.Pipeline { ml.StandardScaler {}, ml.SMOTE {}, "passthrough" }
      assert.error_matches(function() ml.FeatureUnion { inner, ml.PCA {} } end, message)
      assert.error_matches(function() ml.ColumnTransformer { { inner, { 1, 2 } } } end, message)
   end)

   it("is refused at the end of an inner pipeline, but may precede its other steps", function()
      local inner = ml.Pipeline { ml.StandardScaler {}, ml.SMOTE {} }
      assert.error_matches(function() ml.Pipeline { inner, ml.GaussianNB {} } end,
         "the rows of SMOTE would be lost at the end of step 1, Pipeline; make it a step of the outer Pipeline")
      ml.Pipeline { ml.Pipeline { ml.SMOTE {}, ml.PCA {} }, ml.GaussianNB {} }
      ml.Pipeline { ml.StandardScaler {}, ml.Pipeline { ml.SMOTE {}, ml.GaussianNB {} } }
   end)
end)

describe("SMOTE", function()
   it("puts each new row between a row and one of its neighbors in the class", function()
      local rows, members = fixture.X, enumerate.members(y, "b")
      local Z, labels = ml.SMOTE { k_neighbors = 3, sampling_strategy = "minority" }:fit_resample(X, y)
      assert.equal(60 + 60 + 25, Z.rows)
      for i = X.rows + 1, Z.rows do
         local found = false
         for _, row in ipairs(members) do
            for _, other in ipairs(enumerate.nearest(rows, row, members, 3)) do
               found = found or enumerate.part_of_way(Z[i]:totable(), rows[row], rows[other])
            end
         end
         assert.is_truthy(found)
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
      local members = enumerate.members(y, "b")
      for j = 1, 3 do
         local mean, square, drawn, drawn_square = 0, 0, 0, 0
         for _, row in ipairs(members) do mean = mean + fixture.X[row][j] / 14 end
         for _, row in ipairs(members) do square = square + (fixture.X[row][j] - mean) ^ 2 / 14 end
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
      local splits = folds:split(X, y)
      for _, resampler in ipairs { ml.SMOTE { seed = 1 }, ml.BorderlineSMOTE { kind = "borderline-2" }, ml.ADASYN {},
         ml.SVMSMOTE {},
         ml.SMOTENC { categorical_features = { 2 } }, ml.RandomOverSampler {}, ml.RandomUnderSampler {},
         ml.TomekLinks {}, ml.EditedNearestNeighbours { kind_sel = "mode" }, ml.RepeatedEditedNearestNeighbours {},
         ml.AllKNN {}, ml.NearMiss { version = 2 }, ml.CondensedNearestNeighbour {}, ml.OneSidedSelection {},
         ml.NeighbourhoodCleaningRule {} } do
         local function new()
            return ml.Pipeline { ml.StandardScaler {}, resampler:clone(), ml.LogisticRegression {} }
         end
         local predicted = ml.cross_val_predict(new(), X, y, { cv = folds })
         local tested = 0
         for _, split in ipairs(splits) do
            local pipe = new():fit(X:take(split.train), y:take(split.train))
            local wanted = pipe:predict(X:take(split.test))
            for k = 1, #split.test do assert.equal(wanted[k], predicted[split.test[k]]) end
            tested = tested + #split.test
         end
         assert.equal(X.rows, tested)
         assert.equal(X.rows, #predicted)
      end
      assert.is_true(#tostring(ml.cross_validate(pipeline(), X, y, { cv = folds })) > 0)
   end)

   it("cleans after SMOTE: two steps, as SMOTETomek and SMOTEENN", function()
      for _, cleaner in ipairs { ml.TomekLinks { sampling_strategy = "all" },
         ml.EditedNearestNeighbours { sampling_strategy = "all" } } do
         local pipe = ml.Pipeline { ml.SMOTE { seed = 3 }, cleaner:clone(), ml.LogisticRegression {} }:fit(X, y)
         local Z, labels = cleaner:fit_resample(ml.SMOTE { seed = 3 }:fit_resample(X, y))
         assert.is_true(Z.rows < 180)
         assert.equal(tostring(ml.LogisticRegression {}:fit(Z, labels).coef), tostring(pipe[3].coef))
      end
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

describe("Sparse X", function()
   local sparse = ml.Sparse(X)
   -- SMOTENC has numbers only here.
   local over = { "RandomOverSampler", "SMOTE", "SMOTENC", "BorderlineSMOTE", "SVMSMOTE", "ADASYN" }
   local under = { "RandomUnderSampler", "NearMiss", "TomekLinks", "EditedNearestNeighbours", "AllKNN",
      "RepeatedEditedNearestNeighbours", "CondensedNearestNeighbour", "OneSidedSelection",
      "NeighbourhoodCleaningRule" }
   for _, name in ipairs(table.move(under, 1, #under, #over + 1, table.move(over, 1, #over, 1, {}))) do
      it("gives the rows of dense X, as a Sparse: " .. name, function()
         local wanted, labels = ml[name] {}:fit_resample(X, y)
         local got, got_labels = ml[name] {}:fit_resample(sparse, y)
         assert.matches("^Sparse ", tostring(got))
         assert.same(labels:totable(), got_labels:totable())
         assert.same(wanted:totable(), got:todense():totable())
         local model = ml[name] {}:fit(sparse, y)
         assert.matches("^Sparse ", tostring(model:transform(sparse)))
         assert.same(X:totable(), model:transform(sparse):todense():totable())
      end)
   end

   it("gets no noise, which would change every zero", function()
      local ok, message = pcall(ml.RandomOverSampler { shrinkage = 1 }.fit_resample,
         ml.RandomOverSampler { shrinkage = 1 }, sparse, y)
      assert.is_false(ok)
      assert.matches("shrinkage must be nil for a sparse X, .*todense", message)
   end)

   it("of documents is resampled in the training rows of each fold", function()
      local texts, labels = {}, {}
      for i = 1, 60 do
         local rare = i % 6 == 0
         texts[i] = ("%s number %d"):format(rare and "win a prize" or "see you at lunch", i % 7)
         labels[i] = rare and "spam" or "ham"
      end
      for _, sampler in ipairs { ml.RandomOverSampler {}, ml.SMOTE { k_neighbors = 3 }, ml.RandomUnderSampler {} } do
         local model = ml.Pipeline { ml.TfidfVectorizer {}, sampler, ml.LinearSVC {} }
         local cv = ml.cross_validate(model, texts, labels, { cv = 3, scoring = { "balanced_accuracy" } })
         assert.equal(1, cv.mean.balanced_accuracy)
      end
   end)
end)

describe("RandomOverSampler", function()
   local nan = 0 / 0
   local data = ml.Frame { { "a", { 1, 2, 3, nan, 5 } }, { "b", { 0.5, nan, 1, 2, 4 } }, { "n", { 1, 2, 3, 4, 5 } } }
   local labels = { "x", "x", "x", "y", "y" }

   it("repeats rows with missing values, and keeps the types of columns", function()
      local out = ml.RandomOverSampler { seed = 3 }:fit_resample(data, labels)
      assert.same({ "number", "number", "whole" }, { table.unpack(out.types) })
      local source = math.tointeger(out.n[6])
      assert.is_true(source == 4 or source == 5)
      assert.equal(tostring(data:slice(source, source)), tostring(out:slice(6, 6)))
   end)

   it("adds noise to the values that are present", function()
      local out = ml.RandomOverSampler { seed = 3, shrinkage = 1, counts = { y = 20 } }:fit_resample(data, labels)
      local missing, values = 0, {}
      for i = 6, out.rows do
         if out.a[i] ~= out.a[i] then missing = missing + 1 end
         assert.is_nil(values[out.b[i]])
         values[out.b[i]] = true
      end
      assert.equal(23, out.rows)
      assert.is_true(missing > 0 and missing < 18)
   end)
end)
