-- Naive Bayes: classify three wine cultivars by thirteen measurements, learning in batches of 25 bottles.

local ml = require "manilius"

local X, y = ml.read_csv("examples/data/wine.csv"):split "class"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.3, stratify = y, seed = 3 })

local model = ml.GaussianNB {}
for first = 1, #y_train, 25 do
   local last = math.min(first + 24, #y_train)
   model:partial_fit(X_train:slice(first, last), y_train:slice(first, last), { classes = { 0, 1, 2 } })
   print(("after %3d bottles: test accuracy %.3f"):format(last, model:score(X_test, y_test)))
end
print(ml.metrics.report(y_test, model:predict(X_test)))
