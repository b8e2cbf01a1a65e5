-- Support vector machines: a hard margin by hand, then handwritten digits.

local ml = require "manilius"

-- Two classes in the plane. The margin is determined by the support vectors (1, 1) and (3, 3): w = (1/2, 1/2), b = -2.
local points = ml.Matrix { { 1, 1 }, { 0, 1 }, { 1, 0 }, { 3, 3 }, { 4, 3 }, { 3, 4 } }
local sides = ml.Factor { "left", "left", "left", "right", "right", "right" }
local hard = ml.SVC { kernel = "linear", C = 1e6 }:fit(points, sides)
local w = hard.dual_coef * hard.support_vectors
print(("support vectors: rows %s"):format(table.concat(hard.support:totable(), " and ")))
print(("w = (%.3f, %.3f), b = %.3f, margin %.3f"):format(w:get(1, 1), w:get(1, 2), hard.intercept, 1 / w:norm()))
ml.plot.decision(hard, points, sides):show()

-- Digits: gamma and C by cross-validation, on a grid that a validation curve suggests.
local X, y = ml.read_csv("examples/data/digits.csv"):split "digit"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, seed = 1, stratify = y })
local search = ml.GridSearch { model = ml.SVC {}, grid = { C = { 1, 10 }, gamma = { 3e-4, 1e-3, 3e-3 } }, cv = 3 }
search:fit(X_train, y_train)
local best = search.best
print(("best: C = %g, gamma = %g"):format(best.C, best.gamma))
print(("accuracy on test data: %.3f, with %d support vectors of %d rows"):format(best:score(X_test, y_test),
   #best.support, X_train.rows))
print(("3 nearest neighbors: %.3f"):format(ml.KNeighborsClassifier { n_neighbors = 3 }:fit(X_train, y_train)
   :score(X_test, y_test)))
