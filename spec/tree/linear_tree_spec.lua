local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses, data = support.near, support.near_all, support.refuses, support.data
local nan = 0 / 0

-- Ridge on the rows of a list, with scaled columns. Returns the model and its residual sum of squares.
local function ridge(X, y, list, alpha, scale)
   local Z, t = {}, {}
   for i, row in ipairs(list) do
      Z[i], t[i] = {}, y[row]
      for j = 1, X.cols do Z[i][j] = X:get(row, j) * scale[j] end
   end
   local model = ml.Ridge { alpha = alpha }:fit(Z, t)
   local off = ml.Vector(t) - model:predict(Z)
   return model, off:dot(off)
end

-- The split with the smallest loss of two models, over all columns and values.
local function best_split(X, y, list, alpha, scale, min_rows)
   local best = { loss = math.huge }
   for j = 1, X.cols do
      local sorted = table.move(list, 1, #list, 1, {})
      table.sort(sorted, function(a, b) return X:get(a, j) < X:get(b, j) end)
      for k = min_rows, #sorted - min_rows do
         local low, high = X:get(sorted[k], j), X:get(sorted[k + 1], j)
         if low < high then
            local left, right = table.move(sorted, 1, k, 1, {}), table.move(sorted, k + 1, #sorted, 1, {})
            local _, l = ridge(X, y, left, alpha, scale)
            local _, r = ridge(X, y, right, alpha, scale)
            if l + r < best.loss * (1 - 1e-9) then
               best = { loss = l + r, feature = j, threshold = (low + high) / 2, left = left, right = right }
            end
         end
      end
   end
   return best
end

local function scales(X)
   local out = {}
   for j = 1, X.cols do
      local column = X:col(j)
      out[j] = 1 / math.sqrt(((column - column:mean()):square()):mean())
   end
   return out
end

local function sequence(n)
   local list = {}
   for i = 1, n do list[i] = i end
   return list
end

describe("LinearTreeRegressor", function()
   it("splits where two ridge models have the smallest loss", function()
      local X, e = ml.normal(60, 3, 4), ml.normal(60, nil, 5)
      local y = {}
      for i = 1, 60 do y[i] = (X:get(i, 2) < 0.2 and X:get(i, 1) or -2 * X:get(i, 3)) + 0.2 * e[i] end
      for _, alpha in ipairs { 0.01, 3 } do
         local scale = scales(X)
         local wanted = best_split(X, y, sequence(60), alpha, scale, 6)
         local tree = ml.LinearTreeRegressor { alpha = alpha, max_depth = 1, min_samples_leaf = 6, unpruned = true }
         local nodes = tree:fit(X, y):nodes()
         assert.equal(wanted.feature, nodes.feature[1])
         near(wanted.threshold, nodes.threshold[1], 1e-12)
         near(wanted.loss, nodes.impurity[2] * nodes.cover[2] + nodes.impurity[3] * nodes.cover[3], 1e-9)
         for side, list in ipairs { wanted.left, wanted.right } do
            local model = ridge(X, y, list, alpha, scale)
            near(model.intercept, tree.intercept[side], 1e-9, "intercept", 1)
            for j = 1, 3 do near(model.coef[j] * scale[j], tree.coef:get(side, j), 1e-9, "coef", 1) end
         end
      end
   end)

   it("finds the regimes of simulated data, and no more", function()
      local X, e = ml.normal(1500, 4, 1), ml.normal(1500, nil, 2)
      local y, straight = {}, {}
      for i = 1, 1500 do
         local a, b, c = X:get(i, 1), X:get(i, 2), X:get(i, 3)
         y[i] = (a <= 0.3 and 2 * b - 1 or c <= -0.5 and 3 - b or a - 2 * c) + 0.3 * e[i]
         straight[i] = a - b + e[i]
      end
      local tree = ml.LinearTreeRegressor {}:fit(X, y)
      local nodes = tree:nodes()
      assert.equal(5, nodes.rows)
      assert.equal(1, nodes.feature[1])
      near(0.3, nodes.threshold[1], 0.03)
      assert.equal(3, nodes.feature[3])
      near(-0.5, nodes.threshold[3], 0.03)
      near_all({ 0, 2, 0, 0, 0, -1, 0, 0, 1, 0, -2, 0 }, tree.coef:flatten(), 0.1, "coef", 1)
      near_all({ -1, 3, 0 }, tree.intercept, 0.1, "intercept", 1)
      assert.equal(1, ml.LinearTreeRegressor {}:fit(X, straight):nodes().rows)
      assert(ml.LinearTreeRegressor { unpruned = true }:fit(X, straight):nodes().rows > 50)
   end)

   it("scores better than a tree of means and than a linear model", function()
      local frame = ml.read_csv "examples/data/california_housing.csv":dropna()
      local X, y = frame:select { "median_income", "latitude", "longitude", "housing_median_age" }:matrix(),
         frame.median_house_value
      local train, test = {}, {}
      for i = 1, X.rows do table.insert(i % 4 == 0 and test or train, i) end
      local function score(model) return model:fit(X:take(train), y:take(train)):score(X:take(test), y:take(test)) end
      local linear_leaves = score(ml.LinearTreeRegressor { max_depth = 6 })
      assert(linear_leaves > 0.70)
      assert(linear_leaves > score(ml.DecisionTreeRegressor { max_depth = 6 }) + 0.05)
      assert(linear_leaves > score(ml.LinearRegression {}) + 0.1)
   end)

   it("smooths the models of a path", function()
      local X, y = {}, {}
      for i = 1, 40 do X[i], y[i] = { i }, i <= 20 and i or 100 - 3 * i end
      local function fitted(smoothing)
         return ml.LinearTreeRegressor { smoothing = smoothing, max_depth = 1, alpha = 1e-9 }:fit(X, y)
      end
      local root = ml.LinearRegression {}:fit(X, y)
      local sharp, smooth = fitted(0), fitted(15)
      near_all({ 1, -3 }, sharp.coef:flatten(), 1e-9)
      for leaf = 1, 2 do -- y = (n y_leaf + 15 y_root) / (n + 15)
         near((20 * sharp.coef:get(leaf, 1) + 15 * root.coef[1]) / 35, smooth.coef:get(leaf, 1), 1e-9)
         near((20 * sharp.intercept[leaf] + 15 * root.intercept) / 35, smooth.intercept[leaf], 1e-9)
      end
   end)

   it("writes its models as text", function()
      local X, y = {}, {}
      for i = 1, 40 do X[i], y[i] = { i, 7 }, i <= 20 and 2 * i or 101 - 3 * i end
      local tree = ml.LinearTreeRegressor { alpha = 1e-12 }:fit(X, y)
      assert.matches("^x1 <= 20.5: %S+ %+ 2 x1  %(20%)\nx1 > 20.5: 101 %- 3 x1  %(20%)\n$", tree:text())
      assert.equal("x1 > 20.5", tree:rules().rule[2])
      assert.equal("101 - 3 x1", tree:rules().answer[2])
      near_all({ 10, 101 - 3 * 60 }, tree:predict { { 5, 7 }, { 60, 7 } }, 1e-6) -- linear extrapolation
      assert.same({ 1, 0 }, tree.feature_importances:totable())
   end)

   it("accepts duplicate and constant columns, few rows and chains", function()
      local X = { { 1, 1, 5 }, { 2, 2, 5 }, { 3, 3, 5 }, { 4, 4, 5 } }
      near_all({ 2, 4, 6, 8 }, ml.LinearTreeRegressor { alpha = 1e-6 }:fit(X, { 2, 4, 6, 8 }):predict(X), 1e-4)
      local two = ml.LinearTreeRegressor {}:fit({ { 1 }, { 2 } }, { 3, 3 })
      assert.same({ 3, 3 }, two:predict({ { 0 }, { 9 } }):totable())
      assert.equal(7, ml.LinearTreeRegressor {}:fit({ { 1 } }, { 7 }):predict({ { 5 } })[1])
      local rows, y = {}, {}
      for i = 1, 2000 do rows[i], y[i] = { i }, 1.01 ^ i end
      local chain = ml.LinearTreeRegressor { min_samples_leaf = 1, unpruned = true, alpha = 1e-9 }:fit(rows, y)
      assert(chain:score(rows, y) > 0.999)
   end)

   it("does not depend on the number of threads", function()
      local X, y = data("diabetes", "progression")
      support.same_for_any_threads(function() return ml.LinearTreeRegressor { unpruned = true }:fit(X, y) end)
   end)

   it("accepts columns whose squares underflow", function()
      local X = ml.normal(60, 2, 4)
      local y = X:col(1) * 2 - X:col(2)
      local plain = ml.LinearTreeRegressor {}:fit(X, y):predict(X)
      local tiny = ml.LinearTreeRegressor {}:fit(X * 2.0 ^ -700, y):predict(X * 2.0 ^ -700)
      for i = 1, 60 do assert.near(plain[i], tiny[i], 1e-12) end
   end)

   it("refuses invalid input", function()
      refuses("LinearTreeRegressor.*X", function() ml.LinearTreeRegressor {}:fit({ { 1 / 0 }, { 1 } }, { 0, 1 }) end)
      refuses("LinearTreeRegressor.*1e%+200 in column 2", function()
         ml.LinearTreeRegressor {}:fit({ { nan, 2 }, { 2, 1e200 } }, { 0, 1 })
      end)
      refuses("LinearTreeRegressor.*1e%+200", function()
         ml.LinearTreeRegressor {}:fit({ { 1e200 }, { 2 } }, { 0, 1 })
      end)
      refuses("LinearTreeRegressor.*1e%+200", function()
         ml.LinearTreeRegressor {}:fit({ { 1 }, { 2 } }, { 1e200, 1 })
      end)
      refuses("LinearTreeRegressor: alpha must be > 0, got 0", function() ml.LinearTreeRegressor { alpha = 0 } end)
   end)
end)
