-- Univariate selection and MRMR against scikit-learn, mrmr-selection (fixtures/selection/univariate.py) and formulas.
-- degenerate columns.
local ml = require "manilius"
local support = dofile "spec/support.lua"
local want = dofile "spec/fixtures/selection/univariate.lua"
local mrmr = dofile "spec/fixtures/selection/mrmr_orders.lua"

local near_all, refuses = support.near_all, support.refuses

local labels = ml.Factor(want.label)
local discrete = { 6, 7 }

local function list(v) return v:totable() end

describe("mutual information", function()
   -- Without ties the noise of 1e-10 changes no count of neighbors, so that only rounding differs.
   it("is that of scikit-learn", function()
      for _, k in ipairs { 1, 3, 7 } do
         local given = { k = 7, score_func = "mutual_info_classif", n_neighbors = k, discrete = discrete }
         near_all(want["classif_" .. k], ml.SelectKBest(given):fit(want.X, labels).scores, 1e-10, "classif", 1e-3)
         given.score_func = "mutual_info_regression"
         near_all(want["regression_" .. k], ml.SelectKBest(given):fit(want.X, want.number).scores, 1e-10, "regression",
            1e-3)
      end
   end)

   -- With ties it depends on the noise: within the range of 30 seeds of scikit-learn, widened by a quarter.
   it("is that of scikit-learn on data with ties", function()
      for table, about in pairs { iris = { "species", "classif" }, diabetes = { "progression", "regression" } } do
         local X, y = ml.read_csv("examples/data/" .. table .. ".csv"):split(about[1])
         local model = ml.SelectPercentile { percentile = 100, score_func = "mutual_info_" .. about[2] }
         local scores = model:fit(X, y).scores
         for j, low in ipairs(want[table].low) do
            local high = want[table].high[j]
            local slack = (high - low) / 4
            assert.is_true(scores[j] >= low - slack and scores[j] <= high + slack, ("%s %d: %g"):format(table, j,
               scores[j]))
         end
      end
   end)

   -- Two normal columns of correlation r share -log(1 - r^2) / 2; the standard deviation for 3,000 rows is about 0.03.
   it("of normal columns is near the exact value", function()
      local a, e = ml.normal(3000, 2, 5), ml.normal(3000, nil, 6)
      local y = (a:col(1) * 0.8 + e * 0.6):copy()
      local scores = ml.SelectKBest { k = 2, score_func = "mutual_info_regression" }:fit(a, y).scores
      assert.near(-math.log(1 - 0.64) / 2, scores[1], 0.08)
      assert.near(0, scores[2], 0.08)
   end)

   it("of discrete columns is exact", function()
      local model = ml.SelectKBest { k = 2, score_func = "mutual_info_classif", discrete = { "a", "b" } }
      model:fit(ml.Frame { { "a", { 1, 1, 5, 5 } }, { "b", { 0, 2, 0, 2 } } }, { "x", "x", "y", "y" })
      near_all({ math.log(2), 0 }, model.scores, 1e-15, "information", 1)
      assert.equal(0, #model.pvalues)
   end)

   it("of constant columns is 0; few rows and rare classes are allowed", function()
      local given = { k = 1, score_func = "mutual_info_classif", n_neighbors = 9 }
      assert.same({ 0, 0 }, list(ml.SelectKBest(given):fit({ { 7, 1 }, { 7, 1 }, { 7, 1 } }, { "a", "b", "b" }).scores))
      local few = ml.SelectKBest(given):fit({ { 1 }, { 2 }, { 8 }, { 9 }, { 4 } }, { "a", "a", "b", "b", "once" })
      assert.is_true(few.scores[1] >= 0)
      given.score_func = "mutual_info_regression"
      assert.same({ 0 }, list(ml.SelectKBest(given):fit({ { 3 }, { 4 } }, { 2, 2 }).scores))
      assert.is_true(ml.SelectKBest(given):fit({ { 1e300 }, { -1e300 }, { 1e-300 } }, { 1, 2, 3 }).scores[1] >= 0)
   end)

   it("refuses weights that differ", function()
      local model = ml.SelectKBest { score_func = "mutual_info_classif" }
      refuses("SelectKBest: weights must be equal for mutual information", function()
         model:fit({ { 1 }, { 2 }, { 3 } }, { "a", "b", "a" }, { weights = { 1, 2, 1 } })
      end)
      model:fit({ { 1 }, { 2 }, { 3 } }, { "a", "b", "a" }, { weights = { 2, 2, 2 } })
   end)
end)

describe("selection by tests", function()
   it("is that of scikit-learn", function()
      local half = labels:slice(1, 90)
      for score, y in pairs { f_classif = half, f_regression = want.target } do
         for _, case in ipairs(want["by_" .. score]) do
            local name, value, wanted = table.unpack(case)
            local given = { score_func = score, [name == "SelectPercentile" and "percentile" or "alpha"] = value }
            assert.same(wanted, list(ml[name](given):fit(want.P, y).support), ("%s %g"):format(name, value))
         end
      end
   end)

   it("says that nothing is significant", function()
      for _, name in ipairs { "SelectFpr", "SelectFdr", "SelectFwe" } do
         refuses(name .. ": X must have a column that is significant for alpha = 0.001, got none", function()
            ml[name] { alpha = 0.001 }:fit({ { 1, 2 }, { 2, 2 }, { 1, 2 }, { 2, 2 } }, { "a", "a", "b", "b" })
         end)
      end
   end)

   it("keeps the first of equal columns", function()
      local X, y = { { 1, 1, 0 }, { 2, 2, 1 }, { 5, 5, 0 }, { 6, 6, 1 } }, { "a", "a", "b", "b" }
      assert.same({ 1 }, list(ml.SelectPercentile { percentile = 50 }:fit(X, y).support))
      assert.same({ 1, 2 }, list(ml.SelectPercentile { percentile = 60 }:fit(X, y).support))
   end)
end)

describe("MRMR", function()
   it("selects in the order of mrmr-selection", function()
      assert.same(want.fcq_classif, list(ml.MRMR { k = 12 }:fit(want.P, labels:slice(1, 90)).order))
      assert.same(want.fcq_regression, list(ml.MRMR { k = 12, score_func = "f_regression" }:fit(want.P,
         want.target).order))
   end)

   -- Columns in three states: below low, between, above high.
   local function states(X, low, high)
      local columns = {}
      for j = 1, X.cols do
         local column = X:col(j):copy()
         columns[j] = (column:gt(high[j]) - column:lt(low[j])):as_column()
      end
      return ml.hcat(table.unpack(columns))
   end

   -- Two criteria are never within 1e-7 of each other (mrmr_orders.py), so that orders are equal. The program adds
   -- 0.0001 to the redundancy, where the minimum here is 0.001, which changes no order of these columns.
   it("selects all columns in the order of the program of Peng, Long & Ding", function()
      for name, at in pairs { wine = { "wine", "class" }, cancer = { "breast_cancer", "diagnosis" } } do
         local wanted = mrmr[name]
         local X, y = ml.read_csv("examples/data/" .. at[1] .. ".csv"):split(at[2])
         local discretized = states(X:matrix(), wanted.low, wanted.high)
         for form, order in pairs { quotient = wanted.MIQ, difference = wanted.MID } do
            local model = ml.MRMR { k = 30, score_func = "mutual_info_classif", form = form,
               discrete = ml.range(1, discretized.cols):totable() }
            assert.same(order, list(model:fit(discretized, ml.Factor(y)).order))
            assert.same(wanted.definition[form], list(model.order))
         end
      end
   end)

   it("selects in the order of the definition in numpy, with statistics of scikit-learn", function()
      local wine, class = ml.read_csv "examples/data/wine.csv":split "class"
      local diabetes, progression = ml.read_csv "examples/data/diabetes.csv":split "progression"
      local cases = { f_classif = { wine, ml.Factor(class) }, f_regression = { diabetes, progression },
         mutual_info_regression = { mrmr.X, mrmr.number }, mutual_info_classif = { mrmr.X, ml.Factor(mrmr.label) } }
      for score_func, data in pairs(cases) do
         for form, order in pairs(mrmr[score_func]) do
            local model = ml.MRMR { k = 20, score_func = score_func, form = form }:fit(data[1], data[2])
            assert.same(order, list(model.order))
         end
      end
   end)

   -- The order that the definition gives.
   local function by_definition(relevance, redundancy, form, k)
      local order, taken = {}, {}
      for n = 0, k - 1 do
         local best, most
         for j = 1, #relevance do
            local sum = 0
            for _, s in ipairs(order) do sum = sum + redundancy(j, s) end
            local mean = n > 0 and sum / n or form == "quotient" and 1 or 0
            local value = form == "quotient" and relevance[j] / math.max(mean, 0.001) or relevance[j] - mean
            if not taken[j] and (not best or value > most) then best, most = j, value end
         end
         order[#order + 1], taken[best] = best, true
      end
      return order
   end

   it("is the definition, for both forms and kinds of redundancy", function()
      local X = ml.Matrix(want.X)
      local function information(j, s)
         local given = { k = 7, score_func = "mutual_info_regression", discrete = discrete }
         if s >= 6 then given.score_func = "mutual_info_classif" end
         local y = X:col(s):copy()
         return ml.SelectKBest(given):fit(X, s >= 6 and ml.Factor(y) or y).scores[j]
      end
      local function correlation(j, s) return math.abs(ml.test.pearson(X:col(j):copy(), X:col(s):copy()).estimate) end
      for _, form in ipairs { "quotient", "difference" } do
         local f = ml.MRMR { k = 7, score_func = "f_regression", form = form }:fit(X, want.number)
         assert.same(by_definition(f.scores, correlation, form, 7), list(f.order))
         local mi = ml.MRMR { k = 7, score_func = "mutual_info_classif", form = form, discrete = discrete }
         mi:fit(X, labels)
         assert.same(by_definition(mi.scores, information, form, 7), list(mi.order))
      end
   end)

   it("takes a constant column last, and the first of two equal columns", function()
      local x = ml.normal(60, 3, 4)
      local y = (x:col(1) * 3 + x:col(2) * 2 + x:col(3)):copy()
      local X = ml.hcat(ml.ones(60, 1), x, x:col(1):as_column())
      local order = ml.MRMR { k = 5, score_func = "f_regression", form = "quotient" }:fit(X, y).order
      assert.same({ 2, 1 }, { order[1], order[5] })
   end)
end)
