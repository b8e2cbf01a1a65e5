local process = require "process"
local FLOATS, INTS = 14, 5
local WORDS = { "Mare Vaporum", "Manilius", "Tycho", "Copernicus", "Sinus Medii", "Plato", "Kepler" }

return {
   title =
      "read a CSV file, 1M x 20: 14 floats of 17 digits, 5 integers, 1 string", rows = 1000000, bar = 0.9,
   columns = { "wrong_doubles", "MB" },
   -- fread rounds a few doubles in 100000 to a neighbor; that counts as the same here.
   criterion = { key = "wrong_doubles", better = "lower", slack = 14000 },
   peers = {
      { "data.table fread", "csv.R", "fread" }, { "polars", "read_csv.py", "polars" },
      { "duckdb", "read_csv.py", "duckdb" }, { "pandas", "read_csv.py", "pandas" },
      { "pandas round_trip", "read_csv.py", "round_trip" },
   },
   limit = function(machine, _, ours) return (ours.MB or 0) * 1e-3 / machine.gb_per_s end,
   limit_of = "one read of the bytes",
   make = function(ml, path, n)
      local floats, columns = ml.normal(n, FLOATS, 1), {}
      ml.write_npy(path "floats.npy", floats)
      for j = 1, FLOATS do columns[j] = { "x" .. j, floats:col(j) } end
      for j = 1, INTS do columns[FLOATS + j] = { "k" .. j, ml.random(n, nil, 1 + j):mul(10 ^ (j + 1)):floor() } end
      local names, pick = {}, ml.random(n, nil, 9)
      for i = 1, n do names[i] = WORDS[pick[i] * #WORDS // 1 + 1 | 0] end
      columns[FLOATS + INTS + 1] = { "place", ml.Factor(names) }
      ml.Frame(columns):write_csv(path "data.csv")
   end,
   ours = function(ml, path)
      local file = assert(io.open(path "data.csv", "rb"))
      local bytes = file:seek "end"
      file:close()
      return function() return ml.read_csv(path "data.csv") end, { path = path, megabytes = bytes / 1e6 }
   end,
   quality = function(ml, frame, data)
      if process.free_megabytes() and process.free_megabytes() < 500 then return { MB = data.megabytes } end
      local truth, wrong = ml.read_npy(data.path "floats.npy"), 0
      for j = 1, FLOATS do wrong = wrong + frame["x" .. j]:ne(truth:col(j)):sum() end
      return { wrong_doubles = wrong, MB = data.megabytes }
   end,
}
