-- Compare models: which one predicts the mileage of a car best, and is the difference significant?
--
-- Four models are evaluated on the same folds. The table shows each score with its confidence interval, the difference
-- to the baseline on the same folds, and the p-value of that difference.

local ml = require "manilius"

local cars = ml.read_csv "examples/data/auto_mpg.csv"
local X, y = cars:drop("car_name"):split "mpg"

-- Impute missing horsepower with the median, then scale all features.
local function preprocessed(model)
   return ml.Pipeline { ml.SimpleImputer { strategy = "median" }, ml.StandardScaler {}, model }
end

local models = {
   { "linear", preprocessed(ml.LinearRegression {}) },
   { "ridge", preprocessed(ml.Ridge { alpha = 10 }) },
   { "squares and products", ml.Pipeline { preprocessed(ml.PolynomialFeatures { degree = 2, include_bias = false }),
      ml.Ridge { alpha = 1 } } },
   { "nearest neighbors", preprocessed(ml.KNeighborsRegressor { n_neighbors = 8 }) },
}

local result = ml.compare(models, X, y, {
   cv = ml.RepeatedKFold { k = 5, repeats = 4, seed = 1 },
   scoring = { "rmse", "r2" },
   baseline = "linear",
})
print(result)

-- All results are also available as values.
print(("\n%s is best: rmse %.2f"):format(result.best, result.results[result.best].mean.rmse))
print(result.tests:select { "metric", "model", "difference", "low", "high", "p_adjusted" })

-- Draw the scores of the folds as box plots, in the terminal and to a file.
os.execute "mkdir -p build/demo"
local picture = result:plot()
print(picture:text())
if pcall(picture.save, picture, "build/demo/compare.svg") then print "build/demo/compare.svg" end
