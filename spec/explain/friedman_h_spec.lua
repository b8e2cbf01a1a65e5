-- Friedman's H compared with its formula, evaluated by explicit loops.
local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.explain.interactions"
local near, refuses = support.near, support.refuses

local cars = ml.read_csv("examples/data/auto_mpg.csv"):dropna "horsepower"
local X, y = cars:select("horsepower", "weight", "acceleration"), cars.mpg

-- The centered partial dependence on the columns `set` at each row.
local function dependence(model, list, set)
   local out, n = {}, #list
   for i = 1, n do
      local mixed = {}
      for b = 1, n do
         mixed[b] = {}
         for j = 1, #list[1] do mixed[b][j] = set[j] and list[i][j] or list[b][j] end
      end
      out[i] = model:predict(ml.Matrix(mixed)):mean()
   end
   local v = ml.Vector(out)
   return v - v:mean()
end

describe("ml.friedman_h", function()
   it("is its formula for pairs and for a column with all others", function()
      local A = ml.Matrix(X):slice(1, 25):copy()
      local model = ml.KNeighborsRegressor { n_neighbors = 7 }:fit(ml.Matrix(X), y)
      local result, list = ml.friedman_h(model, A), A:totable()
      local function h(rest, whole) return math.sqrt(rest:dot(rest) / whole:dot(whole)) end
      local F = function(set) return dependence(model, list, set) end
      local names = { x1 = 1, x2 = 2, x3 = 3 }
      for i = 1, 3 do
         local j, k = names[result.pairs.first[i]], names[result.pairs.second[i]]
         local both = F { [j] = true, [k] = true }
         near(h(both - F { [j] = true } - F { [k] = true }, both), result.pairs.h[i], 1e-9)
         local one = names[result.total.feature[i]]
         local f, others = model:predict(A), { true, true, true }
         others[one] = nil
         f = f - f:mean()
         near(h(f - F { [one] = true } - F(others), f), result.total.h[i], 1e-9)
      end
   end)

   it("agrees with partial dependence of scikit-learn on a smooth model", function()
      local A = ml.Matrix(cars:select("horsepower", "weight", "acceleration", "model_year"))
      local model = ml.Pipeline { ml.StandardScaler {}, ml.KernelRidge { alpha = 0.1, kernel = "rbf", gamma = 0.3 } }
      local result = ml.friedman_h(model:fit(A, y), A:slice(1, 30):copy())
      for i = 1, 6 do
         local j, k = result.pairs.first[i]:sub(2), result.pairs.second[i]:sub(2)
         near(wanted.pairs[j < k and j .. ", " .. k or k .. ", " .. j], result.pairs.h[i], 1e-7)
      end
      for i = 1, 4 do near(wanted.total[tonumber(result.total.feature[i]:sub(2))], result.total.h[i], 1e-7) end
   end)

   it("is 0 for additive and constant models, and 1 for a product of centered columns", function()
      local linear = ml.friedman_h(ml.Ridge {}:fit(X, y), X, { max_rows = 40 })
      assert(linear.pairs.h:max() < 1e-9 and linear.total.h:max() < 1e-9)
      local constant = ml.friedman_h(ml.DummyRegressor {}:fit(X, y), X, { max_rows = 10 })
      assert.equal(0, constant.total.h:max())
      local A = ml.Matrix { { -1, -1 }, { -1, 1 }, { 1, -1 }, { 1, 1 } }
      local product = ml.DecisionTreeRegressor {}:fit(A, { 1, -1, -1, 1 })
      near(1, ml.friedman_h(product, A).pairs.h[1], 1e-12)
      assert.matches("x1 x x2", tostring(ml.friedman_h(product, A)))
   end)

   it("reports invalid arguments", function()
      local model = ml.Ridge {}:fit(X, y)
      refuses("column must be one of .*, got 'wait'", function()
         ml.friedman_h(model, X, { columns = { "wait", "weight" } })
      end)
      refuses("must be different, got 'weight' twice", function() ml.friedman_h(model, X, { columns = { 2, 2 } }) end)
      refuses("columns must be a list", function() ml.friedman_h(model, X, { columns = {} }) end)
      refuses("X must have at least two rows, got 1", function() ml.friedman_h(model, X:head(1)) end)
      refuses("call fit before predict", function() ml.friedman_h(ml.Ridge {}, X) end)
   end)

   it("draws the pairs", function()
      local h = ml.friedman_h(ml.DecisionTreeRegressor { max_depth = 4 }:fit(X, y), X, { max_rows = 30 })
      local figure = h:plot { top = 3 }
      assert.equal("Friedman's H", figure.panels[1].x)
      assert.matches(h.pairs.first[1] .. " x " .. h.pairs.second[1], figure:svg())
      assert.has_error(function() h:plot { top = 0 } end, "plot: top must be a whole number >= 1, got 0")
   end)
end)
