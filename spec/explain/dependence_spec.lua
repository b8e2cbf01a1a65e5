-- Partial dependence compared with its definition: explicit sums, and closed forms of linear models.
local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses = support.near, support.near_all, support.refuses
local peer = require "spec.fixtures.explain.dependence"

local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"

describe("partial dependence", function()
   it("is a line for a linear model, with parallel lines for all rows", function()
      local model = ml.LinearRegression {}:fit(X, y)
      local result = ml.partial_dependence(model, X, "bmi", { grid = 7 })
      local slope = model.coef[3]
      assert.equal("bmi", result.column)
      assert.equal(7, #result.values)
      assert.equal("prediction", result.response)
      near(X.bmi:quantile(0.05), result.values[1], 1e-12)
      near(X.bmi:quantile(0.95), result.values[7], 1e-12)
      local predicted = model:predict(X)
      for v = 1, 7 do
         near(predicted:mean() + slope * (result.values[v] - X.bmi:mean()), result.average[v], 1e-9)
         near(predicted[5] + slope * (result.values[v] - X.bmi[5]), result.individual:get(5, v), 1e-9)
      end
   end)

   it("is the mean prediction of a forest for rows with the value set", function()
      local forest = ml.RandomForestRegressor { n_estimators = 5, seed = 2 }:fit(X, y)
      local weights = ml.range(1, #y):totable()
      local result = ml.partial_dependence(forest, X, 3, { values = { 20, 30 }, weights = weights })
      local total, sum = 0, 0
      for i = 1, #y, 1 do
         local row = {}
         for j = 1, #X.names do row[X.names[j]] = j == 3 and 30 or X.columns[j][i] end
         sum, total = sum + i * forest:predict(row)[1], total + i
      end
      near(sum / total, result.average[2], 1e-9)
   end)

   it("accepts the levels of a factor and probabilities of a class", function()
      local frame = ml.Frame { { "size", { 1, 2, 3, 4, 5, 6 } },
         { "color", ml.Factor { "red", "blue", "red", "blue", "red", "blue" } } }
      local model = ml.Pipeline { ml.ColumnTransformer { { ml.OneHotEncoder {}, { "color" } },
         { ml.StandardScaler {}, { "size" } } }, ml.LogisticRegression {} }:fit(frame,
         { "no", "no", "yes", "no", "yes", "yes" })
      local result = ml.partial_dependence(model, frame, "color")
      assert.same({ "blue", "red" }, result.values)
      assert.equal("probability of yes", result.response)
      local red = ml.Frame { { "size", frame.size }, { "color", ml.Factor { "red", "red", "red", "red", "red",
         "red" } } }
      near(model:predict_proba(red):col(2):mean(), result.average[2], 1e-12)
      local no = ml.partial_dependence(model, frame, "color", { target = "no" })
      near(1 - result.average[1], no.average[1], 1e-12)
      assert.matches("mean over 6 rows, at 2 values of color", tostring(result))
   end)

   it("agrees with scikit-learn on one column and two, with weights and for all classes", function()
      local weights = {}
      for i = 1, #y do weights[i] = 1 + (i - 1) % 3 end
      local three = X:select("bmi", "bp", "s5"):matrix()
      local products = ml.Pipeline { ml.PolynomialFeatures { degree = 2 }, ml.LinearRegression {} }:fit(three, y)
      local one = ml.partial_dependence(products, three, 1, { values = peer.products_one.grids[1],
         weights = weights })
      near_all(ml.Vector(peer.products_one.averages[1]), one.average, 1e-7)
      local two = ml.partial_dependence(products, three, { 1, 3 }, { values = peer.products_two.grids,
         weights = weights })
      near_all(ml.Matrix(peer.products_two.averages[1]):flatten(), two.average:flatten(), 1e-7)
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local bayes = ml.GaussianNB {}:fit(flowers, species)
      one = ml.partial_dependence(bayes, flowers, "petal_length", { values = peer.bayes_one.grids[1] })
      two = ml.partial_dependence(bayes, flowers, { "petal_length", "petal_width" }, { values = peer.bayes_two.grids })
      assert.same({ "probability of setosa", "probability of versicolor", "probability of virginica" }, two.responses)
      assert.is_nil(one.average)
      for c = 1, 3 do
         near_all(ml.Vector(peer.bayes_one.averages[c]), one.averages[c], 1e-9, nil, 1e-12)
         near_all(ml.Matrix(peer.bayes_two.averages[c]):flatten(), two.averages[c]:flatten(), 1e-9, nil, 1e-12)
      end
   end)

   it("accepts a number and a factor, and the mean of rows set to both values", function()
      local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
      local P, mass = penguins:select("island", "sex", "bill_length_mm"), penguins.body_mass_g
      local tree = ml.DecisionTreeRegressor { max_depth = 5 }:fit(P, mass)
      local result = ml.partial_dependence(tree, P, { "bill_length_mm", "island" }, { grid = 5 })
      assert.equal(5, #result.values[1])
      assert.same({ "Biscoe", "Dream", "Torgersen" }, result.values[2])
      local n = P.rows
      local changed = P:with { island = ml.Factor { "Dream" }:take(ml.full(n, 1, 1):col(1)),
         bill_length_mm = ml.full(n, 1, result.values[1][4]):col(1) }
      near(tree:predict(changed):mean(), result.average:get(4, 2), 1e-12)
      assert.matches("prediction, mean over 333 rows, at 5 x 3 values\nbill_length_mm \\ island +Biscoe",
         tostring(result))
      assert.matches("bill_length_mm", result:plot():svg())
   end)

   it("reports invalid arguments", function()
      local model = ml.Ridge {}:fit(X, y)
      local call = function(...)
         local given = table.pack(...)
         return function() ml.partial_dependence(table.unpack(given, 1, given.n)) end
      end
      refuses("column must be one of .*, got 'bmj'; did you mean 'bmi'", call(model, X, "bmj"))
      refuses("column must be from 1 to 10, got 11", call(model, X, 11))
      refuses("has no option 'gird'; did you mean 'grid'", call(model, X, 1, { gird = 3 }))
      refuses("grid must be a whole number >= 2, got 1", call(model, X, 1, { grid = 1 }))
      refuses("weights must have 442 values, one for each row, got 1", call(model, X, 1, { weights = { 1 } }))
      refuses("model must be an estimator, got 3", call(3, X, 1))
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local trees = ml.DecisionTreeClassifier { max_depth = 2 }:fit(flowers, species)
      refuses("target must be one of 'setosa', .*, got 'setos'; did you mean 'setosa'", call(trees, flowers, 1,
         { target = "setos" }))
      refuses("column must be one column or a list of two, got 3", call(model, X, { 1, 2, 3 }))
      refuses("the two columns must be different, got 'bmi' twice", call(model, X, { 3, "bmi" }))
      refuses("values must be { values of the first column, values of the second }, got 3", call(model, X, { 1, 3 },
         { values = 3 }))
      refuses("values must be a list of numbers, got", call(model, X, 1, { values = {} }))
      refuses("call fit before predict", call(ml.Ridge {}, X, 1))
      local people = ml.Frame { { "size", { 1, 2, 3, 4 } }, { "sex", { "f", "m", "f", "m" } } }
      local encoder = ml.ColumnTransformer { { ml.OneHotEncoder { handle_unknown = "ignore" }, "factor" } }
      refuses("values must be levels of 'sex': 'f', 'm'; got 'g'", call(ml.Pipeline { encoder, ml.Ridge {} }:fit(people,
         { 1, 2, 3, 4 }), people, "sex", { values = { "g" } }))
   end)

   it("accepts a whole number as a float, and says which values are not shown", function()
      local model = ml.Ridge {}:fit(X, y)
      assert.equal(3, #ml.partial_dependence(model, X, "bmi", { grid = 3.0 }).values)
      local function shown(...) return (tostring(ml.partial_dependence(model, X, ...)):match "\n(%.%.%. .*)$") end
      assert.is_nil(shown("bmi", { grid = 12 }))
      assert.equal("... 10 of 50 values of bmi shown", shown "bmi")
      assert.equal("... 5 of 9 values of s5 shown", shown({ "bmi", "s5" }, { values = { { 20, 30 },
         ml.linspace(4, 6, 9):totable() } }))
   end)

   it("explains the decision values of classifiers", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LinearSVC {}:fit(flowers, species)
      local found = ml.partial_dependence(model, flowers, 3, { values = { 2, 4 } })
      assert.same({ "decision value of setosa", "decision value of versicolor", "decision value of virginica" },
         found.responses)
      for c = 1, 3 do
         local changed = flowers:with { petal_length = 4 }
         assert.near(model:decision_function(changed):col(c):mean(), found.averages[c][2], 1e-12)
      end
      local logistic = ml.LogisticRegression {}:fit(flowers, species)
      local one = ml.partial_dependence(logistic, flowers, 3, { values = { 2, 4 }, target = "setosa",
         response = "decision_function" })
      assert.near(-2 * (logistic.coef:get(1, 3)), one.average[1] - one.average[2], 1e-9)
      local effect = ml.accumulated_effects(logistic, flowers, 3, { target = "setosa", response = "decision_function" })
      local t = effect.table
      assert.near(logistic.coef:get(1, 3) * (t.value[3] - t.value[1]), t.effect[3] - t.effect[1], 1e-9)
      assert.near(0, ml.friedman_h(logistic, flowers, { target = "setosa", response = "decision_function",
         max_rows = 30 }).pairs.h:max(), 1e-9)
   end)
end)
