local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.piecewise.segmented"

local near, near_all, refuses = support.near, support.near_all, support.refuses

local function agrees(model, other)
   local s = model:summary()
   near_all(other.rss, { model.rss }, 1e-6, "rss")
   near_all(other.loglik, { model.loglik }, 1e-7, "loglik")
   near_all(other.psi, model.breakpoints, 1e-4, "breakpoints")
   near_all(other.psi_se, model.breakpoint_se, 1e-3, "breakpoint_se")
   near_all(other.psi_low, s.breakpoints.low, 1e-3, "low")
   near_all(other.psi_high, s.breakpoints.high, 1e-3, "high")
   near_all(other.slope, model.slope, 1e-3, "slopes", 1)
   near_all(other.slope_se, model.slope_se, 1e-3, "slope_se")
   near_all(other.slope_low, s.slopes.low, 2e-3, "low", 1)
   near_all(other.slope_high, s.slopes.high, 2e-3, "high", 1)
end

local function nile()
   local X = {}
   for i = 1, 100 do X[i] = { 1870 + i } end
   return X, wanted.nile.flow
end

-- Slopes 1, -1, 2 with breakpoints at 3 and 7, and another column with coefficient 4.
local function make_segmented(n, noise)
   local z, e, other, rows, y = core.random(n, nil, 1) * 10, core.normal(n, nil, 2), core.normal(n, nil, 3), {}, {}
   for i = 1, n do
      rows[i] = { other[i], z[i] }
      y[i] = z[i] - 2 * math.max(z[i] - 3, 0) + 3 * math.max(z[i] - 7, 0) + 4 * other[i] + noise * e[i]
   end
   return core.Matrix(rows), core.Vector(y)
end

