--- Where the labels of points go: beside their point, inside the panel, and not over each other.
--
-- Each label in turn takes the place where it covers least of the labels before it and of the labelled points; of equal
-- ones the first in a fixed order. Units are pixels, y goes up.
-- @module manilius.plot.place

local M = {}

-- The room of a text in a place: at the side of its point, so many lines higher.
local PLACES = {
   { "right", 0 }, { "left", 0 }, { "right", 0.6 }, { "left", 0.6 }, { "right", -0.6 }, { "left", -0.6 },
   { "middle", 0.9 }, { "middle", -0.9 }, { "right", 1.2 }, { "left", 1.2 }, { "right", -1.2 }, { "left", -1.2 },
   { "middle", 2 }, { "middle", -2 }, { "right", 2.2 }, { "left", 2.2 }, { "right", -2.2 }, { "left", -2.2 },
}
local MIRRORED = { right = "left", left = "right", middle = "middle" }

local function room_of(label, side, lines, gap)
   local left = side == "right" and label.x + gap or side == "left" and label.x - gap - label.width
      or label.x - label.width / 2
   local middle = label.y + lines * label.height
   return { left = left, right = left + label.width, low = middle - label.height / 2, high = middle + label.height / 2 }
end

local function shared(a, b)
   local wide, high = math.min(a.right, b.right) - math.max(a.left, b.left), math.min(a.high, b.high)
      - math.max(a.low, b.low)
   return wide > 0 and high > 0 and wide * high or 0
end

-- How much worse than to be covered it is to be cut; and how bad to stand on the side that was not asked for, where an
-- arrow comes from.
local OUTSIDE, WRONG_SIDE = 6, 0.5

local function cost(room, taken, width, height)
   local area = (room.right - room.left) * (room.high - room.low)
   local bad = OUTSIDE * (area - shared(room, { left = 0, right = width, low = 0, high = height }))
   for _, other in ipairs(taken) do bad = bad + shared(room, other) end
   return bad
end

--- Places for labels, a list of { x =, y = (their point), width =, height = (of the text), side = (nil, or the better
-- of "left" and "right") }.
-- @param width, height of the panel, whose left lower corner is 0, 0
-- @param gap from the point to the text
-- @treturn {table,...} for each label { side = "right", "left" or "middle", dx =, dy = }: where the text begins, ends
--   or has its middle, seen from the point
function M.labels(labels, width, height, gap)
   local taken, out = {}, {}
   for i, one in ipairs(labels) do
      taken[i] = { left = one.x - gap / 2, right = one.x + gap / 2, low = one.y - gap / 2, high = one.y + gap / 2 }
   end
   for i, label in ipairs(labels) do
      local best, least, best_room
      for _, place in ipairs(PLACES) do
         local side = label.side == "left" and MIRRORED[place[1]] or place[1]
         local room = room_of(label, side, place[2], gap)
         local bad = cost(room, taken, width, height)
         if label.side and side == MIRRORED[label.side] then bad = bad + WRONG_SIDE * label.width * label.height end
         if not least or bad < least - 1e-9 then best, least, best_room = { side, place[2] }, bad, room end
      end
      taken[#taken + 1] = best_room
      local dx = best[1] == "right" and gap or best[1] == "left" and -gap or 0
      out[i] = { side = best[1], dx = dx, dy = best[2] * label.height }
   end
   return out
end

return M
