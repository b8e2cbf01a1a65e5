local ml = require "manilius"
local oracle = dofile "spec/fixtures/select/compare.lua"
local paired = require "manilius.select.paired"
local support = require "spec.support"

local near, near_all, refuses = support.near, support.near_all, support.refuses_exactly

local Xd, yd = support.data("diabetes", "progression")

local function models()
   return {
      ridge = ml.Pipeline { ml.StandardScaler {}, ml.Ridge { alpha = 100 } },
      ols = ml.LinearRegression {},
      knn = ml.Pipeline { ml.StandardScaler {}, ml.KNeighborsRegressor { n_neighbors = 10 } },
   }
end

describe("the corrected resampled t-test", function()
   it("agrees with scipy", function()
      for _, case in ipairs(oracle.paired) do
         local test = paired.test(case.a, case.b, case.share)
         near_all(case.out, { test.difference, test.t, test.p, test.low, test.high }, 1e-10)
         assert.equal(#case.a - 1, test.df)
      end
   end)

   it("is NaN without variation, except for no difference at all", function()
      assert.equal(1, paired.test({ 0.5, 0.7, 0.9 }, { 0.5, 0.7, 0.9 }, 0.25).p)
      local test = paired.test({ 0.6, 0.8, 1.0 }, { 0.5, 0.7, 0.9 }, 0.25)
      near(0.1, test.difference, 1e-12)
      assert.is_true(test.p ~= test.p)
      test = paired.test({ 0.6 }, { 0.5 }, 0.25)
      assert.is_true(test.p ~= test.p and test.sd ~= test.sd)
   end)

   it("uses Holm's adjustment", function()
      for _, case in ipairs(oracle.holm) do near_all(case.out, paired.holm(case.p), 1e-15) end
      local adjusted = paired.holm { 0 / 0, 0.01 }
      assert.equal(0.02, adjusted[2])
      assert.is_true(adjusted[1] ~= adjusted[1])
   end)

   -- Two models that are equally good by construction: each uses one of two equivalent columns.
   it("rejects equality of equal models once in twenty times, the plain test far more often", function()
      local function of_column(j)
         return ml.Pipeline { ml.ColumnTransformer { { "one", "passthrough", { j } } }, ml.Ridge { alpha = 0.1 } }
      end
      local corrected, plain, sets = 0, 0, 300
      for seed = 1, sets do
         local X = ml.normal(40, 2, seed)
         local y = X:col(1) + X:col(2) + ml.normal(40, 1, 1000 + seed):col(1)
         local result = ml.compare({ a = of_column(1), b = of_column(2) }, X, y,
            { cv = ml.ShuffleSplit { n = 15, test = 0.2, seed = seed }, scoring = "mse" })
         local a, b = result.results.a.scores.mse:totable(), result.results.b.scores.mse:totable()
         if result.tests.p[1] < 0.05 then corrected = corrected + 1 end
         if paired.test(a, b, 0).p < 0.05 then plain = plain + 1 end
      end
      assert.is_true(corrected / sets > 0.02 and corrected / sets < 0.09, corrected / sets)
      assert.is_true(plain / sets > 0.3, plain / sets)
   end)
end)

describe("compare", function()
   it("agrees with scikit-learn and scipy", function()
      local result = ml.compare(models(), Xd, yd, { cv = 10 })
      for name, scores in pairs(oracle.scores) do near_all(scores, result.results[name].scores.r2, 1e-9, name) end
      assert.same({ "ols", "ridge", "knn" }, result.models)
      assert.equal("ols", result.best)
      local tests = result.tests
      assert.equal(3, #tests.p)
      for i = 1, 3 do
         local wanted = oracle.tests[("%s - %s"):format(tests.model[i], tests.reference[i])]
         near_all(wanted, { tests.difference[i], tests.t[i], tests.p[i], tests.low[i], tests.high[i],
            tests.p_adjusted[i] }, 1e-7, tests.model[i])
      end
      assert.equal(oracle.tests["ridge - ols"][1] < 0, result.table.r2_difference[2] < 0)
      near(oracle.tests["ridge - ols"][6], result.table.r2_p[2], 1e-7)
      local text = tostring(result)
      assert.matches("^3 models on the same 10 folds of 442 rows, best r2 first\n\nr2, higher is better\n", text)
      assert.matches("\nols +0%.%d+ +0%.%d+ +0%.%d+ to 0%.%d+ +reference\n", text)
      assert.matches("\nridge .* %-0%.003 +0%.846\n", text)
      assert.matches("\nknn .* %-0%.070 +0%.214\n", text)
      assert.matches("usually called significant", text)
      for line in (text .. "\n"):gmatch "(.-)\n" do assert.is_true(#line <= 80, line) end
   end)

   it("tests against a baseline only if one is named", function()
      local result = ml.compare(models(), Xd, yd, { cv = 10, baseline = "knn", scoring = { "r2", "mse" } })
      assert.equal(4, #result.tests.p)
      for i = 1, 4 do assert.equal("knn", result.tests.reference[i]) end
      local a, b = oracle.tests["knn - ols"], oracle.tests["knn - ridge"]
      local p = paired.holm { a[3], b[3] }
      near(p[1], result.table.r2_p[1], 1e-7)
      near(p[2], result.table.r2_p[2], 1e-7)
      near(-a[1], result.table.r2_difference[1], 1e-7)
      assert.is_true(result.table.r2_difference[3] ~= result.table.r2_difference[3])
      assert.matches("mse, lower is better\n", tostring(result))
      assert.matches("the baseline knn", tostring(result):gsub("\n", " "))
   end)

   it("uses the folds of cross_validate for all models", function()
      local folds = ml.RepeatedKFold { k = 3, repeats = 2, seed = 4 }
      local result = ml.compare(models(), Xd, yd, { cv = folds, scoring = { "mae", "r2" } })
      for name, model in pairs(models()) do
         local cv = ml.cross_validate(model, Xd, yd, { cv = folds, scoring = { "mae", "r2" }, interval = "corrected" })
         assert.equal(cv.scores.mae, result.results[name].scores.mae)
         assert.same(cv.interval, result.results[name].interval)
         assert.equal(cv.mean.r2, result.results[name].mean.r2)
      end
      -- lower error is better, so the order is ascending mae
      local mae = result.table.mae_mean
      assert.is_true(mae[1] <= mae[2] and mae[2] <= mae[3])
      assert.equal(mae[1], result.results[result.best].mean.mae)
   end)

   it("shuffles the folds if a seed is given, stratified for classifiers", function()
      local X, y = support.data("iris", "species")
      local two = { ml.GaussianNB {}, { "lr", ml.LogisticRegression {} } }
      local result = ml.compare(two, X, y, { seed = 3, cv = 4 })
      local cv = ml.cross_validate(two[1], X, y, { cv = ml.StratifiedKFold { k = 4, seed = 3 } })
      assert.equal(cv.scores.accuracy, result.results.gaussiannb.scores.accuracy)
      assert.same({ "gaussiannb", "lr" }, result.given)
   end)

   it("shows an error in the row of the model, and continues", function()
      local warned = {}
      local before = ml.warnings()
      ml.warnings(function(text) warned[#warned + 1] = text end)
      local list = models()
      list.broken = ml.KNeighborsRegressor { n_neighbors = 4000 }
      list["without proba"] = ml.Ridge {}
      local ok, result = pcall(ml.compare, list, Xd, yd, { scoring = "r2" })
      ml.warnings(before)
      assert(ok, result)
      assert.equal("broken", result.models[5])
      assert.is_nil(result.results.broken)
      assert.matches("fold 1: KNeighborsRegressor: n_neighbors must be", result.errors.broken)
      assert.equal(1, #warned)
      assert.matches("^compare: broken failed: fold 1", warned[1])
      assert.matches("\nbroken +failed\n", tostring(result))
      assert.is_nil(result.table.error[1])
      assert.equal(result.errors.broken, result.table.error[5])
      local failed, message = pcall(ml.compare, list, Xd, yd, { error = "raise" })
      assert.is_false(failed)
      assert.matches("compare: broken: fold 1: KNeighbors", message)
   end)

   it("reports a model without the method that a score needs", function()
      local X, y = support.data("iris", "species")
      local result = ml.compare({ lr = ml.LogisticRegression {}, nb = ml.GaussianNB {}, far = ml.NearestCentroid {} },
         X, y, { scoring = "log_loss" })
      assert.matches("log_loss requires predict_proba, but NearestCentroid does not provide it", result.errors.far)
      assert.equal(1, #result.tests.p)
   end)

   it("reports too few folds", function()
      local result = ml.compare(models(), Xd, yd, { cv = 2 })
      assert.matches("2 folds are too few to detect differences", result.notes[1])
      assert.matches("Note: 2 folds", tostring(result))
      local one = ml.compare(models(), Xd, yd, { cv = ml.ShuffleSplit { n = 1, test = 0.3 } })
      assert.is_true(one.tests.p[1] ~= one.tests.p[1])
      assert.matches("\nknn +0%.%d+ +%- +%- to %- +%-0%.%d+ +%-\n", tostring(one))
   end)

   it("compares clusterings by scores that need X only", function()
      local X = support.data("iris", "species")
      local function clusters(n) return ml.KMeans { n_clusters = n, seed = 1 } end
      local result = ml.compare({ two = clusters(2), six = clusters(6) }, X, nil, { scoring = "silhouette", seed = 1 })
      assert.same({ "two", "six" }, result.models)
   end)

   it("refuses invalid arguments", function()
      refuses("compare: X must be given, compare(models, X, y, options), got nil", ml.compare, models())
      refuses("compare: models must be a table { name = model, ... } or a list, got Ridge { alpha = 1 }", ml.compare,
         ml.Ridge {}, Xd, yd)
      refuses("compare: models must hold at least two models, got 1", ml.compare, { ml.Ridge {} }, Xd, yd)
      refuses("compare: models: 'a' must be an estimator, got 5", ml.compare, { a = 5 }, Xd, yd)
      refuses("compare: models must be all named or all in a list, got both", ml.compare,
         { ml.Ridge {}, b = ml.Ridge {} }, Xd, yd)
      refuses('compare: baseline must be the name of a model, got "old"; did you mean \'ols\'?; '
         .. "there are knn, ols, ridge", ml.compare, models(), Xd, yd, { baseline = "old" })
      refuses("compare: linear is a regressor and nb is a classifier; give scoring to compare them", ml.compare,
         { linear = ml.Ridge {}, nb = ml.GaussianNB {} }, Xd, yd)
      refuses("compare: seed requires cv to be a number of folds; set the seed of the splitter instead",
         ml.compare, models(), Xd, yd, { seed = 1, cv = ml.KFold { k = 3 } })
      support.refuses("compare has no option 'scorng'; did you mean 'scoring'%?", function()
         ml.compare(models(), Xd, yd, { scorng = "r2" })
      end)
      refuses('compare: error must be report or raise, got "ignore"', ml.compare, models(), Xd, yd,
         { error = "ignore" })
   end)

   it("is drawn as a box plot of the scores by fold, best on top", function()
      local result = ml.compare(models(), Xd, yd, { cv = 10, scoring = { "r2", "mse" } })
      local panel = result:plot { metric = "mse" }.panels[1]
      assert.equal("mse", panel.x)
      local tops = {}
      for _, tick in ipairs(panel.y_ticks) do tops[tick[1]] = tick[2] end
      assert.same({ result.models[3], result.models[2], result.models[1] }, tops)
      for i, layer in ipairs { panel.layers[1], panel.layers[3], panel.layers[5] } do
         assert.equal("box", layer.kind)
         assert.near(result.results[result.models[i]].scores.mse:quantile(0.5), layer.quartiles[3], 1e-9)
      end
      assert.matches("Lower is better", result:plot { metric = "mse" }.caption)
      refuses('plot: metric must be one of r2, mse, got "mae"', result.plot, result, { metric = "mae" })
   end)

   it("can be cancelled", function()
      local seen
      local ok, message = pcall(ml.compare, models(), Xd, yd, { on_iter = function(state)
         seen = state
         return state.done > 5 and "cancel" or nil
      end })
      assert.is_false(ok)
      assert.matches("cancelled", message)
      assert.equal(15, seen.total)
   end)

   it("can be stopped: models with all folds finished are compared", function()
      local result = ml.compare(models(), Xd, yd, { on_iter = function(state)
         return state.done > 6 and "stop" or nil
      end })
      local stopped = 0
      for _, problem in pairs(result.errors) do
         assert.equal("stopped by on_iter", problem)
         stopped = stopped + 1
      end
      assert.equal(2, stopped)
   end)
end)
