local ml = require "manilius"
local common = require "spec.metrics.common"
local oracle = dofile "spec/fixtures/metrics/metrics.lua".numbers
local support = require "spec.support"

local m = ml.metrics
local near, refuses = common.near, support.refuses
local data, wanted = oracle.data, oracle.values

local function column(rows, j)
   local out = {}
   for i, row in ipairs(rows) do out[i] = row[j] end
   return out
end

describe("regression metrics", function()
   local y, p = data.y, data.predicted
   local y1, p1 = column(y, 1), column(p, 1)

   for tag, weights in pairs { [""] = false, _w = data.weights } do
      local options = common.options_with(weights or nil)

      it("agree with scikit-learn" .. tag, function()
         for _, name in ipairs { "mse", "rmse", "mae", "median_ae", "mape", "msle", "rmsle", "r2",
            "explained_variance" } do
            near(wanted[name .. tag], m[name](y, p, options()), name)
            near(wanted[name .. "_none" .. tag], m[name](y, ml.Matrix(p), options { average = "none" }), name)
            near(wanted[name .. "_by" .. tag], m[name](ml.Matrix(y), p, options { average = { 1, 3 } }), name)
            near(wanted[name .. "_none" .. tag][1], m[name](ml.Vector(y1), p1, options()), name)
         end
         for _, name in ipairs { "r2", "explained_variance" } do
            near(wanted[name .. "_variance" .. tag], m[name](y, p, options { average = "variance" }), name)
         end
         near(wanted["pinball" .. tag], m.pinball(y, p, options { alpha = 0.2 }), "pinball")
         for name, power in pairs { m1_5 = -1.5, ["0"] = 0, ["1"] = 1, ["1_5"] = 1.5, ["2"] = 2, ["3"] = 3 } do
            near(wanted["tweedie_" .. name .. tag], m.tweedie_deviance(y1, p1, options { power = power }),
               "tweedie " .. name)
         end
         near(wanted["tweedie_1" .. tag], m.poisson_deviance(y1, p1, options()), "poisson")
         near(wanted["tweedie_2" .. tag], m.gamma_deviance(y1, p1, options()), "gamma")
         near(wanted["d2_tweedie" .. tag], m.d2_tweedie(y1, p1, options { power = 1 }), "d2")
      end)
   end

   it("agree for a single value", function()
      near(wanted.max_error, m.max_error(y1, p1), "max_error")
      near(wanted.d2_pinball, m.d2_pinball(y1, p1, { alpha = 0.3 }), "d2_pinball")
      near(wanted.d2_absolute, m.d2_absolute(y1, p1), "d2_absolute")
      near(1 - (1 - wanted.r2_none[1]) * 30 / 27, m.adjusted_r2(y1, p1, { features = 3 }), "adjusted")
   end)

   it("count weights as repeats", function()
      local whole, y2, p2 = {}, {}, {}
      for i = 1, #y do
         whole[i] = i % 3
         for _ = 1, whole[i] do
            y2[#y2 + 1], p2[#p2 + 1] = y[i], p[i]
         end
      end
      for name, about in pairs(m.help) do
         if about.args[2] == "predicted" and about.options.average and about.options.weights
            and not about.options.positive then
            local options = { weights = whole, features = name == "adjusted_r2" and 2 or nil }
            if not name:find("d2_[pa]") then
               local value = m[name](y, p, options)
               options.weights = nil
               near(m[name](y2, p2, options), value, name)
            end
         end
      end
   end)

   it("handle a constant y and a perfect prediction", function()
      assert.equal(1.0, m.r2({ 2, 2, 2 }, { 2, 2, 2 }))
      assert.equal(0.0, m.r2({ 2, 2, 2 }, { 2, 2, 3 }))
      assert.equal(1.0, m.explained_variance({ 2, 2 }, { 3, 3 }))
      assert.equal(0.0, m.poisson_deviance({ 1, 2 }, { 1, 2 }))
      assert.equal(2.0, m.poisson_deviance({ 0 }, { 1 }))
      assert.equal(1.0, m.median_ae({ 0, 0, 0, 0 }, { 0, 1, 1, 5 }))
      assert.equal(1.0, m.mse({ 1, 2 }, ml.Matrix { { 2 }, { 3 } }))
   end)

   it("give the same bits for any number of threads", function()
      local a, b = ml.normal(200000, 1, 1), ml.normal(200000, 1, 2)
      local core = require "manilius.core"
      local before = core.memory.threads()
      core.memory.threads(1)
      local one = m.mse(a, b)
      core.memory.threads(2)
      local two = m.mse(a, b)
      core.memory.threads(before)
      assert.equal(one, two)
   end)

   it("refuse values for which they are undefined", function()
      refuses("^metrics.mse: y must be finite, got nan in row 2$", m.mse, { 1, 0 / 0 }, { 1, 2 })
      refuses("predicted must be finite, got inf in row 1, column 2", m.mse, { { 1, 2 } }, { { 1, math.huge } })
      refuses("y and predicted must have the same length, got 2 and 3", m.mse, { 1, 2 }, { 1, 2, 3 })
      refuses("the same number of columns %(targets%), got 1 and 2", m.mse, { 1, 2 }, { { 1, 2 }, { 3, 4 } })
      refuses("r2: y must have at least 2 rows, got 1", m.r2, { 1 }, { 1 })
      refuses("predicted must be > 0, got y = 1, predicted = 0 in row 2", m.poisson_deviance, { 1, 1 }, { 1, 0 })
      refuses("y must be >= 0, got y = %-1", m.poisson_deviance, { -1 }, { 1 })
      refuses("y must be > 0, got y = 0", m.gamma_deviance, { 0 }, { 1 })
      refuses("power must be <= 0 or >= 1, got 0.5", m.tweedie_deviance, { 1 }, { 1 }, { power = 0.5 })
      refuses("y and predicted must be > %-1, got y = %-1", m.msle, { -1 }, { 1 })
      refuses("alpha must be a number from 0 to 1, got 2", m.pinball, { 1 }, { 1 }, { alpha = 2 })
      refuses("average must have one weight per target, 2, got 1", m.mse, y, p, { average = { 1 } })
      refuses("average must be one of uniform, none, got 'variance'", m.mse, y, p, { average = "variance" })
      refuses("features must be given", m.adjusted_r2, { 1, 2 }, { 1, 2 })
      refuses("y: element 1 is a string, not a number", m.mse, { "a" }, { 1 })
      refuses("y must be a Vector, a Matrix or a table of numbers, got Factor", m.mse, ml.Factor { "a" }, { 1 })
   end)

   it("report as a table", function()
      local r = m.regression_report(y1, p1)
      near(wanted.r2_none[1], r.r2, "r2")
      near(wanted.rmse_none[1], r.rmse, "rmse")
      assert.matches("largest error", tostring(r))
      local both = m.regression_report(y, p, { weights = data.weights })
      near(wanted.mae_none_w, both.mae, "mae")
      assert.matches("target 2", tostring(both))
      for line in tostring(both):gmatch "[^\n]+" do assert.is_true(#line <= 80) end
   end)

   it("agree with scikit-learn on diabetes", function()
      local X, d = ml.read_csv "examples/data/diabetes.csv":split "progression"
      local predicted = ml.LinearRegression {}:fit(X, d):predict(X)
      assert.near(0.5177484222203499, m.r2(d, predicted), 1e-10)
      assert.near(2859.69634758675, m.mse(d, predicted), 1e-6)
   end)
end)
