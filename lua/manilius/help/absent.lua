--- Estimators of other libraries that manilius does not have: what to use instead. `kind` is what they are.

local M = {}

-- kind; names in other libraries; names here, the closest first.
local groups = {
   { "neural networks", { "MLPClassifier", "BernoulliRBM", "Sequential" },
      { "HistGradientBoostingClassifier", "RandomForestClassifier", "LogisticRegression" } },
   { "neural networks", { "MLPRegressor" }, { "HistGradientBoostingRegressor", "RandomForestRegressor", "MARS" } },
   { "clusterings of columns", { "FeatureAgglomeration" }, { "AgglomerativeClustering", "PCA" } },
   { "outlier detectors", { "IsolationForest", "LocalOutlierFactor", "EllipticEnvelope" },
      { "OneClassSVM", "SVDD", "RobustScaler", "RobustRegression", "RANSACRegressor" } },
   { "matrix factorizations other than PCA, TruncatedSVD and NMF",
      { "LatentDirichletAllocation" }, { "PCA", "TruncatedSVD", "NMF", "FactorAnalysis" } },
   { "random projections", { "GaussianRandomProjection", "SparseRandomProjection" }, { "TruncatedSVD", "PCA" } },
   { "sample data sets", { "load_iris", "load_wine", "load_digits", "load_diabetes", "load_breast_cancer",
      "fetch_california_housing", "fetch_openml", "make_blobs", "make_moons", "make_circles", "make_classification",
      "make_regression", "make_friedman1", "make_swiss_roll" }, { "read_csv", "normal", "random" } },
   { "survival models", { "CoxPHFitter", "CoxPH", "RandomSurvivalForest" }, {} },
   { "additive forecasting models with holidays", { "Prophet" }, { "StructuralTimeSeries", "ARIMA" } },
}

-- Names of other libraries for what manilius has under another name.
local renamed = {
   GaussianHMM = { "HMM" }, CategoricalHMM = { "HMM" }, MultinomialHMM = { "HMM" }, GMMHMM = { "HMM" },
   PoissonHMM = { "HMM" },
   RidgeClassifier = { "LogisticRegression" },
   RidgeClassifierCV = { "LogisticRegressionCV" }, LabelEncoder = { "Factor" }, LabelBinarizer = { "OneHotEncoder" },
   TransformedTargetRegressor = { "TransformedTarget" },
   make_column_transformer = { "ColumnTransformer" }, make_union = { "FeatureUnion" },
   TunedThresholdClassifierCV = { "TunedThresholdClassifier" },
   CalibratedClassifierCV = { "CalibratedClassifier" }, FrozenEstimator = { "CalibratedClassifier" },
   GridSearchCV = { "GridSearch" }, RandomizedSearchCV = { "RandomSearch" }, BayesSearchCV = { "BayesSearch" },
   gp_minimize = { "minimize" },
   HalvingGridSearchCV = { "HalvingGridSearch" }, HalvingRandomSearchCV = { "HalvingRandomSearch" },
   ParameterGrid = { "GridSearch" }, cross_val_score = { "cross_validate" },
   BorutaPy = { "Boruta" }, mrmr_classif = { "MRMR" },
   f_classif = { "SelectKBest" }, f_regression = { "SelectKBest" }, mutual_info_classif = { "SelectKBest" },
   mutual_info_regression = { "SelectKBest" },
   IncrementalPCA = { "PCA" }, MiniBatchSparsePCA = { "SparsePCA" }, MiniBatchNMF = { "NMF" },
   LarsCV = { "Lars" }, LassoLarsCV = { "LassoCV" },
   LassoLarsIC = { "LassoLars" }, clone = { "Estimator" },
   classification_report = { "metrics.report" }, confusion_matrix = { "metrics.confusion_matrix" },
   accuracy_score = { "metrics.accuracy" }, f1_score = { "metrics.f1" }, r2_score = { "metrics.r2" },
   roc_auc_score = { "metrics.roc_auc" }, log_loss = { "metrics.log_loss" },
   mean_squared_error = { "metrics.mse" }, mean_absolute_error = { "metrics.mae" },
   t_test = { "test.t" }, ttest = { "test.t" }, ttest_ind = { "test.t" }, ttest_rel = { "test.t" },
   ttest_1samp = { "test.t" }, mannwhitneyu = { "test.mann_whitney" }, wilcoxon = { "test.wilcoxon" },
   kruskal = { "test.kruskal" }, chi2_contingency = { "test.chi2" }, fisher_exact = { "test.fisher" },
   shapiro = { "test.shapiro" }, pearsonr = { "test.pearson" }, spearmanr = { "test.spearman" },
   kendalltau = { "test.kendall" },
   OrdinalLogistic = { "OrdinalRegression" }, OrdinalLogisticRegression = { "OrdinalRegression" },
   OrderedModel = { "OrdinalRegression" }, polr = { "OrdinalRegression" },
   CatBoostClassifier = { "HistGradientBoostingClassifier" }, CatBoostRegressor = { "HistGradientBoostingRegressor" },
   AutoARIMA = { "ARIMA" }, GenericUnivariateSelect = { "SelectKBest" }, ParameterSampler = { "RandomSearch" },
   RocCurveDisplay = { "plot.roc" }, PrecisionRecallDisplay = { "plot.precision_recall" },
   ConfusionMatrixDisplay = { "plot.confusion" }, LearningCurveDisplay = { "plot.learning_curve" },
   ValidationCurveDisplay = { "plot.validation_curve" }, DecisionBoundaryDisplay = { "plot.decision" },
   PredictionErrorDisplay = { "plot.residuals" }, CalibrationDisplay = { "plot.calibration" },
   PartialDependenceDisplay = { "plot.partial_dependence" },
   kneighbors_graph = { "NearestNeighbors" }, lasso_path = { "Lasso" }, enet_path = { "ElasticNet" },
   lars_path = { "Lars" }, zero_one_loss = { "metrics.accuracy" }, contingency_matrix = { "Frame" },
   euclidean_distances = { "pairwise_distances" },
   randomForest = { "RandomForestClassifier", "RandomForestRegressor" }, prcomp = { "PCA" },
}

