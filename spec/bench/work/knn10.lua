return require "neighbors" { columns = 10, rows = 200000, rows_text = "200k", queries = 0.25, queries_text = "50k",
   bar = 0.4 }
