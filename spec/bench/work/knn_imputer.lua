return require "imputers" {
   title = "KNNImputer 5k x 30, a tenth missing, 5 neighbors", rows = 5000, cols = 30, peer = "knn_imputer.py",
   impute = function(ml, X) return ml.KNNImputer {}:fit_transform(X) end,
}
