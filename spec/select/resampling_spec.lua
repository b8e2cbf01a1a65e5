-- Bootstrap estimates, permutation tests, nested cross-validation and intervals of curves.

local ml = require "manilius"
local oracle = dofile "spec/fixtures/select/bootstrap.lua"
local ipred = dofile "spec/fixtures/select/bootstrap_r.lua"
local support = require "spec.support"

local refuses = support.refuses_exactly

local Xd, yd = ml.read_csv "examples/data/diabetes.csv":split "progression"
local Xi, yi = ml.read_csv "examples/data/iris.csv":split "species"
local every_fourth = ml.range(2, 150, 4)

local function mean(list)
   local sum = 0
   for _, value in ipairs(list) do sum = sum + value end
   return sum / #list
end

describe("bootstrap_632", function()
   -- Compare with the formulas of Efron & Tibshirani in numpy, on the same samples.
   local function agrees(wanted, got, tolerance)
      local sign, from = got.greater and -1 or 1, got.greater and 1 or 0
      for field, name in pairs { apparent = "apparent", gamma = "no_information", oob = "oob", point_632 = "score_632",
         plus = "score" } do
         assert.near(from + sign * wanted[field], got[name], tolerance)
      end
      assert.near(wanted.overfitting, got.overfitting, tolerance)
      assert.near(wanted.se, got.table.se[3], tolerance)
      assert.near(wanted.se * wanted.plus / wanted.oob, got.se, tolerance)
      for b, loss in ipairs(wanted.by_sample) do assert.near(from + sign * loss, got.samples[b], tolerance) end
   end

   it("agrees with the formulas for labels and probabilities, and out-of-bag with mlxtend", function()
      local X, y = Xi:take(every_fourth), yi:take(every_fourth)
      local got = ml.bootstrap_632(ml.GaussianNB {}, X, y, { samples = oracle.iris_samples })
      agrees(oracle.accuracy, got, 1e-12)
      for b, score in ipairs(oracle.mlxtend_oob) do assert.near(score, got.samples[b], 1e-12) end
      agrees(oracle.log_loss, ml.bootstrap_632(ml.GaussianNB {}, X, y, { samples = oracle.iris_samples,
         scoring = "log_loss" }), 1e-7) -- log losses reach 36, where probabilities are near the smallest
   end)

   it("agrees with the formulas for numbers", function()
      local X, y = Xd:select("age", "bmi", "bp"):head(60), yd:take(ml.range(1, 60))
      for _, scoring in ipairs { "mse", "mae" } do
         local got = ml.bootstrap_632(ml.LinearRegression {}, X, y, { samples = oracle.diabetes_samples,
            scoring = scoring })
         agrees(oracle[scoring], got, 1e-8 * oracle[scoring].gamma)
      end
   end)

   -- The predicted labels are the same; sums are rounded in another order.
   it("agrees with ipred on the same samples", function()
      local models = { iris = ml.LinearDiscriminantAnalysis {}, noise = ml.KNeighborsClassifier { n_neighbors = 1 },
         more_noise = ml.KNeighborsClassifier { n_neighbors = 1 } }
      for name, model in pairs(models) do
         local wanted = ipred[name]
         local got = ml.bootstrap_632(model, wanted.X, wanted.y, { samples = wanted.samples })
         assert.near(wanted.oob, 1 - got.oob, 1e-12)
         if name ~= "more_noise" then assert.near(wanted.plus, 1 - got.score, 1e-12) end
      end
      local cars = ipred.cars
      local got = ml.bootstrap_632(ml.LinearRegression {}, cars.X, cars.y, { samples = cars.samples })
      assert.near(cars.rmse ^ 2, got.oob, 1e-10)
   end)

   -- ipred limits one of three places where err1 stands, so that its estimate can exceed gamma.
   it("is the error without information if that is smaller than out-of-bag, unlike ipred", function()
      local wanted = ipred.more_noise
      local got = ml.bootstrap_632(ml.KNeighborsClassifier { n_neighbors = 1 }, wanted.X, wanted.y,
         { samples = wanted.samples })
      local oob, apparent, gamma = 1 - got.oob, 1 - got.apparent, 1 - got.no_information
      assert.is_true(oob > gamma)
      assert.near(gamma, 1 - got.score, 1e-12)
      local rate = (oob - apparent) / (gamma - apparent)
      local theirs = 1 - got.score_632 + (gamma - apparent) * 0.368 * 0.632 * rate / (1 - 0.368 * rate)
      assert.near(wanted.plus, theirs, 1e-12)
   end)

   -- mlxtend weights the scores of each sample, and takes the training error of the model of that sample on all rows.
   it("differs from mlxtend in the training error only", function()
      local X, y = Xi:take(every_fourth), yi:take(every_fourth)
      local got = ml.bootstrap_632(ml.GaussianNB {}, X, y, { samples = oracle.iris_samples })
      assert.near(oracle.mlxtend_accuracy_by_chance, got.no_information, 1e-12)
      for b, wanted in ipairs(oracle.mlxtend_632) do
         local rows = ml.Vector(oracle.iris_samples[b])
         local model = ml.GaussianNB {}:fit(X:take(rows), y:take(rows))
         assert.near(wanted, 0.632 * got.samples[b] + 0.368 * model:score(X, y), 1e-12)
      end
      local Z, z = Xd:select("age", "bmi", "bp"):head(60), yd:take(ml.range(1, 60))
      local numbers = ml.bootstrap_632(ml.LinearRegression {}, Z, z, { samples = oracle.diabetes_samples })
      assert.near(oracle.mlxtend_mse_by_chance, numbers.no_information, 1e-8)
   end)

   it("depends on the seed only", function()
      local first
      for _, threads in ipairs { 1, 3 } do
         local got = ml.bootstrap_632(ml.Ridge {}, Xd, yd, { n = 12, seed = 3, threads = threads })
         first = first or got.table
         assert.equal(first, got.table)
      end
      assert.equal(first, ml.bootstrap_632(ml.Ridge {}, Xd, yd, { n = 12, seed = 3, path = "lua" }).table)
      assert.not_equal(first, ml.bootstrap_632(ml.Ridge {}, Xd, yd, { n = 12, seed = 4 }).table)
   end)

   it("corrects the score of a model that memorizes its training rows", function()
      local coin = ml.Factor(ml.random(60, nil, 2):lt(0.5))
      local got = ml.bootstrap_632(ml.KNeighborsClassifier { n_neighbors = 1 }, ml.normal(60, 3, 1), coin, { n = 60 })
      assert.equal(1, got.apparent)
      assert.is_true(got.score < 0.62 and got.score > 0.38)
      assert.is_true(got.score_632 > got.score + 0.05) -- why Efron and Tibshirani added the plus
      assert.is_true(got.overfitting > 0.8)
   end)

   it("has a standard error near that of the score over samples of the population", function()
      local squares, ses = {}, {}
      for r = 1, 30 do
         local X = ml.normal(60, 2, r)
         local y = ml.Factor((X:col(1):copy() + ml.normal(60, nil, 100 + r)):gt(0))
         local got = ml.bootstrap_632(ml.GaussianNB {}, X, y, { n = 100, seed = r })
         squares[r], ses[r] = got.oob, got.table.se[3]
      end
      local sd = ml.Vector(squares):std()
      assert.is_true(mean(ses) / sd > 0.7 and mean(ses) / sd < 1.5) -- sd itself is known to 13%
   end)

   it("reports invalid arguments", function()
      refuses("bootstrap_632: scoring must be accuracy, log_loss, mae, mse, got \"r2\"", ml.bootstrap_632, ml.Ridge {},
         Xd, yd, { scoring = "r2" })
      refuses("bootstrap_632: scoring = 'log_loss' requires a classifier", ml.bootstrap_632, ml.Ridge {}, Xd, yd,
         { scoring = "log_loss" })
      refuses("bootstrap_632: model must be a classifier or a regressor, got KMeans", ml.bootstrap_632, ml.KMeans {},
         Xd, yd)
      refuses("bootstrap_632: n must be a whole number from 1 to 10000000, got 0", ml.bootstrap_632, ml.Ridge {},
         Xd, yd, { n = 0 })
      refuses("bootstrap_632: samples must hold rows from 1 to 442, got 443 in sample 1", ml.bootstrap_632, ml.Ridge {},
         Xd, yd, { samples = { { 443 } } })
   end)
end)

