return require("forests").workload("random forest", 0.3, "random_forest",
   function(ml) return ml.RandomForestClassifier { n_estimators = 100, max_features = 5 } end)
