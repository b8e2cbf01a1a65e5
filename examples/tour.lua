-- Tour: from a CSV file with missing values and categories to a model that is cross-validated, tuned and saved.
--
-- The data are the 1309 passengers of the Titanic. A fifth of the ages are unknown. The target is survival.

local ml = require "manilius"

local function title(text) print(("\n%s\n%s"):format(text, ("-"):rep(#text))) end

title "1. Read and inspect"
local passengers = ml.read_csv "examples/data/titanic.csv"
local columns = { "pclass", "sex", "age", "sibsp", "parch", "fare", "embarked" }
local data = passengers:select { "survived", table.unpack(columns) }
print(data:head(5))
print(data:describe())

title "2. Split off a test set"
local X, y = data:split "survived"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { test = 0.25, stratify = y, seed = 1 })
print(("%d passengers for training, %d for testing"):format(#X_train, #X_test))

title "3. Preprocess columns by type"
local numbers = { "age", "sibsp", "parch", "fare" }
local categories = { "pclass", "sex", "embarked" }
local function preprocessor()
   return ml.ColumnTransformer {
      { "numbers", ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }, numbers },
      { "categories", ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} },
         categories },
   }
end
print(preprocessor():fit(X_train):transform(X_train):head(3))

title "4. Several models on the same folds"
local folds = ml.RepeatedStratifiedKFold { k = 5, repeats = 3, seed = 1 }
local candidates = {
   { "logistic regression", ml.LogisticRegression {} },
   { "nearest neighbors", ml.KNeighborsClassifier { n_neighbors = 15 } },
   { "naive Bayes", ml.GaussianNB {} },
}
for _, candidate in ipairs(candidates) do
   local name, model = candidate[1], candidate[2]
   print("\n" .. name)
   print(ml.cross_validate(ml.Pipeline { preprocessor(), model }, X_train, y_train,
      { cv = folds, scoring = { "accuracy", "roc_auc", "log_loss" } }))
end

title "5. Search a grid"
local pipeline = ml.Pipeline {
   { "preprocess", preprocessor() },
   { "products", ml.PolynomialFeatures { interaction_only = true, include_bias = false } },
   { "classify", ml.LogisticRegression {} },
}
local search = ml.GridSearch {
   pipeline,
   { products__degree = { 1, 2 }, classify__C = { 0.01, 0.1, 1, 10 } },
   cv = ml.StratifiedKFold { k = 5, seed = 1 },
   scoring = "log_loss",
}
search:fit(X_train, y_train)
print(search)

title "6. Evaluate on the test set"
print(ml.metrics.report(y_test, search:predict(X_test)))
print(ml.metrics.confusion_matrix(y_test, search:predict(X_test)))
print(("area under the ROC curve: %.3f"):format(ml.metrics.roc_auc(y_test, search:predict_proba(X_test):col(2))))

title "7. Save, load, predict"
os.execute "mkdir -p build/demo"
search.best:save "build/demo/titanic.mn"
local restored = ml.load "build/demo/titanic.mn"
assert(restored:predict(X_test) == search:predict(X_test))
local new_passengers = ml.Frame {
   { "pclass", { 1, 3 } }, { "sex", { "female", "male" } }, { "age", { 29, 0 / 0 } }, { "sibsp", { 0, 0 } },
   { "parch", { 0, 0 } }, { "fare", { 80, 8 } }, { "embarked", { "S", "S" } },
}
print(new_passengers)
print("probability of survival: " .. tostring(restored:predict_proba(new_passengers):col(2)))
