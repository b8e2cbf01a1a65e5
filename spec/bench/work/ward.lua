return require "clusters".linkage { linkage = "ward", rows = 20000, rows_text = "20k", columns = 10, bar = 0.5,
   peers = { { "fastcluster of rows", "clusters.py", "ward_rows" }, { "fastcluster", "clusters.py", "ward" },
      { "scipy", "clusters.py", "scipy_ward" } } }
