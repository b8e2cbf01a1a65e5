--- What a person sees at the prompt: the exact text of each kind of object.
local core = require "manilius.core"
local ml = require "manilius"

local nan, inf = 0 / 0, math.huge

local function prints(wanted, value)
   assert.equal((wanted:gsub("^\n", ""):gsub("\n%s*$", "")), tostring(value))
end

local function widest(value)
   local most = 0
   for line in tostring(value):gmatch "[^\n]+" do most = math.max(most, utf8.len(line) or #line) end
   return most
end

local X = ml.Frame { { "width", { 1, 2, 3, 4, 5, 6 } }, { "height", { 1.5, 2.5, 2, 4, 5, 7 } } }
local y = ml.Factor { "a", "a", "a", "b", "b", "b" }

before_each(function() core.screen(80) end)
after_each(function() core.screen(0) end)

describe("a Matrix prints", function()
   it("its numbers with their points in line and common digits", function()
      prints([[
Matrix 3 x 3
  5.1  3.500   1.000
  4.9  3.000  -1.425
  2.0  0.001     nan]], ml.Matrix { { 5.1, 3.5, 1 }, { 4.9, 3, -1.425 }, { 2, 0.001, nan } })
   end)

   it("very large and small numbers as powers of ten, infinities as such", function()
      prints([[
Matrix 2 x 5
  1e+20   inf  123456.79  0.1235   1e-12
  3e+00  -inf       0.50  1.0000  -2e-12]],
         ml.Matrix { { 1e20, inf, 123456.789, 0.1234567, 1e-12 }, { 3, -inf, 0.5, 1, -2e-12 } })
   end)

   it("whole numbers whole, and nothing of an empty one", function()
      prints("Matrix 2 x 2\n    1  -20\n  300    4", ml.Matrix { { 1, -20 }, { 300, 4 } })
      prints("Matrix 0 x 3", ml.zeros(0, 3))
   end)

   it("a corner when it is large", function()
      core.screen(30)
      prints([[
Matrix 20 x 9
    1    2    3    4    5  ...
   10   11   12   13   14  ...
   19   20   21   22   23  ...
   28   29   30   31   32  ...
   37   38   39   40   41  ...
   46   47   48   49   50  ...
   55   56   57   58   59  ...
   64   65   66   67   68  ...
  ...
  154  155  156  157  158  ...
  163  164  165  166  167  ...
  172  173  174  175  176  ...]], ml.range(180):reshape(20, 9))
   end)
end)

describe("values print", function()
   it("Vector, Factor, Sparse", function()
      prints("Vector of 3: 1 2.5 nan", ml.Vector { 1, 2.5, nan })
      prints("Factor of 4, 2 levels: a b\n  a b a nil", ml.Factor { "a", "b", "a", nil, n = 4 })
      prints("Sparse 2 x 2, 2 values\n  (1, 2)  1\n  (2, 1)  2.5", ml.Sparse.from { { 0, 1 }, { 2.5, 0 } })
      core.screen(20)
      assert.equal("Vector of 100: 1 ... 100", tostring(ml.range(100)))
   end)

   it("a Frame, with types and missing values", function()
      prints([[
Frame: 2 rows, 2 columns
     age  city
   whole  factor
          1 NA
1     31  Oslo
2     45  NA]], ml.Frame { { "age", { 31, 45 } }, { "city", { "Oslo", nil, n = 2 } } })
   end)

   it("lists of names and labels, and tables of settings", function()
      prints('{ "width", "height" }', X.names)
      prints('{ "a", "b" }', y.levels)
      prints("alpha          2\nfit_intercept  true", ml.Ridge { alpha = 2 }:get_params())
      prints("height  1.5\nwidth   1", X:row(1))
      prints("unset", ml.unset)
   end)
end)

describe("a model prints", function()
   it("what differs from the defaults, and penalties", function()
      prints("Ridge { alpha = 1 }, not fitted", ml.Ridge {})
      prints("Ridge { alpha = 2, fit_intercept = false }, not fitted", ml.Ridge { alpha = 2, fit_intercept = false })
      prints("RidgeCV { alphas = { 1, 2, 3 } }, not fitted", ml.RidgeCV { alphas = { 1, 2, 3 } })
      prints("DecisionTreeClassifier {}, not fitted", ml.DecisionTreeClassifier { ccp_alpha = 0 })
      prints("DecisionTreeClassifier { ccp_alpha = 0.1 }, not fitted", ml.DecisionTreeClassifier { ccp_alpha = 0.1 })
      prints("Ridge { alpha = 0 }, not fitted", ml.Ridge { alpha = 0 })
      prints("StandardScaler {}, not fitted", ml.StandardScaler {})
   end)

   it("coefficients by the names of the features", function()
      local iris = ml.read_csv "examples/data/iris.csv":drop "species"
      prints([[
LinearRegression {}, fitted: 3 features
  rank   3
  rcond  0.0821591
  n      150
  rss    14.4454
  tss    102.168
                    coef
  (intercept)    1.85600
  sepal_width    0.65084
  petal_length   0.70913
  petal_width   -0.55648]], ml.LinearRegression {}:fit(iris:drop "sepal_length", iris.sepal_length))
   end)

   it("a column for each class", function()
      local three = ml.Factor { "a", "a", "b", "b", "c", "c" }
      prints([[
NearestCentroid {}, fitted: 2 features, 3 classes
  classes  a, b, c
  centroids    a    b    c
  width      1.5  3.5  5.5
  height     2.0  3.0  6.0]], (tostring(ml.NearestCentroid {}:fit(X, three)):gsub("\n +within.-(\n  centroids)", "%1")
         :gsub("\n  deviations.*", "")))
   end)

   it("columns of values that belong to features together, and few of many features", function()
      prints([[
StandardScaler {}, fitted: 2 features
            mean     var   scale  count
  width   3.5000  2.9167  1.7078      6
  height  3.6667  3.6389  1.9076      6]], ml.StandardScaler {}:fit(X))
      local text = tostring(ml.Ridge {}:fit(ml.normal(30, 40, 1), ml.normal(30, nil, 2)))
      assert.matches("\n  x10 [^\n]*\n  %.%.%. 30 more features$", text)
   end)

   it("whether it has converged, and nothing that is wider than the screen", function()
      local iris = ml.read_csv "examples/data/iris.csv"
      local data, labels = iris:split "species"
      local model = ml.LogisticRegression {}:fit(data, labels)
      core.screen(200)
      assert.matches("^LogisticRegression { C = 1 }, fitted: 4 features, 3 classes, converged in %d+ iterations\n",
         tostring(model))
      for _, width in ipairs { 20, 40, 80 } do
         core.screen(width)
         assert.is_true(widest(model) <= width, tostring(model))
         assert.is_true(widest(ml.KMeans { n_clusters = 8 }:fit(data:matrix())) <= width)
      end
   end)
end)

describe("compositions print", function()
   it("their steps, fitted or not", function()
      local pipe = ml.Pipeline { ml.StandardScaler {}, { "inner", ml.Pipeline { ml.PCA { n_components = 1 } } },
         ml.LogisticRegression { C = 10 } }
      local steps = [[

  standardscaler      StandardScaler {}
  inner               Pipeline
    pca  PCA { n_components = 1 }
  logisticregression  LogisticRegression { C = 10 }]]
      assert.equal("Pipeline, not fitted" .. steps, tostring(pipe))
      assert.equal("Pipeline, fitted: 2 features, 2 classes" .. steps, tostring(pipe:fit(X, y)))
      prints([[
ColumnTransformer, fitted: 2 features
  wide       width  StandardScaler {}
  remainder  rest  passthrough]], ml.ColumnTransformer { { "wide", ml.StandardScaler {}, "width" },
         remainder = "passthrough" }:fit(X))
      prints('TransformedTarget { func = "log", regressor = Ridge { alpha = 1 } }',
         ml.TransformedTarget { regressor = ml.Ridge {}, func = "log" })
   end)

   it("a search, its grid, its best and their score", function()
      local search = ml.GridSearch { ml.Ridge {}, { alpha = { 0.1, ml.unset } }, cv = ml.KFold { k = 2, seed = 1 } }
      prints([[
GridSearch, not fitted
  model  Ridge { alpha = 1 }
  grid   { alpha = { 0.1, nil } }
  cv     KFold { k = 2, seed = 1 }]], search)
      local fitted = ml.GridSearch { ml.Ridge {}, { alpha = { 0.5, 1e6 } }, cv = 2, scoring = { "mse", "max_error" },
         refit = "mse" }:fit({ { 0 }, { 1 }, { 0 }, { 1 } }, { 0, 2, 0, 2 })
      -- Each fold: two rows about their mean, coefficient 2 / (1 + 2 alpha) = 1, errors 0.5 either way.
      local lines = tostring(fitted):gsub("fit time.*$", "fit time"):gsub(" +", " ") -- as wide as the time is
      assert.equal("GridSearch, fitted: best of 2 candidates by mse\n alpha 0.5\n mean sd 95% interval\n"
         .. " mse 0.25 0 0.25 to 0.25\n max_error 0.5 0 0.5 to 0.5\n fit time", lines)
      prints("alpha  0.5", fitted.best_params)
   end)
end)

describe("folds and validation print", function()
   it("a splitter, its splits, one of them", function()
      prints("KFold { k = 5, seed = 1 }", ml.KFold { k = 5, seed = 1 })
      prints("LeaveOneOut {}", ml.LeaveOneOut {})
      prints([[
KFold: 2 splits
   train rows  test rows
1           2          3
2           3          2]], ml.KFold { k = 2 }:split(5))
      prints("train  Vector of 2: 4 5\ntest   Vector of 3: 1 2 3", ml.KFold { k = 2 }:split(5)[1])
   end)

   it("several scores with their means and intervals", function()
      local cv = ml.cross_validate(ml.Ridge { alpha = 0.5 }, { { 0 }, { 1 }, { 0 }, { 1 } }, { 0, 2, 0, 2 },
         { cv = 2, scoring = { "mse", "max_error" } })
      cv.fit_seconds = 0.25
      prints([[
Ridge, 2 folds
             mean  sd  95% interval
mse          0.25   0  0.25 to 0.25
max_error     0.5   0  0.5 to 0.5
fit time   0.25 s]], cv)
      prints("max_error  0.5\nmse        0.25", cv.mean)
   end)
end)

describe("the module prints", function()
   it("what it is and how to get help", function()
      assert.matches("^manilius %d[%d.]*: principled machine learning, %d+ estimators\nml.help%(%) ", tostring(ml))
      assert.matches("^manilius %d[^\n]*Lua 5.%d\nmatrix products: ", tostring(ml.about()))
   end)

   it("no address of a table or userdata for anything that is public", function()
      for name, value in pairs(ml) do
         if type(value) ~= "function" then
            assert.not_matches("^%a+: 0x", tostring(value), 1, false, name)
         end
      end
      local model = ml.LogisticRegression {}:fit(X, y)
      for _, value in ipairs { ml.metrics.scorers, ml.metrics.help, ml.metrics.report(y, y), model:get_params(),
         ml.Pipeline { ml.Ridge {} }:get_params(), X.names, X:group "width", ml.learning_curve(model, X, y, { cv = 2,
         sizes = { 1.0 } }), ml.train_test_split(X, y), ml.check(ml.Ridge {}) } do
         assert.not_matches("^%a+: 0x", tostring(value))
      end
   end)
end)
