-- Fitted models to export: every estimator with the settings that change its computation for a row, and compositions.
-- Each case: { name, model, rows = Matrix or Frame of new rows, exact = false if the results of the C program are equal
-- only up to rounding, near = { action = true } if those of some actions are, tolerance = of these, else a few units in
-- the last place }.
local ml = require "manilius"
local check = require "manilius.check"
local core = require "manilius.core"
local data = require "manilius.check.data"

local k = ml.kernel
local COMPOSED = 2 * k.Matern { length = 2, nu = 1.5 } * k.Periodic { period = 3, columns = { 1 } } + k.White {}
   + k.RationalQuadratic { alpha = 0.7 } ^ 2 + k.Linear { columns = { 2 } } + k.OrnsteinUhlenbeck { length = 3 }
   + k.Matern { length = { 1, 3 }, nu = 2.5, columns = { 2, 1 } } + k.Polynomial { degree = 2, columns = { 1, 2 } }

local settings = {
   BernoulliNB = { { binarize = 4 }, { alpha = 0, fit_prior = false } },
   Binarizer = { { threshold = 1.5 } },
   Birch = { { n_clusters = 0 } },
   CategoricalNB = { { handle_unknown = "error", alpha = 0 } },
   ClassicalMDS = { { metric = "manhattan" } },
   ComplementNB = { { norm = true } },
   DBSCAN = { { eps = 4, min_samples = 3 }, { eps = 0.05, metric = "cosine" }, { eps = 5, metric = "mahalanobis" } },
   DecisionTreeClassifier = { { criterion = "entropy", ccp_alpha = 0.01 },
      { splitter = "random", max_leaf_nodes = 5 } },
   DecisionTreeRegressor = { { criterion = "absolute_error", max_depth = 3 }, { criterion = "poisson" } },
   ExtraTreesClassifier = { { bootstrap = true, max_depth = 4 } },
   ExtraTreesRegressor = { { min_samples_leaf = 3, max_features = 2 } },
   GLM = { { family = "poisson" }, { family = "gamma" }, { family = "gamma", link = "log" }, { family =
      "inverse_gaussian" }, { family = "tweedie", link = "power", link_power = 0.5 }, { link = "sqrt" }, { offset =
      "x2", family = "poisson" } },
   NeuroScale = { { basis = "thin_plate" }, { basis = "r4logr" } },
   SOM = { { topology = "hexagonal", grid_rows = 3, grid_columns = 4 } },
   GTM = { { projection = "mode", grid_size = 4 } },
   HistGradientBoostingClassifier = { { grow = "depth", max_depth = 2, max_iter = 5 } },
   HistGradientBoostingRegressor = { { loss = "absolute_error" }, { loss = "huber" }, { loss = "quantile", quantile =
      0.8 }, { loss = "poisson" }, { loss = "gamma" }, { loss = "tweedie", power = 1.2 } },
   IsotonicRegression = { { direction = "decreasing", out_of_bounds = "nan" } },
   BisectingKMeans = { { n_clusters = 5, init = "k-means++" } },
   KMedoids = { { n_clusters = 3, metric = "manhattan" }, { n_clusters = 3, metric = "chebyshev" },
      { n_clusters = 3, metric = "hamming" } },
   KPrototypes = { { n_clusters = 3, categorical = { 1 }, gamma = 2 } },
   KBinsDiscretizer = { { encode = "ordinal", strategy = "uniform" } },
   KNeighborsClassifier = { { weights = "distance" }, { metric = "manhattan" }, { metric = "chebyshev" },
      { metric = "cosine", weights = "distance" }, { metric = "minkowski", p = 3, weights = "distance" },
      { metric = "correlation", weights = "gaussian" }, { metric = "hamming" },
      { metric = "mahalanobis", weights = "tricube", bandwidth = 2 } },
   KNeighborsRegressor = { { weights = "distance", n_neighbors = 7 }, { weights = "epanechnikov" } },
   RadiusNeighborsClassifier = { { radius = 2, weights = "distance" }, { metric = "cosine", radius = 0.2, weights =
      "epanechnikov", empty = "average" } },
   RadiusNeighborsRegressor = { { radius = 2, weights = "biweight" }, { radius = 3, weights = "triangular", bandwidth =
      1.5, empty = "average" } },
   GaussianProcessRegressor = { { normalize_y = true, mean = "linear" }, { mean = "constant" },
      { kernel = k.Matern { length = 2, nu = 2.5 } } },
   SVC = { { multi_class = "ovr" }, { kernel = "linear", C = 0.1 }, { probability = true },
      { probability = true, multi_class = "ovr" } },
   SparseGaussianProcessRegressor = { { normalize_y = true, mean = "linear", n_inducing = 5 } },
   SVR = { { kernel = "poly", degree = 2 }, { kernel = COMPOSED } },
   KernelPCA = { { kernel = "rbf", n_components = 2 }, { kernel = "cosine" } },
   KernelRidge = { { kernel = "poly", degree = 2 }, { kernel = "sigmoid", gamma = 0.1 }, { kernel = "laplacian" },
      { kernel = "linear" }, { kernel = COMPOSED } },
   KernelDensity = { { kernel = "exponential", metric = "manhattan" }, { kernel = "cosine", bandwidth = 9 },
      { kernel = "tricube", metric = "chebyshev", bandwidth = 9 }, { kernel = "linear", metric = "minkowski", p = 3 } },
   KernelRegression = { { kernel = "exponential" }, { kernel = "triweight", bandwidth = 0.5 }, { kernel = "tophat" },
      { kernel = "biweight" } },
   LinearSVC = { { multi_class = "crammer_singer", C = 0.1 } },
   LinearModelClassifier = { { loss = "modified_huber" }, { loss = "exponential" }, { loss = "hinge" } },
   RotationForestClassifier = { { group_size = 4, standardize = false, max_depth = 3 } },
   SGDClassifier = { { loss = "log_loss" }, { loss = "modified_huber" } },
   LinearDiscriminantAnalysis = { { solver = "eigen", n_components = 1 }, { solver = "lsqr", shrinkage = 0.2 } },
   MARS = { { degree = 2, thresh = 0 }, { auto_linpreds = false, linpreds = { 2 } } },
   MaxAbsScaler = { { clip = true } },
   MinMaxScaler = { { feature_range = { -1, 3 }, clip = true } },
   NearestCentroid = { { metric = "manhattan" }, { shrink_threshold = 0.3 } },
   MixedNB = { { use_kernel = true }, { counts = { 1, 2 }, factors = { 3 }, handle_unknown = "error" } },
   MixtureOfExpertsClassifier = { { levels = 2, n_init = 2 }, { n_experts = 1 } },
   MultinomialNB = { { alpha = 0, class_prior = { 0.5, 0.5, 0 } } },
   Normalizer = { { norm = "l1" }, { norm = "max" } },
   OneHotEncoder = { { drop = "first", handle_unknown = "ignore" }, { max_categories = 3, handle_unknown =
      "infrequent_if_exist" } },
   OrdinalEncoder = { { handle_unknown = "use_encoded_value", unknown_value = -5 } },
   OrdinalRegression = { { link = "cloglog" } },
   PCA = { { whiten = true } },
   PolynomialFeatures = { { degree = 3, interaction_only = true },
      { degree = 3, min_degree = 3, include_bias = false } },
   PowerTransformer = { { standardize = false } },
   QuadraticDiscriminantAnalysis = { { reg_param = 0.1 } },
   QuantileTransformer = { { output_distribution = "normal" } },
   IterativeImputer = { { min_value = -1, max_value = 1, add_indicator = true } },
   KNNImputer = { { weights = "distance", n_neighbors = 3 }, { metric = "nan_manhattan", missing_values = 1 } },
   MissingIndicator = { { features = "all" } },
   SimpleImputer = { { strategy = "median", add_indicator = true }, { strategy = "constant", fill_value = -7 } },
   TweedieRegressor = { { power = 1.5 }, { power = 2, link = "log" } },
   StandardScaler = { { with_mean = false }, { with_std = false } },
   SplineTransformer = { { extrapolation = "linear", degree = 2 }, { knots = "quantile", include_bias = false },
      { extrapolation = "continue", degree = 0 } },
}

