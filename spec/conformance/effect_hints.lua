-- Written by find_hints.lua. A hint that is wrong or missing costs time only.
return {
   DecisionTreeClassifier = {
      seed = { world = 1, with = { splitter = "random" } },
   },
   DecisionTreeRegressor = {
      seed = { world = 1, with = { splitter = "random" } },
   },
   GaussianProcessClassifier = {
      seed = { world = 1, with = { n_restarts = 2 } },
   },
   GaussianProcessRegressor = {
      seed = { world = 1, with = { n_restarts = 1 } },
   },
   GeneralizedGaussianProcess = {
      seed = { world = 1, with = { n_restarts = 2 } },
      df = { world = 1, with = { likelihood = "student_t" } },
   },
   GLM = {
      power = { world = 1, with = { family = "tweedie" } },
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
      validation_fraction = { world = 1, with = { n_iter_no_change = 1 } },
      tol = { world = 1, with = { n_iter_no_change = 1 } },
      seed = { world = 1, with = { subsample = 0.3 } },
   },
   HistGradientBoostingClassifier = {
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 1, with = { min_samples_leaf = 0.3 } },
      n_iter_no_change = { world = 2, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   HistGradientBoostingRanker = {
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 4, with = { min_samples_leaf = 0.3 } },
      n_iter_no_change = { world = 1, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      rate_drop = { world = 1, with = { booster = "dart" } },
      skip_drop = { world = 1, with = { booster = "dart" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   HistGradientBoostingRegressor = {
      delta = { world = 1, with = { loss = "huber" } },
      prune = { world = 1, with = { min_split_gain = 0.3 } },
      tree_method = { world = 4, with = { min_samples_leaf = 0.3 } },
      validation_fraction = { world = 1, with = { early_stopping = "yes" } },
      n_iter_no_change = { world = 3, with = { early_stopping = "yes" } },
      tol = { world = 1, with = { early_stopping = "yes" } },
      rate_drop = { world = 1, with = { booster = "dart" } },
      skip_drop = { world = 1, with = { booster = "dart" } },
      one_drop = { world = 1, with = { booster = "dart" } },
      normalize_type = { world = 1, with = { booster = "dart" } },
      seed = { world = 1, with = { early_stopping = "yes" } },
   },
   KernelDensity = {
      p = { world = 1, with = { metric = "minkowski" } },
      covariance = { world = 1, with = { metric = "mahalanobis" } },
   },
   KernelPCA = {
      gamma = { world = 1, with = { kernel = "poly" } },
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      tol = { world = 3, with = { eigen_solver = "lanczos", kernel = "poly" } },
   },
   KernelRidge = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   KNeighborsClassifier = {
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
   LinearModelClassifier = {
      learning_rate = { world = 1, with = { solver = "sgd" } },
      eta0 = { world = 1, with = { solver = "sgd" } },
      power_t = { world = 1, with = { solver = "sgd" } },
      average = { world = 1, with = { solver = "sgd" } },
      n_iter_no_change = { world = 1, with = { solver = "sgd" } },
   },
   LinearModelRegressor = {
      epsilon = { world = 1, with = { loss = "huber" } },
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      learning_rate = { world = 1, with = { solver = "sgd" } },
      eta0 = { world = 1, with = { solver = "sgd" } },
      power_t = { world = 1, with = { solver = "sgd" } },
      average = { world = 1, with = { solver = "sgd" } },
      n_iter_no_change = { world = 1, with = { solver = "sgd" } },
      seed = { world = 1, with = { penalty = "l1" } },
   },
   LinearTreeRegressor = {
      max_bins = { world = 7, with = { unpruned = true } },
   },
   MARS = {
      adjust_endspan = { world = 4, with = { degree = 2 } },
      fast_beta = { world = 1, with = { degree = 2, fast_k = 1 } },
      auto_linpreds = { world = 1, with = { degree = 2, fast_k = 1 } },
   },
   NearestNeighbors = {
      recall = { world = 3, with = { algorithm = "hnsw" } },
   },
   NuSVC = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   NuSVR = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   OneClassSVM = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   OneHotEncoder = {
      sparse_output = { world = 6, with = { handle_unknown = "ignore" } },
   },
   OrdinalEncoder = {
      unknown_value = { world = 1, with = { handle_unknown = "use_encoded_value" } },
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
   SGDClassifier = {
      l1_ratio = { world = 1, with = { penalty = "elasticnet" } },
      epsilon = { world = 1, with = { loss = "huber" } },
      eta0 = { world = 1, with = { learning_rate = "constant" } },
      power_t = { world = 1, with = { learning_rate = "invscaling" } },
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   SGDRegressor = {
      validation_fraction = { world = 1, with = { early_stopping = true } },
   },
   SimpleImputer = {
      fill_value = { world = 1, with = { strategy = "constant" } },
      fill_level = { world = 6, with = { strategy = "constant" } },
   },
   SVC = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
   SVDD = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
      shrinking = { world = 3, with = { gamma = 1.5, kernel = "sigmoid" } },
   },
   SVR = {
      degree = { world = 1, with = { kernel = "poly" } },
      coef0 = { world = 1, with = { kernel = "poly" } },
   },
}
