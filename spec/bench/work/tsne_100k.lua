return require "maps" { rows = 100000, rows_text = "100k", bar = 0.4, iterations = 1000,
   peers = { { "openTSNE FFT", "tsne.py", "opentsne" } } }
