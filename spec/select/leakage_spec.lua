--- Nothing that sees y may learn from the y of a row that it then describes. Exact: if the targets of the test rows of
-- a fold change, no prediction of these rows changes.
local ml = require "manilius"
local support = require "spec.support"

local N = 120
local folds = ml.KFold { k = 4, shuffle = true, seed = 3 }:split(N)
local test = folds[1].test

-- Columns of numbers, of which two have an effect; and a factor of ten levels, two of them frequent.
local numbers = ml.normal(N, 8, 1)
local levels, labels, values = {}, {}, {}
local draw = support.draws "leakage"
for i = 1, N do
   levels[i] = "level " .. math.floor(draw() ^ 2 * 10)
   local value = numbers:get(i, 1) - numbers:get(i, 4) + draw()
   labels[i], values[i] = value > 1 and "yes" or "no", value
end
local frame = { { "level", ml.Factor(levels) } }
for j = 1, 4 do frame[j + 1] = { "x" .. j, numbers:col(j):copy() } end
frame = ml.Frame(frame)
local shifted = numbers - numbers:min() -- chi2 requires columns that are not negative

-- The same targets, except in the test rows of the first fold.
local changed_labels, changed_values = table.move(labels, 1, N, 1, {}), table.move(values, 1, N, 1, {})
for _, i in ipairs(test) do
   changed_labels[i] = labels[i] == "yes" and "no" or "yes"
   changed_values[i] = -3 * values[i] + 7
end

local function outputs(model, X, y, method, path)
   local out = ml.cross_val_predict(model, X, y, { cv = folds, method = method, path = path })
   local own, others = {}, {}
   local tested = {}
   for _, i in ipairs(test) do tested[i] = true end
   for i = 1, N do
      local row = out[i]
      local text = type(row) == "number" and ("%a"):format(row) or type(row) == "string" and row
         or table.concat(row:totable(), " ")
      table.insert(tested[i] and own or others, text)
   end
   return table.concat(own, "\n"), table.concat(others, "\n")
end

-- method: predict for numbers, probabilities for labels, which differ where predicted labels do not.
local function does_not_leak(name, model, X, for_numbers, paths)
   local y, changed = for_numbers and values or labels, for_numbers and changed_values or changed_labels
   for _, path in ipairs(paths or { false, "lua" }) do
      local method = for_numbers and "predict" or "predict_proba"
      local own, others = outputs(model, X, y, method, path or nil)
      local own_changed, others_changed = outputs(model, X, changed, method, path or nil)
      assert(own == own_changed, name .. ": the predictions of a fold depend on the y of its test rows")
      assert(others ~= others_changed, name .. ": y has no effect, the test is empty")
   end
end

local forest = ml.RandomForestClassifier { n_estimators = 5, max_depth = 3 }

local selectors = {
   { ml.SelectKBest { k = 3 } }, { ml.SelectKBest { k = 3, score_func = "chi2" }, shifted },
   { ml.SelectKBest { k = 3, score_func = "mutual_info_classif" } }, { ml.SelectPercentile { percentile = 40 } },
   { ml.SelectFpr { alpha = 0.3 } }, { ml.SelectFdr { alpha = 0.5 } }, { ml.SelectFwe { alpha = 0.5 } },
   { ml.MRMR { k = 3 } }, { ml.MRMR { k = 3, score_func = "mutual_info_classif", form = "difference" } },
   { ml.RFE { ml.LogisticRegression {}, n_features_to_select = 3 } },
   { ml.RFECV { ml.LogisticRegression {}, cv = 3, step = 2 } },
   { ml.SequentialFeatureSelector { ml.GaussianNB {}, n_features_to_select = 2, cv = 3 } },
   { ml.SequentialFeatureSelector { ml.GaussianNB {}, n_features_to_select = 2, cv = 3, floating = true } },
   { ml.SelectFromModel { ml.LogisticRegression {} } },
   { ml.StabilitySelection { ml.LogisticRegression { penalty = "l1" }, max_features = 3, n_pairs = 5,
      threshold = 0.55 } },
   { ml.Boruta { forest, max_iter = 12, include_tentative = true } },
}

