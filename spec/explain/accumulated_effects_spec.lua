-- Accumulated local effects compared with closed forms: lines, and the product of two columns.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local peer = require "spec.fixtures.explain.accumulated_effects"
local near, refuses = support.near, support.refuses

local cars = ml.read_csv("examples/data/auto_mpg.csv"):dropna "horsepower"
local X, y = cars:select("horsepower", "weight", "acceleration"), cars.mpg

describe("ml.accumulated_effects", function()
   it("is a line for a linear model, with mean 0 over the bins", function()
      local model = ml.Ridge {}:fit(X, y)
      local t = ml.accumulated_effects(model, X, "weight", { bins = 10 }).table
      assert.equal(11, #t.value)
      assert.equal(X.weight:min(), t.value[1])
      assert.equal(X.weight:max(), t.value[11])
      assert.equal(#y, t.count:sum())
      local mean = 0
      for k = 2, 11 do
         near(model.coef[2] * (t.value[k] - t.value[1]), t.effect[k] - t.effect[1], 1e-9)
         mean = mean + t.count[k] * (t.effect[k] + t.effect[k - 1]) / 2
      end
      assert(math.abs(mean) < 1e-8)
   end)

   it("has the slope of the mean of the other column in each bin for a product", function()
      local list, z = {}, {}
      for i = 1, 200 do
         local a = (i - 0.5) / 100 - 1
         list[i] = { a, a + 0.3 * math.sin(7 * i) }
         z[i] = list[i][1] * list[i][2]
      end
      local model = ml.Pipeline { ml.PolynomialFeatures { degree = 2 }, ml.LinearRegression {} }:fit(list, z)
      local t = ml.accumulated_effects(model, list, 1, { bins = 5 }).table
      for k = 2, 6 do
         local sum, count = 0, 0
         for _, row in ipairs(list) do
            local inside = row[1] <= t.value[k] and (row[1] > t.value[k - 1] or k == 2)
            if inside then sum, count = sum + row[2], count + 1 end
         end
         assert.equal(count, t.count[k])
         near(sum / count, (t.effect[k] - t.effect[k - 1]) / (t.value[k] - t.value[k - 1]), 1e-8)
      end
   end)

   it("is the product of the distances in both columns, without main effects, for a product", function()
      local list, z = {}, {}
      for i = 1, 300 do
         list[i] = { math.sin(i), math.cos(1.7 * i) ^ 3 }
         z[i] = 2 * list[i][1] * list[i][2] + list[i][1] ^ 2 - 3 * list[i][2]
      end
      local model = ml.Pipeline { ml.PolynomialFeatures { degree = 2 }, ml.LinearRegression {} }:fit(list, z)
      local result = ml.accumulated_effects(model, list, { 1, 2 }, { bins = 6 })
      local effect, count, a, b = result.effect, result.count, result.values[1], result.values[2]
      assert.equal(300, count:sum())
      local mean = 0
      for k = 2, 7 do
         local slope = 0
         for m = 2, 7 do
            local second = effect:get(k, m) - effect:get(k - 1, m) - effect:get(k, m - 1) + effect:get(k - 1, m - 1)
            near(2 * (a[k] - a[k - 1]) * (b[m] - b[m - 1]), second, 1e-8)
            slope = slope + count:get(k - 1, m - 1) * (effect:get(k, m) - effect:get(k - 1, m) + effect:get(k, m - 1)
               - effect:get(k - 1, m - 1)) / 2
            mean = mean + count:get(k - 1, m - 1) * (effect:get(k, m) + effect:get(k - 1, m) + effect:get(k, m - 1)
               + effect:get(k - 1, m - 1)) / 4
         end
         assert(math.abs(slope) < 1e-8) -- no effect of the first column alone is left
      end
      assert(math.abs(mean) < 1e-8)
      assert.matches("x2", result:plot():svg())
   end)

   it("agrees with PyALE on one column and two, with empty cells", function()
      local D, progression = support.data("diabetes", "progression")
      D = D:select("bmi", "bp", "s5")
      local model = ml.Pipeline { ml.StandardScaler {}, ml.PolynomialFeatures { degree = 3 },
         ml.LinearRegression {} }:fit(D, progression)
      local one = ml.accumulated_effects(model, D, "bmi", { bins = 13 }).table
      support.near_all(peer.one.value, one.value, 1e-12)
      support.near_all(peer.one.effect, one.effect, 1e-9, nil, 1)
      local two = ml.accumulated_effects(model, D, { "bmi", "s5" }, { bins = 13 })
      support.near_all(peer.two.first, two.values[1], 1e-12)
      support.near_all(peer.two.second, two.values[2], 1e-12)
      assert.equal(0, two.count:min())
      support.near_all(ml.Matrix(peer.two.effect):flatten(), two.effect:flatten(), 1e-9, nil, 1)
   end)

   it("is 0 for two columns of an additive model, and takes empty cells from the nearest", function()
      local additive = ml.accumulated_effects(ml.Ridge {}:fit(X, y), X, { "weight", "horsepower" })
      assert(additive.effect:abs():max() < 1e-9)
      assert.matches("accumulated over 10 x 10 bins of 392 rows", tostring(additive))
      -- second differences 5 in the cell of rows 1 to 3, 1 in the opposite one; the cell 2, 1 is as near to both
      local effect, count = core.explain.interaction({ 5, 5, 5, 1 }, { 1, 1, 1, 2 }, { 1, 1, 1, 2 }, { 0, 1, 2 },
         { 0, 1, 2 })
      assert.same({ { 3, 0 }, { 0, 1 } }, count:totable())
      near(5, effect:get(3, 2) - effect:get(2, 2) - effect:get(3, 1) + effect:get(2, 1), 1e-12)
   end)

   it("accepts columns of few values and classes, prints and draws", function()
      local model = ml.LogisticRegression {}:fit(cars:select("cylinders", "weight"), y:gt(25))
      local result = ml.accumulated_effects(model, cars:select("cylinders", "weight"), "cylinders")
      assert.same(cars.cylinders:unique():totable(), result.table.value:totable())
      assert.matches("effect on the probability of 1", tostring(result))
      assert.matches("cylinders", result:plot():svg())
   end)

   it("reports invalid arguments", function()
      local model = ml.Ridge {}:fit(X, y)
      refuses("column must be one of .*, got 'wait'", function() ml.accumulated_effects(model, X, "wait") end)
      refuses("bins must be a whole number >= 1, got 0", function()
         ml.accumulated_effects(model, X, 1, { bins = 0 })
      end)
      refuses("'weight' is constant", function()
         ml.accumulated_effects(model, X:with { weight = ml.full(#y, 1, 3):col(1) }, "weight")
      end)
      local tree = ml.DecisionTreeRegressor { max_depth = 2 }:fit(cars:select("origin", "weight"):with {
         origin = ml.Factor(cars.origin:totable()) }, y)
      refuses("'origin' is a factor", function()
         ml.accumulated_effects(tree, cars:select("origin", "weight"):with {
            origin = ml.Factor(cars.origin:totable()) }, "origin")
      end)
      refuses("call fit before predict", function() ml.accumulated_effects(ml.Ridge {}, X, 1) end)
   end)
end)
