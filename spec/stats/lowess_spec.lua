local ml = require "manilius"
local core = require "manilius.core"
local support = require "spec.support"
local wanted = require "spec.fixtures.linear.diagnostics"

-- The smooth at the distinct x, as in the fixture.
local function distinct(x, y)
   local xs, ys = {}, {}
   for i = 1, #x do
      if i == 1 or x[i] ~= x[i - 1] then xs[#xs + 1], ys[#ys + 1] = x[i], y[i] end
   end
   return xs, ys
end

local function check(name, x, y, fraction, rounds, delta)
   local xs, ys = distinct(core.lowess(x, y, fraction, rounds, delta))
   support.near_all(wanted[name].x, xs, 0, name .. " x")
   support.near_all(wanted[name].y, ys, 1e-10, name)
end

describe("LOWESS", function()
   it("agrees with R", function()
      local cars = ml.read_csv "examples/data/mtcars.csv"
      check("lowess_cars", cars.hp, cars.mpg, 2 / 3, 3, 0.01)
      check("lowess_cars_plain", cars.hp, cars.mpg, 0.3, 0, 0)
      local faithful = ml.read_csv "examples/data/faithful.csv"
      check("lowess_faithful", faithful.waiting, faithful.eruptions, 0.2, 5, 0)
      local quakes = ml.read_csv "examples/data/quakes.csv"
      check("lowess_quakes", quakes.depth, quakes.mag, 2 / 3, 3, 0.01)
      check("lowess_two", { 2, 1 }, { 5, 3 }, 2 / 3, 3, 0.01)
   end)

   it("reproduces a straight line for any order of the points", function()
      local x, y = core.lowess({ 3, 1, 2, 5, 4 }, { 7, 3, 5, 11, 9 }, 1, 3, 0)
      support.near_all({ 1, 2, 3, 4, 5 }, x, 0)
      support.near_all({ 3, 5, 7, 9, 11 }, y, 1e-12)
   end)

   it("is the mean if all x are equal, and the value of a single point", function()
      local _, same = core.lowess({ 4, 4, 4, 4 }, { 1, 2, 3, 6 }, 1, 0, 0.01)
      support.near_all({ 3, 3, 3, 3 }, same, 1e-15)
      local _, one = core.lowess({ 4 }, { 7 }, 1, 3, 0.01)
      support.near_all({ 7 }, one, 0)
   end)

   it("raises an error without leaks if any allocation fails", function()
      local x, y = ml.range(1, 3000), ml.range(1, 3000):sin()
      local function call() return core.lowess(x, y, 0.1, 2, 0.01) end
      call()
      collectgarbage()
      collectgarbage()
      local live, done = core.memory.live(), false
      for n = 0, 50 do
         core.memory.fail_after(n)
         local ok, message = pcall(call)
         core.memory.fail_after(-1)
         message = not ok and tostring(message) or nil -- otherwise it is the result
         collectgarbage()
         collectgarbage()
         assert.equal(live, core.memory.live())
         done = ok
         if done then break end
         assert.matches("not enough memory", message, 1, true)
      end
      assert.is_true(done)
   end)

   it("refuses invalid arguments", function()
      support.refuses("as many values as x", function() core.lowess({ 1, 2 }, { 1 }, 1, 0, 0) end)
      support.refuses("above 0 and at most 1", function() core.lowess({ 1, 2 }, { 1, 2 }, 0 / 0, 0, 0) end)
      support.refuses(">= 0", function() core.lowess({ 1, 2 }, { 1, 2 }, 1, -1, 0) end)
   end)
end)
