-- Parameter search: choose the penalty for the diabetes data by grid search and random search, and evaluate it on
-- a test set.
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

print(("R2 on the test set: %.3f"):format(grid.best:score(Xtest, ytest)))

-- The effect of the number of training rows, and of the penalty.
print(ml.learning_curve(grid.best, Xtrain, ytrain, { seed = 1 }))
print(ml.validation_curve(grid.best, Xtrain, ytrain, { param = "ridge__alpha", values = { 1, 10, 100, 1000 } }))
