return require "clusters".linkage { linkage = "single", rows = 50000, rows_text = "50k", columns = 10, bar = 0.3,
   peers = { { "fastcluster of rows", "clusters.py", "single_rows" },
      { "quitefastmst, tree only", "clusters.py", "tree" } } }
