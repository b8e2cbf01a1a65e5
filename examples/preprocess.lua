-- Preprocessing: the passengers of the Titanic have numeric and categorical columns, both with missing values. Each
-- type of column has its own preprocessing steps, which are fitted to the training rows only.
--
-- Run from the checkout: make all, then lua5.4 examples/preprocess.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local passengers = ml.read_csv "examples/data/titanic.csv"
local y = ml.Factor(passengers.survived)
local X = passengers:select { "pclass", "sex", "age", "sibsp", "parch", "fare", "embarked" }

print "The seven columns of the data:\n"
print(X:describe())

-- The imputer keeps factors as factors, so the encoder after it knows their levels.
local labels = ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder { drop = "if_binary" } }
local encoded = labels:fit_transform(X:select { "sex", "embarked" })
print "\nCategorical columns, imputed and one-hot encoded:\n"
print(encoded)

-- The indicator marks passengers of unknown age, which may itself be informative.
local numbers = ml.Pipeline { ml.SimpleImputer { strategy = "median", add_indicator = true }, ml.StandardScaler {} }

local model = ml.Pipeline {
   ml.ColumnTransformer {
      { "numbers", numbers, { "pclass", "age", "sibsp", "parch", "fare" } },
      { "labels", labels, { "sex", "embarked" } },
   },
   ml.LogisticRegression {},
}
print "\nFive-fold cross-validation of the whole pipeline:\n"
print(ml.cross_validate(model, X, y, {
   cv = ml.StratifiedKFold { k = 5, seed = 1 }, scoring = "accuracy",
}))
