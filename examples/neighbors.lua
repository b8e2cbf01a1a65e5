-- Nearest neighbors: classify handwritten digits by a vote of the most similar ones.

local ml = require "manilius"

local X, y = ml.read_csv("examples/data/digits.csv"):split "digit"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, seed = 1 })

for _, k in ipairs { 1, 3, 10 } do
   local model = ml.KNeighborsClassifier { n_neighbors = k }:fit(X_train, y_train)
   print(("%2d neighbors: accuracy %.3f"):format(k, model:score(X_test, y_test)))
end

local model = ml.KNeighborsClassifier { n_neighbors = 3 }:fit(X_train, y_train)
local found = model:kneighbors(X_test:head(1))
print(("the first test digit is a %s; its nearest neighbors are a %s, a %s and a %s"):format(y_test[1],
   y_train[found.indexes:get(1, 1)], y_train[found.indexes:get(1, 2)], y_train[found.indexes:get(1, 3)]))
print(("the nearest one is at distance %.1f"):format(found.distances:get(1, 1)))
