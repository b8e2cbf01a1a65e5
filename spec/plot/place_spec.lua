local place = require "manilius.plot.place"

local function label(x, y, side) return { x = x, y = y, width = 40, height = 10, side = side } end

describe("labels of points", function()
   it("stand to the right, or to the left where that is better", function()
      local at = place.labels({ label(100, 50), label(100, 90, "left") }, 200, 100, 6)
      assert.same({ side = "right", dx = 6, dy = 0 }, at[1])
      assert.same({ side = "left", dx = -6, dy = 0 }, at[2])
   end)

   it("stay inside the panel", function()
      assert.equal("left", place.labels({ label(190, 50) }, 200, 100, 6)[1].side)
      assert.equal("right", place.labels({ label(10, 50, "left") }, 200, 100, 6)[1].side)
      local corner = place.labels({ label(195, 99) }, 200, 100, 6)[1]
      assert.equal("left", corner.side)
      assert.is_true(corner.dy < 0)
   end)

   it("leave the side where an arrow comes from, but where they would be cut", function()
      local at = place.labels({ label(100, 50, "right"), label(104, 50, "right") }, 300, 100, 6)
      assert.not_equal("left", at[1].side)
      assert.not_equal("left", at[2].side)
      assert.equal("left", place.labels({ label(299, 50, "right") }, 300, 100, 6)[1].side)
   end)

   it("do not cover each other, nor the points", function()
      local at = place.labels({ label(100, 50), label(104, 50), label(108, 50) }, 300, 100, 6)
      local rooms = {}
      for i, one in ipairs(at) do
         local x = 96 + 4 * i
         local left = one.side == "right" and x + 6 or one.side == "left" and x - 46 or x - 20
         rooms[i] = { left, left + 40, 50 + one.dy - 5, 50 + one.dy + 5 }
      end
      for i = 1, 3 do
         for j = i + 1, 3 do
            local a, b = rooms[i], rooms[j]
            assert.is_true(a[2] <= b[1] or b[2] <= a[1] or a[4] <= b[3] or b[4] <= a[3])
         end
      end
   end)
end)
