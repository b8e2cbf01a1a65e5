--- Fits on long columns that are cancelled at any time, also within a column: the model is unchanged, and can be fitted
-- again.
local ml = require "manilius"

local rows = 60000
local X, y = ml.normal(rows, 2, 1), ml.normal(rows, 1, 2):col(1)
local gaps = X:copy()
local classes = {}
for i = 1, rows do
   classes[i] = y[i] > 0 and "above" or "below"
   if i % 7 == 0 then gaps:set(i, 1, 0 / 0) end
end
local first = {}
for i = 1, 100 do first[i] = i end
local small_X, small_y, small_classes = X:take(first), y:take(first), table.move(classes, 1, 100, 1, {})

local cases = {
   { "DecisionTreeRegressor", { criterion = "absolute_error" } },
   { "DecisionTreeRegressor", { criterion = "absolute_error", splitter = "random" } },
   { "DecisionTreeRegressor", { criterion = "absolute_error", max_leaf_nodes = 1000 } },
   { "DecisionTreeRegressor", { max_leaf_nodes = 1000 } },
   { "DecisionTreeClassifier", { criterion = "entropy" } },
   { "RandomForestClassifier", { oob_importance = true } },
   { "ExtraTreesRegressor", {} },
   { "RotationForestClassifier", {}, whole = true },
   { "LinearTreeRegressor", {} },
   { "C45Classifier", {} },
   { "GradientBoostingRegressor", { loss = "huber" } },
   { "HistGradientBoostingRegressor", { loss = "huber", early_stopping = "no", max_iter = 1000 } },
}

describe("a fit cancelled within a long column leaves the model unchanged:", function()
   for _, case in ipairs(cases) do
      local name, settings = case[1], case[2]
      local options = {}
      for key, value in pairs(settings) do options[#options + 1] = key .. " = " .. tostring(value) end
      table.sort(options)
      it(name .. " { " .. table.concat(options, ", ") .. " }", function()
         local classifies = name:find "Classifier" ~= nil
         local model = ml[name](settings):fit(small_X, classifies and small_classes or small_y)
         local before, cancelled = model:predict(small_X), 0
         for _, seconds in ipairs { 0, 0.004, 0.01, 0.02, 0.05, 0.1 } do
            for _, data in ipairs(case.whole and { X } or { X, gaps }) do
               local job = model:fit_async(data, classifies and classes or y)
               if job:wait(seconds) then
                  model:fit(small_X, classifies and small_classes or small_y)
               else
                  assert.is_true(job:cancel())
                  cancelled = cancelled + 1
               end
               local after = model:predict(small_X)
               for i = 1, #first do assert.equal(before[i], after[i]) end
            end
         end
         assert.is_true(cancelled > 0)
      end)
   end
end)
