-- Composite models: several targets, few labels, and many classes by binary classifiers.
--
-- Run from the checkout: make all, then lua5.4 examples/wrappers.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

-- Several numbers at once: body measures from exercises. The baseline predicts the means.
local linnerud = ml.read_csv "examples/data/linnerud.csv"
local exercises = linnerud:select { "chins", "situps", "jumps" }
local body = linnerud:select { "weight", "waist", "pulse" }
local folds = ml.KFold { k = 5, seed = 1 }
local scaled = ml.Pipeline { ml.StandardScaler {}, ml.SVR { C = 10, kernel = "linear" } }
for _, entry in ipairs { { "baseline", ml.DummyRegressor {} }, { "one by one", ml.MultiOutputRegressor { scaled } },
   { "chain", ml.RegressorChain { scaled, order = { "waist", "weight", "pulse" }, cv = 5 } } } do
   local cv = ml.cross_validate(entry[2], exercises, body, { cv = folds, scoring = "mae" })
   print(("%-10s mean absolute error %.2f"):format(entry[1], cv.mean.mae))
end

-- Several labels at once: species and sex of penguins. The sex shows only given the species, which a chain uses.
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local seen = penguins:select { "bill_length_mm", "body_mass_g" }
local labels = penguins:select { "species", "sex" }
local logistic = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
for _, entry in ipairs { { "one by one", ml.MultiOutputClassifier { logistic } },
   { "chain", ml.ClassifierChain { logistic, order = { "species", "sex" }, chain_method = "predict_proba" } } } do
   local cv = ml.cross_validate(entry[2], seen, labels, { cv = folds, scoring = { "accuracy", "hamming" } })
   print(("%-10s both right %.3f, wrong labels %.3f"):format(entry[1], cv.mean.accuracy, cv.mean.hamming))
end

-- Few labels: one digit in 25 has one. Spreading them to similar images beats a classifier of the labelled rows; adding
-- its own predictions as labels makes it worse here, because wrong labels are never removed.
local X, y = ml.read_csv("examples/data/digits.csv"):split "digit"
X = X:matrix() / 16
local some, known = {}, {}
for i = 1, #y do some[i] = 0 / 0 end
for i = 1, #y, 25 do some[i], known[#known + 1] = y[i], i end
some = ml.Vector(some)
local supervised = ml.LogisticRegression {}:fit(X:take(known), y:take(known))
local spreading = ml.LabelSpreading { kernel = "knn" }:fit(X, some)
local self_training = ml.SelfTrainingClassifier { ml.LogisticRegression {}, threshold = 0.9 }:fit(X, some)
print(("%d of %d digits have a label"):format(#known, #y))
print(("accuracy: labelled rows only %.3f, label spreading %.3f, self-training %.3f"):format(supervised:score(X, y),
   spreading:score(X, y), self_training:score(X, y)))

-- Ten classes by binary classifiers.
local linear = ml.LinearSVC {}
for _, model in ipairs { ml.OneVsRestClassifier { linear }, ml.OneVsOneClassifier { linear },
   ml.OutputCodeClassifier { linear, code_size = 2 } } do
   local cv = ml.cross_validate(model, X, y, { cv = ml.StratifiedKFold { k = 3, seed = 1 } })
   print(("%-20s accuracy %.3f"):format(model.class, cv.mean.accuracy))
end
