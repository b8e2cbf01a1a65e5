-- Export: write a fitted model as a Lua file that runs without manilius, or as C code.

local ml = require "manilius"

local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
local model = ml.Pipeline { ml.StandardScaler {}, ml.PCA { n_components = 3 }, ml.LogisticRegression {} }:fit(X, y)

local text = model:export_lua { name = "iris" }
local iris = load(text)() -- in another program: require "iris"
local flower = { 6.0, 2.9, 4.5, 1.5 }
print(("%d bytes of Lua predict: %s"):format(#text, iris.predict(flower)))

local identical = true
for i = 1, X.rows do
   local row = {}
   for j, column in ipairs(X.columns) do row[j] = column[i] end
   local expected, actual = model:predict_proba(X:slice(i, i)), iris.predict_proba(row)
   for c = 1, #iris.classes do identical = identical and expected:get(1, c) == actual[c] end
end
print("all exported probabilities are bit-identical to those of the model:", identical)

-- An ensemble is exported as a whole. Members of the same kind share code: 30 trees are one loop over 30 node lists.
local stack = ml.StackingClassifier { ml.BaggingClassifier { n_estimators = 30 }, ml.GaussianNB {}, cv = 3 }:fit(X, y)
local probabilities = load(stack:export_lua())().predict_proba(flower)
print("the exported stack predicts the same:", probabilities[2] == stack:predict_proba({ flower }):get(1, 2))

print(model:export_c({ name = "iris" }):match "(/%* %-%-%- what to call.-)/%* %-%-%- how")
