local ml = require "manilius"
local oracle = dofile "spec/fixtures/select/folds.lua"
local validate = require "manilius.select.validate"
local core = require "manilius.core"
local support = require "spec.support"

local refuses = support.refuses_exactly

local Xd, yd = ml.read_csv "examples/data/diabetes.csv":split "progression"
local Xi, yi = ml.read_csv "examples/data/iris.csv":split "species"

local function ridge(alpha) return ml.Pipeline { ml.StandardScaler {}, ml.Ridge { alpha = alpha } } end

local function classifier()
   return ml.Pipeline {
      ml.ColumnTransformer { { "length", ml.StandardScaler {}, { "sepal_length", "petal_length" } },
         { "width", ml.PCA { n_components = 1 }, { 2, 4 } }, remainder = "passthrough" },
      ml.FeatureUnion { "passthrough", { "two", ml.PCA { n_components = 2 } } },
      ml.LogisticRegression { C = 10 } }
end

describe("cross_validate", function()
   it("agrees with scikit-learn", function()
      for i, alpha in ipairs { 0.1, 1, 10, 100, 1000 } do
         local cv = ml.cross_validate(ridge(alpha), Xd, yd)
         for fold = 1, 5 do assert.near(oracle.ridge[i][fold], cv.scores.r2[fold], 1e-10) end
      end
   end)

   it("gives mean, standard deviation and confidence interval", function()
      local cv = ml.cross_validate(ridge(1), Xd, yd, { scoring = { "r2", "mse" }, return_train = true })
      local sum, square = 0, 0
      for fold = 1, 5 do sum = sum + oracle.ridge[2][fold] / 5 end
      for fold = 1, 5 do square = square + (oracle.ridge[2][fold] - sum) ^ 2 / 4 end
      assert.near(sum, cv.mean.r2, 1e-10)
      assert.near(math.sqrt(square), cv.sd.r2, 1e-10)
      assert.near(sum - oracle.t975[4] * math.sqrt(square / 5), cv.interval.r2[1], 1e-9)
      assert.same({ "fold", "r2", "train_r2", "mse", "train_mse", "fit_seconds", "score_seconds" }, cv.scores.names)
      assert.is_true(cv.scores.train_mse:mean() < cv.mean.mse)
      -- The corrected interval is wider by a factor sqrt(1 + k n_test / n_train), here about sqrt(1 + 5/4).
      local corrected = ml.cross_validate(ridge(1), Xd, yd, { interval = "corrected" })
      assert.near(math.sqrt(1 + 5 / 4), (corrected.interval.r2[2] - sum) / (cv.interval.r2[2] - sum), 1e-3)
      assert.matches("r2 +0.4822 +0.0546 +0.4144 to 0.55\n", tostring(cv))
   end)

   it("uses the quantiles of Student's t", function()
      for df, value in pairs(oracle.t975) do assert.near(value, validate.t_quantile(0.95, df), 1e-9) end
   end)

   it("gives bit-identical results in the core and in Lua for any number of threads", function()
      local options = { cv = ml.StratifiedKFold { k = 4, seed = 2 }, scoring = { "accuracy", "log_loss" },
         return_train = true }
      local scores = {}
      for i, more in ipairs { { path = "lua" }, { threads = 1 }, { threads = 2 }, { threads = 5 } } do
         for name, value in pairs(options) do more[name] = value end
         scores[i] = ml.cross_validate(classifier(), Xi, yi, more).scores
         for _, name in ipairs { "accuracy", "log_loss", "train_accuracy", "train_log_loss" } do
            assert.equal(scores[1]:col(name), scores[i]:col(name))
         end
      end
   end)

   it("runs in the core if all parts are estimators of the core", function()
      local evaluate = require "manilius.select.evaluate"
      assert.is_table(evaluate.to_plan(classifier()))
      assert.is_nil(evaluate.to_plan(ml.ColumnTransformer { { ml.PCA {}, function() return { 1 } end } }))
      assert.is_nil(evaluate.to_plan(ml.TransformedTarget { regressor = ml.Ridge {}, func = "log" }))
   end)

   it("applies weights to fits and scores: 0 removes a row, 2 repeats it", function()
      local X, y = { { 1 }, { 2 }, { 3 }, { 4 }, { 9 } }, { 1, 2, 2, 5, 100 }
      local twice, answers = { { 1 }, { 2 }, { 3 }, { 4 }, { 2 } }, { 1, 2, 2, 5, 2 }
      local a = ml.cross_validate(ml.Ridge {}, X, y, { weights = { 1, 2, 1, 1, 0 }, scoring = "mse",
         cv = { { train = { 1, 3, 5 }, test = { 2, 4 } }, { train = { 2, 4, 5 }, test = { 1, 3 } } } })
      local b = ml.cross_validate(ml.Ridge {}, twice, answers, { scoring = "mse",
         cv = { { train = { 1, 3 }, test = { 2, 4, 5 } }, { train = { 2, 4, 5 }, test = { 1, 3 } } } })
      assert.near(b.scores.mse[1], a.scores.mse[1], 1e-12)
      assert.near(b.scores.mse[2], a.scores.mse[2], 1e-12)
   end)

   it("keeps groups together, and accepts sparse rows", function()
      local X, y, groups = ml.zeros(40, 6), {}, {}
      for i = 1, 40 do
         X:set(i, i % 6 + 1, 1)
         X:set(i, (i + 2) % 6 + 1, i % 3)
         y[i], groups[i] = i % 6 + 0.1 * i, ("g%d"):format((i - 1) // 4)
      end
      local dense = ml.cross_validate(ml.Ridge {}, X, y, { cv = 5, groups = groups })
      local sparse = ml.cross_validate(ml.Ridge {}, ml.Sparse(X), y, { cv = 5, groups = groups })
      local here = ml.cross_validate(ml.Ridge {}, ml.Sparse(X), y, { cv = 5, groups = groups, path = "lua" })
      local given = ml.cross_validate(ml.Ridge {}, X, y, { cv = ml.GroupKFold { k = 5 }:split(X, y, groups) })
      assert.equal(dense.scores.r2, given.scores.r2)
      assert.equal(sparse.scores.r2, here.scores.r2)
      for fold = 1, 5 do assert.near(dense.scores.r2[fold], sparse.scores.r2[fold], 1e-9) end
   end)

   it("accepts functions, tables of functions and scorers", function()
      local function worst(y, predicted) return (y - predicted):abs():max() end
      local cv = ml.cross_validate(ml.Ridge {}, Xd, yd, { scoring = { worst = worst, "r2" } })
      assert.same({ "r2", "worst" }, cv.metrics)
      local alone = ml.cross_validate(ml.Ridge {}, Xd, yd, { scoring = { fn = worst, greater = false } })
      assert.equal(cv.mean.worst, alone.mean.score)
      local classes = ml.cross_validate(ml.GaussianNB {}, Xi, yi, { scoring = { sure = { needs = "proba",
         fn = function(_, proba, o) return o.classes[2] == "versicolor" and proba:max() or -1 end } } })
      assert.near(1, classes.mean.sure, 1e-6)
   end)

   it("passes X to scorers of clusterings that need it", function()
      local function inertia(X, clusters) -- of two clusters on a line
         local sum = 0
         for i = 1, X.rows do sum = sum + math.abs(X:get(i, 1) - (clusters[i] == clusters[1] and 0 or 10)) end
         return sum
      end
      local X = { { 0 }, { 0 }, { 10 }, { 10 }, { 0 }, { 0 }, { 10 }, { 10 } }
      local cv = ml.cross_validate(ml.KMeans { n_clusters = 2 }, X, nil, { cv = ml.KFold { k = 2 },
         scoring = { fn = inertia, needs = "x", greater = false } })
      assert.equal(0, cv.mean.score)
   end)

   it("scores clusterings and mixtures by default without y", function()
      local cv = { cv = ml.KFold { shuffle = true, seed = 1 } }
      local function score_of(model, y) return ml.cross_validate(model, Xi, y, cv).metrics[1] end
      assert.same({ "silhouette", "ari", "log_likelihood", "log_likelihood" }, {
         score_of(ml.KMeans { n_clusters = 3 }), score_of(ml.KMeans { n_clusters = 3 }, yi),
         score_of(ml.GaussianMixture { n_components = 3 }), score_of(ml.GaussianMixture { n_components = 3 }, yi) })
      local mixture, clusters = ml.GaussianMixture {}:fit(Xi), ml.KMeans { n_clusters = 3 }:fit(Xi)
      assert.near(mixture:score_samples(Xi):mean(), mixture:score(Xi), 1e-12)
      assert.equal(ml.metrics.silhouette(Xi, clusters:predict(Xi)), clusters:score(Xi))
   end)

   it("names the positive class of scores of one class", function()
      local frame = ml.read_csv "examples/data/iris.csv"
      local X, y = frame:filter(frame.species:ne "setosa"):split "species"
      y = y:drop_levels()
      local cv = ml.cross_validate(ml.LogisticRegression {}, X, y, { scoring = { "f1", "accuracy" } })
      assert.equal("virginica", cv.positive)
      assert.matches("^LogisticRegression, 5 folds, positive class virginica\n", tostring(cv))
      assert.equal("versicolor",
         ml.cross_validate(ml.LogisticRegression {}, X, y, { scoring = { "f1", positive = "versicolor" } }).positive)
      assert.is_nil(ml.cross_validate(ml.LogisticRegression {}, X, y).positive)
   end)

   it("returns the models on request, reports progress, and can be stopped", function()
      local seen = {}
      local cv = ml.cross_validate(ridge(1), Xd, yd, { cv = 3, return_models = true,
         on_iter = function(state) seen[#seen + 1] = { state.done, state.total } end })
      assert.equal(3, #cv.models)
      assert.is_true(cv.models[3].fitted)
      assert.same({ 3, 3 }, seen[#seen])
      refuses("cancelled by the progress function", ml.cross_validate, ridge(1), Xd, yd,
         { on_iter = function() return "cancel" end })
   end)

   it("keeps the finished folds at 'stop'", function()
      local threads = core.memory.threads()
      core.memory.threads(1)
      local cv = ml.cross_validate(ridge(1), Xd, yd, { cv = 7, on_iter = function(state)
         assert.equal(7, state.total)
         assert.is_true(state.elapsed >= 0)
         return "stop"
      end })
      core.memory.threads(threads)
      assert.equal(2, cv.folds)
      assert.equal(2, #cv.scores.columns[1])
      refuses("cross_validate: on_iter must be a function, got number", ml.cross_validate, ridge(1), Xd, yd,
         { on_iter = 3 })
   end)

   it("warns once about fits that did not converge", function()
      local warned = {}
      local before = ml.warnings()
      ml.warnings(function(text) warned[#warned + 1] = text end)
      ml.cross_validate(ml.LogisticRegression { max_iter = 1 }, Xi, yi, { cv = 3 })
      ml.warnings(before)
      assert.same({ "cross_validate: 3 of 3 fits did not converge; increase max_iter or scale the columns" },
         warned)
   end)

   it("reports invalid arguments", function()
      refuses("cross_validate: model must be an estimator, got 3", ml.cross_validate, 3, Xd, yd)
      refuses("cross_validate has no option 'scorings'; did you mean 'scoring'?", ml.cross_validate, ridge(1), Xd, yd,
         { scorings = "r2" })
      refuses("cross_validate has no option 'x'; there are cv, groups, interval, lengths, on_iter, path, "
         .. "return_models, return_train, scoring, threads, weights", ml.cross_validate, ridge(1), Xd, yd, { x = "r2" })
      refuses("cross_validate: y must have as many rows as X, 442, got 150", ml.cross_validate, ridge(1), Xd, yi)
      refuses("cross_validate: cv: train rows must be from 1 to 442, got 443", ml.cross_validate, ridge(1), Xd, yd,
         { cv = { { { 443 }, { 1 } } } })
      for _, row in ipairs { 0, -1, 1.5, 442.0000000000001, 0 / 0, 1 / 0, 2 ^ 60 } do
         refuses(("cross_validate: cv: test rows must be from 1 to 442, got %s"):format(row), ml.cross_validate,
            ridge(1), Xd, yd, { cv = { { ml.range(2, 442), ml.Vector { 442, row, 1 } } } })
      end
      refuses("cross_validate: fold 1: LogisticRegression: y must have at least 2 classes, got 1 class (setosa)",
         ml.cross_validate, ml.LogisticRegression {}, Xi, yi, { cv = { { { 1, 2 }, { 3, 51 } } } })
      refuses("log_loss requires predict_proba, but Ridge does not provide it", ml.cross_validate, ml.Ridge {}, Xd, yd,
         { scoring = "log_loss" })
      local ok, message = pcall(ml.cross_validate, ml.Ridge {}, Xd, yd, { scoring = "r3" })
      assert.is_false(ok)
      assert.matches("cross_validate: there is no score 'r3'; did you mean 'r2'%?", message)
   end)

   it("reports rows of X, not of the fold, if a fit or prediction fails", function()
      local X, y = ml.Matrix { { 1 }, { 2 }, { 1 }, { 2 }, { 1 }, { 2 }, { 1 }, { 7 }, { 1 } }, ml.range(1, 9)
      local encoded = ml.Pipeline { ml.OneHotEncoder {}, ml.Ridge {} }
      local negative = y:copy()
      negative[6] = -1
      for _, path in ipairs { "core", "lua" } do
         local options = { cv = ml.KFold { k = 3 }, path = path }
         refuses("cross_validate: fold 3: OneHotEncoder: X must have categories that fit saw, got 7 in row 8, column 1 "
            .. "('x1'); set handle_unknown to accept it", ml.cross_validate, encoded, X, y, options)
         refuses("cross_validate: fold 1: GammaRegressor: y must be > 0 for family 'gamma', got -1 in row 6",
            ml.cross_validate, ml.GammaRegressor {}, X, negative, options)
      end
   end)

   it("releases its memory at the end", function()
      local function run() ml.cross_validate(classifier(), Xi, yi, { cv = 3 }) end
      run()
      collectgarbage() collectgarbage()
      local live = core.memory.live()
      for _ = 1, 3 do run() end
      collectgarbage() collectgarbage()
      assert.equal(live, core.memory.live())
   end)

   it("raises an error without leaks if any allocation fails", function()
      local plan = core.plan(require "manilius.select.evaluate".to_plan(classifier()))
      local folds = ml.StratifiedKFold { k = 2 }:split(Xi, yi)
      local jobs = { { 1, 1 }, { 1, 2, keep = true } }
      local options = { wants = { { predict = true } }, threads = 1 }
      local function run() return core.run_jobs({ plan }, Xi, yi, nil, folds, jobs, options) end
      run()
      collectgarbage() collectgarbage()
      local live, failed = core.memory.live(), 0
      for n = 0, 3000, 7 do
         core.memory.fail_after(n)
         local ok, message = pcall(run)
         core.memory.fail_after(-1)
         if ok then break end
         failed = failed + 1
         assert.matches("not enough memory", message)
         collectgarbage() collectgarbage()
         assert.equal(live, core.memory.live())
      end
      assert.is_true(failed > 5)
   end)
end)

-- Numbers and labels, both with missing values, as sparse and dense columns.
describe("the penguins", function()
   local X, y = ml.read_csv "examples/data/penguins.csv":drop "year":split "species"

   local function model(sparse)
      return ml.Pipeline {
         ml.ColumnTransformer {
            { "numbers", ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }, "numeric" },
            { "labels", ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" },
               ml.OneHotEncoder { sparse_output = sparse } }, "factor" },
            sparse_threshold = 1 },
         ml.LogisticRegression {} }
   end

   it("are classified with the same results in Lua, in the core and from a file", function()
      local first
      for _, sparse in ipairs { false, true } do
         local proba = ml.cross_val_predict(model(sparse), X, y, { method = "predict_proba" })
         assert.equal(proba, ml.cross_val_predict(model(sparse), X, y, { method = "predict_proba", path = "lua" }))
         local cv = ml.cross_validate(model(sparse), X, y)
         assert.is_true(cv.mean.accuracy > 0.98)
         first = first or cv.mean.accuracy
         assert.near(first, cv.mean.accuracy, 0.01)
         local fitted = model(sparse):fit(X, y)
         assert.equal(sparse, getmetatable(fitted[1]:transform(X)) ~= core.frame.metatable)
         local plan = core.plan_of_archive(fitted:dump())
         assert.equal(fitted:predict_proba(X), core.plan_apply(plan, X, "predict_proba"))
         assert.equal(fitted:predict_proba(X), ml.load(fitted:dump()):predict_proba(X))
         assert.equal("Gentoo", fitted:predict({ island = "Biscoe", bill_length_mm = 48, bill_depth_mm = 14 })[1])
      end
   end)
end)

describe("cross_val_predict", function()
   it("predicts each row by the model that was not fitted to it, in the core and in Lua", function()
      local folds = ml.KFold { k = 4, seed = 1 }
      local out = ml.cross_val_predict(ridge(1), Xd, yd, { cv = folds })
      for _, split in ipairs(folds:split(Xd)) do
         local model = ridge(1):fit(Xd:take(split.train), yd:take(split.train))
         assert.equal(model:predict(Xd:take(split.test)), out:take(split.test))
      end
      assert.equal(out, ml.cross_val_predict(ridge(1), Xd, yd, { cv = folds, path = "lua" }))
      for _, method in ipairs { "predict", "predict_proba", "decision_function" } do
         assert.equal(ml.cross_val_predict(classifier(), Xi, yi, { method = method }),
            ml.cross_val_predict(classifier(), Xi, yi, { method = method, path = "lua" }))
      end
   end)

   it("gives 0 to classes that are absent from a train set", function()
      local X, y = { { 0 }, { 1 }, { 5 }, { 6 }, { 9 }, { 9.5 } }, { "a", "a", "b", "b", "c", "c" }
      local P = ml.cross_val_predict(ml.GaussianNB {}, X, y, { method = "predict_proba",
         cv = { { { 1, 2, 3, 4 }, { 5, 6 } }, { { 3, 4, 5, 6 }, { 1, 2 } }, { { 1, 2, 5, 6 }, { 3, 4 } } } })
      assert.equal(0, P:get(5, 3))
      assert.equal(0, P:get(1, 1))
      for i = 1, 6 do assert.near(1, P:row(i):sum(), 1e-12) end
   end)

   it("passes the number of threads on to models in Lua", function()
      local before, seen = ml.threads(), {}
      local watch = ml.FunctionTransformer { func = function(X)
         seen[ml.threads()] = true
         return X
      end }
      ml.cross_validate(ml.Pipeline { watch, ml.Ridge {} }, Xd, yd, { threads = 1 })
      assert.same({ [1] = true }, seen)
      pcall(ml.cross_validate, ml.Pipeline { watch, ml.GaussianNB {} }, Xd, yd, { threads = 1 })
      assert.equal(before, ml.threads())
   end)

   it("requires that every row is tested once", function()
      refuses("cross_val_predict: cv must test each row once, but row 3 is not tested",
         ml.cross_val_predict, ml.Ridge {},
         { { 1 }, { 2 }, { 4 } }, { 1, 2, 3 }, { cv = { { { 2, 3 }, { 1 } }, { { 1, 3 }, { 2 } } } })
      refuses("cross_val_predict: cv must test each row once, but row 2 is tested twice",
         ml.cross_val_predict, ml.Ridge {},
         { { 1 }, { 2 }, { 4 } }, { 1, 2, 3 }, { cv = { { { 2, 3 }, { 1, 2 } }, { { 1, 3 }, { 2 } } } })
   end)
end)

describe("curves of scores", function()
   it("by training size", function()
      local curve = ml.learning_curve(ridge(1), Xd, yd, { sizes = { 20, 0.5, 1.0 }, seed = 1, scoring = "mse" })
      assert.same({ 20, 176, 353 }, curve.train_rows:totable())
      assert.is_true(curve.test_mean[1] > curve.test_mean[3])
      assert.is_true(curve.train_mean[1] < curve.train_mean[3])
      local cv = ml.cross_validate(ridge(1), Xd, yd, { cv = ml.KFold { k = 2 }, scoring = "mse" })
      local whole = ml.learning_curve(ridge(1), Xd, yd, { sizes = { 1.0 }, cv = 2, scoring = "mse" })
      for _, sizes in ipairs { {}, 5 } do
         assert.error_matches(function() ml.learning_curve(ridge(1), Xd, yd, { sizes = sizes }) end,
            "learning_curve: sizes must be a list of fractions or numbers of rows, got")
      end
      assert.near(cv.mean.mse, whole.test_mean[1], 1e-9)
   end)

   it("by parameter value", function()
      local curve = ml.validation_curve(ridge(1), Xd, yd,
         { param = "ridge__alpha", values = { 0.1, 1, 10, 100, 1000 } })
      for i = 1, 5 do
         local mean = 0
         for fold = 1, 5 do mean = mean + oracle.ridge[i][fold] / 5 end
         assert.near(mean, curve.test_mean[i], 1e-10)
      end
      assert.same({ 0.1, 1, 10, 100, 1000 }, curve.value:totable())
   end)
end)
