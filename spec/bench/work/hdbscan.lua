return require "clusters".density { title = "HDBSCAN, clusters of 50", rows = 100000, rows_text = "100k", columns = 5,
   bar = 0.3, new = function(ml) return ml.HDBSCAN { min_cluster_size = 50, min_samples = 10 } end,
   peers = { { "fast_hdbscan", "clusters.py", "fast_hdbscan" }, { "hdbscan", "clusters.py", "hdbscan" },
      { "quitefastmst, tree only", "clusters.py", "reachability_tree", part = true } } }
