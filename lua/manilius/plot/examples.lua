--- An example for each function of ml.plot, shown by help: complete programs that use the data in examples/data.

local PENGUINS = 'local penguins = ml.read_csv "examples/data/penguins.csv"\n'
local IRIS = 'local X, y = ml.read_csv "examples/data/iris.csv":split "species"\n'
local CANCER = 'local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"\n'
   .. "local model = ml.GaussianNB {}:fit(X, y)\n"
local QUAKES = "local X = ml.read_csv(\"examples/data/earthquakes.csv\"):select { \"count\" }\n"
   .. "local model = ml.HMM { n_states = 3, emission = \"poisson\" }:fit(X)\n"
local DIABETES = 'local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"\n'

return {
   scatter = PENGUINS
      .. 'ml.plot.scatter(penguins, { x = "bill_length_mm", y = "body_mass_g", class = "species" }):show()',
   line = "local x = ml.linspace(0, 10, 200)\nml.plot.line(x, x:sin()):show()",
   bar = PENGUINS .. "ml.plot.bar(penguins.species):show()",
   figure = PENGUINS .. "ml.plot.figure { ml.plot.histogram(penguins.body_mass_g), ml.plot.bar(penguins.sex) }:show()",
   Figure = "ml.plot.Figure { panels = { { layers = { "
      .. "{ kind = \"points\", x = { 1, 2, 3 }, y = { 2, 1, 4 } } } } } }:show()",
   histogram = PENGUINS .. 'ml.plot.histogram(penguins, { x = "body_mass_g", class = "species" }):show()',
   density = PENGUINS .. 'ml.plot.density(penguins, { x = "body_mass_g", class = "species" }):show()',
   box = PENGUINS .. 'ml.plot.box(penguins, { x = "body_mass_g", class = "species" }):show()',
   violin = PENGUINS .. 'ml.plot.violin(penguins, { x = "body_mass_g", class = "species" }):show()',
   pairs = IRIS .. "ml.plot.pairs(X, { class = y }):show()",
   facets = PENGUINS .. 'ml.plot.facets(penguins, { by = "island", x = "bill_length_mm", y = "bill_depth_mm", '
      .. 'class = "species" }):show()',
   heatmap = "ml.plot.heatmap({ { 1, 2 }, { 3, 4 } }, { rows = { \"a\", \"b\" }, columns = { \"c\", \"d\" } }):show()",
   contour = "ml.plot.contour(function(x, y) return x ^ 2 + 3 * y ^ 2 end, "
      .. "{ x_range = { -2, 2 }, y_range = { -2, 2 } }):show()",
   surface = "ml.plot.surface(function(x, y) return x * y end, { x_range = { -2, 2 }, y_range = { -2, 2 } }):show()",
   confusion = IRIS .. "ml.plot.confusion(ml.GaussianNB {}:fit(X, y), X, y):show()",
   roc = CANCER .. "ml.plot.roc(model, X, y):show()",
   precision_recall = CANCER .. "ml.plot.precision_recall(model, X, y):show()",
   calibration = CANCER .. "ml.plot.calibration(model, X, y):show()",
   decision = IRIS .. "ml.plot.decision(ml.GaussianNB {}:fit(X, y), X, y, { features = { 3, 4 } }):show()",
   mixture = 'local X = ml.read_csv "examples/data/faithful.csv"\n'
      .. "ml.plot.mixture(ml.GaussianMixture { n_components = 2 }:fit(X), X):show()",
   u_matrix = IRIS .. "ml.plot.u_matrix(ml.SOM {}:fit(X), X, y):show()",
   component_planes = IRIS .. "ml.plot.component_planes(ml.SOM {}:fit(X)):show()",
   magnification = IRIS .. "ml.plot.magnification(ml.GTM {}:fit(X), X, y):show()",
   latent_uncertainty = IRIS .. "ml.plot.latent_uncertainty(ml.GTM {}:fit(X), X, y):show()",
   shepard = IRIS .. "ml.plot.shepard(ml.MDS { metric_mds = false }:fit(X), X):show()",
   embedding = IRIS .. "ml.plot.embedding(ml.MDS {}:fit(X), y):show()",
   model_density = 'local X = ml.read_csv "examples/data/faithful.csv"\n'
      .. "ml.plot.model_density(ml.PCA {}:fit(X), X):show()",
   residuals = DIABETES .. "ml.plot.residuals(ml.LinearRegression {}:fit(X, y), X, y):show()",
   fit = 'local cars = ml.read_csv "examples/data/mtcars.csv"\n'
      .. 'local X, y = cars:select "wt", cars.mpg\n'
      .. "ml.plot.fit(ml.LinearRegression {}:fit(X, y), X, y, { interval = \"both\" }):show()",
   coefficients = DIABETES .. "ml.plot.coefficients(ml.LinearRegression {}:fit(X, y)):show()",
   coef_path = DIABETES .. "ml.plot.coef_path(ml.Ridge {}, X, y, { alphas = { 1, 10, 100, 1000 } }):show()",
   importance = DIABETES
      .. "ml.plot.importance(ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)):show()",
   evidence = 'local X, y = ml.read_csv "examples/data/mushroom.csv":split "class"\n'
      .. "ml.plot.evidence(ml.CategoricalNB {}:fit(X, y)):show()",
   partial_dependence = DIABETES .. "local model = ml.RandomForestRegressor { n_estimators = 20, seed = 1 }:fit(X, y)\n"
      .. 'ml.plot.partial_dependence(model, X, { columns = { "bmi", "s5" } }):show()',
   shap = DIABETES
      .. "local model = ml.RandomForestRegressor { n_estimators = 20, max_depth = 6, seed = 1 }:fit(X, y)\n"
      .. "ml.plot.shap(model, X):show()",
   threshold = CANCER .. "ml.plot.threshold(ml.TunedThresholdClassifier { ml.GaussianNB {} }:fit(X, y)):show()",
   cost = CANCER .. "ml.plot.cost(model, X, y, { costs = { fp = 1, fn = 5 } }):show()",
   intervals = DIABETES .. "local model = ml.ConformalRegressor { ml.Ridge {} }:fit(X, y)\n"
      .. "ml.plot.intervals(model, X, y):show()",
   forecast = 'local X = ml.read_csv "examples/data/airpassengers.csv":select { "passengers" }:matrix():log()\n'
      .. "local model = ml.ARIMA { order = { 0, 1, 1 }, seasonal_order = { 0, 1, 1, 12 } }:fit(X)\n"
      .. "ml.plot.forecast(model, X, { steps = 36, transform = math.exp, y_label = \"passengers\" }):show()",
   error_rates = 'local code = ml.LDPCCode { path = "examples/data/ccsds_128_64.alist" }\n'
      .. "local results = {}\n"
      .. 'for _, algorithm in ipairs { "sum_product", "fast" } do\n'
      .. "   results[algorithm] = code:simulate { ebn0 = { 1, 1.5, 2, 2.5 }, algorithm = algorithm, errors = 50 }\n"
      .. "end\nml.plot.error_rates(results):show()",
   label_sets = IRIS .. "ml.plot.label_sets(ml.ConformalClassifier { ml.GaussianNB {} }:fit(X, y), X, y):show()",
   loss = DIABETES .. "local model = ml.HistGradientBoostingRegressor { early_stopping = \"yes\" }:fit(X, y)\n"
      .. "ml.plot.loss(model):show()",
   network = 'ml.plot.network(ml.read_bif "examples/data/asia.bif", { evidence = { dysp = "yes" } }):show()',
   tree = IRIS .. "ml.plot.tree(ml.DecisionTreeClassifier { max_depth = 3 }:fit(X, y)):show()",
   dendrogram = 'local arrests = ml.read_csv "examples/data/usarrests.csv"\n'
      .. 'local X = ml.StandardScaler {}:fit_transform(arrests:drop { "state" })\n'
      .. "local model = ml.AgglomerativeClustering { n_clusters = 4 }:fit(X)\n"
      .. "ml.plot.dendrogram(model, { labels = arrests.state }):show()",
   reachability = 'local X = ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv")\n'
      .. "ml.plot.reachability(ml.OPTICS { min_samples = 10, cluster_method = 'dbscan', eps = 0.35 }:fit(X)):show()",
   condensed_tree = 'local X = ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv")\n'
      .. "ml.plot.condensed_tree(ml.HDBSCAN { min_cluster_size = 12 }:fit(X)):show()",
   neighbor_distances = 'local X = ml.StandardScaler {}:fit_transform(ml.read_csv "examples/data/faithful.csv")\n'
      .. "ml.plot.neighbor_distances(X, { k = 4 }):show()",
   selection_frequencies = DIABETES
      .. "local stable = ml.StabilitySelection { ml.Lasso {}, max_features = 4 }\n"
      .. "ml.plot.selection_frequencies(stable:fit(X, y)):show()",
   selection_scores = IRIS .. "ml.plot.selection_scores(ml.RFECV { ml.LogisticRegression {} }:fit(X, y)):show()",
   learning_curve = IRIS .. "ml.plot.learning_curve(ml.GaussianNB {}, X, y, { seed = 1 }):show()",
   permutation_test = IRIS .. "ml.plot.permutation_test(ml.permutation_test_score(ml.GaussianNB {}, X, y)):show()",
   validation_curve = DIABETES
      .. 'ml.plot.validation_curve(ml.Ridge {}, X, y, { param = "alpha", values = { 1, 10, 100 } }):show()',
   cv = DIABETES .. "ml.plot.cv({ ols = ml.LinearRegression {}, ridge = ml.Ridge {} }, X, y):show()",
   penalty = DIABETES .. "ml.plot.penalty(ml.LassoCV {}:fit(X, y)):show()",
   search = DIABETES .. "local search = ml.GridSearch { model = ml.KNeighborsRegressor {},\n"
      .. '   grid = { n_neighbors = { 5, 10, 20, 50 }, weights = { "uniform", "distance" } } }\n'
      .. "ml.plot.search(search:fit(X, y)):show()",
   minimum = "local function f(p) return (p.x - 1) ^ 2 + math.sin(5 * p.x) end\n"
      .. 'ml.plot.minimum(ml.minimize(f, { x = { "uniform", -3, 3 } }, { n = 12 })):show()',
   gp = "local X = ml.linspace(0, 10, 30):as_column()\nlocal y = X:col(1):sin() + ml.normal(30) * 0.2\n"
      .. "ml.plot.gp(ml.GaussianProcessRegressor {}:fit(X, y), X, y, { samples = 3 }):show()",
   gp_samples = "local k = ml.kernel\n"
      .. "ml.plot.gp_samples({ k.RBF {}, k.OrnsteinUhlenbeck {}, k.Periodic { period = 4 } }):show()",
   gp_likelihood = "local X = ml.linspace(0, 10, 30):as_column()\nlocal y = X:col(1):sin() + ml.normal(30) * 0.2\n"
      .. "ml.plot.gp_likelihood(ml.GaussianProcessRegressor {}:fit(X, y), { params = { 2, 3 } }):show()",
   brackets = DIABETES
      .. "local search = ml.HyperbandSearch { ml.Ridge {}, { alpha = { \"loguniform\", 0.01, 100 } } }\n"
      .. "ml.plot.brackets(search:fit(X, y)):show()",
   pruning = CANCER .. "ml.plot.pruning(ml.DecisionTreeClassifier {}, X, y):show()",
   chains = DIABETES .. 'ml.plot.chains(ml.BayesianLasso { seed = 1 }:fit(X, y), { columns = { "bmi", "s5" } }):show()',
   states = QUAKES .. "ml.plot.states(model, X):show()",
   transitions = QUAKES .. "ml.plot.transitions(model):show()",
   trellis = QUAKES .. "ml.plot.trellis(model, X:slice(1, 12)):show()",
   posterior = DIABETES .. "ml.plot.posterior(ml.BayesianLasso { seed = 1 }:fit(X, y)):show()",
   trace = IRIS .. "ml.plot.trace(ml.KMeans { n_clusters = 3 }:fit(X)):show()",
   pca = IRIS .. "ml.plot.pca(X, { labels = y }):show()",
   scree = IRIS .. "ml.plot.scree(X):show()",
   choose_components = IRIS .. "ml.plot.choose_components(ml.choose_components(X)):show()",
   loadings = IRIS .. "ml.plot.loadings(ml.PCA {}:fit(X)):show()",
   elbow = IRIS .. "ml.plot.elbow(X):show()",
   choose_k = IRIS .. "ml.plot.choose_k(ml.choose_k(ml.KMeans {}, X, { k = { 1, 6 } })):show()",
   consensus = IRIS .. "ml.plot.consensus(ml.consensus(ml.KMeans {}, X, { n = 10 })):show()",
   silhouette = IRIS .. "ml.plot.silhouette(ml.KMeans { n_clusters = 3 }:fit(X), X):show()",
   correlation = IRIS .. "ml.plot.correlation(X):show()",
   missing = PENGUINS .. "ml.plot.missing(penguins):show()",
}
