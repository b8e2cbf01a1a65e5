-- Many rows are predicted by quantized trees, few rows by walking down: the predictions are bitwise the same.
local ml = require "manilius"

local nan = 0 / 0
local ROWS, FEW = 700, 50

local letters = { "a", "b", "c", "d", "e", "f", "g" }

--- Two numeric columns with missing values, one with few values, and a factor.
local function frame(seed, levels)
   local u, x, z, w, f = ml.random(ROWS, 4, seed), {}, {}, {}, {}
   for i = 1, ROWS do
      x[i] = i % 8 == 0 and nan or math.floor(u:get(i, 1) * 40) / 8 - 2
      z[i] = i % 9 == 0 and nan or u:get(i, 2) * 4 - 2
      w[i] = math.floor(u:get(i, 3) * 3)
      f[i] = i % 11 == 0 and "none" or letters[math.floor(u:get(i, 4) * levels) + 1]
   end
   return ml.Frame { { "x", x }, { "z", z }, { "w", w }, { "f", f } }
end

local function target(X, classes)
   local y, x, z = {}, X.x, X.z
   for i = 1, ROWS do
      local value = (x[i] == x[i] and x[i] or 1) + (z[i] == z[i] and math.sin(3 * z[i]) or -1)
         + (X.f[i] == "a" and 2 or X.f[i] == "c" and -1 or 0) + math.sin(i * i) / 2
      y[i] = classes and letters[math.floor(math.max(0, math.min(classes - 1, value + 2))) + 1] or value
   end
   return y
end

--- Compare predict(rows) for all rows at once with some rows at a time.
local function same_in_parts(X, predict)
   local whole, parts = ml.Matrix(predict(X)), {}
   for first = 1, ROWS, FEW do
      local part = ml.Matrix(predict(X:slice(first, first + FEW - 1)))
      for i = 1, part.rows do parts[#parts + 1] = part[i]:totable() end
   end
   assert.equal(ROWS, #parts)
   assert.equal(ROWS, whole.rows)
   for i = 1, ROWS do assert.same(parts[i], whole[i]:totable()) end
end

local boosted = { max_iter = 25, min_samples_leaf = 2, early_stopping = "no" }

describe("predictions of many rows by small trees", function()
   it("equal those of few rows: boosted regression with missing values and unseen levels", function()
      local X = frame(1, 5)
      local model = ml.HistGradientBoostingRegressor(boosted):fit(X, target(X))
      local spread = model:predict(X):totable()
      table.sort(spread)
      assert(spread[ROWS] - spread[1] > 2)
      for seed = 1, 3 do
         same_in_parts(frame(seed, 7), function(rows) return model:predict(rows) end)
      end
   end)

   it("equal those of few rows: boosted classification with two and five classes", function()
      local X = frame(2, 7)
      for _, classes in ipairs { 2, 5 } do
         local model = ml.HistGradientBoostingClassifier(boosted):fit(X, target(X, classes))
         assert.equal(classes, #model.classes)
         same_in_parts(frame(4, 7), function(rows) return model:decision_function(rows) end)
      end
   end)

   it("equal those of few rows: forests with pure leaves, shares, and several targets", function()
      local X = frame(3, 7)
      local y = target(X)
      local both = {}
      for i = 1, ROWS do both[i] = { y[i], y[ROWS + 1 - i] } end
      for _, depth in ipairs { 1, 4, 6 } do
         local settings = { n_estimators = 12, max_depth = depth, seed = depth }
         local classes = ml.RandomForestClassifier(settings):fit(X, target(X, 4))
         same_in_parts(frame(5, 7), function(rows) return classes:predict_proba(rows) end)
         same_in_parts(frame(6, 7), function(rows) return classes:apply(rows) end)
         local reals = ml.ExtraTreesRegressor(settings):fit(X, both)
         same_in_parts(frame(7, 7), function(rows) return reals:predict(rows) end)
         local one = ml.RandomForestRegressor(settings):fit(X, y)
         same_in_parts(frame(8, 7), function(rows) return one:predict(rows) end)
      end
   end)

   it("equal those of few rows: a single leaf, and a split by missing values", function()
      local x, y = {}, {}
      for i = 1, ROWS do
         x[i] = { i % 3 == 0 and nan or 1, i }
         y[i] = i % 3 == 0 and 5 or 1
      end
      local X = ml.Matrix(x)
      local leaf = ml.DecisionTreeRegressor { min_samples_split = 2 * ROWS }:fit(X, y)
      assert.equal(1, leaf:apply(X)[ROWS])
      same_in_parts(X, function(rows) return leaf:predict(rows) end)
      local tree = ml.DecisionTreeRegressor { max_depth = 1 }:fit(X, y)
      local got = tree:predict(X)
      for i = 1, ROWS do assert.near(y[i], got[i], 1e-12) end
      same_in_parts(X, function(rows) return tree:predict(rows) end)
   end)

   it("equal those of few rows: values beyond the range of the training data", function()
      local x, y = ml.normal(ROWS, 3, 9), {}
      for i = 1, ROWS do y[i] = x:get(i, 1) * x:get(i, 2) end
      local model = ml.HistGradientBoostingRegressor(boosted):fit(x, y)
      local far = (x * 1e300):copy()
      same_in_parts(far, function(rows) return model:predict(rows) end)
      same_in_parts(x, function(rows) return model:predict(rows) end)
      local forest = ml.RandomForestRegressor { n_estimators = 9, max_depth = 3 }:fit(x, y)
      assert.same(forest:predict(x):totable(), forest:predict(ml.Sparse(x)):totable())
   end)

   it("walk down if there are more thresholds than fit in a byte", function()
      local x, y = ml.normal(ROWS, 1, 10), {}
      for i = 1, ROWS do y[i] = math.sin(9 * x:get(i, 1)) end
      local model = ml.ExtraTreesRegressor { n_estimators = 30, max_depth = 5 }:fit(x, y)
      same_in_parts(x, function(rows) return model:predict(rows) end)
   end)
end)
