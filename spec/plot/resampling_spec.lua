--- Plots of permutation tests and of the rounds of searches, and bands of intervals.

local ml = require "manilius"
local support = require "spec.support"

local plot, refuses = ml.plot, support.refuses_exactly
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"

local function layers(panel, kind)
   local out = {}
   for _, layer in ipairs(panel.layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("plot.permutation_test", function()
   it("draws all scores and that of the data", function()
      local test = ml.permutation_test_score(ml.Ridge {}, X, y, { n = 25 })
      local panel = plot.permutation_test(test, { bins = 5 }).panels[1]
      local sum = 0
      for _, count in ipairs(layers(panel, "bars")[1].y) do sum = sum + count end
      assert.equal(25, sum)
      assert.equal(test.score, layers(panel, "rule")[1].at_x)
      assert.is_true(panel.x_range[2] > test.score)
      assert.equal("Permutation test of Ridge", test:plot().title)
   end)

   it("refuses other values", function()
      refuses("plot.permutation_test: test must be a result of ml.permutation_test_score, got Model",
         plot.permutation_test, ml.Ridge {})
   end)
end)

describe("plot.brackets", function()
   local search = ml.HyperbandSearch { ml.Ridge {}, { alpha = { "loguniform", 0.01, 100 } }, cv = 2 }:fit(X, y)

   it("draws a line for each candidate, and a panel for each bracket", function()
      local fig, drawn, colored = plot.brackets(search), 0, 0
      assert.equal(search.history.bracket:max(), #fig.panels)
      for _, panel in ipairs(fig.panels) do
         for _, line in ipairs(layers(panel, "line")) do
            drawn, colored = drawn + #line.x, colored + (line.width == 2.5 and 1 or 0)
         end
      end
      assert.equal(#search.history.bracket, drawn)
      assert.equal(1, colored)
   end)

   it("refuses searches without rounds", function()
      refuses("plot.brackets: search must be a fitted HyperbandSearch, HalvingGridSearch or HalvingRandomSearch, got "
         .. "GridSearch", plot.brackets, ml.GridSearch { ml.Ridge {}, { alpha = { 1, 2 } } }:fit(X, y))
   end)
end)

describe("plot.learning_curve", function()
   it("draws the intervals of the Frame", function()
      local curve = ml.learning_curve(ml.Ridge {}, X, y, { interval = "t", sizes = { 0.5, 1.0 } })
      local fig = plot.learning_curve(curve)
      local band = layers(fig.panels[1], "band")[2]
      for i = 1, 2 do
         assert.equal(curve.test_low[i], band.low[i])
         assert.equal(curve.test_high[i], band.high[i])
      end
      assert.truthy(fig.caption:find "95%% intervals")
   end)
end)
