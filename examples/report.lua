-- One page that tells what a model is worth: who survived the Titanic, in a file to open in any browser.
--
-- Scores are of passengers that the model had not seen. Without gnuplot the pictures stand on the page as text.

local ml = require "manilius"

local passengers = ml.read_csv "examples/data/titanic.csv"
local X, y = passengers:select { "survived", "pclass", "sex", "age", "sibsp", "parch", "fare", "embarked" }
   :split "survived"

local model = ml.Pipeline {
   ml.ColumnTransformer {
      { "numbers", ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }, "numeric" },
      { "labels", ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} }, "factor" },
   },
   ml.LogisticRegression { C = 0.5 },
}

os.execute "mkdir -p build/demo"
local report = ml.report(model, X, y, { target = "survived", learning_curve = true })
report:save "build/demo/report.html"
print(report)

-- The same for a part that was kept apart, with the model that was fitted on the rest.
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, stratify = true, seed = 1 })
model:fit(X_train, y_train)
print(ml.report(model, X_train, y_train, { test = { X_test, y_test }, target = "survived", pictures = false }))

-- What the page says of the columns can be had alone.
print(ml.permutation_importance(model, X_test, y_test, { repeats = 20, seed = 1, scoring = "log_loss" }))