-- Residual sum of rss_with_hinges of least rss_with_hinges with hinges at psi.
local function rss_with_hinges(x, y, psi)
   local rows = {}
   for i = 1, #x do
      rows[i] = { x[i] }
      for k, p in ipairs(psi) do rows[i][k + 1] = math.max(x[i] - p, 0) end
   end
   return ml.LinearRegression {}:fit(rows, y):summary().sigma ^ 2 * (#x - 2 - #psi)
end

describe("SegmentedRegression", function()
   it("agrees with R's segmented: breakpoints, slopes, standard errors, intervals", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      agrees(ml.SegmentedRegression { n_breakpoints = 1 }:fit(cars:select { "hp" }, cars.mpg), wanted.cars)
      agrees(ml.SegmentedRegression { n_breakpoints = 1 }:fit(cars:select { "hp", "wt" }, cars.mpg), wanted.cars_wt)
      local air = ml.read_csv "examples/data/airquality.csv"
      local rows = {}
      for i = 1, air.rows do
         if air.ozone[i] == air.ozone[i] and air.solar_r[i] == air.solar_r[i] then rows[#rows + 1] = i end
      end
      air = air:take(rows)
      local model = ml.SegmentedRegression { n_breakpoints = 1, column = 2 }
      agrees(model:fit(air:select { "wind", "temp" }, air.ozone), wanted.air)
      near_all(wanted.air.fitted, model:predict(air:select { "wind", "temp" }:take { 1, 2, 3, 4, 5, 6 }), 1e-3)
      local two = ml.SegmentedRegression { n_breakpoints = 2 }:fit(air:select { "wind" }, air.ozone)
      assert.is_true(two.rss <= wanted.air_two.rss[1] * (1 + 1e-9))
   end)

   it("finds the published break of the Nile in 1898, with the RSS and BIC of strucchange", function()
      -- Cobb, Biometrika 65 (1978); Zeileis et al., Comput. Statist. Data Anal. 44 (2003), section 5.1.
      local X, y = nile()
      local levels = { segments = "levels", min_segment = 0.15, max_breakpoints = 5 }
      local model = ml.SegmentedRegression(levels):fit(X, y)
      near_all(wanted.nile_dates.one, model.breakpoints, 0) -- 1898
      near_all(wanted.nile_bic.bic, model.bic_path, 1e-12, "BIC")
      near(wanted.nile_bic.rss[2], model.rss, 1e-12)
      near_all({ 1097.75, 849.972222222222 }, model.intercept, 1e-12)
      near_all({ 1097.75, 849.972222222222 }, model:predict { { 1898 }, { 1898.5 } }, 1e-12)
      levels.n_breakpoints = 2
      near_all(wanted.nile_dates.two, ml.SegmentedRegression(levels):fit(X, y).breakpoints, 0)
      local lines = ml.SegmentedRegression { segments = "lines", min_segment = 0.15, max_breakpoints = 5 }:fit(X, y)
      near_all(wanted.nile_lines.bic, lines.bic_path, 1e-9, "BIC of lines")
      near(wanted.nile_lines.rss[2], lines.rss, 1e-8)
   end)

   it("finds a breakpoint of joined lines as good as an exhaustive search", function()
      for seed = 1, 6 do
         local x, y = core.random(25, nil, seed):totable(), core.normal(25, nil, seed + 50):totable()
         local rows = {}
         for i = 1, 25 do rows[i] = { x[i] } end
         local m = ml.SegmentedRegression { n_breakpoints = 1, min_segment = 0.1 }:fit(rows, y)
         local sorted, best = { table.unpack(x) }, math.huge
         table.sort(sorted)
         for i = 3, 22 do -- at least three rows on each side: 0.1 of 25
            for t = 0, 20 do
               if i < 22 or t == 0 then
                  local psi = sorted[i] + t / 20 * (sorted[i + 1] - sorted[i]) * (1 - 1e-12)
                  best = math.min(best, rss_with_hinges(x, y, { psi }))
               end
            end
         end
         assert.is_true(m.rss <= best * (1 + 1e-6), ("seed %d: %g, not %g"):format(seed, m.rss, best))
         near(m.rss, rss_with_hinges(x, y, { m.breakpoints[1] }), 1e-9)
      end
   end)

   it("finds the best partition into separate segments", function()
      for _, segments in ipairs { "lines", "levels" } do
         local min_rows = segments == "lines" and 2 or 1
         local n, y, rows = 12, core.normal(12, nil, 4), {}
         for i = 1, n do rows[i] = { i * i } end
         local function cost(i, j)
            local X, v = {}, {}
            for r = i, j do X[#X + 1], v[#v + 1] = { segments == "lines" and r * r or 0 }, y[r] end
            local predicted, sum = ml.LinearRegression {}:fit(X, v):predict(X), 0
            for r = 1, #v do sum = sum + (v[r] - predicted[r]) ^ 2 end
            return sum
         end
         local best, breakpoints = math.huge
         for a = min_rows, n - 2 * min_rows do
            for b = a + min_rows, n - min_rows do
               local total = cost(1, a) + cost(a + 1, b) + cost(b + 1, n)
               if total < best then best, breakpoints = total, { a * a, b * b } end
            end
         end
         local m = ml.SegmentedRegression { n_breakpoints = 2, segments = segments, min_segment = 0.01 }:fit(rows, y)
         assert.same(breakpoints, { math.tointeger(m.breakpoints[1]), math.tointeger(m.breakpoints[2]) })
         near(best, m.rss, 1e-9)
      end
   end)

   it("recovers known breakpoints and, by BIC, their number", function()
      local X, y = make_segmented(300, 0.3)
      local m = ml.SegmentedRegression { column = 2 }:fit(X, y)
      near_all({ 3, 7 }, m.breakpoints, 0.03)
      near_all({ 1, -1, 2 }, m.slope, 0.1)
      near(4, m.coef[1], 0.02)
      assert.equal(0, m.coef[2])
      assert.equal(4, #m.bic_path)
      near(m.bic_path[3], m.bic, 1e-14)
      local s = m:summary { level = 0.999 }
      for k, truth in ipairs { 3, 7 } do
         assert.is_true(s.breakpoints.low[k] < truth and truth < s.breakpoints.high[k])
      end
      local exact = ml.SegmentedRegression { column = 2 }:fit(make_segmented(60, 0))
      near_all({ 3, 7 }, exact.breakpoints, 1e-9)
      near_all({ 1, -1, 2 }, exact.slope, 1e-9)
      assert.equal(0, #ml.SegmentedRegression {}:fit(X, X:col(1) * 3 + 1).breakpoints)
   end)

   it("is continuous at joined breakpoints, and a line without breakpoints", function()
      local X, y = make_segmented(80, 0.5)
      local m = ml.SegmentedRegression { column = 2, n_breakpoints = 3 }:fit(X, y)
      for k, p in ipairs(m.breakpoints:totable()) do
         near(m.intercept[k] + m.slope[k] * p, m.intercept[k + 1] + m.slope[k + 1] * p, 1e-9, "meets", 1)
      end
      local line, ols = ml.SegmentedRegression { n_breakpoints = 0 }:fit(X, y), ml.LinearRegression {}:fit(X, y)
      near_all(ols:predict(X), line:predict(X), 1e-10)
      near(ols:summary().bic, line.bic, 1e-12)
      near(ols:summary().coefficients.std_error[2], line.slope_se[1], 1e-9)
      assert.equal(0, #line.breakpoints)
   end)

   it("fits other columns with separate segments by least rss_with_hinges", function()
      local X, y = make_segmented(200, 0.2)
      for i = 1, 200 do y[i] = y[i] + (X:get(i, 2) > 5 and 6 or 0) end
      local m = ml.SegmentedRegression { column = 2, segments = "levels", n_breakpoints = 1 }:fit(X, y)
      near(4, m.coef[1], 0.1)
      local rows, p = {}, m.breakpoints[1]
      for i = 1, 200 do rows[i] = { X:get(i, 1), X:get(i, 2) > p and 1 or 0 } end
      local ols = ml.LinearRegression {}:fit(rows, y)
      near(ols.coef[1], m.coef[1], 1e-9)
      near(ols.intercept, m.intercept[1], 1e-9)
      near(ols.intercept + ols.coef[2], m.intercept[2], 1e-9)
   end)

   it("takes weights as precisions, whatever their unit is", function()
      local X, y = make_segmented(60, 0.4)
      local weights = {}
      for i = 1, 60 do weights[i] = 1 + i % 4 end
      local one = ml.SegmentedRegression { column = 2 }:fit(X, y, { weights = weights })
      local two = ml.SegmentedRegression { column = 2 }:fit(X, y, { weights = ml.Vector(weights) * 1e-4 })
      assert.equal(#one.breakpoints, #two.breakpoints)
      near_all(one.breakpoint_se, two.breakpoint_se, 1e-6) -- the search stops at about this distance
      near_all(one.slope_se, two.slope_se, 1e-6)
      near_all(one.bic_path, two.bic_path, 1e-9)
      assert.equal(60 - 3 - 2 * #one.breakpoints, one.df)
      assert.matches("Weights: precisions", one:summary().text)
      local plain = ml.SegmentedRegression { n_breakpoints = 0 }:fit(X, y, { weights = weights })
      local ols = ml.LinearRegression {}:fit(X, y, { weights = weights }):summary()
      near(ols.bic, plain.bic, 1e-9)
      near(ols.loglik, plain.loglik, 1e-9)
      near(ols.coefficients:col "std_error"[2], plain.slope_se[1], 1e-9)
   end)

   it("treats frequency weights as repetitions of rows", function()
      local X, y = make_segmented(60, 0.4)
      local weights, rows = {}, {}
      for i = 1, 60 do
         weights[i] = i % 4
         for _ = 1, weights[i] do rows[#rows + 1] = i end
      end
      for _, segments in ipairs { "joined", "lines", "levels" } do
         local settings = { column = 2, n_breakpoints = 2, segments = segments, weights_type = "frequency" }
         local one = ml.SegmentedRegression(settings):fit(X, y, { weights = weights })
         local two = ml.SegmentedRegression(settings):fit(X:take(rows), y:take(rows))
         near_all(one.breakpoints, two.breakpoints, 1e-6)
         near_all(one.slope_se, two.slope_se, 1e-6)
         near(one.bic, two.bic, 1e-9)
         near(one.df, two.df, 1e-12)
      end
   end)

   it("is equivariant under changes of units", function()
      local X, y = make_segmented(100, 0.3)
      local one = ml.SegmentedRegression { column = 2, n_breakpoints = 2 }:fit(X, y)
      local two = ml.SegmentedRegression { column = 2, n_breakpoints = 2 }:fit(X * 1e6 + 1e5, y * 1e-3 - 7)
      near_all(one.breakpoints * 1e6 + 1e5, two.breakpoints, 1e-8)
      near_all(one.breakpoint_se * 1e6, two.breakpoint_se, 1e-5)
      near_all(one.slope * 1e-9, two.slope, 1e-6)
   end)

   it("keeps min_segment of the rows in each segment, and rows of equal z together", function()
      local X, y = {}, {}
      for i = 1, 40 do X[i], y[i] = { i // 4 }, i == 40 and 50 or (i * 7) % 5 end
      for _, segments in ipairs { "joined", "lines", "levels" } do
         local m = ml.SegmentedRegression { n_breakpoints = 2, segments = segments, min_segment = 0.25 }:fit(X, y)
         local count = { 0, 0, 0 }
         for i = 1, 40 do
            local s = 1
            for k = 1, 2 do s = s + (m.breakpoints[k] < X[i][1] and 1 or 0) end
            count[s] = count[s] + 1
         end
         for s = 1, 3 do assert.is_true(count[s] >= 10, segments .. count[s]) end
      end
   end)

   it("refuses too many breakpoints and an invalid column", function()
      refuses("SegmentedRegression: column 1 has too few distinct values for 3 breakpoints", function()
         ml.SegmentedRegression { n_breakpoints = 3 }:fit({ { 1 }, { 2 }, { 1 }, { 2 }, { 1 } }, { 1, 2, 3, 4, 5 })
      end)
      refuses("SegmentedRegression: column must be from 1 to 1, the number of columns, got 2", function()
         ml.SegmentedRegression { column = 2 }:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      end)
      refuses("SegmentedRegression: n_breakpoints must be less than the number of rows, 3, got 3", function()
         ml.SegmentedRegression { n_breakpoints = 3 }:fit({ { 1 }, { 2 }, { 3 } }, { 1, 2, 3 })
      end)
   end)

   it("accepts duplicate columns, and more columns than rows", function()
      local X, y = make_segmented(80, 0.3)
      local twice = core.hcat(X, X:col(1), core.full(80, 1, 3))
      local one = ml.SegmentedRegression { column = 2, n_breakpoints = 2 }:fit(X, y)
      local two = ml.SegmentedRegression { column = 2, n_breakpoints = 2 }:fit(twice, y)
      near(one.rss, two.rss, 1e-8)
      near(one.df, two.df, 1e-12)
      near(one.bic, two.bic, 1e-10)
      local wide, v = core.normal(8, 20, 1), core.normal(8, nil, 2)
      near_all(v, ml.SegmentedRegression {}:fit(wide, v):predict(wide), 1e-9)
   end)

   it("uses the same grid for weighted rows and for repeated rows", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      local weights, repeats, y = {}, {}, {}
      for i = 1, cars.rows do
         weights[i] = 1 + i % 4
         for _ = 1, weights[i] do
            repeats[#repeats + 1] = i
            y[#y + 1] = cars.qsec[i]
         end
      end
      local X = cars:select { "hp" }
      local weighted = ml.SegmentedRegression { n_breakpoints = 4 }:fit(X, cars.qsec, { weights = weights })
      local repeated = ml.SegmentedRegression { n_breakpoints = 4 }:fit(X:take(repeats), y)
      near(53.116037888, weighted.rss, 1e-7, "rss")
      near(53.116037888, repeated.rss, 1e-7, "rss")
   end)
end)