-- "metrics.ari" for adjusted_rand_score, "metrics.jaccard" for jaccard_score, "metrics.roc_curve" for roc_curve.
local function metric(name)
   if require "manilius.help.names".homes[name] then return nil end -- report is a function of both
   local known = require "manilius.metrics".help
   local own = require "manilius.core".foreign_name(name, require "manilius.text".sorted_keys(known))
   for _, one in ipairs { name, own or name, (name:gsub("_score$", "")), (name:gsub("_loss$", "")) } do
      if known[one] then return "metrics." .. one end
   end
end

local function find(name)
   local wanted = name:lower()
   for _, group in ipairs(groups) do
      for _, one in ipairs(group[2]) do
         if one:lower() == wanted then return group[1], group[3] end
      end
   end
   for one, names in pairs(renamed) do
      if one:lower() == wanted then return nil, names end
   end
   local found = metric(name)
   return nil, found and { found }
end

--- Names in other libraries -> list of names here, the closest first.
function M.names()
   local list = {}
   for _, group in ipairs(groups) do
      for _, name in ipairs(group[2]) do list[name] = group[3] end
   end
   for name, names in pairs(renamed) do list[name] = names end
   return list
end

local function is_there(name)
   local ml = require "manilius"
   local module, member = name:match "^(%a+)%.([%w_]+)$"
   return pcall(function() return module and ml[module].help[member] or ml[name] end)
end

--- "; manilius has no neural networks; use 'A', 'B' or 'C'", "; did you mean 'A'?", or nil.
function M.hint(name)
   local kind, names = find(name)
   if not names then return nil end
   local quoted = {}
   for _, one in ipairs(names) do
      if is_there(one) then quoted[#quoted + 1] = ("'%s'"):format(one) end
   end
   if not kind then return quoted[1] and ("; did you mean %s?"):format(table.concat(quoted, " or ")) or nil end
   local last = table.remove(quoted)
   local list = #quoted > 0 and table.concat(quoted, ", ") .. " or " .. last or last
   return ("; %s are not part of manilius%s"):format(kind, list and ("; use %s"):format(list) or "")
end

return M