describe("permutation_test_score", function()
   it("counts the permutations that score as well", function()
      local got = ml.permutation_test_score(ml.GaussianNB {}, Xi, yi, { n = 30, seed = 1 })
      assert.near(ml.cross_validate(ml.GaussianNB {}, Xi, yi).mean.accuracy, got.score, 1e-15)
      assert.equal(1 / 31, got.p_value)
      assert.equal(30, #got.scores)
      assert.near(1 / 3, got.scores:mean(), 0.05)
      for i = 1, 30 do
         local folds = {}
         for f = 1, 5 do folds[f] = got.table["fold" .. f][i] end
         assert.near(mean(folds), got.scores[i], 1e-15)
      end
      local noise = ml.permutation_test_score(ml.Ridge {}, ml.normal(60, 2, 1), ml.normal(60, nil, 2), { n = 40,
         scoring = "mse" })
      local as_good = noise.scores:le(noise.score):sum()
      assert.near((as_good + 1) / 41, noise.p_value, 1e-15)
      assert.is_true(noise.p_value > 0.05)
   end)

   it("gives bit-identical results for any number of threads, and in Lua", function()
      local first
      for _, more in ipairs { { path = "lua" }, { threads = 1 }, { threads = 3 } } do
         more.n, more.weights = 6, ml.linspace(1, 2, 150)
         local got = ml.permutation_test_score(ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }, Xi, yi,
            more)
         first = first or got.table
         assert.equal(first, got.table)
      end
   end)

   it("keeps its level when there is no relation", function()
      local rejected = 0
      for r = 1, 200 do
         local X, y = ml.normal(24, 1, r), ml.normal(24, nil, 1000 + r)
         local p = ml.permutation_test_score(ml.LinearRegression {}, X, y, { n = 19, seed = r, cv = 3 }).p_value
         rejected = rejected + (p <= 0.1 and 1 or 0)
      end
      assert.is_true(rejected >= 8 and rejected <= 34) -- 20 expected; 3 standard deviations of a binomial are 13
   end)

   it("permutes within groups", function()
      local groups, y = {}, {}
      for i = 1, 40 do groups[i], y[i] = (i + 1) // 2, (i + 1) // 2 end -- y is constant in each group
      local got = ml.permutation_test_score(ml.LinearRegression {}, ml.normal(40, 2, 1), ml.Vector(y), { n = 5,
         groups = groups })
      for i = 1, 5 do assert.equal(got.score, got.scores[i]) end
      assert.equal(1, got.p_value)
   end)

   it("reports invalid arguments", function()
      for _, n in ipairs { 0, 1000000000000000 } do
         refuses("permutation_test_score: n must be a whole number from 1 to 10000000, got " .. n,
            ml.permutation_test_score, ml.Ridge {}, Xd, yd, { n = n })
      end
      refuses("permutation_test_score: scoring must be one score, got several", ml.permutation_test_score, ml.Ridge {},
         Xd, yd, { scoring = { "r2", "mse" } })
   end)
end)

