-- Diagnostic plots: how good a model is, where it is wrong, and what it has learned. Each plot is one call. This
-- program saves them in build/demo; `:show()` draws them in the terminal.
--
-- Run from the checkout: make all, then lua5.4 examples/diagnostics.lua with LUA_PATH and LUA_CPATH as in the README.

local ml = require "manilius"
local plot = ml.plot

os.execute "mkdir -p build/demo"
local function save(name, figure)
   figure:save(("build/demo/%s.svg"):format(name))
   print(("%-18s %s"):format(name, figure.caption or ""))
end

-- The data: missing values and correlated columns.
save("missing", plot.missing(ml.read_csv "examples/data/airquality.csv"))
save("correlation", plot.correlation(ml.read_csv "examples/data/auto_mpg.csv", { order = "cluster" }))

-- A classifier, evaluated on the test set.
local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { seed = 1, stratify = y })
local logistic = ml.Pipeline { ml.StandardScaler {}, ml.LogisticRegression {} }
local bayes = ml.GaussianNB {}
local models = { { "logistic", logistic:fit(X_train, y_train) }, { "naive Bayes", bayes:fit(X_train, y_train) } }
save("confusion", plot.confusion(logistic, X_test, y_test))
save("roc", plot.roc(models, X_test, y_test))
save("precision_recall", plot.precision_recall(models, X_test, y_test))
save("calibration", plot.calibration(models, X_test, y_test))
save("coef_path", plot.coef_path(logistic, X_train, y_train, { top = 5 }))

-- Model comparison, the strength of the penalty, and the number of training rows.
save("cv", plot.cv(models, X, y, { cv = ml.StratifiedKFold { k = 10, seed = 1 } }))
save("validation_curve", plot.validation_curve(logistic, X, y, { param = "logisticregression__C",
   values = { 1e-4, 1e-3, 0.01, 0.1, 1, 10, 100 } }))
save("learning_curve", plot.learning_curve(logistic, X, y, { seed = 1, sizes = { 20, 50, 100, 200, 400 } }))

-- The decision boundaries of a classifier in two features, with the rows of three classes.
local iris, species = ml.read_csv "examples/data/iris.csv":split "species"
local nearest = ml.KNeighborsClassifier { n_neighbors = 15 }
save("decision", plot.decision(nearest:fit(iris, species), iris, species, { refit = true,
   features = { "petal_length", "petal_width" } }))

-- Least squares: the four diagnostic plots of R, and the coefficients with confidence intervals.
local motors = ml.read_csv "examples/data/mtcars.csv"
local rows, mpg = motors:select { "wt", "hp", "qsec" }, motors.mpg
local ols = ml.Pipeline { ml.StandardScaler {}, ml.LinearRegression {} }:fit(rows, mpg)
save("residuals", plot.residuals(ols, rows, mpg, { labels = motors.model }))
save("coefficients", plot.coefficients(ols))

-- Unsupervised learning: principal components, clusters, and the number of clusters.
save("pca", plot.pca(iris, species))
save("scree", plot.scree(ml.read_csv "examples/data/wine.csv":drop "class"))
save("elbow", plot.elbow(iris))
local clusters = ml.KMeans { n_clusters = 3, seed = 1 }:fit(iris)
save("silhouette", plot.silhouette(clusters, iris))
save("trace", plot.trace(clusters))
