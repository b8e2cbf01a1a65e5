-- Chains: trees as deep as the number of rows, which would expose recursion and memory quadratic in the depth.
-- 10,000 nodes with MANILIUS_EXHAUSTIVE=1 (make check-faults), else 3,000: growing takes time quadratic in the depth.
local ml = require "manilius"
local programs = require "spec.export.programs"
local support = require "spec.support"
local near, refuses = support.near, support.refuses

local exhaustive = os.getenv "MANILIUS_EXHAUSTIVE"
local DEPTH = exhaustive and 10000 or 3000
local N = DEPTH + 1

-- Alternating labels and numbers: the best split separates one row at an end.
local function alternating(n)
   local rows, labels, numbers = {}, {}, {}
   for i = 1, n do rows[i], labels[i], numbers[i] = { i }, i % 2 == 0 and "even" or "odd", (i % 2) * 2 - 1 end
   return ml.Matrix(rows), labels, numbers
end

-- Numbers for which the best split separates the last row: each node of the chain leaves its right child on the stack.
local function from_the_end(n)
   local rows, numbers = {}, {}
   for i = 1, n do rows[i], numbers[i] = { i }, (i % 2 * 2 - 1) * (1 + i / n) end
   return ml.Matrix(rows), numbers
end

local function lines(text)
   local list = {}
   for line in text:gmatch "[^\n]+" do list[#list + 1] = line end
   return list
end

-- The exported programs of a model, on a few rows.
local function runs_exported(model, X, labels)
   local program = load(model:export_lua())()
   for _, i in ipairs { 1, 2, N // 2, N - 1, N } do
      local predicted, wanted = program.predict { X:get(i, 1) }, model:predict(X:slice(i, i))[1]
      assert.equal(wanted, labels and program.classes[predicted] or predicted)
   end
   local path = os.tmpname()
   programs.write(path .. ".c", model:export_c { name = "chain" } .. [[

#include <stdio.h>
int main(void)
{
  int i;
  for (i = 1; i <= ]] .. N .. [[; i += ]] .. DEPTH // 8 .. [[) {
    const double row[] = { i };
    printf("%.17g\n", (double)chain_predict(row));
  }
  return 0;
}
]])
   local text = programs.run(("cc -std=c99 -O1 -o %s.run %s.c -lm && %s.run"):format(path, path, path))
   for _, suffix in ipairs { "", ".c", ".run" } do os.remove(path .. suffix) end
   local k = 0
   for number in text:gmatch "%S+" do
      local i = 1 + k * (DEPTH // 8)
      local wanted = model:predict(X:slice(i, i))[1]
      assert.equal(wanted, labels and model.classes[tonumber(number) + 1] or tonumber(number))
      k = k + 1
   end
   assert.equal(9, k)
end

local function plots_upper_levels(model)
   local figure = ml.plot.tree(model)
   assert.matches("truncated at depth 3", figure.caption)
   refuses("plot.tree: depth must be smaller, got " .. DEPTH .. ", which shows more than 66 leaves",
      function() ml.plot.tree(model, { depth = DEPTH }) end)
end

local CHAINS = {
   DecisionTreeClassifier = { labels = true }, DecisionTreeRegressor = {},
   ID3Classifier = { labels = true },
   -- Weights so large that a split is worth the penalty of C4.5 for choosing among many thresholds.
   C45Classifier = { labels = true, weight = 1e6, rule = ("^x1 > %d$"):format(DEPTH) },
   -- A line through two rows has no residual, so that two rows are separated at a time.
   LinearTreeRegressor = { settings = { min_samples_leaf = 1, unpruned = true, alpha = 1e-9 }, numbers = DEPTH // 2 + 1,
      rule = exhaustive and "^x1 <= 9937%.5 and x1 > 9936%.5$" or "^x1 <= [%d.]+ and x1 > [%d.]+$" },
}

describe("a chain of thousands of nodes", function()
   local X, labels, numbers = alternating(N)
   for class, given in pairs(CHAINS) do
      it("is grown, saved, written as text, exported and plotted: " .. class, function()
         local y = given.labels and labels or numbers
         local options = given.weight and { weights = ml.Vector(N, given.weight) } or {}
         local model = ml[class](given.settings or {}):fit(X, y, options)
         local nodes = model:nodes()
         assert.equal(given.numbers or DEPTH, nodes.depth:max())
         near(1, model:score(X, y), 1e-6)
         assert.same(model:predict(X):totable(), ml.load(model:dump()):predict(X):totable())
         local rules, text = model:rules(), lines(model:text())
         assert.equal(N, rules.rows)
         assert.matches(given.rule or ("^x1 > %d%%.5$"):format(DEPTH), rules.rule[N])
         assert.equal(nodes.rows - 1, #text) -- a line for each but the root
         for _, line in ipairs(text) do assert(#line < 240, line) end
         local deepest = ("^|   .*|   %%(depth %d%%) x1 "):format(nodes.depth:max())
         local found = 0
         for _, line in ipairs(text) do found = found + (line:find(deepest) and 1 or 0) end
         assert.equal(2, found)
         runs_exported(model, X, given.labels)
         plots_upper_levels(model)
      end)
   end

   it("may go to the left", function()
      local n = N + N // 3
      local rows, y = from_the_end(n)
      local tree = ml.DecisionTreeRegressor {}:fit(rows, y)
      local nodes, at, depth = tree:nodes(), 1, 0
      while nodes.left[at] == nodes.left[at] do at, depth = math.tointeger(nodes.left[at]), depth + 1 end
      assert.is_true(depth > DEPTH)
      assert.equal(2 * n - 1, nodes.rows)
      near(1, tree:score(rows, y), 1e-12)
      local forest = ml.RandomForestRegressor { n_estimators = 1, bootstrap = false }:fit(rows, y)
      near(1, forest:score(rows, y), 1e-12)
   end)

   it("is explained by SHAP values, and may be boosted", function()
      local tree = ml.DecisionTreeRegressor {}:fit(X, numbers)
      local given = tree:shap(X:slice(1, 100))
      for i = 1, 100 do near(numbers[i], given.base[1] + given.values:get(i, 1), 1e-9, "row", 1) end
      local boost = ml.GradientBoostingRegressor { n_estimators = 2, max_depth = 2 * N, learning_rate = 0.5 }
      boost:fit(X, numbers)
      near(0.75 * numbers[N], boost:predict(X:slice(N, N))[1], 1e-3)
      assert.same(boost:predict(X):totable(), ml.load(boost:dump()):predict(X):totable())
      local path = tree:decision_path(X:slice(N, N))
      assert.equal(DEPTH + 1, #path.node)
   end)

   it("is pruned to a single leaf", function()
      assert.equal(1, ml.DecisionTreeRegressor { ccp_alpha = 1 }:fit(X, numbers):nodes().rows)
      local strict = ml.C45Classifier { confidence_factor = 1e-6, min_num_obj = 1 }
      assert.equal(1, strict:fit(X, labels, { weights = ml.Vector(N, 24) }):nodes().rows)
   end)
end)

-- A row without a value goes in fractions to all leaves below. Subtree raising evaluates a branch instead of its parent
-- at each of some thousand nodes; if all rows passed all nodes each time, the time would be cubic.
describe("a chain with missing values", function()
   it("is pruned by C4.5 with subtree raising as without, if raising gains nothing", function()
      local n, rows, labels = 3000, {}, {}
      for i = 1, n do
         rows[i] = { i % 100 == 0 and 0 / 0 or i, i % 150 == 0 and 0 / 0 or i // 1000 }
         labels[i] = i % 2 == 0 and "even" or "odd"
      end
      local X, weights = ml.Matrix(rows), { weights = ml.Vector(n, 1e6) }
      local model = ml.C45Classifier {}:fit(X, labels, weights)
      local plain = ml.C45Classifier { subtree_raising = false }:fit(X, labels, weights)
      assert.is_true(model:nodes().depth:max() > 900)
      assert.equal(plain:text(), model:text())
      for i = 1, n, 77 do
         if i % 100 > 0 and i % 150 > 0 then assert.equal(labels[i], model:predict(X:slice(i, i))[1]) end
      end
   end)
end)

-- Random thresholds separate one row if each value is far beyond the one before; the range of doubles allows some
-- hundred such steps.
describe("a chain of random splits", function()
   it("is grown, saved and exported: Mondrian and extremely randomized trees", function()
      local rows, numbers = {}, {}
      for i = 1, 2000 do rows[i], numbers[i] = { 1.3 ^ (i - 1000) }, (i % 2) * 2 - 1 end
      local X = ml.Matrix(rows)
      for _, class in ipairs { "MondrianForestRegressor", "ExtraTreesRegressor" } do
         local model = ml[class] { n_estimators = 2, seed = 1 }:fit(X, numbers)
         if model.class == "MondrianForestRegressor" then assert(model:structure().depth:max() > 300) end
         assert.same(model:predict(X):totable(), ml.load(model:dump()):predict(X):totable())
         local program = load(model:export_lua())()
         for i = 1, 2000, 333 do
            near(model:predict(X:slice(i, i))[1], program.predict { X:get(i, 1) }, 1e-12, class, 1)
         end
      end
   end)
end)
