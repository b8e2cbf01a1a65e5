-- What trees make of the columns of X, shared by the fits of an ensemble.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local refuses, data = support.refuses, support.data

local function weights(n, seed)
   return ml.random(n, nil, seed) * 3
end

describe("fits on one shelf", function()
   local function same(class, settings, X, y, options)
      local shelf = core.fit_cache()
      for seed = 1, 4 do
         local o = options and options(seed) or { weights = weights(X.rows, seed) }
         local alone = class(settings):fit(X, y, o)
         local shared = core.fit_with_cache(class(settings), X, y, o, shelf)
         assert(alone:dump() == shared:dump(), "another tree at fit " .. seed)
      end
   end

   it("give the trees of fits alone: numbers, factors, missing values", function()
      local X, y = data("penguins", "species")
      same(ml.DecisionTreeClassifier, { max_depth = 4 }, X, y)
      same(ml.DecisionTreeClassifier, {}, X, y)
      same(ml.C45Classifier, {}, X, y)
      local cancer, diagnosis = data("breast_cancer", "diagnosis")
      same(ml.DecisionTreeClassifier, { max_depth = 1 }, cancer, diagnosis)
      same(ml.DecisionTreeClassifier, { splitter = "random" }, cancer, diagnosis)
      same(ml.RandomForestClassifier, { n_estimators = 5 }, cancer, diagnosis)
      local diabetes, progression = data("diabetes", "progression")
      for _, criterion in ipairs { "squared_error", "absolute_error", "friedman_mse", "poisson" } do
         same(ml.DecisionTreeRegressor, { criterion = criterion, max_depth = 5 }, diabetes, progression)
      end
      same(ml.Ridge, {}, diabetes, progression)
   end)

   it("read off it what holds of the rows that weigh", function()
      local function drawn(n) -- as often as rows of a bootstrap are drawn; then 3 rows, all but one, and all
         return function(seed)
            local w = seed == 2 and ml.Vector(n, 0) or (weights(n, seed) - (seed == 1 and 1.1 or 0)):floor():maximum(0)
            if seed > 2 then w = ml.Vector(n, seed) end
            if seed == 2 then w[1], w[n // 2], w[n] = 1, 2, 1 end
            if seed == 3 then w[7] = 0 end
            return { weights = w }
         end
      end
      local cancer, diagnosis = data("breast_cancer", "diagnosis")
      same(ml.DecisionTreeClassifier, {}, cancer, diagnosis, drawn(cancer.rows))
      same(ml.DecisionTreeClassifier, { max_depth = 2 }, ml.Sparse(cancer:matrix()), diagnosis, drawn(cancer.rows))
      local X, y = data("penguins", "species") -- factors; without the 2 rows that miss numbers nothing is missing
      same(ml.DecisionTreeClassifier, { min_samples_leaf = 3 }, X, y, drawn(X.rows))
      local diabetes, progression = data("diabetes", "progression")
      same(ml.DecisionTreeRegressor, { max_depth = 3 }, diabetes, progression, drawn(diabetes.rows))
      same(ml.RandomForestRegressor, { n_estimators = 3 }, diabetes, progression, drawn(diabetes.rows))
   end)

   it("do not take what lies there for an X of another shape", function()
      local shelf = core.fit_cache()
      local X, y = data("breast_cancer", "diagnosis")
      core.fit_with_cache(ml.DecisionTreeClassifier {}, X, y, nil, shelf)
      local iris, species = data("iris", "species")
      local tree = core.fit_with_cache(ml.DecisionTreeClassifier {}, iris, species, nil, shelf)
      assert(tree:dump() == ml.DecisionTreeClassifier {}:fit(iris, species):dump())
   end)

   it("take nothing else for a shelf", function()
      refuses("FitCache expected", function() core.fit_with_cache(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 }, nil, {}) end)
      local model = core.fit_with_cache(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 })
      assert(model.fitted)
   end)
end)
