-- The preprocessed columns of X, shared by the fits of an ensemble.
local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local refuses, data = support.refuses, support.data

local function weights(n, seed)
   return ml.random(n, nil, seed) * 3
end

describe("fits that share a cache", function()
   local function same(class, settings, X, y, options)
      local cache = core.fit_cache()
      for seed = 1, 4 do
         local o = options and options(seed) or { weights = weights(X.rows, seed) }
         local alone = class(settings):fit(X, y, o)
         local shared = core.fit_with_cache(class(settings), X, y, o, cache)
         assert(alone:dump() == shared:dump(), "different tree at fit " .. seed)
      end
   end

   it("give the same trees as separate fits: numbers, factors, missing values", function()
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

   it("derive the columns of the rows with positive weight", function()
      local function drawn(n) -- like a bootstrap sample; then 3 rows, all but one, and all
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
      local X, y = data("penguins", "species") -- factors; nothing is missing without 2 of the rows
      same(ml.DecisionTreeClassifier, { min_samples_leaf = 3 }, X, y, drawn(X.rows))
      local diabetes, progression = data("diabetes", "progression")
      same(ml.DecisionTreeRegressor, { max_depth = 3 }, diabetes, progression, drawn(diabetes.rows))
      same(ml.RandomForestRegressor, { n_estimators = 3 }, diabetes, progression, drawn(diabetes.rows))
   end)

   it("do not use cached columns for an X of another shape", function()
      local cache = core.fit_cache()
      local X, y = data("breast_cancer", "diagnosis")
      core.fit_with_cache(ml.DecisionTreeClassifier {}, X, y, nil, cache)
      local iris, species = data("iris", "species")
      local tree = core.fit_with_cache(ml.DecisionTreeClassifier {}, iris, species, nil, cache)
      assert(tree:dump() == ml.DecisionTreeClassifier {}:fit(iris, species):dump())
   end)

   it("refuse other values as a cache", function()
      refuses("FitCache expected", function() core.fit_with_cache(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 }, nil, {}) end)
      local model = core.fit_with_cache(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 })
      assert(model.fitted)
   end)
end)
