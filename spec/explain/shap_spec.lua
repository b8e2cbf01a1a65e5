-- Shapley values compared with sums over all subsets of columns, and with the closed form of linear models.
local ml = require "manilius"
local support = require "spec.support"
local wanted = require "spec.fixtures.explain.interactions"
local near, refuses = support.near, support.refuses

local cars = ml.read_csv("examples/data/auto_mpg.csv"):dropna "horsepower"
local X, y = cars:select("horsepower", "weight", "acceleration", "model_year"), cars.mpg

-- The mean of f over the background rows, with the columns in the bit set `set` from row x.
local function value_of_set(f, x, background, set)
   local list = {}
   for b = 1, #background do
      list[b] = {}
      for j = 1, #x do list[b][j] = set >> (j - 1) & 1 == 1 and x[j] or background[b][j] end
   end
   return f(ml.Matrix(list)):mean()
end

local function factorial(n) return n < 2 and 1 or n * factorial(n - 1) end

local function enumerated(f, x, background)
   local p, phi = #x, {}
   for j = 1, p do
      phi[j] = 0
      for set = 0, (1 << p) - 1 do
         if set >> (j - 1) & 1 == 0 then
            local size = 0
            for i = 0, p - 1 do size = size + (set >> i & 1) end
            phi[j] = phi[j] + factorial(size) * factorial(p - size - 1) / factorial(p)
               * (value_of_set(f, x, background, set | 1 << (j - 1)) - value_of_set(f, x, background, set))
         end
      end
   end
   return phi
end