local resamplers = { "ADASYN", "AllKNN", "BorderlineSMOTE", "CondensedNearestNeighbour", "EditedNearestNeighbours",
   "NearMiss", "NeighbourhoodCleaningRule", "OneSidedSelection", "RandomOverSampler", "RandomUnderSampler",
   "RepeatedEditedNearestNeighbours", "SMOTE", "SVMSMOTE", "TomekLinks" }

local encoders = { ml.TargetEncoder {}, ml.LeaveOneOutEncoder {}, ml.LeaveOneOutEncoder { sigma = 0.1 },
   ml.WOEEncoder {}, ml.WOEEncoder { cv = 1 } }

-- Models that make folds, held-out rows or labels of their own.
local classifiers = {
   ml.CalibratedClassifier { ml.GaussianNB {}, cv = 3 },
   ml.CalibratedClassifier { ml.GaussianNB {}, cv = 3, method = "isotonic" },
   ml.CalibratedClassifier { ml.LogisticRegression {}, cv = 3, method = "temperature", ensemble = false },
   ml.CalibratedClassifier { ml.GaussianNB {}, cv = 3, method = "beta" },
   ml.CalibratedClassifier { ml.GaussianNB {}, cv = 3, method = "venn_abers" },
   ml.TunedThresholdClassifier { ml.GaussianNB {}, cv = 3, thresholds = 20 },
   ml.ConformalClassifier { ml.GaussianNB {} },
   ml.StackingClassifier { ml.GaussianNB {}, ml.KNeighborsClassifier {}, cv = 3 },
   ml.GridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 3, 15, 40 } }, cv = 3 },
   ml.RandomSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 3, 15, 40 } }, n = 2, cv = 3 },
   ml.HalvingGridSearch { ml.KNeighborsClassifier {}, { n_neighbors = { 3, 5, 9 } }, cv = 3 },
   ml.OneVsRestClassifier { ml.LogisticRegression {} },
}

local regressors = {
   ml.ConformalRegressor { ml.Ridge {}, method = "cv+", cv = 3 },
   ml.StackingRegressor { ml.Ridge {}, ml.KNeighborsRegressor {}, cv = 3 },
   ml.TransformedTarget { regressor = ml.Ridge {}, transformer = ml.StandardScaler {} },
   ml.GridSearch { ml.Ridge {}, { alpha = { 0.1, 10, 1000 } }, cv = 3 },
   ml.Pipeline { ml.MRMR { k = 3, score_func = "f_regression" }, ml.Ridge {} },
   ml.Pipeline { ml.SelectKBest { k = 3, score_func = "mutual_info_regression" }, ml.Ridge {} },
   ml.Pipeline { ml.StabilitySelection { ml.Lasso { alpha = 0.05 }, max_features = 3, n_pairs = 5, threshold = 0.55 },
      ml.Ridge {} },
   ml.Pipeline { ml.PLSRegression { n_components = 2 } },
}

describe("the y of test rows has no effect on their predictions:", function()
   before_each(function() ml.warnings(function() end) end)
   after_each(function() ml.warnings "on" end)

   it("selectors of columns", function()
      for _, one in ipairs(selectors) do
         does_not_leak(tostring(one[1]), ml.Pipeline { one[1], ml.GaussianNB {} }, one[2] or numbers)
      end
   end)

   it("resamplers", function()
      for _, name in ipairs(resamplers) do
         does_not_leak(name, ml.Pipeline { ml[name] {}, ml.GaussianNB {} }, numbers)
      end
      local encoded = ml.ColumnTransformer { { ml.OneHotEncoder { handle_unknown = "ignore" }, { "level" } },
         { "passthrough", { "x1", "x2", "x3", "x4" } } }
      does_not_leak("SMOTENC", ml.Pipeline { ml.SMOTENC {}, encoded, ml.GaussianNB {} }, frame)
   end)

   it("encoders by the target", function()
      for _, encoder in ipairs(encoders) do
         local columns = ml.ColumnTransformer { { encoder, { "level" } }, { "passthrough", { "x1", "x2" } } }
         does_not_leak(tostring(encoder), ml.Pipeline { columns, ml.GaussianNB {} }, frame)
      end
      local columns = ml.ColumnTransformer { { ml.TargetEncoder {}, { "level" } }, { "passthrough", { "x1", "x2" } } }
      does_not_leak("TargetEncoder", ml.Pipeline { columns, ml.Ridge {} }, frame, true)
   end)

   it("models that make folds of their own", function()
      for _, model in ipairs(classifiers) do does_not_leak(tostring(model), model, numbers) end
      for _, model in ipairs(regressors) do does_not_leak(tostring(model), model, numbers, true) end
   end)

   it("chains of targets", function()
      local function predicted(first)
         return ml.cross_val_predict(ml.RegressorChain { ml.Ridge {}, cv = 3 }, numbers,
            ml.hcat(ml.Vector(first), numbers:col(2)), { cv = folds })
      end
      local out, changed = predicted(values), predicted(changed_values)
      assert.same(out:take(test):totable(), changed:take(test):totable())
      assert.not_same(out:totable(), changed:totable())
   end)

   it("semi-supervised models, which train on rows without a label too", function()
      local function model_of_first_fold(model, all)
         local some = { n = N }
         for i = 1, N do some[i] = i % 5 > 0 and all[i] or nil end
         local cv = ml.cross_validate(model, numbers, ml.Factor(some), { cv = folds, return_models = true })
         return cv.models[1]:predict_proba(numbers):totable()
      end
      for _, model in ipairs { ml.SelfTrainingClassifier { ml.GaussianNB {} }, ml.LabelSpreading {},
         ml.LabelPropagation {} } do
         assert.same(model_of_first_fold(model, labels), model_of_first_fold(model, changed_labels))
      end
   end)
end)

