-- Only ours: by its growth, openTSNE would take over half an hour. With --growth: a quarter, half and all of the rows.
return require "maps" { rows = 1000000, rows_text = "1M", iterations = 500, peers = {} }
