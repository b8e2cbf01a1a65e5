local core = require "manilius.core"
local ml = require "manilius"
local support = require "spec.support"

local X = ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 2, 1, 4, 3 } } }
local y = { 1, 2, 3, 5 }

describe("a model as a Lua value", function()
   it("cannot be used once it is closed", function()
      local kept
      do
         local model <close> = ml.Ridge {}:fit(X, y)
         kept = model
      end
      support.refuses("the model was closed", function() kept:predict(X) end)
      support.refuses("the model was closed", function() return kept.alpha end)
   end)

   it("outlives a call that is under way when it is closed", function()
      local model = ml.Ridge {}:fit(X, y)
      local X_now = setmetatable({ a = 1 }, { __index = function() local _ <close> = model end })
      support.refuses("X must be finite, got nan at row 1, column 2 %(b%)", function() model:predict(X_now) end)
      assert.near(1.1389, model:predict { a = 1, b = 2 }[1], 1e-4)
   end)

   it("takes the names of a Frame only where they are text", function()
      local changed = ml.Frame { { "a", { 1, 2, 3, 4 } }, { "b", { 2, 1, 4, 3 } } }
      changed.names[2] = 7
      support.refuses("a Frame must have named Vector and Factor columns", function() ml.Ridge {}:fit(changed, y) end)
   end)
end)

describe("an archive", function()
   it("with a matrix that holds nothing in place of an optional one is refused", function()
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
         { "rcond", 1.0 }, { "n", 3.0 }, { "mean", ml.Vector { 0.5 } }, { "rss", ml.Vector { 1.0 } },
         { "tss", ml.Vector { 1.0 } }, { "unscaled", ml.zeros(0, 0) }, { "residuals", ml.zeros(1, 5) } })
      w:close()
      local bytes = w:finish()
      support.refuses("LinearRegression: a part of what inference needs is missing", function()
         ml.load(bytes)
      end)
   end)
end)

describe("labels", function()
   it("come back exactly where no double holds them", function()
      local large = { math.maxinteger, math.maxinteger - 1, math.maxinteger, math.maxinteger - 1 }
      local model = ml.GaussianNB {}:fit({ { 1 }, { 8 }, { 2 }, { 9 } }, large)
      assert.same({ math.maxinteger - 1, math.maxinteger }, model.classes)
      assert.equal(math.maxinteger, model:predict { { 1 } }[1])
      assert.near(2^63, ml.Ridge { alpha = 1e9 }:fit({ { 1 }, { 8 }, { 2 }, { 9 } }, large):predict { { 1 } }[1], 1e5)
   end)
end)

describe("save", function()
   it("writes through links and into what is no file, and replaces neither", function()
      local place = os.tmpname()
      local link = place .. ".link"
      assert(os.execute(("ln -s %s %s"):format(place, link)))
      local model = ml.Ridge {}:fit(X, y)
      model:save(link)
      assert(os.execute("test -L " .. link))
      assert.equal(model:dump(), ml.load(place):dump())
      os.remove(link)
      assert(os.execute("mkfifo " .. link))
      local reader = io.popen("cat " .. link .. " | wc -c")
      model:save(link)
      assert.equal(#model:dump(), tonumber(reader:read "a"))
      reader:close()
      assert(os.execute("test -p " .. link))
      os.remove(link)
      os.remove(place)
   end)
end)

describe("ml.check", function()
   it("works in a sandbox without os", function()
      local kept = os
      _G.os = nil -- luacheck: ignore
      local ok, result = pcall(ml.check, ml.Normalizer {})
      _G.os = kept -- luacheck: ignore
      assert.is_true(ok)
      assert.matches(" 0 not met", tostring(result))
   end)
end)
