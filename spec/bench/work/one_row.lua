local measure = require "measure"
local P = 30

return {
   title = "predict one row by a fitted linear model of 30 columns, median of a call", rows = 1000,
   bar_seconds = 1.5e-6,
   columns = { "table_us", "logistic_us" }, -- a row as a Lua table; probabilities of a logistic model
   peers = { { "scikit-learn", "one_row.py", "sklearn" }, { "numpy row @ b", "one_row.py", "numpy" } },
   make = function(ml, path, n)
      local x = ml.normal(n, P, 1)
      ml.write_npy(path "X.npy", x)
      ml.write_npy(path "y.npy", ml.Matrix(x * ml.normal(P, nil, 2) + ml.normal(n, nil, 3)))
   end,
   ours = function(ml, path)
      local x, y = ml.read_npy(path "X.npy"), ml.read_npy(path "y.npy"):col(1)
      local row = x:slice(1, 1):copy()
      return {
         linear = ml.LinearRegression {}:fit(x, y), logistic = ml.LogisticRegression {}:fit(x, y:gt(0)),
         row = row, list = row:totable(),
      }
   end,
   measure = function(m)
      local linear, logistic, row, list = m.linear, m.logistic, m.row, m.list
      local function median(call) return measure.median_call(call, 101, 500) end
      local figures = {
         seconds = median(function() return linear:predict(row) end),
         table_us = 1e6 * median(function() return linear:predict(list) end),
         logistic_us = 1e6 * median(function() return logistic:predict_proba(row) end), runs = 101,
      }
      return figures, figures
   end,
   quality = function() end,
}
