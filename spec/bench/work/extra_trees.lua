return require("forests").workload("extra trees", 0.4, "extra_trees",
   function(ml) return ml.ExtraTreesClassifier { n_estimators = 100, max_features = 5 } end)
