return require "maps" { rows = 5000, rows_text = "5k", bar = 0.3, iterations = 1000,
   peers = { { "scikit-learn", "tsne.py", "sklearn" }, { "openTSNE FFT", "tsne.py", "opentsne" } } }
