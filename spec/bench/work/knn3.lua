return require "neighbors" { columns = 3, rows = 1000000, rows_text = "1M", queries = 0.2, queries_text = "200k",
   bar = 0.6 }
