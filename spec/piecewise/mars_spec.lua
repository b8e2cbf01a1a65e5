--- MARS: agreement with R's earth in terms, coefficients and GCV, and general properties.
local ml = require "manilius"
local bytes = require "spec.conformance.bytes"
local oracle = dofile "spec/fixtures/piecewise/mars.lua"
local support = require "spec.support"

local near, near_all, near_rows = support.near, support.near_all, support.near_rows

-- The numeric columns of a file; rows with missing values are dropped.
local text_columns = { auto_mpg = "car_name", california_housing = "ocean_proximity", mtcars = "model" }
local function read(file, targets)
   local frame = ml.read_csv("examples/data/" .. file .. ".csv")
   if text_columns[file] then frame = frame:drop(text_columns[file]) end
   return frame:dropna():split(#targets == 1 and targets[1] or targets)
end

local function hinge(x)
   return math.max(0, x)
end

describe("MARS", function()
   for _, case in ipairs(oracle) do
      it("has the terms and importances of earth: " .. case.case, function()
         local X, y = read(case.file, case.targets)
         local model = ml.MARS(case.set):fit(X, y)
         assert.same(case.selected, model.selected_terms:totable())
         near_rows(case.dirs, model.dirs, 0, "dirs")
         near_rows(case.cuts, model.cuts, 1e-12, "cuts")
         near_all(case.rss_per_subset, model.rss_per_subset, 1e-9, "rss_per_subset")
         for k, gcv in ipairs(case.gcv_per_subset) do
            if gcv == math.huge then
               assert.equal(gcv, model.gcv_per_subset[k])
            else
               near(gcv, model.gcv_per_subset[k], 1e-9, "gcv_per_subset")
            end
         end
         for k = 1, #case.coef do
            near_all(case.coef[k], #case.coef == 1 and model.coef or model.coef[k], 1e-6, "coef")
         end
         for _, name in ipairs { "rss", "rsq", "gcv", "grsq" } do near(case[name], model[name], 1e-9, name) end
         local first = model:predict(X:slice(1, 5))
         for i = 1, 5 do
            near_all(case.first[i], #case.targets == 1 and { first[i] } or first[i], 1e-8, "prediction")
         end
         local table_ = model:evimp()
         assert.equal(X.cols, table_.rows)
         for k = 1, table_.rows do
            local row = table_:row(k)
            local wanted = case.evimp[row.column]
            assert.equal(wanted[1], row.nsubsets)
            near(wanted[2], row.gcv, 1e-7, "gcv", 1)
            near(wanted[3], row.rss, 1e-7, "rss", 1)
            assert(k == 1 or row.nsubsets <= table_:row(k - 1).nsubsets)
         end
      end)
   end

   it("treats weights as repetitions of rows", function()
      local X, y = read("auto_mpg", { "mpg" })
      local weights = {}
      for i = 1, X.rows do weights[i] = 1 + i % 3 end
      local model = ml.MARS { degree = 2 }:fit(X, y, { weights = weights })
      near_rows(oracle.repeated.dirs, model.dirs, 0, "dirs")
      near_rows(oracle.repeated.cuts, model.cuts, 1e-12, "cuts")
      near_all(oracle.repeated.coef, model.coef, 1e-7, "coef")
      near(oracle.repeated.gcv, model.gcv, 1e-10, "gcv")
   end)

   it("accepts factors through a formula", function()
      local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
      local model = ml.MARS { degree = 2,
         formula = "body_mass_g ~ species + island + bill_length_mm + sex" }:fit(penguins)
      near_all(oracle.factors.coef, model.model.coef, 1e-7, "coef")
      near(oracle.factors.gcv, model.model.gcv, 1e-10, "gcv")
   end)

   it("predicts by its equation", function()
      local X, y = read("auto_mpg", { "mpg" })
      local model = ml.MARS { degree = 2 }:fit(X, y)
      local predicted = model:predict(X)
      local sum, n = 0, X.rows
      for i = 1, n do
         local row, value = X:row(i), 0
         for k = 1, #model.selected_terms do
            local term, product = model.selected_terms[k], 1
            for j, name in ipairs(X.names) do
               local dir, cut = model.dirs[term][j], model.cuts[term][j]
               if dir == 2 then product = product * row[name] end
               if math.abs(dir) == 1 then product = product * hinge(dir * (row[name] - cut)) end
            end
            value = value + model.coef[k] * product
         end
         near(value, predicted[i], 1e-12)
         sum = sum + (y[i] - value) ^ 2
      end
      local m = #model.selected_terms
      near(sum, model.rss, 1e-10)
      near(sum / (n * (1 - (m + 3 * (m - 1) / 2) / n) ^ 2), model.gcv, 1e-10)
      for k = 1, #model.gcv_per_subset do assert(model.gcv <= model.gcv_per_subset[k]) end
   end)

   it("prints its equation", function()
      local X, y = {}, {}
      for i = 1, 40 do X[i], y[i] = { i, (i * 7) % 40 }, 3 + 2 * hinge(i - 20) - 0.5 * hinge(15 - (i * 7) % 40) end
      local model = ml.MARS { minspan = 1, endspan = 5 }:fit(X, y)
      local summary = model:summary()
      assert.same({ "(Intercept)", "h(x1-20)", "h(15-x2)" }, summary.terms)
      near_all({ 3, 2, -0.5 }, summary.coef[1], 1e-12)
      local text = tostring(summary)
      assert(text:find("y = 3\n  + 2            * h(x1-20)\n  - 0.5          * h(15-x2)\n", 1, true), text)
      local footer = "3 of 5 terms, 2 of 2 columns. The forward pass ended because R2 came within thresh of 1."
      assert(text:find(footer, 1, true))
   end)

   it("prints negative knots, names, products and several targets", function()
      local rows, y = { x = {}, z = {} }, { a = {}, b = {} }
      for i = 1, 60 do
         local x, z = i / 10 - 4, (i * 17) % 60 / 10
         rows.x[i], rows.z[i] = x, z
         y.a[i], y.b[i] = hinge(x + 1.5), 1 - hinge(x + 1.5)
      end
      local X, Y = ml.Frame { { "x", rows.x }, { "z", rows.z } }, ml.Frame { { "a", y.a }, { "b", y.b } }
      local text = tostring(ml.MARS { minspan = 1, endspan = 4 }:fit(X, Y):summary())
      assert(text:find("y1 = .*%+ 1 +%* h%(x%+1%.5%)\n.*y2 = 1\n  %- 1 +%* h%(x%+1%.5%)\n"), text)
   end)

   describe("with degenerate data", function()
      local function linear(rows)
         local X, y = {}, {}
         for i = 1, rows do X[i], y[i] = { i, 5, i, 2 * i + 1, i % 2 }, 3 * i + (i % 2) end
         return X, y
      end

      it("ignores constant and duplicate columns", function()
         local X, y = linear(30)
         local model = ml.MARS { thresh = 0 }:fit(X, y)
         for k = 1, model.dirs.rows do
            for _, j in ipairs { 2, 3, 4 } do assert.equal(0, model.dirs[k][j]) end
         end
         near_all(y, model:predict(X), 1e-10)
      end)

      it("adds a column with two values without a knot", function()
         local X, y = {}, {}
         for i = 1, 40 do X[i], y[i] = { i % 2 == 0 and 7 or 3 }, i % 2 + (i % 5) / 100 end
         local model = ml.MARS {}:fit(X, y)
         assert.same({ 0, 2 }, { model.dirs[1][1], model.dirs[2][1] })
      end)

      it("predicts the mean with few rows, a constant y, or nk too small for terms", function()
         for _, rows in ipairs { 1, 2, 3 } do
            local X, y, sum = {}, {}, 0
            for i = 1, rows do X[i], y[i], sum = { i, -i }, i * i, sum + i * i end
            near_all({ sum / rows }, ml.MARS { degree = 2 }:fit(X, y):predict { { 9, 9 } }, 1e-14)
         end
         local X = linear(20)
         local flat = {}
         for i = 1, 20 do flat[i] = 0.1 end
         local model = ml.MARS {}:fit(X, flat)
         assert.equal(1, #model.selected_terms)
         near(0.1, model:predict(X)[3], 1e-15)
         assert.equal(1, ml.MARS { nk = 2 }:fit(linear(30)).dirs.rows)
      end)

      it("accepts more columns than rows", function()
         local X, y = {}, {}
         for i = 1, 12 do
            X[i], y[i] = {}, hinge(i - 6)
            for j = 1, 30 do X[i][j] = (i * (j + 2) * 7) % 13 end
         end
         local model = ml.MARS { degree = 2, minspan = 1, endspan = 1 }:fit(X, y)
         assert(model.gcv < math.huge and model.rss >= 0)
      end)

      it("does not depend on the origin of X", function()
         local X, y = read("airquality", { "ozone" })
         local moved = X:matrix() + 1e7
         local here, there = ml.MARS { degree = 2 }:fit(X:matrix(), y), ml.MARS { degree = 2 }:fit(moved, y)
         near_rows(here.dirs, there.dirs, 0, "dirs")
         near(here.gcv, there.gcv, 1e-6, "gcv")
      end)

      it("does not depend on the units of X and y", function()
         local X, y = read("auto_mpg", { "mpg" })
         local here = ml.MARS { degree = 2 }:fit(X, y)
         local there = ml.MARS { degree = 2 }:fit(X:matrix() * 2 ^ -20, y * 2 ^ 10)
         near_rows(here.dirs, there.dirs, 0, "dirs")
         near(here.gcv * 2 ^ 20, there.gcv, 1e-12, "gcv")
      end)
   end)

   it("adds columns in linpreds without knots, and refuses invalid indices", function()
      local X, y = read("auto_mpg", { "mpg" })
      local model = ml.MARS { linpreds = { 1, 2, 3, 4, 5, 6, 7 }, thresh = 0, penalty = -1 }:fit(X, y)
      local ols = ml.LinearRegression {}:fit(X, y)
      near_all(ols:predict(X), model:predict(X), 1e-10)
      support.refuses("MARS: linpreds must be from 1 to 7, the number of columns, got 8", function()
         ml.MARS { linpreds = { 8 } }:fit(X, y)
      end)
      support.refuses("MARS: linpreds must be whole numbers, got 1.5 at position", function()
         ml.MARS { linpreds = { 1.5 } }:fit(X, y)
      end)
   end)

   it("gives the same result for any number of threads", function()
      local X, y = read("auto_mpg", { "mpg" })
      support.same_for_any_threads(function() return ml.MARS { degree = 2 }:fit(X, y) end)
   end)

   -- Seeds for which a comparison that mishandles NaN gives the wrong order.
   it("orders evimp by RSS if the GCV is infinite", function()
      for _, seed in ipairs { 12, 23, 38, 63 } do
         local X = ml.random(12, 6, seed)
         local model = ml.MARS { pmethod = "none", thresh = 0, degree = 2, nk = 40, minspan = 1, endspan = 1 }
         local table_ = model:fit(X, ml.normal(12, nil, seed + 1000)):evimp()
         local unknown = 0
         for i = 2, table_.rows do
            local a, b = i - 1, i
            assert.is_true(table_.nsubsets[a] >= table_.nsubsets[b])
            if table_.nsubsets[a] == table_.nsubsets[b] and table_.gcv[a] ~= table_.gcv[a] then
               unknown = unknown + 1
               assert.is_true(table_.gcv[b] == table_.gcv[b] or table_.rss[a] >= table_.rss[b])
            end
         end
         assert.is_true(unknown > 0)
      end
   end)

   it("refuses to load a knot that is NaN", function()
      local X, y = read("mtcars", { "mpg" })
      local records = bytes.records(ml.MARS {}:fit(X, y):dump())
      for i, record in ipairs(records) do
         if record.name == "cuts" then
            local value = record.value:sub(1, 16) .. ("<d"):pack(0 / 0) .. record.value:sub(25)
            records = bytes.replaced(records, i, { { kind = "matrix", name = "cuts", value = value } })
            break
         end
      end
      support.refuses("MARS: cuts must be finite", function() ml.load(bytes.archive(records)) end)
   end)
end)