describe("the y of a training row has no effect on its own encoding", function()
   local fold_of = {}
   for i = 1, N do fold_of[i] = i % 4 + 1 end

   -- Encodings of training rows. A level of a single row gets the mean of y from LeaveOneOutEncoder, as documented.
   local count = {}
   for i = 1, N do count[levels[i]] = (count[levels[i]] or 0) + 1 end

   local function own_encoding(encoder, y, options)
      return encoder:clone():fit_transform(frame:select "level", y, options):matrix()
   end

   it("by TargetEncoder, LeaveOneOutEncoder and WOEEncoder", function()
      for _, one in ipairs { { ml.TargetEncoder {}, { folds = fold_of } }, { ml.WOEEncoder {}, { folds = fold_of } },
         { ml.LeaveOneOutEncoder {} } } do
         local before, tested = own_encoding(one[1], labels, one[2]), 0
         for i = 1, N, 7 do
            local y = table.move(labels, 1, N, 1, {})
            y[i] = y[i] == "yes" and "no" or "yes"
            local after = own_encoding(one[1], y, one[2])
            if count[levels[i]] > 1 then
               tested = tested + 1
               assert.near(before[i][1], after[i][1], 1e-12)
               assert.not_same(before:totable(), after:totable())
            end
         end
         assert.is_true(tested > 10)
      end
      local scorecard, y = ml.WOEEncoder { cv = 1 }, table.move(labels, 1, N, 1, {}) -- encoded like new rows
      y[1] = y[1] == "yes" and "no" or "yes"
      assert.is_true(math.abs(own_encoding(scorecard, labels)[1][1] - own_encoding(scorecard, y)[1][1]) > 0.01)
   end)
end)

-- 40 columns of noise: the best of many candidates looks good on the folds that chose it, and is at chance outside.
describe("nested cross-validation", function()
   it("is at chance where the best score of the search is optimistic", function()
      local inner, outer = 0, 0
      for r = 1, 6 do
         local noise, coin = ml.normal(60, 40, r), {}
         for i = 1, 60 do coin[i] = i % 2 == 0 and "heads" or "tails" end
         local sets = {}
         for j = 1, 40 do sets[j] = ml.ColumnTransformer { { "passthrough", { j } } } end
         local pipe = ml.Pipeline { sets[1], ml.GaussianNB {} }
         local search = ml.GridSearch { pipe, { columntransformer = sets }, cv = 4 }
         inner = inner + search:clone():fit(noise, coin).best_score / 6
         outer = outer + ml.nested_cross_validate(search, noise, coin, { cv = 4 }).mean.accuracy / 6
      end
      -- 360 decisions have a standard error of 0.026; folds that overlap add to it.
      assert.is_true(inner > 0.6 and math.abs(outer - 0.5) < 0.08, ("%g %g"):format(inner, outer))
   end)
end)
