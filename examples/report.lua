-- Report: summarize a model of survival on the Titanic on one HTML page.
--
-- The scores are for passengers that the model has not seen. Without gnuplot, the plots are drawn as text.

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

-- A report on a test set, for a model fitted to the training set.
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, stratify = true, seed = 1 })
model:fit(X_train, y_train)
print(ml.report(model, X_train, y_train, { test = { X_test, y_test }, target = "survived", pictures = false }))

-- The feature importances of the report are also available on their own.
print(ml.permutation_importance(model, X_test, y_test, { repeats = 20, seed = 1, scoring = "log_loss" }))
