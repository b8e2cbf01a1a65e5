--- Trees depend only on the ratios of sample weights, however large or small.
local ml = require "manilius"
local support = require "spec.support"

local refuses = support.refuses

local X = ml.random(200, 4, 1)
local y = (X:col(1) * 6):sin() + X:col(2):copy():mul(X:col(3)) * 3
local w = (ml.random(200, nil, 3) * 3):floor() + 1
local labels = {}
for i = 1, #y do labels[i] = y[i] > 1 and "high" or y[i] > 0.3 and "middle" or "low" end

local scales = { 2 ^ -1000, 2 ^ -400, 2 ^ -33, 2 ^ 33, 2 ^ 530, 2 ^ 1000 }

local models = {
   { "DecisionTreeRegressor", { max_depth = 4 } },
   { "DecisionTreeRegressor", { criterion = "poisson", max_depth = 4 } },
   { "DecisionTreeRegressor", { max_leaf_nodes = 9 } },
   { "DecisionTreeClassifier", { max_depth = 4 } },
   { "DecisionTreeClassifier", { criterion = "entropy", max_depth = 4 } },
   { "ExtraTreesRegressor", { n_estimators = 5, max_depth = 4 } },
   { "ExtraTreesClassifier", { n_estimators = 5, max_depth = 4 } },
   { "RandomForestRegressor", { n_estimators = 5, max_samples = 100 } },
   { "RotationForestClassifier", { n_estimators = 5, max_depth = 4 }, 1 },
   { "GradientBoostingRegressor", { n_estimators = 5 } },
   { "GradientBoostingRegressor", { n_estimators = 5, loss = "huber" } },
   { "GradientBoostingRegressor", { n_estimators = 5, loss = "absolute_error" } },
   { "GradientBoostingClassifier", { n_estimators = 5 } },
   { "HistGradientBoostingRegressor", { max_iter = 5 }, 1 },
   { "HistGradientBoostingRegressor", { max_iter = 5, loss = "absolute_error" }, 1 },
   { "HistGradientBoostingRegressor", { max_iter = 5, loss = "huber" }, 1 },
   { "HistGradientBoostingClassifier", { max_iter = 5 }, 1 },
   { "AdaBoostRegressor", { n_estimators = 5 } },
   { "AdaBoostRegressor", { n_estimators = 5, resample = false } },
   { "AdaBoostClassifier", { n_estimators = 5 } },
}

local function predictions(name, settings, weights)
   local classifies = name:find "Classifier"
   local model = ml[name](settings):fit(X, classifies and labels or y + 3, { weights = weights })
   return (classifies and model:predict_proba(X):flatten() or model:predict(X)):totable()
end

describe("sample weights multiplied by a constant", function()
   for _, case in ipairs(models) do
      local name, settings, max_scale = table.unpack(case)
      it("give the same " .. name, function()
         local base = max_scale and w / 4 or w -- for models that count weights above 1 on average as rows
         local wanted = predictions(name, settings, base)
         for _, scale in ipairs(scales) do
            if scale < (max_scale or math.huge) then
               support.near_all(wanted, predictions(name, settings, base * scale), 1e-9, ("times %g"):format(scale), 1)
            end
         end
      end)
   end

   it("far below 1 do not change the median", function()
      local alike = ml.Vector(200, 2 ^ -8)
      for _, name in ipairs { "GradientBoostingRegressor", "HistGradientBoostingRegressor" } do
         for _, loss in ipairs { "absolute_error", "quantile", "huber" } do
            local function fitted(weights) return ml[name] { loss = loss }:fit(X, y, { weights = weights }) end
            support.near_all(fitted():predict(X):totable(), fitted(alike):predict(X):totable(), 1e-9, name, 1)
         end
      end
   end)
end)

describe("one weight much larger than all others", function()
   it("still lets trees separate the other rows, and predict its own", function()
      for _, name in ipairs { "DecisionTreeRegressor", "GradientBoostingRegressor" } do
         for _, weight in ipairs { 1e-300, 1e-120, 1e60, 1e120 } do
            local weights = ml.Vector(200, 1)
            weights[7] = weight
            local predicted = ml[name] {}:fit(X, y, { weights = weights }):predict(X)
            assert(#predicted:unique() > 8, ("%s: %d values with %g"):format(name, #predicted:unique(), weight))
            if weight > 1 then support.near(y[7], predicted[7], 1e-9) end
         end
      end
   end)

   it("is refused if rows are drawn by weight, and if the sum overflows", function()
      local weights = ml.Vector(200, 1)
      weights[7] = 1e12
      refuses("RandomForestRegressor: the sum of weights must be at most 268435456, got 1000000000199; set max_samples",
         function() ml.RandomForestRegressor {}:fit(X, y, { weights = weights }) end)
      weights = ml.Vector(200, 1e307)
      for _, name in ipairs { "DecisionTreeRegressor", "AdaBoostRegressor", "Ridge" } do
         refuses(name .. ": weights must have a finite sum, got inf", function()
            ml[name] {}:fit(X, y, { weights = weights })
         end)
      end
   end)

   it("is refused if the product with class_weight overflows", function()
      refuses("weights times class_weight must have a finite sum, got inf", function()
         local tree = ml.DecisionTreeClassifier { class_weight = { a = 1e10, b = 1 } }
         tree:fit({ { 1 }, { 2 }, { 3 } }, { "a", "a", "b" }, { weights = { 1e300, 1e300, 1 } })
      end)
   end)
end)
