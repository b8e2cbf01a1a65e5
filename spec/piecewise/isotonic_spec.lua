local ml = require "manilius"
local support = dofile "spec/support.lua"
local oracle = dofile "spec/fixtures/piecewise/isotonic.lua"

local function column(list) return ml.Matrix(ml.Vector(list)) end

describe("IsotonicRegression", function()
   it("agrees with scikit-learn: both directions, weights, ties, bounds", function()
      for at, case in ipairs(oracle.cases) do
         local model = ml.IsotonicRegression { direction = case.direction, out_of_bounds = case.out_of_bounds,
            y_min = case.y_min, y_max = case.y_max }
         local y, weights = ml.Vector(oracle.y) * case.sign, case.weighted == 1 and oracle.w or nil
         model:fit(column(oracle.x), y, { weights = weights })
         local got = model:predict(column(oracle.new))
         for i, wanted in ipairs(case.predict) do
            if wanted ~= wanted then
               assert(got[i] ~= got[i], "case " .. at)
            else
               support.near(wanted, got[i], 1e-12, "case " .. at .. ", row " .. i, 1)
            end
         end
      end
   end)

   it("pools violators at their mean", function()
      local model = ml.IsotonicRegression {}:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, { 1, 4, 3, 2, 5 })
      assert.same({ 1, 2, 4, 5 }, model.x_thresholds:totable())
      assert.same({ 1, 3, 3, 5 }, model.y_thresholds:totable())
      assert.equal(1, model.slope)
   end)

   it("refuses several columns and contradictory bounds", function()
      support.refuses("IsotonicRegression: X must have 1 column, got 2", function()
         ml.IsotonicRegression {}:fit({ { 1, 2 }, { 3, 4 } }, { 1, 2 })
      end)
      support.refuses("y_min must be at most y_max, got 2 and 1", function()
         ml.IsotonicRegression { y_min = 2, y_max = 1 }:fit({ { 1 }, { 3 } }, { 1, 2 })
      end)
   end)

   it("lists its levels in the summary", function()
      local model = ml.IsotonicRegression {}:fit({ { 1 }, { 2 }, { 3 }, { 4 }, { 5 } }, { 1, 3, 2, 4, 4 })
      local s = model:summary()
      assert.same({ 1, 2, 4 }, s.levels.low:totable())
      assert.same({ 1, 3, 5 }, s.levels.high:totable())
      assert.same({ 1, 2.5, 4 }, s.levels.value:totable())
      assert.matches("Increasing function with 3 levels; linear between them", s.text, nil, true)
      local one = ml.IsotonicRegression { direction = "decreasing" }:fit({ { 1 }, { 2 } }, { 1, 3 }):summary()
      assert.matches("Decreasing function with 1 level;", one.text, nil, true)
      local many = {}
      for i = 1, 50 do many[i] = { i } end
      assert.matches("10 more levels are in the Frame.", ml.IsotonicRegression {}:fit(many, ml.Matrix(many):col(1))
         :summary().text, nil, true)
   end)
end)
