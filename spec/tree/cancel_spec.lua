--- Fits on long columns, left in the middle of a column wherever the cancel comes: the model is as it was, and can be
-- fitted again.
local ml = require "manilius"

local rows = 60000
local X, y = ml.normal(rows, 2, 1), ml.normal(rows, 1, 2):col(1)
local gaps = X:copy()
local classes = {}
for i = 1, rows do
   classes[i] = y[i] > 0 and "above" or "below"
   if i % 7 == 0 then gaps:set(i, 1, 0 / 0) end
end
local few = {}
for i = 1, 100 do few[i] = i end
local some, some_y, some_classes = X:take(few), y:take(few), table.move(classes, 1, 100, 1, {})

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

describe("a fit that is cancelled within a long column leaves the model as it was:", function()
   for _, case in ipairs(cases) do
      local name, settings = case[1], case[2]
      local said = {}
      for key, value in pairs(settings) do said[#said + 1] = key .. " = " .. tostring(value) end
      table.sort(said)
      it(name .. " { " .. table.concat(said, ", ") .. " }", function()
         local classifies = name:find "Classifier" ~= nil
         local model = ml[name](settings):fit(some, classifies and some_classes or some_y)
         local before, cancelled = model:predict(some), 0
         for _, seconds in ipairs { 0, 0.004, 0.01, 0.02, 0.05, 0.1 } do
            for _, given in ipairs(case.whole and { X } or { X, gaps }) do
               local job = model:fit_async(given, classifies and classes or y)
               if job:wait(seconds) then
                  model:fit(some, classifies and some_classes or some_y)
               else
                  assert.is_true(job:cancel())
                  cancelled = cancelled + 1
               end
               local after = model:predict(some)
               for i = 1, #few do assert.equal(before[i], after[i]) end
            end
         end
         assert.is_true(cancelled > 0)
      end)
   end
end)
