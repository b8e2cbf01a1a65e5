-- Counterfactuals compared with the nearest point of a hyperplane, with all leaves of a tree, and with all rows of
-- small grids.
local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = support.data("diabetes", "progression")
local ridge = ml.Ridge {}:fit(X, y)
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local P, species = penguins:split "species"

local function scales(frame)
   local out = {}
   for j, column in ipairs(frame.columns) do
      out[j] = (column - column:median()):abs():median()
      if out[j] == 0 then out[j] = column:std() end
   end
   return out
end

-- The least cost of raising the prediction of row 1 by `gap`: the columns of greatest effect first, up to their limits.
local function least_cost(gap, scale, limits)
   local order, cost = {}, 0
   for j = 1, 10 do order[j] = j end
   table.sort(order, function(a, b)
      return math.abs(ridge.coef[a]) * scale[a] > math.abs(ridge.coef[b]) * scale[b]
   end)
   for _, j in ipairs(order) do
      local effect = math.abs(ridge.coef[j])
      local reach = ridge.coef[j] > 0 and limits[j][2] - X.columns[j][1] or X.columns[j][1] - limits[j][1]
      local part = math.min(gap, reach * effect)
      gap, cost = gap - part, cost + part / effect / scale[j]
   end
   assert.equal(0, gap)
   return cost
end

