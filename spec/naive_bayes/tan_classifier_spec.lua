local ml = require "manilius"
local support = require "spec.support"

local net = ml.BayesNet { edges = "y -> a; y -> b; a -> b; y -> c; b -> c; y -> d; b -> d", levels = {
   y = { "p", "q" }, a = { "0", "1" }, b = { "0", "1", "2" }, c = { "0", "1" }, d = { "0", "1" } }, cpts = {
   y = { 0.6, 0.4 }, a = { { 0.3, 0.7 }, { 0.6, 0.4 } },
   b = { { { 0.7, 0.2, 0.1 }, { 0.1, 0.3, 0.6 } }, { { 0.2, 0.2, 0.6 }, { 0.5, 0.4, 0.1 } } },
   c = { { { 0.9, 0.1 }, { 0.4, 0.6 }, { 0.2, 0.8 } }, { { 0.3, 0.7 }, { 0.8, 0.2 }, { 0.5, 0.5 } } },
   d = { { { 0.8, 0.2 }, { 0.3, 0.7 }, { 0.6, 0.4 } }, { { 0.1, 0.9 }, { 0.7, 0.3 }, { 0.9, 0.1 } } } } }

local rows = net:sample(3000, 1)
local names = { "a", "b", "c", "d" }
local X, y = rows:select(names), rows.y

describe("TANClassifier", function()
   local model = ml.TANClassifier { alpha = 1 }:fit(X, y)

   it("finds the tree from which the rows were drawn", function()
      assert.same({ -1, 1, 2, 2 }, model.tree_parent:totable())
      for j = 2, 4 do assert.is_true(model.information[j] > 0.02) end
      local wide = ml.TANClassifier { root = 3 }:fit(X, y)
      assert.same({ 2, 3, -1, 2 }, wide.tree_parent:totable())
   end)

   it("has the probabilities of the same network, also where values are missing", function()
      local same = ml.BayesNet { structure = "tan", target = "y", root = "a", pseudo_count = 1 }:fit(rows)
      local prior, smoothed = model.class_log_prior, same:query "y".probability
      local columns = {}
      local draw = support.draws "tan"
      for j, name in ipairs(names) do
         local values = { n = 60 }
         for i = 1, 60 do values[i] = draw() > 0.3 and X[name][i] or nil end
         columns[j] = { name, ml.Factor(values) }
      end
      local part = ml.Frame(columns)
      for _, some in ipairs { X:head(60), part } do
         local p = model:predict_proba(some)
         for i = 1, 60 do
            local given = {}
            for _, name in ipairs(names) do given[name] = some[name][i] end
            -- the network also smooths the frequencies of the classes
            local want = same:query("y", given).probability
            local a, b = want[1] / smoothed[1] * math.exp(prior[1]), want[2] / smoothed[2] * math.exp(prior[2])
            assert.near(a / (a + b), p[i][1], 1e-12)
         end
      end
   end)

   it("beats naive Bayes where columns depend on each other", function()
      local test = net:sample(3000, 2)
      local tan, naive = model:score(test:select(names), test.y),
         ml.CategoricalNB {}:fit(X, y):score(test:select(names), test.y)
      assert.is_true(tan > naive + 0.02, ("%.3f, %.3f"):format(tan, naive))
      local mushrooms, class = ml.read_csv "examples/data/mushroom.csv":split "class"
      local function accuracy(one) return ml.cross_validate(one, mushrooms, class, { cv = 3 }).mean.accuracy end
      assert.is_true(accuracy(ml.TANClassifier {}) > accuracy(ml.CategoricalNB {}) + 0.02)
   end)

   it("is naive Bayes for one column, and without complete rows", function()
      local one = X:select { "a" }
      support.near_rows(ml.CategoricalNB {}:fit(one, y):predict_proba(one:head(5)),
         ml.TANClassifier {}:fit(one, y):predict_proba(one:head(5)), 1e-13)
      local half = ml.Frame { { "a", ml.Factor { "u", "v", "u", n = 6 } }, { "b",
         ml.Factor { n = 6, [4] = "s", [5] = "t", [6] = "s" } } }
      local classes = ml.Factor { "p", "q", "p", "p", "q", "q" }
      support.near_rows(ml.CategoricalNB {}:fit(half, classes):predict_proba(half),
         ml.TANClassifier {}:fit(half, classes):predict_proba(half), 1e-13)
   end)

   it("takes the root by name", function()
      local named = ml.TANClassifier { root = "c" }:fit(X, y)
      assert.same(ml.TANClassifier { root = 3 }:fit(X, y).tree_parent:totable(), named.tree_parent:totable())
      assert.equal("c", ml.load(named:dump()).root)
      support.refuses("root must name columns of X, got 'e'", function() ml.TANClassifier { root = "e" }:fit(X, y) end)
   end)

   it("refuses a root that is no column", function()
      support.refuses("root must be from 1 to 4, the number of columns, got 9", function()
         ml.TANClassifier { root = 9 }:fit(X, y)
      end)
   end)
end)
