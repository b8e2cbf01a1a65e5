return require("trees").workload("AdaBoost of 100 stumps", 50000, 0.1, "adaboost", { { "scikit-learn", "tree.py" } },
   function(ml) return ml.AdaBoostClassifier { n_estimators = 100 } end)
