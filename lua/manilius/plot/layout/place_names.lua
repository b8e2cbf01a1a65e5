--- Places the names of groups of points on a map, where the points of each are densest, so that names do not overlap.

local text = require "manilius.draw.text"
local theme = require "manilius.draw.theme"

local COLUMNS, ROWS = 32, 24 -- cells in which points are counted
local MAX_COUNTED = 5000 -- points of a group that are counted
local CHAR_WIDTH, LINE = 0.64, 1.4 -- relative to the font size
local MARGIN_X, MARGIN_Y = 110, 90 -- pixels around the axes, about
local POINT = 8 -- pixels
local MAX_TRIES, STEP = 400, 4 -- positions along a spiral, and pixels between its turns

local function range(column)
   local finite = column:take(column:isfinite():nonzero())
   if #finite == 0 then return 0, 1 end
   local low, high = finite:min(), finite:max()
   return low, high > low and high or low + 1
end

-- Maps coordinates to pixels from the lower left.
local function scale_of(x, y, equal, width, height)
   local x_low, x_high = range(x)
   local y_low, y_high = range(y)
   width, height = (width or theme.width) - MARGIN_X, (height or theme.height) - MARGIN_Y
   local per_x, per_y = width / (x_high - x_low), height / (y_high - y_low)
   if equal then per_x = math.min(per_x, per_y); per_y = per_x end
   return { x = x_low, y = y_low, per_x = per_x, per_y = per_y, width = (x_high - x_low) * per_x,
      height = (y_high - y_low) * per_y }
end

-- The middle of the points in the cell that, with the cells around it, has the most points; in pixels.
local function densest(group, x, y, scale)
   local counts, sums = {}, {}
   local places = group.places
   for at = 1, #places, math.ceil(#places / MAX_COUNTED) do
      local px, py = (x[places[at]] - scale.x) * scale.per_x, (y[places[at]] - scale.y) * scale.per_y
      if px - px == 0 and py - py == 0 then
         local cell = math.floor(px / scale.width * COLUMNS) + math.floor(py / scale.height * ROWS) * 1000
         counts[cell] = (counts[cell] or 0) + 1
         local sum = sums[cell] or { 0, 0 }
         sum[1], sum[2], sums[cell] = sum[1] + px, sum[2] + py, sum
      end
   end
   local best, most
   for cell, count in pairs(counts) do
      local around = 2 * count
      for _, by in ipairs { -1001, -1000, -999, -1, 1, 999, 1000, 1001 } do
         around = around + (counts[cell + by] or 0)
      end
      if not best or around > most or (around == most and cell < best) then best, most = cell, around end
   end
   if not best then return nil end
   return sums[best][1] / counts[best], sums[best][2] / counts[best]
end

local function overlaps(a, b)
   return math.abs(a.x - b.x) < (a.width + b.width) / 2 and math.abs(a.y - b.y) < (a.height + b.height) / 2
end

local function is_free(box, placed, scale)
   local half = box.width / 2
   if box.x < half or box.x > scale.width - half or box.y < 0 or box.y > scale.height then return false end
   for _, other in ipairs(placed) do
      if overlaps(box, other) then return false end
   end
   return true
end

-- Move a name along a spiral to the next free place; back to where it was if there is none.
local function settle(box, placed, scale)
   local x, y = box.x, box.y
   for try = 0, MAX_TRIES do
      local turn = math.sqrt(try)
      box.x, box.y = x + 2 * STEP * turn * math.cos(2 * turn), y + STEP * turn * math.sin(2 * turn)
      if is_free(box, placed, scale) then return end
   end
   box.x, box.y = x, y
end

--- A layer of texts.
-- @param groups of manilius.plot.define.groups; rows without a class and other classes get no name; `side` 1 or -1: the
-- name begins or ends at the points
-- @param above pixels that names are above their points
return function(groups, x, y, equal, width, height, above)
   local scale, boxes = scale_of(x, y, equal, width, height), {}
   for i, group in ipairs(groups) do
      local px, py
      if math.type(group.color) == "integer" then px, py = densest(group, x, y, scale) end
      if px then
         local name = text.truncate(text.plain(group.name), 24)
         local box_width = text.width(name) * CHAR_WIDTH * theme.font_size
         boxes[#boxes + 1] = { name = name, x = px + (group.side or 0) * box_width / 2, y = py + above, order = i,
            count = #group.places, width = box_width, height = LINE * theme.font_size }
      end
   end
   table.sort(boxes, function(a, b) return a.count > b.count or (a.count == b.count and a.order < b.order) end)
   local layer, placed = { kind = "text", x = {}, y = {}, text = {}, color = "black", boxed = true }, {}
   for i = 1, above > 0 and #boxes or 0 do -- names of single points must not cover others
      placed[i] = { x = boxes[i].x, y = boxes[i].y - above, width = POINT, height = POINT }
   end
   for i, box in ipairs(boxes) do
      settle(box, placed, scale)
      placed[#placed + 1] = box
      layer.x[i], layer.y[i] = scale.x + box.x / scale.per_x, scale.y + box.y / scale.per_y
      layer.text[i] = box.name
   end
   return layer
end
