local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses

local X, y = support.data("iris", "species")
local Xd, yd = support.data("diabetes", "progression")

local function plain(model)
   return { name = "Plain", clone = function() return plain(model:clone()) end,
      fit = function(self, ...) model:fit(...) return self end,
      predict = function(_, ...) return model:predict(...) end }
end

describe("BaggingClassifier", function()
   it("equals its base if all rows are drawn once", function()
      for _, base in ipairs { ml.DecisionTreeClassifier { max_depth = 3 }, ml.GaussianNB {},
         ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} } } do
         local bag = ml.BaggingClassifier { base, n_estimators = 2, bootstrap = false }:fit(X, y)
         assert.equal(base:clone():fit(X, y):predict_proba(X), bag:predict_proba(X))
         assert.equal(150, #bag.estimators_samples[1])
      end
   end)

   it("fits each model to its estimators_samples and estimators_features", function()
      local bag = ml.BaggingClassifier { ml.GaussianNB {}, n_estimators = 4, max_samples = 0.5, max_features = 2,
         seed = 3 }:fit(X, y)
      local sum
      for i, model in ipairs(bag.estimators) do
         local at, columns = bag.estimators_samples[i], bag.estimators_features[i]
         assert.equal(75, #at)
         assert.equal(2, #columns)
         local names = {}
         for j, column in ipairs(columns) do names[j] = X.names[column] end
         local part = X:select(names)
         local own = ml.GaussianNB {}:fit(part:take(at), y:take(at))
         assert.is_true(own:dump() == model:dump())
         local p = own:predict_proba(part)
         sum = sum and sum + p or p
      end
      support.near_rows((sum / 4):totable(), bag:predict_proba(X):totable(), 1e-12, "proba", 1)
      local seen = {}
      for i = 1, 4 do seen[table.concat(bag.estimators_features[i], " ")] = true end
      assert.is_true(next(seen, next(seen)) ~= nil, "all models see the same columns")
   end)

   it("repeats columns that were drawn repeatedly", function()
      local bag = ml.BaggingClassifier { ml.GaussianNB {}, n_estimators = 6, bootstrap = false,
         bootstrap_features = true, seed = 5 }:fit(X, y)
      local again = 0
      local matrix = X:matrix()
      for i, model in ipairs(bag.estimators) do
         local columns = bag.estimators_features[i]
         if #ml.Vector(columns):unique() < #columns then again = again + 1 end
         local own = ml.GaussianNB {}:fit(matrix:select(columns), y)
         support.near_rows(own.theta:totable(), model.theta:totable(), 1e-12)
      end
      assert.is_true(again > 3)
      assert.equal(150, #bag:predict(X))
   end)

   it("draws about 63% of the rows with replacement, and each at most once without", function()
      local bag = ml.BaggingClassifier { ml.GaussianNB {}, n_estimators = 50 }:fit(X, y)
      local share = 0
      for _, at in ipairs(bag.estimators_samples) do
         share = share + #at:unique() / 150 / 50
         assert.is_true(at:min() >= 1 and at:max() <= 150)
      end
      assert.near(1 - math.exp(-1), share, 0.02)
      bag = ml.BaggingClassifier { ml.GaussianNB {}, max_samples = 100, bootstrap = false }:fit(X, y)
      for _, at in ipairs(bag.estimators_samples) do assert.equal(100, #at:unique()) end
   end)

   it("has an out-of-bag score close to cross-validation", function()
      local bag = ml.BaggingClassifier { ml.DecisionTreeClassifier {}, n_estimators = 60, oob = true }:fit(X, y)
      assert.is_true(bag.oob_score > 0.92 and bag.oob_score < 0.98, bag.oob_score)
      assert.equal(150, bag.oob_prediction.rows)
      for i = 1, 150 do assert.near(1, bag.oob_prediction[i]:sum(), 1e-12) end
      -- by hand, for one row
      local sum, n = ml.Vector(3, 0), 0
      for i, at in ipairs(bag.estimators_samples) do
         if at:eq(71):sum() == 0 then
            sum, n = sum + bag.estimators[i]:predict_proba(X:slice(71, 71))[1], n + 1
         end
      end
      support.near_all((sum / n):totable(), bag.oob_prediction[71]:totable(), 1e-12, "row 71", 1)
   end)

   it("is bit-identical for a base in Lua or C, any number of threads and the same seed", function()
      local settings = { n_estimators = 6, max_samples = 0.7, max_features = 0.5, seed = 5, oob = true }
      local function of(base)
         settings.estimator = base
         return ml.BaggingClassifier(settings)
      end
      local tree = ml.KNeighborsClassifier {}
      assert.equal(of(tree):fit(X, y):predict_proba(X), of(ml.Pipeline { ml.FeatureUnion { "passthrough" }, tree })
         :fit(X, y):predict_proba(X))
      support.same_for_any_threads(function() return of(ml.DecisionTreeClassifier { max_features = 1 }):fit(X, y) end)
      local one = of(tree):fit(X, y)
      assert.is_true(one:dump() == of(tree):fit(X, y):dump())
      assert.is_false(one:dump() == of(tree):set_params { seed = 6 }:fit(X, y):dump())
   end)

   it("names the row and column of X, not of the sample, in errors", function()
      local holed = X:matrix():copy()
      holed:set(77, 4, 0 / 0)
      refuses("X must be finite, got nan in row 77, column 4", function()
         ml.BaggingClassifier { ml.LogisticRegression {}, max_features = 2, n_estimators = 20 }:fit(holed, y)
      end)
   end)

   it("gives each model its own seed", function()
      local bag = ml.BaggingClassifier { ml.ExtraTreesClassifier { n_estimators = 2 }, n_estimators = 3,
         bootstrap = false }:fit(X, y)
      assert.is_true(bag.estimators[1].seed ~= bag.estimators[2].seed)
      bag = ml.BaggingClassifier { ml.Pipeline { ml.StandardScaler {}, ml.ExtraTreesClassifier { n_estimators = 2 } },
         n_estimators = 2 }:fit(X, y)
      assert.is_true(bag.estimators[1][2].seed ~= bag.estimators[2][2].seed)
   end)

   it("counts votes if the base has no probabilities", function()
      local bag = ml.BaggingClassifier { plain(ml.GaussianNB {}), n_estimators = 5 }:fit(X, y)
      for i = 1, 150 do
         for c = 1, 3 do assert.near(0, bag:predict_proba(X)[i][c] * 5 % 1, 1e-9) end
         if i > 5 then break end
      end
      assert.is_true(bag:score(X, y) > 0.93)
   end)

   it("redraws samples of a single class, and aligns classes that a sample lacks", function()
      local bag = ml.BaggingClassifier { ml.GaussianNB {}, max_samples = 4, n_estimators = 30 }:fit(X, y)
      local few = 0
      for _, model in ipairs(bag.estimators) do few = few + (#model.classes < 3 and 1 or 0) end
      assert.is_true(few > 0)
      assert.equal(3, bag:predict_proba(X).cols)
      refuses("samples of max_samples = 1 rows contain only one class", function()
         ml.BaggingClassifier { ml.GaussianNB {}, max_samples = 1 }:fit(X, y)
      end)
   end)

   it("matches columns by name in any order", function()
      local bag = ml.BaggingClassifier { ml.GaussianNB {}, max_features = 2 }:fit(X, y)
      local turned = X:select { "petal_width", "petal_length", "sepal_width", "sepal_length" }
      assert.equal(bag:predict_proba(X), bag:predict_proba(turned))
      refuses("X must have 4 columns, as in fit, got 3", function() bag:predict { { 1, 2, 3 } } end)
   end)

   it("passes weights to the base, which must support them", function()
      local w = {}
      for i = 1, 150 do w[i] = i <= 50 and 0 or 1 end
      local bag = ml.BaggingClassifier { ml.GaussianNB {} }:fit(X, y, { weights = w })
      assert.same({ "versicolor", "virginica" }, bag.classes)
      refuses("BaggingClassifier: member '1': Plain does not support weights", function()
         ml.BaggingClassifier { plain(ml.GaussianNB {}) }:fit(X, y, { weights = w })
      end)
   end)

   it("refuses invalid settings and names the model that fails", function()
      refuses("estimator must classify, got Ridge", function() ml.BaggingClassifier { ml.Ridge {} } end)
      refuses("max_samples must be a fraction > 0 and <= 1.0 or a whole number >= 1, got 1.5", function()
         ml.BaggingClassifier { max_samples = 1.5 }
      end)
      refuses("n_estimators must be a whole number >= 1, got 0", function()
         ml.BaggingClassifier { n_estimators = 0 }
      end)
      refuses("oob requires bootstrap = true", function() ml.BaggingClassifier { oob = true, bootstrap = false } end)
      refuses("BaggingClassifier has no parameter 'oob_score'; did you mean 'oob'", function()
         ml.BaggingClassifier { oob_score = true }
      end)
      refuses("max_features must be at most 4, got 9", function()
         ml.BaggingClassifier { max_features = 9 }:fit(X, y)
      end)
      refuses("DecisionTreeClassifier has no parameter 'max_dept'; did you mean 'max_depth'", function()
         ml.BaggingClassifier {}:set_params { estimator__max_dept = 1 }
      end)
      refuses("BaggingClassifier: member '1': KNeighborsClassifier: ", function()
         ml.BaggingClassifier { ml.KNeighborsClassifier { n_neighbors = 999 } }:fit(X, y)
      end)
   end)

   it("stops or is cancelled by on_iter", function()
      local bag = ml.BaggingClassifier { plain(ml.GaussianNB {}), n_estimators = 500 }
      bag:fit(X, y, { on_iter = function() return "stop" end })
      assert.is_true(#bag.estimators >= 1 and #bag.estimators < 500)
      assert.is_true(bag:score(X, y) > 0.9)
      refuses("cancelled by the progress function", function()
         bag:fit(X, y, { on_iter = function() return "cancel" end })
      end)
   end)

   it("prints 1 (one row) and 1.0 (all rows) differently", function()
      local shown = "BaggingClassifier { estimator = DecisionTreeClassifier {}%s }"
      for given, text in pairs { [ml.BaggingClassifier { max_samples = 1 }] = ", max_samples = 1",
         [ml.BaggingClassifier { max_samples = 1.0, max_features = 2 }] = ", max_features = 2",
         [ml.BaggingClassifier { max_features = 1, max_samples = 0.5 }] = ", max_features = 1, max_samples = 0.5",
         [ml.BaggingClassifier {}] = "" } do
         local written = tostring(given):gsub("%s+", " ")
         assert.equal(shown:format(text), written)
         local read = load("local ml = ... local _ENV = ml return " .. written)(ml)
         assert.equal(math.type(given.max_samples), math.type(read.max_samples))
         assert.equal(math.type(given.max_features), math.type(read.max_features))
         assert.equal(given:dump(), read:dump())
      end
   end)

   it("is saved, loaded, printed and searched", function()
      local bag = ml.BaggingClassifier { ml.DecisionTreeClassifier { max_depth = 2 }, max_features = 3, oob = true }
      bag:fit(X, y)
      local again = ml.load(bag:dump())
      assert.equal(bag:predict_proba(X), again:predict_proba(X))
      assert.is_true(bag:dump() == again:dump())
      assert.same(bag.estimators_samples[2]:totable(), again.estimators_samples[2]:totable())
      assert.matches("fitted: 10 models, 4%s+features, 3 classes$", tostring(again))
      assert.near(1, bag.feature_importances:sum(), 1e-9)
      local search = ml.GridSearch { ml.BaggingClassifier {}, { estimator__max_depth = { 1, 3 } }, cv = 3 }:fit(X, y)
      assert.equal(3, search.best.estimator.max_depth)
   end)
end)

describe("BaggingRegressor", function()
   it("equals its base if all rows are drawn once", function()
      local tree = ml.DecisionTreeRegressor { max_depth = 3 }
      local bag = ml.BaggingRegressor { tree, n_estimators = 1, bootstrap = false }:fit(Xd, yd)
      assert.equal(tree:clone():fit(Xd, yd):predict(Xd), bag:predict(Xd))
      assert.equal(tree:fit(Xd, yd).feature_importances, bag.feature_importances)
   end)

   it("is close to a random forest of all columns, also out of bag", function()
      local bag = ml.BaggingRegressor { n_estimators = 60, oob = true }:fit(Xd, yd)
      local forest = ml.RandomForestRegressor { n_estimators = 60, max_features = 10, oob = true }:fit(Xd, yd)
      assert.near(forest.oob_score, bag.oob_score, 0.05)
      assert.is_true(bag.oob_score > 0.36 and bag.oob_score < 0.5, bag.oob_score)
   end)

   it("supports several targets and factors", function()
      local bag = ml.BaggingRegressor { ml.Ridge {}, oob = true, n_estimators = 30 }:fit(Xd, ml.hcat(yd, yd * 2))
      assert.equal(2, bag:predict(Xd).cols)
      assert.equal(2, bag.n_targets)
      local penguins = ml.read_csv "examples/data/penguins.csv":drop "year"
      local P, mass = penguins:filter(penguins.body_mass_g:isnan():eq(0)):split "body_mass_g"
      bag = ml.BaggingRegressor { max_features = 4, n_estimators = 30 }:fit(P, mass)
      assert.is_true(bag:score(P, mass) > 0.85)
   end)

   it("refuses rows without columns", function()
      local ok, message = pcall(function() ml.BaggingRegressor {}:fit(ml.zeros(4, 0), { 1, 2, 3, 4 }) end)
      assert.is_false(ok)
      assert.matches("BaggingRegressor: X must have at least 1 column, got 0", message)
   end)
end)
