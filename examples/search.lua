-- Parameter search: choose the penalty for the diabetes data by grid search, random search and Hyperband, and evaluate
-- it on a test set, by nested cross-validation, by the bootstrap and by a permutation test.
--
-- Run from the checkout: make all, then lua5.4 examples/search.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local Xtrain, Xtest, ytrain, ytest = ml.train_test_split(X, y, { test = 0.25, seed = 1 })

local model = ml.Pipeline { ml.StandardScaler {}, ml.PolynomialFeatures { degree = 2 }, ml.Ridge {} }

-- All candidates use the same ten folds. The fits run in parallel.
local grid = ml.GridSearch { model, {
   polynomialfeatures__degree = { 1, 2 },
   ridge__alpha = { 0.1, 1, 10, 100, 1000 },
}, cv = ml.KFold { k = 10, seed = 1 }, scoring = "mse" }:fit(Xtrain, ytrain)
print(grid)
print(grid.results:select("polynomialfeatures__degree", "ridge__alpha", "mean_score", "rank"))

local random = ml.RandomSearch { model, {
   polynomialfeatures__degree = { 1, 2 },
   ridge__alpha = { "loguniform", 1e-2, 1e4 },
}, n = 20, seed = 1, cv = ml.KFold { k = 10, seed = 1 }, scoring = "mse" }:fit(Xtrain, ytrain)
print(random)

-- Several scores; a function chooses the strongest penalty whose R2 is within one standard deviation of the best.
local simple = ml.GridSearch { model, { polynomialfeatures__degree = { 1 }, ridge__alpha = { 1, 10, 100, 1000 } },
   cv = ml.KFold { k = 10, seed = 1 }, scoring = { "r2", "mae" }, refit = function(results)
      local best, row = 1, 1
      for i = 1, #results.mean_score_r2 do
         if results.mean_score_r2[i] > results.mean_score_r2[best] then best = i end
      end
      local limit = results.mean_score_r2[best] - results.sd_score_r2[best]
      for i = 1, #results.mean_score_r2 do
         if results.mean_score_r2[i] >= limit then row = i end
      end
      return row
   end }:fit(Xtrain, ytrain)
print(("simplest within one standard deviation: alpha = %g"):format(simple.best_params.ridge__alpha))

-- Hyperband fits many candidates to few rows, and the best of them to more. Here the number of trees grows instead.
local boosting = ml.HyperbandSearch { ml.HistGradientBoostingRegressor {},
   { learning_rate = { "loguniform", 0.02, 0.5 }, max_leaf_nodes = { "integer", 3, 20 } }, cv = 3, scoring = "mse",
   resource = "max_iter", max_resource = 81, seed = 1 }:fit(Xtrain, ytrain)
print(boosting)
print(boosting.history:head(5)) -- ml.plot.brackets(boosting) draws it

print(("R2 on the test set: %.3f"):format(grid.best:score(Xtest, ytest)))

-- Is there any relation? And how well does the whole procedure, with its search, predict new rows?
print(ml.permutation_test_score(model, Xtrain, ytrain, { n = 99, seed = 1 }))
print(ml.bootstrap_632(model, Xtrain, ytrain, { n = 100, seed = 1 }))
local nested = ml.nested_cross_validate(ml.GridSearch { model, { ridge__alpha = { 1, 10, 100, 1000 } }, cv = 5 },
   Xtrain, ytrain, { cv = ml.KFold { k = 5, seed = 1 } })
print(nested)
print(nested.chosen)

-- The effect of the number of training rows, and of the penalty.
print(ml.learning_curve(grid.best, Xtrain, ytrain, { seed = 1, interval = "t" }))
print(ml.validation_curve(grid.best, Xtrain, ytrain, { param = "ridge__alpha", values = { 1, 10, 100, 1000 } }))
