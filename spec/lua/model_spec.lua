local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local X = ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 2, 1, 4, 3 } } }
local y = { 1, 2, 3, 5 }

describe("a model as a Lua value", function()
   it("cannot be used after it was closed", function()
      local kept
      do
         local model <close> = ml.Ridge {}:fit(X, y)
         kept = model
      end
      support.refuses("the model was closed", function() kept:predict(X) end)
      support.refuses("the model was closed", function() return kept.alpha end)
   end)

   it("is kept alive by a call that is running when it is closed", function()
      local model = ml.Ridge {}:fit(X, y)
      local X_now = setmetatable({ a = 1 }, { __index = function() local same <close> = model; assert(same) end })
      support.refuses("X must be finite, got nan in row 1, column 2 %('b'%)", function() model:predict(X_now) end)
      assert.near(1.1389, model:predict { a = 1, b = 2 }[1], 1e-4)
   end)

   it("accepts names of a Frame only if they are strings", function()
      local changed = ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 2, 1, 4, 3 } } }
      changed.names[2] = 7
      support.refuses("a Frame must have named Vector and Factor columns", function() ml.Ridge {}:fit(changed, y) end)
   end)
end)

describe("an archive", function()
   it("with an empty matrix in place of an optional one is refused", function()
      local w = core.archive_writer()
      local function group(name, values)
         w:group(name)
         for _, pair in ipairs(values) do w:value(pair[1], pair[2]) end
         w:close()
      end
      w:group "model"
      w:value("estimator", "LinearRegression")
      group("params", { { "fit_intercept", true }, { "inference", true } })
      w:value("fitted", true)
      group("head", { { "n_features", 1 }, { "n_targets", 1 }, { "one_target", true } })
      group("learned", { { "coef", ml.Matrix { { 2 } } }, { "intercept", ml.Vector { 1.0 } }, { "rank", 1 },
         { "rcond", 1.0 }, { "n", 3.0 }, { "mean", ml.Vector { 0.5 } },
         { "scale", ml.Vector { 1.0 } }, { "rss", ml.Vector { 1.0 } },
         { "tss", ml.Vector { 1.0 } }, { "unscaled", ml.zeros(0, 0) }, { "residuals", ml.zeros(1, 5) } })
      w:close()
      local bytes = w:finish()
      support.refuses("LinearRegression: 'unscaled' must have the shape features%? x features%?", function()
         ml.load(bytes)
      end)
   end)
end)
