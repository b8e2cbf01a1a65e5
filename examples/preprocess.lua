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

-- Impute ages from the other columns instead of by their median: by regression, by similar passengers, and by the draws
-- of multiple imputation, whose spread measures the uncertainty of the age.
local numeric = X:select { "pclass", "age", "sibsp", "parch", "fare" }
local unknown = numeric.age:isnan():nonzero()[1]
local by_regression = ml.IterativeImputer { min_value = 0 }:fit_transform(numeric)
print(("\nPassenger %d, whose age is unknown: %.1f years by regression, %.1f by the nearest passengers"):format(unknown,
   by_regression.age[unknown], ml.KNNImputer {}:fit_transform(numeric).age[unknown]))
local draws = ml.Vector(20)
for i, data in ipairs(ml.multiple_imputation(numeric, { m = 20, imputer = ml.IterativeImputer { min_value = 0 } })) do
   draws[i] = data.age[unknown]
end
print(("Draws of this age: mean %.1f, standard deviation %.1f"):format(draws:mean(), draws:std()))

-- A factor with almost as many levels as rows: the mean of y in each level would leak y to the model.
-- TargetEncoder encodes each training row from the other folds, also inside a Pipeline.
local ids = {}
for i = 1, X.rows do ids[i] = "passenger " .. i // 2 end
local id = ml.Frame { { "id", ml.Factor(ids) } }
local tree = ml.DecisionTreeClassifier { max_depth = 3 }
local leak = ml.TargetEncoder {}:fit(id, y):transform(id)
print(("\nAccuracy of a tree on the training rows, from pairs of passengers: %.2f if y leaks, %.2f cross-fitted")
   :format(tree:clone():fit(leak, y):score(leak, y), ml.Pipeline { ml.TargetEncoder {}, tree }:fit(id, y):score(id, y)))

-- A time series: features from earlier months and from the season. The first twelve months have no previous year.
local air = ml.read_csv "examples/data/airpassengers.csv"
local dates = {}
for i = 1, air.rows do dates[i] = ("%d-%02d-01"):format(1949 + (i - 1) // 12, (i - 1) % 12 + 1) end
local calendar = ml.DatetimeFeatures { year = false, day_of_month = false, day_of_week = false, hour = false,
   minute = false, second = false, cyclical = true }:fit_transform(ml.Frame { { "date", dates } })
local past = ml.Pipeline { ml.FunctionTransformer { func = "log" }, ml.FeatureUnion { prefix = false,
   ml.LagFeatures { periods = { 1, 12 }, drop_original = true },
   ml.WindowFeatures { window = 6, drop_original = true } } }
local features = past:fit_transform(air:select "passengers")
for _, name in ipairs(calendar.names) do features[name] = calendar:col(name) end
print "\nFeatures of the airline passengers, in logarithms:\n"
print(features:slice(10, 16))
local rows = ml.range(13, air.rows)
local log_y = air:col("passengers"):log()
print "\nThe next month by a ridge regression, tested on later years:\n"
print(ml.cross_validate(ml.Pipeline { ml.StandardScaler {}, ml.Ridge { alpha = 0.1 } }, features:take(rows),
   log_y:take(rows), { cv = ml.TimeSeriesSplit { k = 5 } }))

-- Smooth effects in a linear model: splines of age and fare, with outliers of the fare clipped.
local known = ml.Pipeline { ml.SimpleImputer {}, ml.Winsorizer { capping_method = "quantiles", tail = "right" },
   ml.SplineTransformer { n_knots = 4, knots = "quantile", include_bias = false }, ml.LogisticRegression {} }
print "\nSurvival by splines of age and fare:\n"
print(ml.cross_validate(known, X:select { "age", "fare" }, y, { cv = ml.StratifiedKFold { k = 5, seed = 1 } }))
