-- Learning row by row. Each handwritten digit is first guessed, then learned: a Mondrian forest takes every row as it
-- comes, and is as good all along as a forest of the same kind that is drawn anew from all rows so far.
--
-- After Lakshminarayanan, Roy & Teh, Mondrian Forests: Efficient Online Random Forests (2014), figure 1: test accuracy
-- by the share of the train rows seen, of the online forest and of forests refitted. Pass the name of a picture:
-- lua examples/online.lua online.png

local ml = require "manilius"

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
local figure = ml.plot.Figure { title = "Digits, one row at a time", panels = { {
   x = "share of the train rows seen", y = "accuracy on test rows", legend = true, layers = layers } } }
if arg and arg[1] then figure:save(arg[1]) else figure:show() end
