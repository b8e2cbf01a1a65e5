-- Pictures of trees, and of what models say as a column changes.
local ml = require "manilius"
local refuses = require "spec.support".refuses
local plot = ml.plot

local X, y = ml.read_csv "examples/data/iris.csv":split "species"

local function of_kind(figure, panel, kind)
   local out = {}
   for _, layer in ipairs(figure.panels[panel].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("plot.tree", function()
   local tree = ml.DecisionTreeClassifier { max_depth = 2 }:fit(X, y)

   it("puts questions above their answers, leaves side by side", function()
      local figure = plot.tree(tree)
      local words = of_kind(figure, 1, "text")
      local at = {}
      for i, word in ipairs(words[1].text) do at[word] = { words[1].x[i], words[1].y[i], words[2].text[i] } end
      assert.same({ "petal_length <= 2.45", "petal_width <= 1.75", "setosa", "versicolor", "virginica" }, (function()
         local names = {}
         for name in pairs(at) do names[#names + 1] = name end
         table.sort(names)
         return names
      end)())
      assert.equal(1, at.setosa[1])
      assert.equal(2, at.versicolor[1])
      assert.equal(3, at.virginica[1])
      assert.equal(2.5, at["petal_width <= 1.75"][1])
      assert.equal(1.75, at["petal_length <= 2.45"][1])
      assert.equal("100% of 50", at.setosa[3])
      assert.equal("91% of 54", at.versicolor[3])
      assert.equal(4, #of_kind(figure, 1, "segments")[1].x1)
      assert.matches("Left: yes; right: no", figure.caption)
      assert.matches("setosa", figure:text())
   end)

   it("draws a branch for each level, of many the largest", function()
      local days, play = ml.read_csv "examples/data/playtennis.csv":split "play"
      local figure = plot.tree(ml.ID3Classifier {}:fit(days, play))
      local words = of_kind(figure, 1, "text")
      assert.same({ "outlook", "yes", "wind", "no", "yes", "humidity", "no", "yes" }, words[1].text)
      assert.same({ 2.75, 1, 2.5, 2, 3, 4.5, 4, 5 }, words[1].x)
      table.sort(words[3].text)
      assert.same({ "= high", "= normal", "= overcast", "= rainy", "= strong", "= sunny", "= weak" }, words[3].text)
      assert.equal(7, #of_kind(figure, 1, "segments")[1].x1)
      local level, odd = {}, {}
      for i = 1, 100 do level[i], odd[i] = "l" .. math.min(i, 50), i % 2 end
      local many = of_kind(plot.tree(ml.ID3Classifier {}:fit(ml.Frame { { "f", ml.Factor(level) } }, odd)), 1, "text")
      assert.equal(11, #many[1].text)
      assert.equal("41 more branches", many[2].text[11])
   end)

   it("stops at a depth, and names what comes before a pipeline's tree", function()
      local deep = ml.Pipeline { ml.StandardScaler {}, ml.DecisionTreeClassifier {} }:fit(X, y)
      local figure = plot.tree(deep, { depth = 1 })
      assert.matches("goes on below depth 1", figure.caption)
      assert.equal(3, #of_kind(figure, 1, "text")[1].text)
      local one = plot.tree(ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 } }, { 5, 5 }))
      assert.same({ "5" }, of_kind(one, 1, "text")[1].text)
      refuses("needs a fitted decision tree, got Ridge", function() plot.tree(ml.Ridge {}:fit({ { 1 } }, { 1 })) end)
      refuses("depth must be a whole number from 0, got %-1", function() plot.tree(tree, { depth = -1 }) end)
   end)
end)

describe("plot.partial_dependence", function()
   it("draws a panel for each column: the average over curves of single rows", function()
      local forest = ml.RandomForestClassifier { n_estimators = 10, seed = 1 }:fit(X, y)
      local figure = plot.partial_dependence(forest, X, { target = "virginica", curves = 7 })
      assert.equal(4, #figure.panels)
      assert.equal("petal_width", figure.panels[1].x:match "petal_%a+" and "petal_width")
      local one = ml.partial_dependence(forest, X, figure.panels[1].x, { target = "virginica" })
      assert.same(one.average:totable(), of_kind(figure, 1, "line")[1].y)
      assert.equal(7 * (#one.values - 1), #of_kind(figure, 1, "segments")[1].x1)
      local again = plot.partial_dependence(one, { curves = 0 })
      assert.equal(1, #again.panels)
      assert.equal(0, #of_kind(again, 1, "segments"))
      refuses("columns must be a list of names or numbers, got 3",
         function() plot.partial_dependence(forest, X, { columns = 3, target = "setosa" }) end)
   end)
end)
