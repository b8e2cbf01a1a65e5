-- Boosting from the predictions of another model. Values of scikit-learn: spec/fixtures/boosting/gradient_boosting.py.
local ml = require "manilius"
local compare = require "spec.fixtures.boosting.gradient_boosting_agrees"
local support = require "spec.support"

local function curve(n, seed)
   local X, noise, y = ml.normal(n, 3, seed), ml.normal(n, nil, seed + 50), {}
   for i = 1, n do y[i] = math.sin(2 * X:get(i, 1)) + X:get(i, 2) ^ 2 + 0.3 * noise[i] end
   return X, y
end

describe("boosting with a model for init", function()
   -- scikit-learn passes single precision to init there.
   local function agrees(name, model, file, target, weighted)
      compare(name, model, file, target, weighted, 1e-4, 1)
   end

   it("agrees with scikit-learn", function()
      for _, loss in ipairs { "squared_error", "huber" } do
         agrees("init_" .. loss, ml.GradientBoostingRegressor { loss = loss, init = ml.LinearRegression {},
            n_estimators = 30, max_depth = 2, min_weight_fraction_leaf = 0.02 }, "diabetes", "progression", true)
      end
      local smooth = ml.GaussianNB { var_smoothing = 1 }
      for _, loss in ipairs { "log_loss", "exponential" } do
         agrees("init_breast_" .. loss, ml.GradientBoostingClassifier { loss = loss, init = smooth,
            n_estimators = 20, max_depth = 2, min_samples_leaf = 5 }, "breast_cancer", "diagnosis")
      end
      agrees("init_wine", ml.GradientBoostingClassifier { init = smooth, n_estimators = 30, max_depth = 2,
         min_samples_leaf = 5 }, "wine", "class")
   end)

   it("learns the residuals of a linear model, also with histograms", function()
      local X, y = curve(400, 1)
      local X_test, y_test = curve(400, 2)
      for name, rounds in pairs { GradientBoostingRegressor = "n_estimators",
         HistGradientBoostingRegressor = "max_iter" } do
         local model = ml[name] { init = ml.Ridge {}, [rounds] = 60 }:fit(X, y)
         assert.equal(60, model.n_iter)
         assert(model:score(X_test, y_test) > model.init:score(X_test, y_test) + 0.4)
         local rest = model.init:predict(X) + model.boosting:predict(X)
         assert.same(rest:totable(), model:predict(X):totable())
         support.near_all(rest:totable(), model:staged(X):col(60):totable(), 1e-12, name, 1e-3)
      end
   end)

   it("multiplies predictions if the loss has a log link", function()
      local X, y = curve(300, 3)
      for i = 1, #y do y[i] = math.floor(math.max(0, y[i] + 2)) end
      local init = ml.RandomForestRegressor { n_estimators = 5, max_depth = 3 }
      local model = ml.HistGradientBoostingRegressor { loss = "poisson", init = init, max_iter = 10 }
      local exact = ml.GradientBoostingRegressor { loss = "tweedie", init = init, n_estimators = 10 }
      for _, boosted in ipairs { model, exact } do
         boosted:fit(X, y)
         support.near_all((boosted.init:predict(X):mul(boosted.boosting:predict(X))):totable(),
            boosted:predict(X):totable(), 1e-14, "counts")
         support.near_all(boosted:predict(X):totable(), boosted:staged(X):col(10):totable(), 1e-12, "staged")
      end
   end)

   it("has probabilities that agree with its decisions, also after loading", function()
      for _, file in ipairs { { "breast_cancer", "diagnosis" }, { "wine", "class" } } do
         local X, y = support.data(file[1], file[2])
         local model = ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 5 }:fit(X, y)
         local p, f = model:predict_proba(X), model:decision_function(X)
         for i = 1, X.rows, 7 do
            support.near(1, p[i]:sum(), 1e-12)
            if p.cols == 2 then support.near(1 / (1 + math.exp(-f[i])), p:get(i, 2), 1e-12) end
            if p.cols > 2 then support.near(math.exp(f:get(i, 1) - f:get(i, 3)), p:get(i, 1) / p:get(i, 3), 1e-10) end
         end
         local stages = model:staged(X)
         local last = p.cols == 2 and f:totable() or f:col(3):copy():totable()
         support.near_all(last, stages:col(stages.cols):totable(), 1e-12, "stages", 1e-3)
         local again = ml.load(model:dump())
         assert.same(p:totable(), again:predict_proba(X):totable())
         assert.same(model:predict(X):totable(), again:predict(X):totable())
      end
   end)

   it("continues with warm_start from its fitted init", function()
      local X, y = curve(150, 4)
      local function made(n, warm)
         return ml.GradientBoostingRegressor { init = ml.Ridge {}, n_estimators = n, warm_start = warm }
      end
      local model = made(5, true):fit(X, y)
      model:set_params { boosting__n_estimators = 12 }
      assert.same(made(12):fit(X, y):predict(X):totable(), model:fit(X, y):predict(X):totable())
      assert.equal(12, model.n_iter)
   end)

   it("is searched, and refuses invalid settings by name", function()
      local X, y = curve(80, 5)
      local model = ml.GradientBoostingRegressor { init = ml.Ridge {}, n_estimators = 5 }
      local search = ml.GridSearch { model, { init__alpha = { 0.1, 10 }, boosting__max_depth = { 1, 2 } }, cv = 3 }
      assert.equal(4, #search:fit(X, y).results.rank)
      support.refuses("BoostedRegressor: init must be an estimator that can regress and has predict, got GaussianNB",
         function() ml.GradientBoostingRegressor { init = ml.GaussianNB {} } end)
      support.refuses("BoostedClassifier: init must be an estimator that can classify and has predict_proba",
         function() ml.HistGradientBoostingClassifier { init = ml.Perceptron {} } end)
      support.refuses("boosting must be a GradientBoosting or HistGradientBoosting estimator that can "
         .. "regress, got Ridge", function() ml.BoostedRegressor { init = ml.Ridge {}, boosting = ml.Ridge {} } end)
      support.refuses("did you mean 'zero'", function() ml.GradientBoostingRegressor { init = "zer" } end)
      support.refuses("member 'init': IsotonicRegression: X must have 1 column", function()
         ml.GradientBoostingRegressor { init = ml.IsotonicRegression {} }:fit(X, y)
      end)
      support.refuses("BoostedClassifier: member 'init': GaussianNB: X must have 2 columns", function()
         local mended = ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 2 }
         mended:fit({ { 1, 2 }, { 2, 1 }, { 3, 4 }, { 4, 2 } }, { "a", "a", "b", "b" }):predict { { 1 } }
      end)
   end)
