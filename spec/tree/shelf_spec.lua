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
      local shelf = core.shelf()
      for seed = 1, 4 do
         local o = options and options(seed) or { weights = weights(X.rows, seed) }
         local alone = class(settings):fit(X, y, o)
         local shared = core.fit_on(class(settings), X, y, o, shelf)
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

   it("leave it where rows of weight 0 are out", function()
      local X, y = data("breast_cancer", "diagnosis")
      same(ml.DecisionTreeClassifier, {}, X, y, function(seed)
         local w = weights(X.rows, seed)
         if seed % 2 == 0 then w[seed] = 0 end
         return { weights = w }
      end)
   end)

   it("do not take what lies there for an X of another shape", function()
      local shelf = core.shelf()
      local X, y = data("breast_cancer", "diagnosis")
      core.fit_on(ml.DecisionTreeClassifier {}, X, y, nil, shelf)
      local iris, species = data("iris", "species")
      local tree = core.fit_on(ml.DecisionTreeClassifier {}, iris, species, nil, shelf)
      assert(tree:dump() == ml.DecisionTreeClassifier {}:fit(iris, species):dump())
   end)

   it("take nothing else for a shelf", function()
      refuses("Shelf expected", function() core.fit_on(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 }, nil, {}) end)
      local model = core.fit_on(ml.Ridge {}, { { 1 }, { 2 } }, { 1, 2 })
      assert(model.fitted)
   end)
end)
