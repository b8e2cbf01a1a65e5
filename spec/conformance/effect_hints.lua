-- Written by find_hints.lua. A hint that is wrong or missing costs time only.
return {
   AdaptiveRandomForestRegressor = {
      tau = { world = 3, with = {} },
   },
   AgglomerativeClustering = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { linkage = "complete", metric = "mahalanobis" } },
   },
   AllKNN = {
      sampling_strategy = { world = 4, with = {} },
   },
   BernoulliNB = {
      prior_estimate = { world = 1, with = { m = 0.3 } },
   },
   BisectingKMeans = {
      bisecting_strategy = { world = 1, with = { n_clusters = 7 } },
   },
   CategoricalNB = {
      prior_estimate = { world = 1, with = { m = 0.3 } },
   },
   CCA = {
      n_components = { world = 5, with = {} },
   },
   ClassicalMDS = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   ComplementNB = {
      prior_estimate = { world = 1, with = { m = 0.3 } },
   },
   DBSCAN = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   DecisionTreeClassifier = {
      seed = { world = 1, with = { splitter = "random" } },
   },
   DecisionTreeRegressor = {
      seed = { world = 1, with = { splitter = "random" } },
   },
   DictionaryLearning = {
      transform_alpha = { world = 1, with = { transform_algorithm = "lasso_lars" } },
      seed = { world = 1, with = { n_components = 7 } },
   },
   DummyClassifier = {
      constant = { world = 1, with = { strategy = "constant" } },
      seed = { world = 1, with = { strategy = "stratified" } },
   },
   DummyRegressor = {
      quantile = { world = 1, with = { strategy = "quantile" } },
      constant = { world = 1, with = { strategy = "constant" } },
   },
   EditedNearestNeighbours = {
      sampling_strategy = { world = 4, with = {} },
   },
   FunctionTransformer = {
      check_inverse = { world = 1, with = { inverse_func = "log" } },
   },
   GaussianMixture = {
      noise_volume = { world = 1, with = { noise = 0.3 } },
   },
   GaussianProcessClassifier = {
      seed = { world = 1, with = { n_restarts = 2 } },
   },
   GaussianProcessRegressor = {
      seed = { world = 1, with = { n_restarts = 1 } },
   },
   GeneralizedGaussianProcess = {
      seed = { world = 1, with = { n_restarts = 7 } },
   },
   GLM = {
      power = { world = 1, with = { family = "tweedie" } },
      max_iter = { world = 1, with = { family = "poisson" } },
      tol = { world = 1, with = { family = "poisson" } },
   },
   GPLVM = {
      back_width = { world = 1, with = { back_constraints = true } },
   },
   GradientBoostingClassifier = {
      validation_fraction = { world = 1, with = { n_iter_no_change = 1 } },
      tol = { world = 1, with = { n_iter_no_change = 1 } },
      seed = { world = 1, with = { subsample = 0.3 } },
   },
   GradientBoostingRanker = {
      validation_fraction = { world = 1, with = { n_iter_no_change = 1 } },
      tol = { world = 1, with = { n_iter_no_change = 1 } },
      seed = { world = 1, with = { subsample = 0.3 } },
   },
   GradientBoostingRegressor = {
      alpha = { world = 1, with = { loss = "huber" } },
      power = { world = 1, with = { loss = "tweedie" } },
      validation_fraction = { world = 1, with = { n_iter_no_change = 1 } },
      tol = { world = 1, with = { n_iter_no_change = 1 } },
      seed = { world = 1, with = { subsample = 0.3 } },
   },
   HDBSCAN = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   HistGradientBoostingClassifier = {
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 1, with = { min_samples_leaf = 0.3 } },
      cat_smooth = { world = 6, with = {} },
      validation_fraction = { world = 1, with = { early_stopping = "yes" } },
      n_iter_no_change = { world = 2, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      rate_drop = { world = 1, with = { booster = "dart" } },
      skip_drop = { world = 1, with = { booster = "dart" } },
      one_drop = { world = 1, with = { booster = "dart" } },
      normalize_type = { world = 1, with = { booster = "dart" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   HistGradientBoostingRanker = {
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 4, with = { min_samples_leaf = 0.3 } },
      max_bins = { world = 7, with = {} },
      cat_smooth = { world = 7, with = {} },
      validation_fraction = { world = 1, with = { early_stopping = "yes" } },
      n_iter_no_change = { world = 1, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      rate_drop = { world = 1, with = { booster = "dart" } },
      skip_drop = { world = 1, with = { booster = "dart" } },
      one_drop = { world = 1, with = { booster = "dart" } },
      normalize_type = { world = 1, with = { booster = "dart" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   HistGradientBoostingRegressor = {
      quantile = { world = 1, with = { loss = "quantile" } },
      delta = { world = 1, with = { loss = "huber" } },
      power = { world = 1, with = { loss = "tweedie" } },
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 4, with = { min_samples_leaf = 0.3 } },
      max_bins = { world = 7, with = {} },
      cat_smooth = { world = 7, with = {} },
      validation_fraction = { world = 1, with = { early_stopping = "yes" } },
      n_iter_no_change = { world = 3, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      rate_drop = { world = 1, with = { booster = "dart" } },
      skip_drop = { world = 1, with = { booster = "dart" } },
      one_drop = { world = 1, with = { booster = "dart" } },
      normalize_type = { world = 1, with = { booster = "dart" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   HMM = {
      decoding = { world = 1, with = { topology = "left_right" } },
      emission_prior = { world = 6, with = {} },
   },
   Isomap = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   IterativeImputer = {
      missing_values = { world = 4, with = {} },
      max_iter = { world = 1, with = { sample_posterior = true } },
      tol = { world = 4, with = { initial_strategy = "median" } },
      fill_value = { world = 1, with = { initial_strategy = "constant" } },
      seed = { world = 1, with = { sample_posterior = true } },
   },
   KernelDensity = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   KernelPCA = {
      gamma = { world = 1, with = { kernel = "poly" } },
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      alpha = { world = 1, with = { fit_inverse_transform = true } },
      tol = { world = 3, with = { eigen_solver = "lanczos", kernel = "poly" } },
      remove_zero_eig = { world = 1, with = { n_components = 7 } },
   },
   KernelRegression = {
      degree = { world = 1, with = { method = "local_polynomial" } },
   },
   KernelRidge = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   KMedoids = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      n_init = { world = 1, with = { init = "random", n_clusters = 7 } },
      seed = { world = 1, with = { init = "random" } },
   },
   KModes = {
      n_init = { world = 2, with = { init = "random" } },
      max_iter = { world = 1, with = { init = "k-means++" } },
      seed = { world = 1, with = { init = "k-means++" } },
   },
   KNeighborsClassifier = {
      bandwidth = { world = 1, with = { weights = "triangular" } },
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      recall = { world = 3, with = { algorithm = "hnsw" } },
   },
   KNeighborsRegressor = {
      bandwidth = { world = 1, with = { weights = "triangular" } },
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      recall = { world = 3, with = { algorithm = "hnsw" } },
   },
   KNNImputer = {
      missing_values = { world = 4, with = {} },
   },
   LabelPropagation = {
      n_neighbors = { world = 1, with = { kernel = "knn" } },
      tol = { world = 4, with = {} },
   },
   LabelSpreading = {
      n_neighbors = { world = 1, with = { kernel = "knn" } },
   },
   LeaveOneOutEncoder = {
      seed = { world = 1, with = { sigma = 0.3 } },
   },
   LinearModelClassifier = {
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      learning_rate = { world = 1, with = { solver = "sgd" } },
      eta0 = { world = 1, with = { solver = "sgd" } },
      power_t = { world = 1, with = { solver = "sgd" } },
      average = { world = 1, with = { solver = "sgd" } },
      n_iter_no_change = { world = 1, with = { solver = "sgd" } },
      seed = { world = 1, with = { penalty = "l1" } },
   },
   LinearModelRegressor = {
      epsilon = { world = 1, with = { loss = "huber" } },
      quantile = { world = 1, with = { loss = "quantile" } },
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      learning_rate = { world = 1, with = { solver = "sgd" } },
      eta0 = { world = 1, with = { solver = "sgd" } },
      power_t = { world = 1, with = { solver = "sgd" } },
      average = { world = 1, with = { solver = "sgd" } },
      n_iter_no_change = { world = 1, with = { solver = "sgd" } },
      seed = { world = 1, with = { penalty = "l1" } },
   },
   LinearRegression = {
      weights_type = { world = 6, with = {} },
   },
   LinearSVC = {
      seed = { world = 1, with = { penalty = "l1" } },
   },
   LinearSVR = {
      seed = { world = 1, with = { dual = "yes" } },
   },
   LinearTreeRegressor = {
      max_depth = { world = 4, with = {} },
      min_samples_leaf = { world = 4, with = {} },
      max_bins = { world = 7, with = { unpruned = true } },
      smoothing = { world = 4, with = {} },
   },
   Loess = {
      iterations = { world = 1, with = { family = "symmetric" } },
   },
   LogisticRegression = {
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
   },
   LogisticRegressionCV = {
      l1_ratios = { world = 1, with = { penalty = "elasticnet" } },
   },
   MARS = {
      adjust_endspan = { world = 4, with = { degree = 2 } },
      fast_k = { world = 1, with = { degree = 2 } },
      fast_beta = { world = 1, with = { degree = 2, fast_k = 1 } },
      auto_linpreds = { world = 1, with = { degree = 2, fast_k = 1 } },
   },
   MDS = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      ties = { world = 1, with = { metric = "hamming", metric_mds = false } },
      n_init = { world = 1, with = { init = "random" } },
      seed = { world = 1, with = { init = "random" } },
   },
   MeanShift = {
      min_bin_freq = { world = 1, with = { bin_seeding = true } },
   },
   MiniBatchDictionaryLearning = {
      transform_alpha = { world = 1, with = { transform_algorithm = "lasso_lars" } },
   },
   MissingIndicator = {
      missing_values = { world = 4, with = {} },
   },
   MixedNB = {
      adjust = { world = 1, with = { use_kernel = true } },
      prior_estimate = { world = 2, with = { m = 0.3 } },
   },
   MRMR = {
      n_neighbors = { world = 1, with = { score_func = "mutual_info_classif" } },
      discrete = { world = 1, with = { score_func = "mutual_info_classif" } },
   },
   MultinomialNB = {
      prior_estimate = { world = 1, with = { m = 0.3 } },
   },
   NearMiss = {
      n_neighbors_ver3 = { world = 1, with = { version = 3 } },
   },
   NearestNeighbors = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      recall = { world = 3, with = { algorithm = "hnsw" } },
   },
   NeighbourhoodCleaningRule = {
      sampling_strategy = { world = 4, with = {} },
      threshold_cleaning = { world = 4, with = { n_neighbors = 2 } },
   },
   NMF = {
      l1_ratio = { world = 1, with = { alpha_W = 0.3 } },
      seed = { world = 1, with = { init = "random" } },
   },
   NuSVC = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      seed = { world = 1, with = { probability = true } },
   },
   NuSVR = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   Nystroem = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   OneClassSVM = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   OPTICS = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      eps = { world = 1, with = { cluster_method = "dbscan" } },
   },
   OrdinalEncoder = {
      unknown_value = { world = 1, with = { handle_unknown = "use_encoded_value" } },
      encoded_missing_value = { world = 4, with = {} },
   },
   PassiveAggressiveClassifier = {
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   PassiveAggressiveRegressor = {
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   PCA = {
      iterated_power = { world = 1, with = { solver = "randomized" } },
      seed = { world = 1, with = { solver = "randomized" } },
   },
   Perceptron = {
      alpha = { world = 1, with = { penalty = "l2" } },
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   PLSCanonical = {
      n_components = { world = 5, with = {} },
   },
   PLSSVD = {
      n_components = { world = 5, with = {} },
   },
   ProbabilisticPCA = {
      tol = { world = 4, with = {} },
   },
   RadiusNeighborsClassifier = {
      bandwidth = { world = 2, with = { weights = "triangular" } },
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   RadiusNeighborsRegressor = {
      bandwidth = { world = 1, with = { weights = "triangular" } },
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   RareLabelEncoder = {
      tol = { world = 6, with = { n_categories = 1 } },
      n_categories = { world = 6, with = {} },
      max_n_categories = { world = 6, with = { n_categories = 1 } },
      replace_with = { world = 6, with = { n_categories = 1 } },
   },
   RepeatedEditedNearestNeighbours = {
      sampling_strategy = { world = 4, with = {} },
      max_iter = { world = 4, with = { kind_sel = "mode" } },
   },
   SammonMapping = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      n_init = { world = 1, with = { init = "random" } },
      seed = { world = 1, with = { init = "random" } },
   },
   SelectKBest = {
      n_neighbors = { world = 2, with = { score_func = "mutual_info_classif" } },
      discrete = { world = 1, with = { score_func = "mutual_info_classif" } },
   },
   SelectPercentile = {
      n_neighbors = { world = 2, with = { score_func = "mutual_info_classif" } },
      discrete = { world = 1, with = { score_func = "mutual_info_classif" } },
   },
   SGDClassifier = {
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      epsilon = { world = 1, with = { loss = "huber" } },
      eta0 = { world = 1, with = { learning_rate = "constant" } },
      power_t = { world = 1, with = { learning_rate = "invscaling" } },
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   SGDRegressor = {
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      epsilon = { world = 1, with = { loss = "huber" } },
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   SimpleImputer = {
      fill_value = { world = 1, with = { strategy = "constant" } },
      fill_level = { world = 6, with = { strategy = "constant" } },
      missing_values = { world = 4, with = {} },
   },
   SOM = {
      learning_rate = { world = 1, with = { algorithm = "online" } },
      final_learning_rate = { world = 1, with = { algorithm = "online" } },
      learning_rate_schedule = { world = 1, with = { algorithm = "online" } },
      shuffle = { world = 1, with = { algorithm = "online" } },
      seed = { world = 1, with = { algorithm = "online" } },
   },
   SparseCoder = {
      transform_alpha = { world = 1, with = { transform_algorithm = "lasso_lars" } },
      transform_max_iter = { world = 1, with = { transform_algorithm = "lars" } },
   },
   SparseGaussianProcessRegressor = {
      max_gap = { world = 4, with = {} },
      batch_size = { world = 1, with = { method = "svi" } },
      learning_rate = { world = 1, with = { method = "svi" } },
      natural_rate = { world = 1, with = { method = "svi" } },
   },
   SparsePCA = {
      seed = { world = 1, with = { n_components = 7 } },
   },
   SpectralClustering = {
      n_neighbors = { world = 1, with = { affinity = "nearest_neighbors" } },
   },
   StateSpaceGaussianProcessRegressor = {
      seed = { world = 1, with = { n_restarts = 1 } },
   },
   SVC = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      seed = { world = 1, with = { probability = true } },
   },
   SVDD = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      shrinking = { world = 3, with = { gamma = 1.5, kernel = "sigmoid" } },
   },
   SVMSMOTE = {
      m_neighbors = { world = 4, with = {} },
   },
   SVR = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   TomekLinks = {
      sampling_strategy = { world = 4, with = {} },
   },
   TSNE = {
      p = { world = 1, with = { max_iter = 7, metric = "minkowski" } },
      covariance = { world = 1, with = { max_iter = 7, metric = "mahalanobis" } },
      angle = { world = 1, with = { max_iter = 7, method = "barnes_hut" } },
      grid_spacing = { world = 1, with = { max_iter = 7, method = "fft" } },
      n_iter_without_progress = { world = 1, with = { learning_rate = 1000, max_iter = 300 } },
      max_step_norm = { world = 1, with = { learning_rate = 1000, max_iter = 7 } },
   },
   TweedieRegressor = {
      max_iter = { world = 1, with = { link = "log" } },
      tol = { world = 1, with = { link = "log" } },
   },
   UMAP = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
      recall = { world = 3, with = { algorithm = "hnsw", n_neighbors = 2 } },
      target_weight = { world = 1, with = { metric = "hamming" } },
      dens_lambda = { world = 1, with = { densmap = true } },
      dens_frac = { world = 1, with = { densmap = true } },
      dens_var_shift = { world = 1, with = { densmap = true } },
   },
   VecchiaGaussianProcessRegressor = {
      seed = { world = 1, with = { n_neighbors = 2, order = "random" } },
   },
}
