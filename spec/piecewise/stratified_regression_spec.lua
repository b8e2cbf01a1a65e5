local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"

local near, near_all, refuses = support.near, support.near_all, support.refuses
local graphs = { "chain", "ring", "complete" }

-- Strata 1..k in the second column; slope and intercept vary periodically with the stratum.
local function make_strata(n, k, noise)
   local x, e, rows, y = core.normal(n, 2, 1), core.normal(n, nil, 2), {}, {}
   for i = 1, n do
      local s = (i * 7 + i // 5) % k + 1
      local turn = 2 * math.pi * s / k
      rows[i] = { x:get(i, 1), s, 3 * x:get(i, 2) + 5 }
      y[i] = 2 + math.sin(turn) + math.cos(turn) * x:get(i, 1) - 0.5 * rows[i][3] + noise * e[i]
   end
   return core.Matrix(rows), core.Vector(y)
end

local function edges(graph, k)
   local list = {}
   for a = 1, k do
      for b = a + 1, k do
         local beside = b == a + 1 or (graph == "ring" and k > 2 and a == 1 and b == k)
         if graph == "complete" or beside then list[#list + 1] = { a, b } end
      end
   end
   return list
end

-- Largest derivative of the documented objective at the model; columns 1 and 3 of X are the other columns.
local function worst_gradient(m, X, y, graph, weights)
   local n, k, total = X.rows, #m.levels, 0
   local mean, sd, at = { [1] = 0, [3] = 0 }, { [1] = 0, [3] = 0 }, {}
   for i = 1, n do total = total + (weights and weights[i] or 1) end
   for _, j in ipairs { 1, 3 } do
      for i = 1, n do mean[j] = mean[j] + (weights and weights[i] or 1) * X:get(i, j) / total end
      for i = 1, n do sd[j] = sd[j] + (weights and weights[i] or 1) * (X:get(i, j) - mean[j]) ^ 2 / total end
      sd[j] = math.sqrt(sd[j])
   end
   for s = 1, k do at[m.levels[s]] = s end
   local t, g = {}, {}
   for s = 1, k do
      local a, b = m.coef:get(s, 1), m.coef:get(s, 3)
      t[s] = { m.intercept[s] + a * mean[1] + b * mean[3], a * sd[1], b * sd[3] }
      g[s] = { 0, m.alpha * t[s][2], m.alpha * t[s][3] }
   end
   local worst = 0 -- the mean of y shifts all intercepts alike
   for i = 1, n do
      local s = at[X:get(i, 2)]
      local row = { 1, (X:get(i, 1) - mean[1]) / sd[1], (X:get(i, 3) - mean[3]) / sd[3] }
      local r = t[s][1] + t[s][2] * row[2] + t[s][3] * row[3] - y[i]
      for c = 1, 3 do g[s][c] = g[s][c] + (weights and weights[i] or 1) * r * row[c] end
   end
   for _, e in ipairs(edges(graph, k)) do
      for c = 1, 3 do
         local d = m.smoothness * (t[e[1]][c] - t[e[2]][c])
         g[e[1]][c], g[e[2]][c] = g[e[1]][c] + d, g[e[2]][c] - d
      end
   end
   for s = 1, k do
      for c = 1, 3 do worst = math.max(worst, math.abs(g[s][c])) end
   end
   return worst
end

describe("StratifiedRegression", function()
   it("minimizes its objective on every graph, with and without weights", function()
      for _, k in ipairs { 1, 2, 3, 12 } do
         local X, y = make_strata(100, k, 0.5)
         local weights = {}
         for i = 1, 100 do weights[i] = i % 3 + 0.5 end
         for _, graph in ipairs(graphs) do
            for _, smoothness in ipairs { 0, 1e-3, 1, 100 } do
               for _, alpha in ipairs { 0, 2 } do
                  local m = ml.StratifiedRegression { column = 2, graph = graph, alpha = alpha }
                  m:set_params { smoothness = smoothness }
                  assert.is_true(worst_gradient(m:fit(X, y), X, y, graph) < 1e-8)
                  m:fit(X, y, { weights = weights })
                  assert.is_true(worst_gradient(m, X, y, graph, weights) < 1e-8)
               end
            end
         end
      end
   end)

   it("fits a separate regression for each stratum without smoothness", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local X, y = cars:select { "cyl", "wt", "hp" }, cars.mpg
      local m = ml.StratifiedRegression { smoothness = 0 }:fit(X, y)
      assert.same({ 4, 6, 8 }, m.levels:totable())
      assert.same({ 11, 7, 14 }, m.counts:totable())
      for s, cyl in ipairs { 4, 6, 8 } do
         local rows = {}
         for i = 1, cars.rows do
            if cars.cyl[i] == cyl then rows[#rows + 1] = i end
         end
         local part = cars:take(rows)
         local ols = ml.LinearRegression {}:fit(part:select { "wt", "hp" }, part.mpg)
         near(0, m.coef:get(s, 1), 0, "the column itself", 1)
         near(ols.coef[1], m.coef:get(s, 2), 1e-9)
         near(ols.coef[2], m.coef:get(s, 3), 1e-9)
         near(ols.intercept, m.intercept[s], 1e-9)
      end
   end)

   it("fits one regression for all strata with large smoothness, without loss of precision", function()
      local X, y = make_strata(100, 5, 0.5)
      local rows = {}
      for i = 1, 100 do rows[i] = { X:get(i, 1), X:get(i, 3) } end
      local ols = ml.LinearRegression {}:fit(rows, y)
      for _, graph in ipairs(graphs) do
         for _, smoothness in ipairs { 1e12, 1e100, 1e300 } do
            local m = ml.StratifiedRegression { column = 2, graph = graph, smoothness = smoothness }:fit(X, y)
            for s = 1, 5 do
               near(ols.coef[1], m.coef:get(s, 1), 1e-9)
               near(ols.coef[2], m.coef:get(s, 3), 1e-9)
               near(ols.intercept, m.intercept[s], 1e-9)
            end
         end
      end
   end)

   it("recovers periodic strata better than separate regressions and than a common one", function()
      local X, y = make_strata(120, 12, 1)
      local test, truth = make_strata(2000, 12, 0)
      local function error_of(smoothness, graph)
         local m = ml.StratifiedRegression { column = 2, smoothness = smoothness, graph = graph }:fit(X, y)
         return ml.metrics.mse(truth, m:predict(test))
      end
      local separate, one, ring, chain = error_of(0, "ring"), error_of(1e9, "ring"), error_of(3, "ring"),
         error_of(3, "chain")
      assert.is_true(ring < 0.7 * separate and ring < 0.7 * one, ("%g, %g, %g"):format(ring, separate, one))
      assert.is_true(ring < chain) -- the last stratum is a neighbor of the first
   end)

   it("interpolates a stratum with a single row from its neighbors", function()
      -- Stratum 2 has one row; strata 1 and 3 have the same line.
      local X = { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 2, 1 }, { 3, 0 }, { 3, 1 }, { 3, 2 } }
      local m = ml.StratifiedRegression { smoothness = 0.1 }:fit(X, { 1, 3, 5, 3, 1, 3, 5 })
      for s = 1, 3 do
         near(2, m.coef:get(s, 2), 1e-9)
         near(1, m.intercept[s], 1e-9)
      end
   end)

   it("predicts an unseen stratum with the mean of the strata", function()
      local X, y = make_strata(100, 4, 0.1)
      local m = ml.StratifiedRegression { column = 2 }:fit(X, y)
      local a, b, c = 0, 0, 0
      for s = 1, 4 do
         a, b, c = a + m.coef:get(s, 1) / 4, b + m.coef:get(s, 3) / 4, c + m.intercept[s] / 4
      end
      near_all({ a, 0, b }, m.common_coef, 1e-12, "common", 1)
      near(c + 2 * a + 3 * b, m:predict({ { 2, 2.5, 3 } })[1], 1e-12)
      near(m.intercept[3] + 2 * m.coef:get(3, 1) + 3 * m.coef:get(3, 3), m:predict({ { 2, 3, 3 } })[1], 1e-12)
   end)

   it("does not depend on units, and finds the minimum-norm solution with constant and duplicate columns", function()
      local X, y = make_strata(100, 4, 0.3)
      local one = ml.StratifiedRegression { column = 2 }:fit(X, y)
      local other = X:copy()
      for i = 1, 100 do other:set(i, 1, 1e6 * X:get(i, 1) - 1e7) end
      near_all(one:predict(X), ml.StratifiedRegression { column = 2 }:fit(other, y):predict(other), 1e-8, nil, 1)
      for _, smoothness in ipairs { 0, 1e12 } do
         local plain = ml.StratifiedRegression { column = 2, smoothness = smoothness }:fit(X, y)
         local twice = core.hcat(X, X:col(1), core.full(100, 1, 3))
         local two = ml.StratifiedRegression { column = 2, smoothness = smoothness }:fit(twice, y)
         near_all(plain:predict(X), two:predict(twice), 1e-8, nil, 1)
         for s = 1, 4 do
            near(two.coef:get(s, 1), two.coef:get(s, 4), 1e-6)
            near(0, two.coef:get(s, 5), 1e-9, "constant", 1)
         end
      end
   end)

   it("accepts strata only and more columns than rows, and refuses an invalid column", function()
      local means = ml.StratifiedRegression { smoothness = 0 }:fit({ { 1 }, { 1 }, { 2 } }, { 1, 3, 7 })
      near_all({ 2, 7 }, means:predict { { 1 }, { 2 } }, 1e-12)
      local X, y = core.normal(8, 20, 1), core.normal(8, nil, 2)
      near_all(y, ml.StratifiedRegression { smoothness = 0 }:fit(X, y):predict(X), 1e-9)
      refuses("StratifiedRegression: column must be from 1 to 1, the number of columns, got 3", function()
         ml.StratifiedRegression { column = 3 }:fit({ { 1 }, { 1 }, { 2 } }, { 1, 3, 7 })
      end)
   end)
end)
