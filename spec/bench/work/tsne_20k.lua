return require "maps" { rows = 20000, rows_text = "20k", bar = 0.4, iterations = 1000,
   peers = { { "openTSNE FFT", "tsne.py", "opentsne" } } }
