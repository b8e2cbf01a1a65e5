local peers = { { "scikit-learn", "tree.py" }, { "R rpart", "rpart.R" } }
return require("trees").workload("one decision tree of depth 10", 200000, 0.3, "depth_10", peers,
   function(ml) return ml.DecisionTreeClassifier { max_depth = 10 } end)
