-- Online learning: predict each row, then learn from it. On handwritten digits, a Mondrian forest that learns row by
-- row stays as accurate as a forest of the same kind that is refitted to all rows so far.
--
-- After figure 1 of Lakshminarayanan, Roy & Teh, Mondrian Forests: Efficient Online Random Forests (2014): test
-- accuracy against the share of training rows seen, for the online forest and for refitted forests. The second part is
-- a stream with concept drift.

local ml = require "manilius"

os.execute "mkdir -p build/demo"

local X, y = ml.read_csv "examples/data/digits.csv":split "digit"
local train_X, test_X, train_y, test_y = ml.train_test_split(X, y, { test = 0.25, stratify = y, seed = 1 })
local steps, rows = 12, #train_y

local online = ml.MondrianForestClassifier { n_estimators = 30, seed = 1 }
local correct, shares, accuracy = 0, {}, { online = {}, refitted = {}, trees = {}, forest = {} }

local function refit(model, n)
   return model:fit(train_X:slice(1, n), train_y:slice(1, n)):score(test_X, test_y)
end

for i = 1, rows do
   local row, label = train_X:slice(i, i), train_y:slice(i, i)
   if i > 1 and online:predict(row)[1] == label[1] then correct = correct + 1 end
   online:partial_fit(row, label, i == 1 and { classes = y } or nil)
   if i % (rows // steps) == 0 then
      shares[#shares + 1] = i / rows
      table.insert(accuracy.online, online:score(test_X, test_y))
      table.insert(accuracy.refitted, refit(ml.MondrianForestClassifier { n_estimators = 30, seed = 2 }, i))
      table.insert(accuracy.trees, refit(ml.ExtraTreesClassifier { n_estimators = 30, max_features = 1, seed = 1 }, i))
      table.insert(accuracy.forest, refit(ml.RandomForestClassifier { n_estimators = 30, seed = 1 }, i))
   end
end
print(("%d rows; each predicted before it was learned: accuracy %.1f%%"):format(rows, 100 * correct / (rows - 1)))

local names = { { "online", "Mondrian forest, row by row" }, { "refitted", "Mondrian forest, refitted" },
   { "trees", "extra trees, refitted" }, { "forest", "random forest, refitted" } }
local layers = {}
for i, name in ipairs(names) do
   layers[i] = { kind = "line", x = shares, y = accuracy[name[1]], name = name[2], color = i, markers = true }
   print(("%-28s test accuracy %.3f after a fifth of the rows, %.3f after all"):format(name[2],
      accuracy[name[1]][steps // 5], accuracy[name[1]][#shares]))
end

-- Houses in the order of the file, which goes through California from county to county, so the relation between
-- features and price changes. Each house is predicted, then learned. Accuracy is computed in blocks of 1000.
local houses = ml.read_csv "examples/data/california_housing.csv"
local H = ml.MinMaxScaler {}:fit_transform(houses:select { "longitude", "latitude", "housing_median_age", "total_rooms",
   "population", "households", "median_income" })
local expensive = houses.median_house_value:gt(houses.median_house_value:median())

local function predict_then_learn(model, block)
   local accuracies, hits = {}, 0
   for i = 1, #expensive do
      local house = H:slice(i, i)
      if i > 1 and model:predict(house)[1] == expensive[i] then hits = hits + 1 end
      model:partial_fit(house, expensive:slice(i, i), i == 1 and { classes = { 0, 1 } } or nil)
      if i % block == 0 then accuracies[#accuracies + 1], hits = hits / block, 0 end
   end
   return ml.Vector(accuracies)
end

local streams = {}
for i, one in ipairs { { "adaptive forest", ml.AdaptiveRandomForestClassifier { seed = 1 } },
   { "Mondrian forest", ml.MondrianForestClassifier { n_estimators = 10, seed = 1 } },
   { "naive Bayes", ml.GaussianNB {} } } do
   local accuracies = predict_then_learn(one[2], 1000)
   print(("%-28s accuracy %.3f on %d houses"):format(one[1], accuracies:mean(), #expensive))
   streams[i] = { kind = "line", x = ml.range(1, #accuracies), y = accuracies, name = one[1], color = i,
      markers = true }
end

local figure = ml.plot.Figure { columns = 1, width = 760, height = 760, panels = {
   { title = "Digits, one row at a time", x = "share of the training rows seen", y = "accuracy on test rows",
      legend = true, layers = layers },
   { title = "California houses: is the price above the median?", x = "houses seen (thousands)",
      y = "accuracy on the last 1000", legend = true, layers = streams } } }
figure:save "build/demo/online.svg"
print "wrote build/demo/online.svg"
