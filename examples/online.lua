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
local right, at, shown = 0, {}, { online = {}, refitted = {}, trees = {}, forest = {} }

local function refit(model, n)
   return model:fit(train_X:slice(1, n), train_y:slice(1, n)):score(test_X, test_y)
end

for i = 1, rows do
   local row, label = train_X:slice(i, i), train_y:slice(i, i)
   if i > 1 and online:predict(row)[1] == label[1] then right = right + 1 end
   online:partial_fit(row, label, i == 1 and { classes = y } or nil)
   if i % (rows // steps) == 0 then
      at[#at + 1] = i / rows
      table.insert(shown.online, online:score(test_X, test_y))
      table.insert(shown.refitted, refit(ml.MondrianForestClassifier { n_estimators = 30, seed = 2 }, i))
      table.insert(shown.trees, refit(ml.ExtraTreesClassifier { n_estimators = 30, max_features = 1, seed = 1 }, i))
      table.insert(shown.forest, refit(ml.RandomForestClassifier { n_estimators = 30, seed = 1 }, i))
   end
end
print(("%d rows; guessed right before each was learned: %.1f %%"):format(rows, 100 * right / (rows - 1)))

local names = { { "online", "Mondrian forest, row by row" }, { "refitted", "Mondrian forest, refitted" },
   { "trees", "extra trees, refitted" }, { "forest", "random forest, refitted" } }
local layers = {}
for i, name in ipairs(names) do
   layers[i] = { kind = "line", x = at, y = shown[name[1]], name = name[2], color = i, markers = true }
   print(("%-28s test accuracy %.3f after a fifth, %.3f in the end"):format(name[2], shown[name[1]][steps // 5],
      shown[name[1]][#at]))
end

-- Houses in the order of the file, which goes through California from county to county, so the relation between
-- features and price changes. Each house is predicted, then learned. Accuracy is computed in blocks of 1000.
local houses = ml.read_csv "examples/data/california_housing.csv"
local H = ml.MinMaxScaler {}:fit_transform(houses:select { "longitude", "latitude", "housing_median_age", "total_rooms",
   "population", "households", "median_income" })
local dear = houses.median_house_value:gt(houses.median_house_value:median())

local function guess_and_learn(model, block)
   local shares, hits = {}, 0
   for i = 1, #dear do
      local house = H:slice(i, i)
      if i > 1 and model:predict(house)[1] == dear[i] then hits = hits + 1 end
      model:partial_fit(house, dear:slice(i, i), i == 1 and { classes = { 0, 1 } } or nil)
      if i % block == 0 then shares[#shares + 1], hits = hits / block, 0 end
   end
   return ml.Vector(shares)
end

local streams = {}
for i, one in ipairs { { "adaptive forest", ml.AdaptiveRandomForestClassifier { seed = 1 } },
   { "Mondrian forest", ml.MondrianForestClassifier { n_estimators = 10, seed = 1 } },
   { "naive Bayes", ml.GaussianNB {} } } do
   local shares = guess_and_learn(one[2], 1000)
   print(("%-28s %.3f of %d houses guessed right"):format(one[1], shares:mean(), #dear))
   streams[i] = { kind = "line", x = ml.range(1, #shares), y = shares, name = one[1], color = i, markers = true }
end

local figure = ml.plot.Figure { columns = 1, width = 760, height = 760, panels = {
   { title = "Digits, one row at a time", x = "share of the train rows seen", y = "accuracy on test rows",
      legend = true, layers = layers },
   { title = "Houses along California: dearer than the median?", x = "thousand houses seen",
      y = "guessed right of the last 1000", legend = true, layers = streams } } }
figure:save "build/demo/online.svg"
print "wrote build/demo/online.svg"
