return require "imputers" {
   title = "IterativeImputer 20k x 50, a tenth missing, defaults", rows = 20000, cols = 50,
   peer = "iterative_imputer.py",
   impute = function(ml, X) return ml.IterativeImputer {}:fit_transform(X) end,
}