describe("ml.counterfactuals", function()
   it("finds the nearest point of a hyperplane, one column by the sum of distances", function()
      local scale, first, gap = scales(X), ridge:predict(X:head(1))[1], 20
      local result = ml.counterfactuals(ridge, X, 1, { target = { first + gap, math.huge }, integers = {} })
      local wanted = {}
      for j = 1, 10 do
         local move = gap / ridge.coef[j]
         local value = X.columns[j][1] + move
         local inside = value >= X.columns[j]:min() and value <= X.columns[j]:max()
         if inside then wanted[#wanted + 1] = math.abs(move) / scale[j] end
      end
      table.sort(wanted)
      near_all({ wanted[1], wanted[2], wanted[3] }, result.distance, 1e-8)
      near_all({ first + gap, first + gap, first + gap }, result.predictions, 1e-8)
      assert.same({ "s5", "s1", "bmi" }, result.changes.column:totable())
      near_all(ridge:predict(result.rows), result.predictions, 1e-12)
   end)

   it("finds the projection on a hyperplane by Euclidean distance", function()
      local scale, first, gap, sum = scales(X), ridge:predict(X:head(1))[1], 20, 0
      local result = ml.counterfactuals(ridge, X, 1, { target = { first + gap, math.huge }, integers = {},
         distance = "l2", n = 1 })
      for j = 1, 10 do sum = sum + (ridge.coef[j] * scale[j]) ^ 2 end
      near(gap / math.sqrt(sum), result.distance[1], 1e-6)
      for j = 1, 10 do
         local move = gap * ridge.coef[j] * scale[j] ^ 2 / sum
         near(X.columns[j][1] + move, result.rows.columns[j][1], 1e-3)
      end
   end)

   it("uses up the columns of greatest effect when limits bind", function()
      local scale, first, gap = scales(X), ridge:predict(X:head(1))[1], 40
      local limits, by_name = {}, {}
      for j, name in ipairs(X.names) do
         limits[j] = { X.columns[j][1] - 0.5 * scale[j], X.columns[j][1] + 0.5 * scale[j] }
         by_name[name] = limits[j]
      end
      local result = ml.counterfactuals(ridge, X, 1, { target = { first + gap, math.huge }, limits = by_name,
         integers = {}, n = 1 })
      near(least_cost(gap, scale, limits), result.distance[1], 1e-6)
   end)

   it("finds the nearest leaf of a tree", function()
      local D, diagnosis = support.data("breast_cancer", "diagnosis")
      D = D:select("mean_radius", "mean_texture", "mean_concavity", "worst_area", "worst_smoothness")
      local tree, scale = ml.DecisionTreeClassifier { max_depth = 5 }:fit(D, diagnosis), scales(D)
      local nodes = tree:nodes()
      -- The distance from a row to the nearest box of the class: the sum over columns of the distances to its sides.
      local function nearest(row, node, low, high)
         if nodes.left[node] ~= nodes.left[node] then
            local inside = ml.Matrix(1, 5)
            local cost = 0
            for j = 1, 5 do
               local value = math.min(math.max(row[j], low[j] + 1e-9 * scale[j]), high[j])
               inside:set(1, j, value)
               cost = cost + math.abs(value - row[j]) / scale[j]
            end
            local frame = ml.Frame {}
            for j, name in ipairs(D.names) do frame = frame:with { [name] = inside:col(j):copy() } end
            return tree:predict(frame:select(table.unpack(D.names)))[1] == "benign" and cost or math.huge
         end
         local feature, threshold = nodes.feature[node], nodes.threshold[node]
         local j = type(feature) == "number" and feature or nil
         for k, name in ipairs(D.names) do j = j or (feature == name and k) end
         local below, above = { table.unpack(high) }, { table.unpack(low) }
         below[j], above[j] = math.min(high[j], threshold), math.max(low[j], threshold)
         local best = nearest(row, nodes.left[node], low, below)
         return math.min(best, nearest(row, nodes.right[node], above, high))
      end
      for _, i in ipairs { 1, 19 } do
         local row, low, high = {}, {}, {}
         for j, column in ipairs(D.columns) do row[j], low[j], high[j] = column[i], column:min(), column:max() end
         local result = ml.counterfactuals(tree, D, i, { n = 1 })
         near(nearest(row, 1, low, high), result.distance[1], 1e-5)
      end
   end)

   it("finds the best of all rows of a grid of factors and whole numbers, for each set of columns", function()
      local F = P:select("island", "sex", "year")
      local forest = ml.RandomForestClassifier { n_estimators = 15, seed = 1 }:fit(F, species)
      local given = { island = "Torgersen", sex = "male", year = 2007 }
      local result = ml.counterfactuals(forest, F, given, { target = "Gentoo", n = 5 })
      assert.is_true(result.complete)
      local scale, best = scales(F:select "year")[1], {}
      for _, island in ipairs { "Biscoe", "Dream", "Torgersen" } do
         for _, sex in ipairs { "female", "male" } do
            for year = 2007, 2009 do
               if forest:predict({ island = island, sex = sex, year = year })[1] == "Gentoo" then
                  local set = (island ~= given.island and "island " or "") .. (sex ~= given.sex and "sex " or "")
                     .. (year ~= given.year and "year" or "")
                  local cost = (island ~= given.island and 1 or 0) + (sex ~= given.sex and 1 or 0)
                     + (year - given.year) / scale
                  best[set] = math.min(best[set] or math.huge, cost)
               end
            end
         end
      end
      local least = math.huge
      for _, cost in pairs(best) do least = math.min(least, cost) end
      near(least, result.distance[1], 1e-12)
      for answer = 1, result.found do
         local set = {}
         for i = 1, result.changes.rows do
            if result.changes.answer[i] == answer then set[result.changes.column[i]] = true end
         end
         local key = (set.island and "island " or "") .. (set.sex and "sex " or "") .. (set.year and "year" or "")
         near(best[key], result.distance[answer], 1e-12)
      end
   end)

   it("keeps immutable columns, limits, levels and whole numbers", function()
      local forest = ml.RandomForestClassifier { n_estimators = 15, seed = 1 }:fit(P, species)
      local result = ml.counterfactuals(forest, P, 1, { target = "Gentoo", immutable = { "sex", "year" },
         limits = { bill_length_mm = { 35, 42 }, island = { "Dream", "Biscoe" } }, n = 4 })
      assert.is_true(result.found > 1)
      for i = 1, result.found do
         local row = result.rows
         assert.equal(P.sex[1], row.sex[i])
         assert.equal(P.year[1], row.year[i])
         assert.is_true(row.bill_length_mm[i] >= 35 and row.bill_length_mm[i] <= 42)
         assert.equal(math.floor(row.body_mass_g[i]), row.body_mass_g[i])
         assert.equal("Gentoo", forest:predict(row)[i])
         if i > 1 then assert.is_true(result.distance[i] >= result.distance[i - 1]) end
      end
      -- no answer changes all columns of a cheaper one
      local sets = {}
      for i = 1, result.changes.rows do
         local a = result.changes.answer[i]
         sets[a] = sets[a] or {}
         sets[a][result.changes.column[i]] = true
      end
      for a = 2, #sets do
         for b = 1, a - 1 do
            local all = true
            for column in pairs(sets[b]) do all = all and sets[a][column] end
            assert.is_falsy(all)
         end
      end
      -- no single change can be taken back
      local first = result.rows:head(1)
      for column in pairs(sets[1]) do
         local back = first:with { [column] = P[column]:take { 1 } }
         assert.not_equal("Gentoo", forest:predict(back)[1])
      end
   end)

   it("depends on the seed only, accepts all forms of rows, prints and draws", function()
      local logistic = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }:fit(P:select("bill_length_mm",
         "flipper_length_mm"):matrix(), penguins.sex)
      local M = P:select("bill_length_mm", "flipper_length_mm"):matrix()
      local result = ml.counterfactuals(logistic, M, 1, { seed = 3 })
      for _, row in ipairs { M:slice(1, 1), M:row(1), M:row(1):totable() } do
         assert.same(result.rows:totable(), ml.counterfactuals(logistic, M, row, { seed = 3 }).rows:totable())
      end
      assert.equal("male", logistic:predict(result.rows)[1])
      assert.matches("row: female; target: class male\n +distance +probability of male +column +change\n",
         tostring(result))
      assert.matches("answer 1", result:plot():svg())
      local sure = ml.counterfactuals(logistic, M, 1, { min_probability = 0.7, n = 1 })
      near(0.7, sure.predictions[1], 1e-6)
      assert.is_true(sure.distance[1] > result.distance[1])
      local svm = ml.LinearSVC {}:fit(M, penguins.sex)
      local other = ml.counterfactuals(svm, M, 1, { target = svm:predict(M:slice(1, 1))[1] == "male" and "female"
         or "male", n = 1 })
      assert(math.abs(svm:decision_function(other.rows)[1]) < 1e-5)
      assert.equal("decision value of " .. svm:predict(other.rows)[1], other.response)
      assert(math.abs(other.predictions[1]) < 1e-5)
      local pairs_of = ml.OutputCodeClassifier { ml.GaussianNB {} }:fit(M, penguins.species)
      assert.equal("is Gentoo", ml.counterfactuals(pairs_of, M, 1, { target = "Gentoo", n = 1 }).response)
   end)

   it("adds a cost for each change, and scales by the range", function()
      local target = { ridge:predict(X:head(1))[1] + 60, math.huge }
      local free = ml.counterfactuals(ridge, X, 1, { target = target, distance = "l2", n = 1 })
      local sparse = ml.counterfactuals(ridge, X, 1, { target = target, distance = "l2", n = 1, sparsity = 2 })
      assert.is_true(sparse.changes.rows < free.changes.rows)
      local range = ml.counterfactuals(ridge, X, 1, { target = target, scale = "range", integers = {}, n = 1 })
      local size, limits = {}, {}
      for j, column in ipairs(X.columns) do
         limits[j] = { column:min(), column:max() }
         size[j] = column:max() - column:min()
      end
      near(least_cost(60, size, limits), range.distance[1], 1e-6)
   end)

   it("says why nothing was found", function()
      local tree = ml.DecisionTreeClassifier {}:fit(P, species)
      local none = ml.counterfactuals(tree, P, 1, { target = "Gentoo", immutable = { "bill_length_mm", "bill_depth_mm",
         "flipper_length_mm", "body_mass_g", "island" } })
      assert.equal(0, none.found)
      assert.is_nil(none.rows)
      assert.matches("no counterfactual found among %d+ rows, which are all that are permitted: the nearest has a "
         .. "probability of Gentoo of 0; widen limits", tostring(none))
      refuses("nothing to draw: no counterfactual found", function() none:plot() end)
   end)

   it("reports invalid arguments", function()
      local tree = ml.DecisionTreeClassifier {}:fit(P, species)
      local function call(model, data, row, options)
         return function() ml.counterfactuals(model, data, row, options) end
      end
      refuses("counterfactuals: target must be given: one of the classes 'Adelie'", call(tree, P, 1))
      refuses("target must be one of .*, got 'Gento'; did you mean 'Gentoo'", call(tree, P, 1, { target = "Gento" }))
      refuses("row has class Adelie already; choose another target", call(tree, P, 1, { target = "Adelie" }))
      refuses("target must be { from, to } for a regressor", call(ridge, X, 1))
      refuses("no limit), got { 3, 2 }", call(ridge, X, 1, { target = { 3, 2 } }))
      refuses("no limit), got { inf, inf }", call(ridge, X, 1, { target = { math.huge, math.huge } }))
      refuses("row must be given", call(ridge, X))
      refuses("X must have at least two rows, got 1; give the training rows", call(ridge, X:head(1), 1,
         { target = { 1, 2 } }))
      refuses("row must be from 1 to 442, got 500", call(ridge, X, 500, { target = { 1, 2 } }))
      refuses("column must be one of .*, got 'agee'; did you mean 'age'", call(ridge, X, 1, { target = { 1, 2 },
         immutable = { "agee" } }))
      refuses("immutable must leave a column that may change", call(ridge, X, 1, { target = { 1, 2 },
         immutable = X.names }))
      refuses("limits must not name 'age', which is immutable", call(ridge, X, 1, { target = { 1, 2 },
         immutable = { "age" }, limits = { age = { 1, 2 } } }))
      refuses("limits of 'age' must be { from, to } with numbers from <= to", call(ridge, X, 1, { target = { 1, 2 },
         limits = { age = { 3, 2 } } }))
      refuses("limits of 'island' must be levels of the column, got 'Drean'; did you mean 'Dream'", call(tree, P, 1,
         { target = "Gentoo", limits = { island = { "Drean" } } }))
      refuses("min_probability must be a number from 0 to 1, got 2", call(tree, P, 1, { target = "Gentoo",
         min_probability = 2 }))
      refuses("scale must be one of mad, std, range, got 'iqr'", call(ridge, X, 1, { target = { 1, 2 },
         scale = "iqr" }))
      refuses("n must be a whole number >= 1, got 0", call(ridge, X, 1, { target = { 1, 2 }, n = 0 }))
      refuses("no missing values in columns that may change, but 'age' is missing", call(ridge, X,
         { 0 / 0, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, { target = { 1, 2 } }))
      refuses("call fit before predict", call(ml.Ridge {}, X, 1, { target = { 1, 2 } }))
   end)

   it("shows enough digits to tell a small change from none", function()
      local data = ml.Matrix { { 1.5 }, { 1.5 }, { 1.5 + 4e-9 }, { 1.5 + 4e-9 } }
      local tree = ml.DecisionTreeClassifier {}:fit(data, { "a", "a", "b", "b" })
      local changes = ml.counterfactuals(tree, data, 1).changes
      assert.equal("1.5", changes.from[1])
      assert.matches("^1%.50000000%d+$", changes.to[1])
   end)
end)
