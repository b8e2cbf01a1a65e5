-- Partial dependence compared with its definition: explicit sums, and closed forms of linear models.
local ml = require "manilius"
local support = require "spec.support"
local near, refuses = support.near, support.refuses

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
      refuses("target must be given: one of the classes 'setosa'", call(trees, flowers, 1))
      refuses("call fit before predict", call(ml.Ridge {}, X, 1))
   end)
end)