end)

-- With the initial scores of a plain fit as init_score the trees must be the same; predict does not include them.
describe("init_score", function()
   local X, y = curve(200, 6)
   local kinds, counts = {}, {}
   for i = 1, #y do
      kinds[i] = y[i] > 2 and "high" or y[i] > 0 and "middle" or "low"
      counts[i] = math.max(0, math.floor(y[i] + 2)) + 0.0
   end

   local function begun(rows_of, start)
      local list = {}
      for i = 1, rows_of do list[i] = start:totable() end
      return #start == 1 and ml.Matrix(list):flatten() or ml.Matrix(list)
   end

   local function same_trees(name, settings, target, options)
      settings.min_samples_leaf = 5
      options = options or {}
      local plain = ml[name](settings):fit(X, target, options)
      options.init_score = begun(#y, plain.start)
      local model = ml[name](settings):fit(X, target, options)
      assert.equal(0, model.start:abs():max())
      local stages, wanted = model:staged(X), plain:staged(X)
      for c = 1, stages.cols do
         local before = plain.start[(c - 1) % #plain.start + 1]
         local log_link = settings.loss == "poisson" or settings.loss == "gamma"
         local got = log_link and stages:col(c) * math.exp(before) or stages:col(c) + before
         support.near_all(wanted:col(c):totable(), got:totable(), 1e-10, name, 1e-3)
      end
      return model
   end

   it("replaces the constant of every kind of boosting", function()
      same_trees("GradientBoostingRegressor", { loss = "huber", n_estimators = 6, n_iter_no_change = 4 }, y)
      same_trees("GradientBoostingClassifier", { n_estimators = 4, subsample = 0.7 }, kinds)
      same_trees("HistGradientBoostingRegressor", { loss = "poisson", max_iter = 6 }, counts)
      same_trees("HistGradientBoostingRegressor", { max_iter = 8, booster = "dart", rate_drop = 0.5 }, y)
      same_trees("HistGradientBoostingClassifier", { max_iter = 5, early_stopping = "yes" }, kinds)
      same_trees("HistGradientBoostingRanker", { max_iter = 5 }, counts, { lengths = { 50, 100, 50 } })
   end)

   it("fits the residuals for squared error", function()
      local before, rest = ml.normal(#y, nil, 9), {}
      for i = 1, #y do rest[i] = y[i] - before[i] end
      for name, rounds in pairs { GradientBoostingRegressor = "n_estimators",
         HistGradientBoostingRegressor = "max_iter" } do
         local model = ml[name] { [rounds] = 10, min_samples_leaf = 5 }
         local one = model:fit(X, y, { init_score = before }):predict(X)
         local two = model:fit(X, rest, { init_score = ml.Vector(#y, 0) }):predict(X)
         support.near_all(two:totable(), one:totable(), 1e-9, name, 1e-2)
      end
   end)

   it("follows its rows: with fit_async, weights of 0, and repeated fits", function()
      local before, weights = ml.normal(#y, nil, 10), {}
      for i = 1, #y do weights[i] = i % 3 == 0 and 0 or 1 end
      local kept = ml.Vector(weights):nonzero()
      local options = { weights = weights, init_score = before }
      local function made(n, warm) return ml.HistGradientBoostingRegressor { max_iter = n, warm_start = warm } end
      local model = made(6):fit(X, y, options)
      local few = made(6):fit(X:take(kept), ml.Vector(y):take(kept), { init_score = before:take(kept) })
      assert.equal(few:dump(), model:dump())
      assert.equal(model:dump(), made(6):fit_async(X, y, options):wait():dump())
      local warm = made(2, true):fit(X, y, options)
      assert.same(model:predict(X):totable(),
         warm:set_params({ max_iter = 6 }):fit(X, y, options):predict(X):totable())
   end)

   it("is refused if its shape or values are invalid", function()
      local function refuses(pattern, name, target, score)
         support.refuses(pattern, function() ml[name] {}:fit(X, target, { init_score = score }) end)
      end
      local short, spoilt, flat = ml.Vector(7, 0), ml.Vector(#y, 0), ml.Vector(#y, 0)
      spoilt[9] = 0 / 0
      refuses("init_score must have as many rows as X, 200, got 7", "GradientBoostingRegressor", y, short)
      refuses("init_score must be finite, got %-?nan in row 9", "HistGradientBoostingRegressor", y, spoilt)
      refuses("init_score must have 3 columns %(one per class%), got 1", "HistGradientBoostingClassifier", kinds,
         flat)
      refuses("init_score must have 1 column, got 2", "GradientBoostingRegressor", y, ml.zeros(#y, 2))
      refuses("Ridge does not support the option 'init_score'", "Ridge", y, flat)
   end)
end)
