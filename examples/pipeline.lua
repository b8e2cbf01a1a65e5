-- Pipeline: classify penguins by numeric and categorical columns with missing values, in one model that is
-- cross-validated, saved and loaded.
--
-- Run from the checkout: make all, then lua5.4 examples/pipeline.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"

local penguins = ml.read_csv "examples/data/penguins.csv"
local X, y = penguins:drop "year":split "species"

local numbers = ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {} }
local labels = ml.Pipeline { ml.SimpleImputer { strategy = "most_frequent" }, ml.OneHotEncoder {} }
local model = ml.Pipeline {
   ml.ColumnTransformer { { "numbers", numbers, "numeric" }, { "labels", labels, "factor" } },
   ml.LogisticRegression { C = 1 },
}
print(model)

-- Five folds with equal class proportions. The fits run in parallel.
local folds = ml.StratifiedKFold { k = 5, seed = 1 }
print(ml.cross_validate(model, X, y, { cv = folds, scoring = { "accuracy", "log_loss" } }))

-- The out-of-fold prediction for each penguin, by a model that has not seen it.
local predicted = ml.cross_val_predict(model, X, y, { cv = folds })
print(ml.Frame { { "species", y }, { "predicted", predicted } }:crosstab("species", "predicted"))

model:fit(X, y)
print(table.concat(model[1]:output_names(), ", "))

-- Predict a single row given by name. Columns that are left out are missing, and the imputer fills them.
local path = os.tmpname()
model:save(path)
print(ml.load(path):predict { island = "Biscoe", bill_length_mm = 48, bill_depth_mm = 14, body_mass_g = 5000 })
os.remove(path)