describe("ml.shap", function()
   it("is coef * (x - mean) for linear models", function()
      local model = ml.Ridge {}:fit(X, y)
      local result = ml.shap(model, X:head(9), { background = X, max_background = 1000 })
      assert.equal("linear", result.method)
      for j = 1, 4 do
         near(model.coef[j] * (X.columns[j][5] - X.columns[j]:mean()), result.values:get(5, j), 1e-9)
      end
      near(model:predict(X):mean(), result.base, 1e-9)
      assert.equal(0, result.std_error:max())
   end)

   it("is the sum over all subsets if the columns are few", function()
      local A = ml.Matrix(X)
      local model = ml.KNeighborsRegressor { n_neighbors = 10 }:fit(A, y)
      local background = A:slice(1, 15):copy()
      local result = ml.shap(model, A:slice(100, 105):copy(), { background = background })
      assert.equal("exact", result.method)
      assert.equal(0, result.std_error:max())
      for i = 1, 6 do
         local exact = enumerated(function(data) return model:predict(data) end, A:row(99 + i):totable(),
            background:totable())
         for j = 1, 4 do near(exact[j], result.values:get(i, j), 1e-12) end
      end
   end)

   it("draws different pairs of orders, so that the error is not 0 by chance", function()
      local A = ml.normal(30, 4, 1)
      local model = ml.KNeighborsRegressor { n_neighbors = 3 }:fit(A, A:col(1):mul(A:col(2)))
      for seed = 0, 30 do
         local result = ml.shap(model, A:slice(1, 3), { n_permutations = 2, seed = seed })
         assert.equal("permutation", result.method)
         assert(result.std_error:max() > 0, seed)
      end
   end)

   it("explains the decision values of classifiers", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local two, labels = flowers:slice(51, 150), ml.Factor(species:take(ml.range(51, 150)):totable())
      local model = ml.LogisticRegression {}:fit(two, labels)
      local result = ml.shap(model, two, { response = "decision_function", max_background = 200 })
      assert.equal("linear", result.method)
      assert.equal("decision value of virginica", result.response)
      near(model.coef[3] * (two.columns[3][7] - two.columns[3]:mean()), result.values:get(7, 3), 1e-12)
      local first = ml.shap(model, two, { response = "decision_function", target = "versicolor",
         max_background = 200 })
      assert((first.values + result.values):abs():max() <= 1e-9)
      local margins = ml.LinearSVC {}:fit(flowers, species)
      local sum = ml.shap(margins, flowers, { target = "setosa" })
      assert((sum.values:sum "rows" + sum.base - margins:decision_function(flowers):col(1)):abs():max() <= 1e-12)
      refuses("shap: response: LinearSVC has no predict_proba", ml.shap, margins, flowers,
         { response = "predict_proba" })
      refuses("shap: response must be \"predict_proba\" or \"decision_function\", got 'proba'", ml.shap, model, two,
         { response = "proba" })
      refuses("shap: response is for classifiers, but model is Ridge", ml.shap, ml.Ridge {}:fit(X, y), X,
         { response = "predict_proba" })
   end)

   it("uses the operation of trees also for classes", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local forest = ml.RandomForestClassifier { n_estimators = 5 }:fit(flowers, species)
      local result = ml.shap(forest, flowers, { target = "virginica" })
      assert.equal("tree", result.method)
      assert((result.values - forest:shap(flowers).values:select { 9, 10, 11, 12 }):abs():max() == 0)
      local boosted = ml.HistGradientBoostingClassifier { max_iter = 5 }:fit(flowers, species)
      result = ml.shap(boosted, flowers, { target = "setosa", response = "decision_function" })
      assert.equal("tree", result.method)
      assert((result.values:sum "rows" + result.base - boosted:decision_function(flowers):col(1)):abs():max() <= 1e-9)
   end)

   local smooth = ml.Pipeline { ml.StandardScaler {}, ml.KernelRidge { alpha = 0.1, kernel = "rbf", gamma = 0.3 } }
      :fit(ml.Matrix(X), y)
   local all = ml.Matrix(X)

   it("equals the exact explainer of the package shap", function()
      local background = all:slice(1, 20):copy()
      local result = ml.shap(smooth, all:slice(101, 106):copy(), { background = background })
      assert.equal("exact", result.method)
      near(wanted.base, result.base, 1e-9)
      for i = 1, 6 do
         for j = 1, 4 do assert.near(wanted.values[i][j], result.values:get(i, j), 1e-8) end
      end
      local exact = enumerated(function(data) return smooth:predict(data) end, all:row(101):totable(),
         background:totable())
      support.near_all(wanted.values[1], exact, 1e-8, "value")
   end)

   -- 9 columns have too many sets for 20 pairs of orders, but not for 40. Values of one row share their orders; the
   -- standard error of the coverage over 60 seeds is at most 0.03.
   it("has intervals of two standard errors that cover the exact value", function()
      local wide = ml.normal(120, 9, 1)
      local model = ml.KernelRidge { alpha = 0.1, kernel = "rbf", gamma = 0.1 }:fit(wide, wide:sum "rows":sin())
      local background, some = wide:slice(1, 20):copy(), wide:slice(101, 102):copy()
      local exact = ml.shap(model, some, { background = background, n_permutations = 40 })
      assert.equal("exact", exact.method)
      local inside, count, t = 0, 0, ml.special.t_quantile(0.975, 19)
      for seed = 1, 60 do
         local result = ml.shap(model, some, { background = background, n_permutations = 20, seed = seed })
         assert.equal("permutation", result.method)
         for i = 1, 2 do
            for j = 1, 9 do
               local miss = math.abs(exact.values:get(i, j) - result.values:get(i, j))
               inside, count = inside + (miss <= t * result.std_error:get(i, j) and 1 or 0), count + 1
            end
         end
      end
      near(0.95, inside / count, 0.05)
   end)

   it("adds up to the prediction, also for probabilities and factors", function()
      local flowers, species = ml.read_csv "examples/data/iris.csv":split "species"
      local model = ml.LogisticRegression {}:fit(flowers, species)
      local result = ml.shap(model, flowers, { target = "virginica", max_background = 30, n_permutations = 2 })
      local sum = result.values:sum "rows" + result.base
      assert((sum - model:predict_proba(flowers):col(3)):abs():max() <= 1e-12)
      assert.equal("probability of virginica", result.response)
      local mixed = cars:select("origin", "weight")
      local tree = ml.DecisionTreeRegressor { max_depth = 4 }:fit(mixed, y)
      result = ml.shap(tree, mixed:head(20), { background = mixed, max_background = 25 })
      assert((result.values:sum "rows" + result.base - tree:predict(mixed:head(20))):abs():max() <= 1e-12)
   end)

   it("uses the operation of regression trees without a background", function()
      local tree = ml.DecisionTreeRegressor { max_depth = 4 }:fit(X, y)
      local result = ml.shap(tree, X:head(7))
      assert.equal("tree", result.method)
      assert((result.values - tree:shap(X:head(7)).values):abs():max() == 0)
   end)

   it("gives 0 to a column that the model does not use, and the same values for the same seed", function()
      local model = ml.Pipeline { ml.PolynomialFeatures { degree = 2 }, ml.LinearRegression {} }
      local A = ml.hcat(ml.normal(40, 2, 1), ml.full(40, 1, 3))
      model:fit(A, ml.range(1, 40))
      local first = ml.shap(model, A, { seed = 4, n_permutations = 3 })
      assert(first.values:col(3):copy():abs():max() <= 1e-9)
      assert((first.values - ml.shap(model, A, { seed = 4, n_permutations = 3 }).values):abs():max() == 0)
      assert.matches("Shapley values of 40 rows for the prediction", tostring(first))
   end)

   it("is drawn by plot.shap", function()
      local result = ml.shap(ml.Ridge {}:fit(X, y), X)
      assert.matches("horsepower", result:plot():svg())
      local pipe = ml.Pipeline { ml.StandardScaler {}, ml.SVC {} }:fit(X, cars.origin)
      local figure = ml.shap(pipe, X:head(5), { target = pipe.classes[1], max_background = 5 }):plot()
      assert.equal("Shapley values of SVC", figure.title)
      assert.matches("add up to the decision value of " .. pipe.classes[1], figure.caption, 1, true)
      assert.matches("weight", ml.plot.shap(result, { kind = "bar", top = 2 }):svg())
   end)

   it("reports invalid arguments", function()
      local model = ml.Ridge {}:fit(X, y)
      local call = function(...)
         local given = table.pack(...)
         return function() ml.shap(table.unpack(given, 1, given.n)) end
      end
      refuses("model must be an estimator, got 3", call(3, X))
      refuses("call fit before predict", call(ml.Ridge {}, X))
      refuses("background must have at least one row", call(model, X, { background = X:head(0) }))
      refuses("background must be a Frame of the 4 columns of X", call(model, X, { background = cars:select "mpg" }))
      refuses("n_permutations must be a whole number >= 2, got 1", call(model, X, { n_permutations = 1 }))
      refuses("has no option 'sed'", call(model, X, { sed = 1 }))
   end)

   -- A mean of cluster numbers has no meaning.
   it("explains the membership in a cluster", function()
      local iris = ml.read_csv("examples/data/iris.csv"):drop "species"
      local model = ml.KMeans { n_clusters = 3, seed = 1 }:fit(iris)
      assert.has_error(function() local _ = ml.shap(model, iris:head(3)) end,
         "shap: target must be given: the number of a cluster, because the clusters of KMeans have no order")
      refuses("shap: target must be the number of a cluster, from 1 to 3, got 4", ml.shap, model, iris, { target = 4 })
      local none = ml.DBSCAN { eps = 1e-9 }:fit(iris:drop_duplicates())
      refuses("shap: DBSCAN found no clusters that could be explained", ml.shap, none, iris, { target = 1 })
      local mixture = ml.MixtureModel { n_components = 2, seed = 1 }:fit(iris)
      refuses("from 1 to 2, got 3", ml.partial_dependence, mixture, iris, 1, { target = 3 })
      local found = ml.shap(model, iris, { target = 2, background = iris })
      local is = model:predict(iris):eq(2)
      for i = 1, 150 do assert.near(is[i], found.base + found.values:row(i):sum(), 1e-12) end
      assert.near(is:mean(), found.base, 0.15) -- of 100 background rows
   end)

   it("and its relatives refuse predictions that are not finite, or not one for each row", function()
      local value, count
      local Model = ml.Estimator { name = "SpecExplained", does = "regress", fit = function() end,
         predict = function(_, data) return ml.Vector(count or #data, value) end }
      local model = Model {}:fit(X, y)
      local calls = { shap = function() ml.shap(model, X:head(9)) end,
         accumulated_effects = function() ml.accumulated_effects(model, X:head(9), 1) end,
         partial_dependence = function() ml.partial_dependence(model, X:head(9), 1) end,
         friedman_h = function() ml.friedman_h(model, X:head(9)) end,
         surrogate = function() ml.surrogate(model, X:head(9)) end,
         counterfactuals = function() ml.counterfactuals(model, X:head(9), 1, { target = { 1, 2 } }) end }
      for who, call in pairs(calls) do
         value, count = 0 / 0, nil
         refuses(who .. ": predictions must be finite, but SpecExplained predicts nan", call)
         value, count = 0, 2
         refuses(who .. ": SpecExplained must predict a value for each of the %d+ rows, got 2", call)
      end
   end)
end)