local cases = {}

local export_tolerance = {}
for _, name in ipairs((core.class_names())) do
   local tolerance = core.describe(name).export_tolerance
   if tolerance > 0 then export_tolerance[name] = tolerance end
end

local function add(name, model, rows, exact, near)
   local tolerance = export_tolerance[model.class]
   cases[#cases + 1] = { name = name, model = model, rows = rows, exact = exact ~= false and not tolerance,
      near = near or {}, tolerance = tolerance }
end

-- --- one estimator ---

-- Can it be exported? If not, the error must give the reason.
local function is_exported(class, new)
   local problem = data.make(class)
   local model = new():fit(problem.X, problem.y)
   local ok, message = pcall(model.export_lua, model)
   assert(ok or message:find("cannot be exported: ", 1, true) and not message:find "does not support export",
      message)
   return ok
end

local function add_all(name, class, new)
   local variants = { {} }
   for _, one in ipairs(settings[name] or {}) do variants[#variants + 1] = one end
   for i, one in ipairs(variants) do
      local problem = data.make(class)
      add(("%s_%d"):format(name, i), new(one):fit(problem.X, problem.y), problem.new,
         one.metric ~= "minkowski")
   end
   local wide = data.make(class, { rows = 200, cols = 37 }) -- more than two groups of lanes, and some left
   if name ~= "PolynomialFeatures" then add(name .. "_wide", new():fit(wide.X, wide.y), wide.new) end
   if class.does.classify then
      local two = data.make(class, { classes = 2 })
      add(name .. "_two", new():fit(two.X, two.y), two.new)
   end
   if class.takes.multitarget then
      local problem = data.make(class)
      local Y = core.hcat(problem.y:as_column(), problem.X:col(1):as_column())
      add(name .. "_many", new():fit(problem.X, Y), problem.new)
   end
end

for _, name in ipairs((core.class_names())) do
   local class, new = check.core_class(name)
   if is_exported(class, new) then add_all(name, class, new) end
end

-- Imputers of rows with missing values.
local function with_gaps(rows, seed)
   local X = core.normal(rows, 5, seed)
   for i = 1, rows do X:set(i, i * i % 5 + 1, 0 / 0) end
   X:set(3, 2, 0 / 0)
   return X
end

for _, one in ipairs { { "SimpleImputer", { add_indicator = true } }, { "MissingIndicator", { error_on_new = false } },
   { "MissingIndicator" }, { "KNNImputer" }, { "KNNImputer", { n_neighbors = 7, weights = "distance",
      metric = "nan_manhattan", add_indicator = true } },
   { "KNNImputer", { n_neighbors = 90, weights = "distance" } }, { "IterativeImputer" },
   { "IterativeImputer", { max_value = { 0.2, 1, math.huge, 2, 0.1 }, add_indicator = true } } } do
   local name, own = one[1], one[2]
   local model = core.constructors[name](own or {}):fit(with_gaps(40, 3))
   add(("gaps_%s_%d"):format(name, #cases), model, with_gaps(12, 4))
end

local positive = core.normal(40, 3, 5):abs() + 0.25
add("box_cox", ml.PowerTransformer { method = "box-cox" }:fit(positive), positive:slice(1, 9))
local many = ml.KNeighborsRegressor { n_neighbors = 3 }:fit(core.normal(3000, 5, 1), core.normal(3000, nil, 2))
local coins, heads = core.normal(80, 3, 6), {}
for i = 1, 80 do heads[i] = (i * 7 % 11 + coins:get(i, 1)) % 3 > 1 and 1 or 0 end
for _, link in ipairs { "logit", "probit", "cloglog" } do
   local model = ml.GLM { family = "binomial", link = link, inference = false }:fit(coins, heads)
   add("glm_" .. link, model, core.normal(20, 3, 7) * 6)
end
add("many_neighbors", many, core.normal(6, 5, 3))

require "spec.export.tree_cases"(add)
require "spec.export.ensemble_cases"(add)
require "spec.export.calibrated_cases"(add)
require "spec.export.formula_cases"(add)

-- --- compositions ---

local iris = ml.read_csv "examples/data/iris.csv"
local X, y = iris:split "species"
add("pipeline", ml.Pipeline { ml.StandardScaler {}, ml.PCA { n_components = 3 }, ml.LogisticRegression {} }:fit(X, y),
   X:slice(48, 54))
add("union", ml.Pipeline { ml.FeatureUnion { ml.StandardScaler {}, ml.PolynomialFeatures {}, "passthrough" },
   ml.GaussianNB {} }:fit(X, y), X:slice(98, 104))
add("consensus", ml.RANSACRegressor { ml.DecisionTreeRegressor {}, min_samples = 0.3 }:fit(X,
   core.normal(X.rows, nil, 3)), X:slice(20, 26))
add("search", ml.GridSearch { ml.Pipeline { ml.MinMaxScaler {}, ml.KNeighborsClassifier {} },
   { kneighborsclassifier__n_neighbors = { 3, 5 } }, cv = 3 }:fit(X, y), X:slice(70, 76))

local Z, t = core.normal(50, 4, 8), core.normal(50, nil, 9):abs() + 1
add("target_log", ml.TransformedTarget { regressor = ml.Ridge {}, func = "log" }:fit(Z, t), Z:slice(1, 7), false)
add("target_scaled", ml.TransformedTarget { regressor = ml.Ridge {}, transformer = ml.StandardScaler {} }:fit(Z, t),
   Z:slice(1, 7))

local by_logarithm = { predict_log_proba = true } -- the logarithm of a Matrix is another than that of one number
add("one_vs_rest", ml.OneVsRestClassifier {}:fit(X, y), X:slice(98, 104), true, by_logarithm)
add("one_vs_rest_trees", ml.OneVsRestClassifier { ml.DecisionTreeClassifier { max_depth = 2 } }:fit(X, y),
   X:slice(98, 104), true, by_logarithm)
add("one_vs_one_rest", ml.OneVsRestClassifier { ml.Perceptron {} }:fit(X:slice(1, 100), y:slice(1, 100)),
   X:slice(48, 54))
add("one_vs_one", ml.OneVsOneClassifier { ml.LinearSVC {} }:fit(X, y), X:slice(98, 104))
add("one_vs_one_trees", ml.OneVsOneClassifier { ml.DecisionTreeClassifier { max_depth = 2 } }:fit(X, y),
   X:slice(98, 104))
add("output_code", ml.OutputCodeClassifier { code_size = 3, seed = 1 }:fit(X, y), X:slice(98, 104))
add("output_code_of_two", ml.OutputCodeClassifier { ml.GaussianNB {} }:fit(X:slice(1, 100), y:slice(1, 100)),
   X:slice(48, 54))
local two = ml.hcat(t:as_column(), Z:col(1):abs():as_column())
add("multi_output", ml.MultiOutputRegressor { ml.SVR {} }:fit(Z, two), Z:slice(1, 7))
add("chain", ml.RegressorChain { ml.Ridge {}, order = { 2, 1 } }:fit(Z, two), Z:slice(1, 7))

add("polynomial", ml.PolynomialRegression { degree = 3 }:fit(Z, t), Z:slice(1, 7))
add("polynomial_origin", ml.PolynomialRegression { fit_intercept = false }:fit(Z, t), Z:slice(1, 7))

local nan = 0 / 0
local people = ml.Frame { { "age", { 31, 45, 23, nan, 52, 38 } },
   { "city", ml.Factor { "Oslo", "Rome", "Oslo", "Rome", "Lima", "Lima", n = 6 } },
   { "pay", { 3.5, nan, 2.25, 4, 4.5, 3 } }, { "note", ml.Factor { "a", "b", "c", "d", "e", "f" } } }
local bought = { true, false, true, false, false, true }
add("columns", ml.Pipeline { ml.ColumnTransformer {
   { "numbers", ml.Pipeline { ml.SimpleImputer { add_indicator = true }, ml.StandardScaler {} }, { "age", "pay" } },
   { "words", ml.Pipeline { ml.SimpleImputer { strategy = "constant" },
      ml.OneHotEncoder { handle_unknown = "ignore" } }, { "city" } },
}, ml.LogisticRegression {} }:fit(people, bought),
   ml.Frame { { "age", { 30, nan, 60 } }, { "city", ml.Factor { "Rome", "Paris", nil, n = 3 } },
      { "pay", { nan, 1, 2 } },
      { "note", ml.Factor { "x", "y", "z" } } })

-- --- labels and names of all kinds ---

local four = ml.Matrix { { 1, 2 }, { 2, 1 }, { 8, 9 }, { 9, 8 }, { 20, 1 }, { 21, 2 } }
local function labeled(name, labels)
   add("labels_" .. name, ml.GaussianNB {}:fit(four, labels), four)
end
labeled("integer", { 7, 7, -3, -3, 12, 12 })
labeled("real", ml.Factor { 0.5, 0.5, -1.25, -1.25, 3.0, 3.0 })
labeled("boolean", { true, true, false, false, true, false })
labeled("mixed", ml.Factor { "x", "x", 2, 2, true, true })
labeled("hostile", { '"); system("echo bad"); //', '"); system("echo bad"); //', "]] os.exit(1) --[[ */ ??/ \\",
   "]] os.exit(1) --[[ */ ??/ \\", "\0\xff\n\r" .. ("\x80?"):rep(4000), "\0\xff\n\r" .. ("\x80?"):rep(4000) })
add("names_hostile", ml.StandardScaler {}:fit(ml.Frame { { "*/ #error \n#error \\", { 1, 2 } },
   { "]] error() --\n error()", { 3, 5 } }, { '%s%d"??/', { 1, 0 } } }), ml.Matrix { { 1, 2, 3 } })

return cases
