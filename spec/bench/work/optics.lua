return require "clusters".density { title = "OPTICS, max_eps = 1", rows = 10000, rows_text = "10k", columns = 3,
   bar = 0.3, new = function(ml) return ml.OPTICS { min_samples = 10, max_eps = 1 } end,
   peers = { { "scikit-learn", "clusters.py", "optics" } } }