describe("nested_cross_validate", function()
   local grid = { alpha = { 0.01, 1, 100 } }

   it("keeps the inner results and the choice of each outer fold", function()
      local search = ml.GridSearch { ml.Ridge {}, grid, cv = 3 }
      local nested = ml.nested_cross_validate(search, Xd, yd, { cv = 4 })
      local plain = ml.cross_validate(search, Xd, yd, { cv = 4 })
      assert.equal(plain.scores.r2, nested.scores.r2)
      assert.equal(4, #nested.inner)
      for f, split in ipairs(ml.KFold { k = 4 }:split(Xd)) do
         local one = search:clone():fit(Xd:take(split.train), yd:take(split.train))
         assert.equal(one.best_params.alpha, nested.chosen.alpha[f])
         assert.equal(one.best_score, nested.chosen.inner_score[f])
         assert.equal(one.results.mean_score, nested.inner[f].mean_score)
      end
      assert.is_nil(nested.models)
   end)

   it("finds the search in a pipeline, and takes its score", function()
      local search = ml.GridSearch { ml.Ridge {}, grid, cv = 3, scoring = "mae" }
      local nested = ml.nested_cross_validate(ml.Pipeline { ml.StandardScaler {}, search }, Xd, yd, { cv = 3 })
      assert.same({ "mae" }, nested.metrics)
      assert.equal(3, #nested.chosen.mae)
      refuses("nested_cross_validate: search must be a search such as GridSearch, or a Pipeline that contains one, got "
         .. "Ridge { alpha = 1 }", ml.nested_cross_validate, ml.Ridge {}, Xd, yd)
   end)
end)

describe("intervals of curves", function()
   it("are those of cross_validate, or of resampled folds", function()
      local options = { param = "alpha", values = { 1, 100 }, interval = "t" }
      local curve = ml.validation_curve(ml.Ridge {}, Xd, yd, options)
      local cv = ml.cross_validate(ml.Ridge { alpha = 100 }, Xd, yd)
      assert.near(cv.interval.r2[1], curve.test_low[2], 1e-12)
      assert.near(cv.interval.r2[2], curve.test_high[2], 1e-12)
      options.interval = "corrected"
      curve = ml.validation_curve(ml.Ridge {}, Xd, yd, options)
      cv = ml.cross_validate(ml.Ridge { alpha = 100 }, Xd, yd, { interval = "corrected" })
      assert.near(cv.interval.r2[1], curve.test_low[2], 1e-12)
      curve = ml.learning_curve(ml.Ridge {}, Xd, yd, { sizes = { 0.5, 1.0 }, interval = "bootstrap" })
      for i = 1, 2 do
         local z = (curve.test_high[i] - curve.test_low[i]) / (curve.test_sd[i] * math.sqrt(4 / 5) / math.sqrt(5))
         assert.is_true(z > 2.8 and z < 4.2) -- 3.92 for a normal mean; 5 folds are lumpy
      end
      refuses('learning_curve: interval must be t, corrected or bootstrap, got "boot"', ml.learning_curve, ml.Ridge {},
         Xd, yd, { interval = "boot" })
   end)
end)

describe("on_iter of methods that resample", function()
   it("is called in between, may cancel then, and does not change the result", function()
      for _, name in ipairs { "bootstrap_632", "permutation_test_score" } do
         local calls, cancelled = {}, 0
         local reported = ml[name](ml.GaussianNB {}, Xi, yi, { n = 60,
            on_iter = function(state) calls[#calls + 1] = state.done end })
         assert(#calls >= 15 and calls[1] < 10 and calls[#calls] == 60, #calls)
         assert.equal(tostring(ml[name](ml.GaussianNB {}, Xi, yi, { n = 60 })), tostring(reported))
         assert.error_matches(function()
            ml[name](ml.GaussianNB {}, Xi, yi, { n = 60, on_iter = function()
               cancelled = cancelled + 1
               return "cancel"
            end })
         end, "cancelled", 1, true)
         assert.equal(1, cancelled)
      end
   end)
end)
