-- Folds whose models are fitted at once, by passes over all of X.
local ml = require "manilius"

describe("models of folds that are fitted together", function()
   local N, P = 26000, 5
   local X = ml.normal(N, P, 1)

   local function labels(flipped)
      local u, names = ml.random(N, nil, 2), {}
      for i = 1, N do
         local score = X:get(i, 1) - 0.5 * X:get(i, 2) + 0.3
         names[i] = (u[i] < 1 / (1 + math.exp(-score))) ~= (flipped[i] or false) and "yes" or "no"
      end
      return ml.Factor(names)
   end

   local y = labels {}
   local cv = ml.StratifiedKFold { k = 5, seed = 3 }
   local splits
   splits = cv:split(X, y)

   local function models(model, target, options)
      options = options or {}
      options.cv, options.return_models = options.cv or splits, true
      return ml.cross_validate(model, X, target, options).models
   end

   it("agree with fits to the rows of each fold", function()
      for _, intercept in ipairs { true, false } do
         local model = ml.LogisticRegression { C = 0.01, fit_intercept = intercept }
         for f, found in ipairs(models(model, y)) do
            local alone = model:clone():fit(X:take(splits[f].train), y:take(splits[f].train))
            assert.is_true(found.converged)
            assert.near(alone.objective, found.objective, 1e-9 * alone.objective) -- both within tol = 1e-10
            for j = 1, P do assert.near(alone.coef:get(1, j), found.coef:get(1, j), 1e-5) end
            assert.near(alone.intercept, found.intercept, 1e-5)
         end
      end
   end)

   it("depend on their training rows only, to the last bit", function()
      local flipped = {}
      for _, i in ipairs(splits[1].test:totable()) do flipped[i | 0] = true end
      local before, after = models(ml.LogisticRegression {}, y)[1], models(ml.LogisticRegression {}, labels(flipped))[1]
      for j = 1, P do assert.equal(before.coef:get(1, j), after.coef:get(1, j)) end
      assert.equal(before.intercept, after.intercept)
   end)

   it("do not depend on the number of threads", function()
      local one, two = models(ml.LogisticRegression {}, y, { threads = 1 }), models(ml.LogisticRegression {}, y)
      for f = 1, #one do assert.equal(one[f].coef:get(1, 1), two[f].coef:get(1, 1)) end
   end)

   it("refuse values that a model cannot take, wherever they stand, though X is checked once for all folds", function()
      local small, target = X:take(ml.range(1, 60)), X:col(1):take(ml.range(1, 60))
      local function score(value, model, names)
         local changed = small:copy()
         changed[47][2] = value
         return ml.cross_validate(model, changed, names or target, { cv = 3 }).mean.r2
      end
      assert.is_true(score(1e200, ml.DecisionTreeRegressor {}) > 0)
      assert.is_true(score(0 / 0, ml.DecisionTreeRegressor {}) > 0)
      assert.error_matches(function() score(1 / 0, ml.Ridge {}) end, "X must be finite, got inf in row 47, column 2")
      local names = y:take(ml.range(1, 60))
      assert.error_matches(function() score(1e200, ml.GaussianNB {}, names) end, "X must hold numbers below 1e100")
   end)

   it("count a row as often as the split names it", function()
      local drawn = ml.random(N, nil, 4):map(function(u) return u * N // 1 + 1 end)
      local twice = { { train = drawn, test = splits[1].test }, splits[2] }
      local found = models(ml.LogisticRegression {}, y, { cv = twice })[1]
      local alone = ml.LogisticRegression {}:fit(X:take(drawn), y:take(drawn))
      for j = 1, P do assert.near(alone.coef:get(1, j), found.coef:get(1, j), 1e-5) end
   end)

   it("keep class weights, weights and errors of single fits", function()
      local balanced = ml.LogisticRegression { class_weight = "balanced" }
      local alone = balanced:clone():fit(X:take(splits[1].train), y:take(splits[1].train))
      assert.near(alone.coef:get(1, 1), models(balanced, y)[1].coef:get(1, 1), 1e-5)
      local weights = ml.random(N, nil, 5)
      local weighted = ml.LogisticRegression {}:fit(X:take(splits[1].train), y:take(splits[1].train),
         { weights = weights:take(splits[1].train) })
      assert.near(weighted.coef:get(1, 1), models(ml.LogisticRegression {}, y, { weights = weights })[1].coef:get(1, 1),
         1e-5)
      local broken = X:copy()
      broken:set(7, 1, 0 / 0)
      assert.has_error(function() ml.cross_validate(ml.LogisticRegression {}, broken, y) end)
   end)

   it("predict many test rows as the models themselves, to the last bit", function()
      local wide, k = ml.normal(60000, 20, 6), 4
      local target = ml.Factor((wide:col(1) + wide:col(2)):gt(0.3))
      local folds = ml.KFold { k = k, seed = 1 }:split(wide)
      local options = { cv = folds, return_models = true, scoring = { "log_loss", "accuracy" } }
      local found = ml.cross_validate(ml.LogisticRegression { C = 0.01 }, wide, target, options)
      for f = 1, k do
         local X_test, y_test = wide:take(folds[f].test), target:take(folds[f].test)
         assert.equal(ml.metrics.log_loss(y_test, found.models[f]:predict_proba(X_test)), found.scores.log_loss[f])
         assert.equal(ml.metrics.accuracy(y_test, found.models[f]:predict(X_test)), found.scores.accuracy[f])
      end
      local response = wide:col(1) - wide:col(7)
      local predicted = ml.cross_val_predict(ml.Ridge {}, wide, response, { cv = folds })
      local models_of = ml.cross_validate(ml.Ridge {}, wide, response, { cv = folds, return_models = true }).models
      for f = 1, k do
         local own = models_of[f]:predict(wide:take(folds[f].test))
         assert.equal(0, (own - predicted:take(folds[f].test)):abs():max())
      end
   end)

   it("are the same if they are returned", function()
      local model = ml.LogisticRegression { C = 0.01 }
      local kept = ml.cross_validate(model, X, y, { cv = splits, scoring = "log_loss", return_models = true })
      local scored = ml.cross_validate(model, X, y, { cv = splits, scoring = "log_loss" })
      for f = 1, #splits do assert.equal(scored.scores.log_loss[f], kept.scores.log_loss[f]) end
   end)
end)

describe("least squares of folds that are fitted together", function()
   local N, P = 12000, 12
   local X, Y = ml.normal(N, P, 1), ml.normal(N, 2, 2)
   for i = 1, N do
      for j = 1, P do X:set(i, j, 100 * j + X:get(i, j) * j + X:get(i, 1 + j % 3)) end
      for t = 1, 2 do Y:set(i, t, Y:get(i, t) + 0.3 * X:get(i, 2) - t * X:get(i, 5)) end
   end
   local y = Y:col(1):copy()

   local function largest_difference(model, target, splits)
      local found, worst = ml.cross_validate(model, X, target, { cv = splits, return_models = true }).models, 0
      for f, split in ipairs(splits) do
         local alone = model:clone():fit(X:take(split.train), target:take(split.train))
         local difference = (alone:predict(X) - found[f]:predict(X)):abs()
         worst = math.max(worst, difference:max())
      end
      return worst
   end

   local models = { ml.Ridge { alpha = 3 }, ml.LinearRegression {}, ml.LinearRegression { inference = false } }

   -- Both solutions have 11 digits, and predictions are below 1e4.
   it("agree with fits to the rows of each fold", function()
      local five = ml.KFold { k = 5, seed = 3 }:split(X)
      local repeated = ml.RepeatedKFold { k = 3, repeats = 2, seed = 4 }:split(X)
      local half = ml.ShuffleSplit { n = 3, test = 0.4, seed = 5 }:split(X)
      for _, model in ipairs(models) do
         for _, splits in ipairs { five, repeated, half } do
            assert.near(0, largest_difference(model, y, splits), 1e-8)
         end
         assert.near(0, largest_difference(model, Y, five), 1e-8)
      end
   end)

   it("leave the same summary", function()
      local splits = ml.KFold { k = 4, seed = 3 }:split(X)
      local found = ml.cross_validate(ml.LinearRegression {}, X, y, { cv = splits, return_models = true }).models
      for f, split in ipairs(splits) do
         local alone = ml.LinearRegression {}:fit(X:take(split.train), y:take(split.train))
         assert.equal(tostring(alone:summary()), tostring(found[f]:summary()))
         local own, joint = alone:anova(), found[f]:anova()
         for _, name in ipairs { "df", "sum_sq", "f", "p" } do
            for i = 1, P do assert.near(own[name][i], joint[name][i], 1e-9 * math.abs(own[name][i])) end
         end
      end
   end)

   it("depend on their training rows only, to the last bit", function()
      local splits = ml.KFold { k = 5, seed = 3 }:split(X)
      local other_X, other_y = X:copy(), y:copy()
      for _, i in ipairs(splits[2].test:totable()) do
         other_X:set(i | 0, 3, 7)
         other_y:set(i | 0, 1, -1e6)
      end
      for _, model in ipairs(models) do
         local options = { cv = splits, return_models = true }
         local before = ml.cross_validate(model, X, y, options)
         local after = ml.cross_validate(model, other_X, other_y, options)
         for j = 1, P do assert.equal(before.models[2].coef[j], after.models[2].coef[j]) end
         assert.equal(before.models[2].intercept, after.models[2].intercept)
         assert.not_equal(before.models[1].coef[3], after.models[1].coef[3])
      end
   end)

   it("count a row as often as the split names it", function()
      local drawn = ml.random(N, nil, 4):map(function(u) return u * N // 1 + 1 end)
      local splits = ml.KFold { k = 5, seed = 3 }:split(X)
      splits[2] = { train = drawn, test = splits[2].test }
      for _, model in ipairs(models) do assert.near(0, largest_difference(model, y, splits), 1e-8) end
   end)

   it("are those of single fits if X is collinear", function()
      local collinear = X:copy()
      for i = 1, N do collinear:set(i, 4, X:get(i, 1) + X:get(i, 2)) end
      local splits = ml.KFold { k = 3 }:split(X)
      local options = { cv = splits, return_models = true }
      local found = ml.cross_validate(ml.LinearRegression {}, collinear, y, options).models
      for f, split in ipairs(splits) do
         local alone = ml.LinearRegression {}:fit(collinear:take(split.train), y:take(split.train))
         assert.equal(P - 1, found[f].rank)
         for j = 1, P do assert.equal(alone.coef[j], found[f].coef[j]) end
      end
   end)

   it("do not depend on the number of threads", function()
      for _, model in ipairs(models) do
         local one = ml.cross_validate(model, X, y, { return_models = true, threads = 1 }).models
         local two = ml.cross_validate(model, X, y, { return_models = true }).models
         for f = 1, #one do for j = 1, P do assert.equal(one[f].coef[j], two[f].coef[j]) end end
      end
   end)
end)
