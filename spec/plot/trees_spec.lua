--- Plots of trees, partial dependence, Shapley values and losses.
local ml = require "manilius"
local support = require "spec.support"
local refuses = support.refuses
local plot = ml.plot

local X, y = ml.read_csv "examples/data/iris.csv":split "species"

local function layers(figure, panel, kind)
   local out = {}
   for _, layer in ipairs(figure.panels[panel].layers) do
      if layer.kind == kind then out[#out + 1] = layer end
   end
   return out
end

describe("plot.tree", function()
   local tree = ml.DecisionTreeClassifier { max_depth = 2 }:fit(X, y)

   it("centers nodes above their children, with leaves side by side", function()
      local figure = plot.tree(tree)
      local words = layers(figure, 1, "text")
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
      assert.equal(4, #layers(figure, 1, "segments")[1].x1)
      assert.is_nil(figure.caption)
      assert.same({ "yes", "no", "yes", "no" }, words[3].text)
      assert.matches("setosa", figure:text())
   end)

   it("notes that the leaves of a linear tree show means", function()
      local geyser, waiting = ml.read_csv "examples/data/faithful.csv":split "waiting"
      assert.matches("Leaves: mean of y; tree:text%(%) shows their linear models",
         plot.tree(ml.LinearTreeRegressor {}:fit(geyser, waiting)).caption)
      assert.is_nil(plot.tree(tree).caption)
   end)

   it("labels the branch of missing values if there were some in fit", function()
      local gap = 0 / 0
      local rows = { { 1, 1 }, { 2, gap }, { 3, 1 }, { 4, 1 }, { 5, gap }, { 6, 1 }, { gap, gap }, { gap, gap } }
      local figure = plot.tree(ml.DecisionTreeRegressor {}:fit(rows, { 9, 7, 9, 0, 0, 0, 0, 0 }))
      local words = layers(figure, 1, "text")
      assert.same({ "x1 <= 3.5", "x2 is not missing", "9", "7", "0" }, words[1].text)
      assert.same({ "yes", "no or missing", "yes", "no" }, words[3].text)
      for i, x in ipairs(words[3].x) do -- beside the edges
         local edges = layers(figure, 1, "segments")[1]
         local middle = (edges.x1[i] + edges.x2[i]) / 2
         assert.equal(edges.x2[i] < edges.x1[i], x < middle)
      end
   end)

   it("draws a box for each node in the color of its class, darker in purer nodes", function()
      local boxes, names = layers(plot.tree(tree), 1, "rectangles"), {}
      for i, box in ipairs(boxes) do names[i] = box.name end
      assert.same({ "setosa", "setosa", "versicolor", "versicolor", "virginica" }, names)
      assert.equal(boxes[3].color, boxes[4].color)
      assert.not_equal(boxes[4].color, boxes[5].color)
      assert.is_true(boxes[2].opacity > boxes[1].opacity)
      local words = layers(plot.tree(tree), 1, "text")[1]
      for i, box in ipairs(boxes) do
         assert.is_true(box.x1[1] < words.x[i] and words.x[i] < box.x2[1])
         assert.is_true(box.y1[1] < words.y[i] and words.y[i] < box.y2[1])
      end
      local X1, y1 = ml.read_csv "examples/data/faithful.csv":split "waiting"
      local regression = layers(plot.tree(ml.DecisionTreeRegressor { max_depth = 1 }:fit(X1, y1)), 1, "rectangles")
      assert.is_nil(regression[1].name)
      assert.is_true(regression[2].opacity < regression[1].opacity and regression[1].opacity < regression[3].opacity)
   end)

   it("draws a branch for each level, and only the largest of many", function()
      local days, play = ml.read_csv "examples/data/playtennis.csv":split "play"
      local figure = plot.tree(ml.ID3Classifier {}:fit(days, play))
      local words = layers(figure, 1, "text")
      assert.same({ "outlook", "yes", "wind", "no", "yes", "humidity", "no", "yes" }, words[1].text)
      assert.same({ 2.75, 1, 2.5, 2, 3, 4.5, 4, 5 }, words[1].x)
      table.sort(words[3].text)
      assert.same({ "= high", "= normal", "= overcast", "= rainy", "= strong", "= sunny", "= weak" }, words[3].text)
      assert.equal(7, #layers(figure, 1, "segments")[1].x1)
      local level, odd = {}, {}
      for i = 1, 100 do level[i], odd[i] = "l" .. math.min(i, 50), i % 2 end
      local many = layers(plot.tree(ml.ID3Classifier {}:fit(ml.Frame { { "f", ml.Factor(level) } }, odd)), 1, "text")
      assert.equal(11, #many[1].text)
      assert.equal("41 more branches", many[2].text[11])
   end)

   it("is limited in depth, and accepts pipelines", function()
      local deep = ml.Pipeline { ml.StandardScaler {}, ml.DecisionTreeClassifier {} }:fit(X, y)
      local figure = plot.tree(deep, { depth = 1 })
      assert.matches("truncated at depth 1", figure.caption)
      assert.equal(3, #layers(figure, 1, "text")[1].text)
      local one = plot.tree(ml.DecisionTreeRegressor {}:fit({ { 1 }, { 2 } }, { 5, 5 }))
      assert.same({ "5" }, layers(one, 1, "text")[1].text)
      refuses("model must be a fitted decision tree, got Ridge", function()
         plot.tree(ml.Ridge {}:fit({ { 1 } }, { 1 }))
      end)
      refuses("depth must be a whole number >= 0, got %-1", function() plot.tree(tree, { depth = -1 }) end)
   end)
end)

describe("plot.partial_dependence", function()
   it("draws a panel for each column, with the average and single rows", function()
      local forest = ml.RandomForestClassifier { n_estimators = 10, seed = 1 }:fit(X, y)
      local figure = plot.partial_dependence(forest, X, { target = "virginica", curves = 7 })
      assert.equal(4, #figure.panels)
      assert.equal("petal_width", figure.panels[1].x:match "petal_%a+" and "petal_width")
      local one = ml.partial_dependence(forest, X, figure.panels[1].x, { target = "virginica" })
      assert.same(one.average:totable(), layers(figure, 1, "line")[1].y)
      assert.equal(7 * (#one.values - 1), #layers(figure, 1, "segments")[1].x1)
      assert.same({ figure.panels[1].y_low, figure.panels[1].y_high }, { figure.panels[4].y_low,
         figure.panels[4].y_high })
      local own = plot.partial_dependence(forest, X, { target = "virginica", share_y = false, curves = 0 })
      assert.not_equal(own.panels[1].y_high, own.panels[4].y_high)
      local again = plot.partial_dependence(one, { curves = 0 })
      assert.equal(1, #again.panels)
      assert.equal(0, #layers(again, 1, "segments"))
      local settings = { target = "setosa", grid = 5 }
      for k, column in ipairs { "petal_width", 4, { "petal_width" } } do
         local named = plot.partial_dependence(forest, X, column, settings)
         assert.equal(1, #named.panels, k)
         assert.equal("petal_width", named.panels[1].x)
      end
      refuses("column must be one of .*, got 'petal_with'; did you mean 'petal_width'",
         function() plot.partial_dependence(forest, X, "petal_with", settings) end)
      refuses("columns must be nil if column is given",
         function() plot.partial_dependence(forest, X, 1, { columns = { 2 }, target = "setosa" }) end)
      refuses("columns must be a list of names or numbers, got 3",
         function() plot.partial_dependence(forest, X, { columns = 3, target = "setosa" }) end)
   end)

   it("draws a line for each class, and two columns as a heat map", function()
      local forest = ml.RandomForestClassifier { n_estimators = 10, seed = 1 }:fit(X, y)
      local figure = plot.partial_dependence(forest, X, { columns = { 4, { 3, "petal_width" } }, grid = 7 })
      assert.equal(4, #figure.panels)
      local lines = layers(figure, 1, "line")
      assert.equal(3, #lines)
      assert.equal("virginica", lines[3].name)
      assert.equal(0, #layers(figure, 1, "segments"))
      local two = ml.partial_dependence(forest, X, { 3, 4 }, { grid = 7 })
      assert.equal("petal_length", figure.panels[4].x)
      assert.same({ two.averages[3]:min(), two.averages[3]:max() }, { layers(figure, 4, "heat")[1].low,
         layers(figure, 4, "heat")[1].high })
      assert.equal(1, #layers(figure, 4, "contour"))
      assert.matches("probability of virginica", figure:svg())
   end)
end)

describe("plot.shap", function()
   local forest = ml.RandomForestClassifier { n_estimators = 10, seed = 1 }:fit(X, y)

   it("draws a point for each row and column", function()
      local figure = plot.shap(forest, X, { target = "virginica" })
      local points, p = layers(figure, 1, "points"), forest:predict_proba(X)
      assert.equal(1, #points)
      assert.equal(4 * 150, #points[1].x)
      local base = forest:shap(X).base[3]
      for i = 1, 150 do
         local sum = base
         for j = 0, 3 do sum = sum + points[1].x[j * 150 + i] end
         assert.near(p:get(i, 3), sum, 1e-10)
      end
      assert.equal("Shapley value for the probability of virginica", figure.panels[1].x)
      for _, value in ipairs(points[1].value) do assert.is_true(value >= 0 and value <= 1) end
      assert.matches("Shapley value for the probability of virginica", figure:text())
   end)

   it("draws the means of the most important columns as bars", function()
      local figure = plot.shap(forest, X, { target = "setosa", kind = "bar", top = 3 })
      local bars, mean = layers(figure, 1, "bars")[1], {}
      local values = forest:shap(X).values
      for j = 1, 4 do mean[j] = values:col(j):copy():abs():mean() end
      table.sort(mean, function(a, b) return a > b end)
      for k = 1, 3 do assert.near(mean[k], bars.y[k], 1e-12) end
      assert.equal(3, bars.x[1])
      assert.matches("the 3 most important of 4 columns", figure.caption)
   end)

   it("negates the values for the first of two classes, and draws missing values in gray", function()
      local rows, labels = { { 1, 0 / 0 }, { 2, 1 }, { 3, 2 }, { 4, 0 / 0 } }, { "no", "no", "yes", "yes" }
      local boosted = ml.HistGradientBoostingClassifier { max_iter = 3, min_samples_leaf = 1 }:fit(rows, labels)
      local yes, no = plot.shap(boosted, rows), plot.shap(boosted, rows, { target = "no" })
      assert.equal("Shapley value for the decision function of yes", yes.panels[1].x)
      local gray, shown = table.unpack(layers(yes, 1, "points"))
      assert.equal(2, #gray.x)
      assert.equal(6, #shown.x)
      local negated = layers(no, 1, "points")[2]
      for i = 1, 6 do assert.equal(-shown.x[i], negated.x[i]) end
   end)

   it("refuses invalid arguments", function()
      refuses("but Ridge has no Shapley values", function() plot.shap(ml.Ridge {}:fit({ { 1 } }, { 1 }), { { 1 } }) end)
      refuses("target must be one of the labels .*setosa.*, got nil", function() plot.shap(forest, X) end)
      refuses("kind must be 'beeswarm' or 'bar', got .*bars", function()
         plot.shap(forest, X, { target = "setosa", kind = "bars" })
      end)
   end)
end)

describe("plot.loss", function()
   it("marks the round of minimum validation loss", function()
      local D, target = ml.read_csv "examples/data/diabetes.csv":split "progression"
      local model = ml.HistGradientBoostingRegressor { early_stopping = "yes", seed = 2 }:fit(D, target)
      local figure = plot.loss(model)
      local lines, validation = layers(figure, 1, "line"), model.validation_trace
      assert.same(model.trace:totable(), lines[1].y)
      assert.same(validation:totable(), lines[2].y)
      assert.equal(validation:argmin(), layers(figure, 1, "rule")[1].at_x)
      assert.matches("in round " .. validation:argmin() .. " of ", figure.caption)
      local all = plot.loss(ml.HistGradientBoostingRegressor { max_iter = 5 }:fit(D, target))
      assert.equal(1, #layers(all, 1, "line"))
      assert.matches("no validation rows", all.caption:lower())
      local drawn = ml.GradientBoostingRegressor { n_estimators = 8, subsample = 0.5, n_iter_no_change = 5, seed = 1 }
      local three = layers(plot.loss(drawn:fit(D, target)), 1, "line")
      assert.same((drawn.train_score / 2):totable(), three[1].y)
      assert.same((drawn.oob_scores / 2):totable(), three[2].y)
      assert.same(drawn.validation_trace:totable(), three[3].y)
   end)

   it("draws all curves on the scale of the mean loss", function()
      local D, target = ml.read_csv "examples/data/diabetes.csv":split "progression"
      local two, labels = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
      local function train_loss(model, rows, targets)
         local settings = { n_estimators = 6, n_iter_no_change = 6, validation_fraction = 0.3, seed = 1 }
         model:set_params(settings):fit(rows, targets)
         return layers(plot.loss(model), 1, "line")[1].y, model.trace:totable()
      end
      for _, case in ipairs {
         { ml.GradientBoostingClassifier {}, two, labels }, { ml.GradientBoostingClassifier {}, X, y },
         { ml.GradientBoostingClassifier { loss = "exponential" }, two, labels },
         { ml.GradientBoostingRegressor {}, D, target }, { ml.GradientBoostingRegressor { loss = "huber" }, D, target },
      } do
         local drawn, mean = train_loss(table.unpack(case))
         for i, value in ipairs(mean) do assert.near(value, drawn[i], 1e-12 * value) end
      end
      local with_init = ml.GradientBoostingRegressor { init = ml.Ridge {}, n_estimators = 4 }:fit(D, target)
      local line = layers(plot.loss(with_init), 1, "line")[1].y
      for i, value in ipairs(with_init.trace:totable()) do assert.near(value, line[i], 1e-12 * value) end
   end)

   -- The exponential loss computed from errors and weights equals that of the decision function.
   it("draws the error of each AdaBoost model, and the exponential loss", function()
      for name, case in pairs { two = { 51, 150 }, three = { 1, 150 } } do
         local some, of = X:slice(case[1], case[2]), ml.Factor(y:take(ml.range(case[1], case[2])):totable())
         local boost = ml.AdaBoostClassifier { n_estimators = 6, learning_rate = 0.7 }:fit(some, of)
         local lines, rounds = layers(plot.loss(boost), 1, "line"), {}
         assert.same(boost.estimator_errors:totable(), ml.Vector(lines[1].y):totable())
         local k, total = #boost.classes, 0
         for m, decision in ipairs(boost:staged_decision_function(some)) do
            total = total + boost.estimator_weights[m]
            local sum = 0
            for i = 1, #of do
               local own
               if k == 2 then
                  own = (of[i] == boost.classes[2] and 1 or -1) * decision[i] / 2
               else
                  for c = 1, k do own = of[i] == boost.classes[c] and decision:get(i, c) or own end
               end
               -- y'f / K = f_y / (K - 1), because the sum of all f is 0; f is (K - 1)^2 / K times the sum of weights.
               sum = sum + math.exp(-own * total * (k - 1) / k)
            end
            rounds[m] = sum / #of
         end
         support.near_all(rounds, lines[2].y, 1e-9, name)
      end
      local squares = plot.loss(ml.AdaBoostRegressor { n_estimators = 4, loss = "square" }
         :fit({ { 1 }, { 2 }, { 3 }, { 4 } }, { 1, 3, 2, 5 }))
      assert.matches("weighted square loss of each model.*; %d rounds?%.", squares.caption)
   end)

   it("refuses models without rounds", function()
      refuses("but Ridge has no loss by round", function() plot.loss(ml.Ridge {}:fit({ { 1 } }, { 1 })) end)
   end)

   it("draws the out-of-bag error of a forest by the number of trees", function()
      local D, target = ml.read_csv "examples/data/diabetes.csv":split "progression"
      local settings = { n_estimators = 60, oob = true, max_depth = 3, seed = 1 }
      local model = ml.RandomForestRegressor(settings):fit(D, target)
      local figure = plot.loss(model)
      local line = layers(figure, 1, "line")[1]
      assert.same(model.oob_errors:totable(), line.y)
      assert.equal(60, line.x[60])
      assert.equal("mean squared error", figure.panels[1].y)
      assert.matches(("%.4g with all 60 trees"):format(model.oob_errors[60]), figure.caption, 1, true)
      assert.matches("Out%-of%-bag error", figure:text())
      local labels = plot.loss(ml.ExtraTreesClassifier { n_estimators = 3, bootstrap = true, oob = true }:fit(X, y))
      assert.equal("misclassification rate", labels.panels[1].y)
      -- There is no error while the first trees drew all rows.
      local few = ml.RandomForestRegressor { n_estimators = 40, oob = true, seed = 1 }:fit({ { 1 }, { 2 } }, { 1, 2 })
      local drawn = layers(plot.loss(few), 1, "line")[1]
      assert.equal(#drawn.x, #drawn.y)
      for _, value in ipairs(drawn.y) do assert.equal(1, value) end
      refuses("plot.loss: RandomForestRegressor has no out%-of%-bag errors; fit it with oob = true",
         function() plot.loss(ml.RandomForestRegressor { n_estimators = 2 }:fit(D, target)) end)
      refuses("because every tree drew all rows", function()
         plot.loss(ml.RandomForestRegressor { n_estimators = 2, oob = true }:fit({ { 1 } }, { 1 }))
      end)
   end)
end)
