--- Random thresholds in large nodes use quantized columns. A sparse X has none, and must give bitwise the same trees.
local ml = require "manilius"
local support = require "spec.support"

local N = 9000 -- fewer rows are not quantized

--- Columns with an even distribution, and others: heavy tails, few values, an outlier, differences in the last digits.
local function columns()
   local z = ml.normal(N, 8, 1)
   for i = 1, N do
      z:set(i, 2, math.exp(4 * z:get(i, 2)))
      z:set(i, 3, math.floor(3 * z:get(i, 3)))
      z:set(i, 4, z:get(i, 4) > 0 and 1 or -0.0)
      z:set(i, 5, 1e9 + z:get(i, 5) * 1e-6)
      z:set(i, 6, z:get(i, 6) * 1e-310)
   end
   z:set(17, 7, 1e300)
   return z
end

describe("random thresholds in large nodes", function()
   local X = columns()
   local weights = ml.random(N, nil, 3)
   local y, labels = ml.Vector(N), {}
   for i = 1, N do
      y[i] = X:get(i, 1) + X:get(i, 3) * X:get(i, 8)
      labels[i] = math.floor(y[i]) % 3
   end

   for name, case in pairs {
      ["class counts"] = { "ExtraTreesClassifier", { max_features = 3 } },
      ["class counts, all columns"] = { "ExtraTreesClassifier", { max_features = 8, max_depth = 6 } },
      weights = { "ExtraTreesClassifier", { max_features = 2 }, { weights = weights } },
      regression = { "ExtraTreesRegressor", {} },
      ["the best leaf first"] = { "ExtraTreesRegressor", { max_leaf_nodes = 60, max_features = 4 } },
      ["absolute errors"] = { "ExtraTreesRegressor", { criterion = "absolute_error", max_depth = 3 } },
      ["one tree"] = { "DecisionTreeClassifier", { splitter = "random" } },
   } do
      it("are the same as without quantized columns: " .. name, function()
         local class, settings, options = table.unpack(case, 1, 3)
         if class:find "ExtraTrees" then settings.n_estimators = 2 end
         local targets = class:find "Classifier" and ml.Factor(labels) or y
         local function fit(x) return ml[class](settings):fit(x, targets, options):dump() end
         assert.is_true(fit(X) == fit(ml.Sparse(X)))
      end)
   end

   it("do not depend on the number of threads", function()
      support.same_for_any_threads(function()
         return ml.DecisionTreeRegressor { splitter = "random" }:fit(X, y)
      end)
   end)
end)
