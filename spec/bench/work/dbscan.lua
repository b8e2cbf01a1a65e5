return require "clusters".density { title = "DBSCAN, eps = 0.3", rows = 200000, rows_text = "200k", columns = 3,
   bar = 0.3, new = function(ml) return ml.DBSCAN { eps = 0.3, min_samples = 10 } end,
   peers = { { "scikit-learn", "clusters.py", "dbscan" } } }
