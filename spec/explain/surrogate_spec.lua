-- Surrogates compared with the same models fitted by hand to the predictions.
local ml = require "manilius"
local support = require "spec.support"
local near, near_all, refuses = support.near, support.near_all, support.refuses

local X, y = support.data("diabetes", "progression")
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local P, species = penguins:split "species"

describe("ml.surrogate", function()
   it("is a line of fidelity 1 for a linear model, with its coefficients", function()
      local ridge = ml.Ridge {}:fit(X, y)
      local result = ml.surrogate(ridge, X, { kind = "linear" })
      near_all(ridge.coef, result.model.coef, 1e-7)
      near(1, result.fidelity, 1e-12)
      assert.equal("r2", result.measure)
      assert.matches("\ns5 +63%.18\n", tostring(result))
      assert.equal(result.model.coef, ml.surrogate(ridge, X, { kind = "linear" }).model.coef)
   end)

   it("is the tree fitted to the predictions of the training rows, scored on the others", function()
      local forest = ml.RandomForestRegressor { n_estimators = 10, seed = 1 }:fit(X, y)
      local result = ml.surrogate(forest, X, { max_depth = 4, test = 0.4, seed = 3 })
      local answers = forest:predict(X)
      local train_x, test_x, train_y, test_y = ml.train_test_split(X, answers, { test = 0.4, seed = 3 })
      local tree = ml.DecisionTreeRegressor { max_depth = 4 }:fit(train_x, train_y)
      assert.equal(tree:predict(X), result:predict(X))
      near(tree:score(test_x, test_y), result.fidelity, 1e-12)
      near(tree:score(train_x, train_y), result.train_fidelity, 1e-12)
      assert.is_true(result.fidelity < result.train_fidelity)
      assert.equal(#test_y, result.n_test)
      assert.equal(tree:rules().rows, result:rules().rows)
      assert.matches("fidelity 0%.%d+ %(r2 on 177 held%-out rows%)", tostring(result))
      assert.matches("Surrogate of", result:plot().title)
   end)

   it("fits labels with Frames of factors, and the probability of a class", function()
      local forest = ml.RandomForestClassifier { n_estimators = 10, seed = 1 }:fit(P, species)
      local labels = ml.surrogate(forest, P)
      assert.equal("accuracy", labels.measure)
      assert.is_true(labels.fidelity > 0.9 and labels.baseline < 0.6)
      assert.matches("always the most frequent class", tostring(labels))
      local chance = ml.surrogate(forest, P, { target = "Adelie" })
      assert.equal("r2", chance.measure)
      assert.equal("probability of Adelie", chance.response)
      local line = ml.surrogate(forest, P, { kind = "linear", target = "Adelie" })
      assert.matches("island_Dream", tostring(line))
      assert.matches("island", line:plot():svg())
      local own = ml.surrogate(forest, P, { kind = ml.DecisionTreeClassifier { max_leaf_nodes = 3 } })
      assert.equal(3, own.model:rules().rows)
   end)

   it("finds the slope near a row", function()
      local list, z = {}, {}
      for i = 1, 400 do
         list[i] = { math.sin(i) * 3, math.cos(math.sqrt(2) * i) }
         z[i] = list[i][1] ^ 2 + list[i][2]
      end
      local model = ml.Pipeline { ml.PolynomialFeatures { degree = 2 }, ml.LinearRegression {} }:fit(list, z)
      local right = ml.surrogate(model, list, { kind = "linear", around = { 2, 0 }, width = 0.1 })
      near(4, right.model.coef[1], 0.1) -- about the derivative, 2 x_1
      local Z = ml.Matrix(list)
      local far = (((Z:col(1) - 2) / Z:col(1):std()):square() + (Z:col(2) / Z:col(2):std()):square()) / 2
      local answers = model:predict(list)
      local train_x, _, train_y, _, train = ml.train_test_split(Z, answers)
      local by_hand = ml.LinearRegression {}:fit(train_x, train_y, { weights = (far / -0.1 ^ 2):exp():take(train) })
      near_all(by_hand.coef, right.model.coef, 1e-9)
      local left = ml.surrogate(model, Z, { kind = "linear", around = ml.Matrix { { -2, 0 } }, width = 0.1 })
      near(-4, left.model.coef[1], 0.1)
      assert.matches("around a row", tostring(left))
      local same = ml.surrogate(model, list, { kind = "linear", around = 5, width = 0.2 })
      assert.same(same.model.coef:totable(), ml.surrogate(model, list, { kind = "linear", around = list[5],
         width = 0.2 }).model.coef:totable())
   end)

   it("reports invalid arguments", function()
      local ridge, forest = ml.Ridge {}:fit(X, y), ml.DecisionTreeClassifier {}:fit(P, species)
      local function call(...)
         local given = table.pack(...)
         return function() ml.surrogate(table.unpack(given, 1, given.n)) end
      end
      refuses('surrogate: kind must be "tree", "linear" or an estimator, got \'lineer\'; did you mean', call(ridge, X,
         { kind = "lineer" }))
      refuses("kind must be a regressor, because the model predicts numbers, got GaussianNB", call(ridge, X,
         { kind = ml.GaussianNB {} }))
      refuses("max_depth must be a whole number >= 1, got 0", call(ridge, X, { max_depth = 0 }))
      refuses("width must be a number > 0, got 0", call(ridge, X, { around = 1, width = 0 }))
      refuses("too few rows of X are near the row with width = 1e%-09; increase width", call(ridge, X, { around = 1,
         width = 1e-9 }))
      refuses("row must be from 1 to 442, got 443", call(ridge, X, { around = 443 }))
      refuses("row must have one row and 10 columns as X, got 1 x 2", call(ridge, X, { around = { 1, 2 } }))
      refuses("column 'island' of row must be a factor as in X, got Vector", call(forest, P,
         { around = P:head(1):with { island = { 1 } } }))
      refuses("target must be given: one of the classes", call(forest, P, { kind = "linear" }))
      refuses("weights must have 442 values, one for each row, got 1", call(ridge, X, { weights = { 1 } }))
      refuses("call fit before predict", call(ml.Ridge {}, X))
      refuses("only kind = \"tree\" has rules", function() ml.surrogate(ridge, X, { kind = "linear" }):rules() end)
   end)

   it("imitates a clustering by its clusters", function()
      local iris = ml.read_csv("examples/data/iris.csv"):drop "species"
      local found = ml.surrogate(ml.KMeans { n_clusters = 3, seed = 1 }:fit(iris), iris, { max_depth = 2 })
      assert.equal("accuracy", found.measure)
      assert.is_true(found.fidelity > 0.9)
      assert.equal("r2", ml.surrogate(ml.KMeans { n_clusters = 3 }:fit(iris), iris, { target = 1 }).measure)
   end)
end)
