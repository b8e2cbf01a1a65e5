local peers = { { "scikit-learn", "tree.py" }, { "R rpart", "rpart.R" } }
return require("trees").workload("one decision tree grown out", 200000, 0.25, "full", peers,
   function(ml) return ml.DecisionTreeClassifier {} end)
