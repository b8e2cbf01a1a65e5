local boosting = require "boosting"
local measure = require "measure"

local work = boosting.workload("binary", "")
local fit = work.ours

-- A million rows by 100 trees that were fitted to 100k others.
return {
   title = "prediction by 100 boosted trees of 31 leaves, 1M rows x 28", rows = 1000000, bar = 0.5,
   columns = { "row_us" }, -- one row, from Lua
   peers = {
      { "xgboost", "boosting.py", "predict_xgboost" },
      { "LightGBM", "boosting.py", "predict_lightgbm" },
      { "scikit-learn", "boosting.py", "predict_sklearn" },
   },
   make = work.make,
   ours = function(ml, path)
      local _, data = fit(ml, path)
      local rows = math.min(100000, data.x.rows)
      local labels = data.y:take(ml.range(rows):totable())
      local model = ml.HistGradientBoostingClassifier(data.settings):fit(data.x:slice(1, rows), labels)
      local row = data.x:slice(1, 1):copy()
      return function() return model:decision_function(data.x) end, { model = model, row = row }
   end,
   quality = function(_, _, data)
      local model, row = data.model, data.row
      return { row_us = 1e6 * measure.median_call(function() return model:decision_function(row) end, 101, 500) }
   end,
}
