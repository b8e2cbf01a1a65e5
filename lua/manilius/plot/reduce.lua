--- Many points made few, without a difference that can be seen.
--
-- Points: the area is divided in cells about as large as a point, and of each cell the first point is kept. Lines: of
-- each stretch of x the first, lowest, highest and last point are kept. No chance is involved.
-- @module manilius.plot.reduce

local M = {}

M.MANY_POINTS, M.MANY_LINE = 20000, 5000
local CELLS_X, CELLS_Y, STRETCHES = 320, 220, 1000

local function ends(column, given, log)
   local fine = column:take(column:isfinite():nonzero())
   if #fine == 0 then return 0, 0 end
   local low, high = fine:min(), fine:max()
   if given then low, high = math.min(given[1], given[2]), math.max(given[1], given[2]) end
   if log then low, high = math.log(math.max(low, 1e-300)), math.log(math.max(high, 1e-300)) end
   return low, high
end

-- The number of the cell of each value, from 0.
local function cell(column, given, log, cells)
   local low, high = ends(column, given, log)
   local v = log and column:log() or column
   local scale = high > low and cells / (high - low) or 0
   if scale - scale ~= 0 then scale = 0 end
   return ((v - low) * scale):floor():clip(-1, cells)
end

local function firsts(numbers)
   local seen, places = {}, {}
   for i, number in ipairs(numbers) do
      if not seen[number] then
         seen[number] = true
         places[#places + 1] = i
      end
   end
   return places
end

local function take(columns, places)
   local core = require "manilius.core"
   local at = core.Vector(places)
   local out = {}
   for name, column in pairs(columns) do out[name] = column:take(at) end
   return out
end

local function with_commas(n)
   local text = ("%d"):format(n)
   repeat
      local changed
      text, changed = text:gsub("^(%d+)(%d%d%d)", "%1,%2")
   until changed == 0
   return text
end
M.with_commas = with_commas

local function points(columns, panel, tell)
   local n = #columns.x
   local numbers = cell(columns.x, panel.x_range, panel.x_log, CELLS_X)
      + cell(columns.y, panel.y_range, panel.y_log, CELLS_Y) * (CELLS_X + 2)
   if columns.z then numbers = numbers + cell(columns.z, nil, panel.z_log, 60) * ((CELLS_X + 2) * (CELLS_Y + 2)) end
   local places = firsts(numbers:totable())
   if #places == n then return columns end
   tell("points", n, #places)
   return take(columns, places)
end

-- Places of the first, lowest, highest and last point of each run of points in the same stretch.
local function turning(stretch, y)
   local places, i, n = {}, 1, #stretch
   while i <= n do
      local s, low, high, last = stretch[i], i, i, i
      while last < n and stretch[last + 1] == s do
         last = last + 1
         if y[last] < y[low] then low = last end
         if y[last] > y[high] then high = last end
      end
      local previous = 0
      for _, place in ipairs { i, math.min(low, high), math.max(low, high), last } do
         if place > previous then
            places[#places + 1] = place
            previous = place
         end
      end
      i = last + 1
   end
   return places
end

-- Where each value lies along an axis of that many cells, with fractions.
local function position(column, given, log, cells)
   local low, high = ends(column, given, log)
   local v = log and column:log() or column
   return ((v - low) * (high > low and cells / (high - low) or 0)):totable()
end

-- Places that are a cell or more away from the one kept before: for lines that run to and fro.
local function moving(x, y)
   local places, px, py = {}, nil, nil
   for i, cx in ipairs(x) do
      local cy = y[i]
      -- nan, a gap, is at no distance and is kept
      if not px or not (cx - px < 1 and px - cx < 1 and cy - py < 1 and py - cy < 1) then
         places[#places + 1] = i
         px, py = cx, cy
      end
   end
   if places[#places] ~= #x then places[#places + 1] = #x end
   return places
end

-- All places of two ascending lists.
local function both(a, b)
   local out, i, j = {}, 1, 1
   while a[i] or b[j] do
      local place = math.min(a[i] or math.huge, b[j] or math.huge)
      if a[i] == place then i = i + 1 end
      if b[j] == place then j = j + 1 end
      out[#out + 1] = place
   end
   return out
end

local function line(columns, panel, tell)
   local n = #columns.x
   local stretch = cell(columns.x, panel.x_range, panel.x_log, STRETCHES)
   local numbers = stretch:totable()
   local places = turning(numbers, (columns.y or columns.high):totable())
   if columns.low then places = both(places, turning(numbers, columns.low:totable())) end
   if columns.y and #places > 8 * STRETCHES then
      places = moving(position(columns.x, panel.x_range, panel.x_log, CELLS_X),
         position(columns.y, panel.y_range, panel.y_log, CELLS_Y))
   end
   if #places == n then return columns end
   tell("line", n, #places)
   return take(columns, places)
end

--- How many points lie in each cell of an even grid: edges in x and in y, counts as rows of lists.
function M.counts(x, y, across, down)
   local x_low, x_high = ends(x)
   local y_low, y_high = ends(y)
   local rows, width, height = {}, (x_high - x_low) / across, (y_high - y_low) / down
   for i = 1, down do
      rows[i] = {}
      for j = 1, across do rows[i][j] = 0 end
   end
   local columns, lines = cell(x, nil, nil, across):clip(0, across - 1), cell(y, nil, nil, down):clip(0, down - 1)
   local numbers, tally = (columns + lines * across):totable(), {}
   for i = 0, across * down - 1 do tally[i] = 0 end
   for _, number in ipairs(numbers) do tally[number] = tally[number] + 1 end
   for i = 1, down do
      for j = 1, across do rows[i][j] = tally[(i - 1) * across + j - 1] end
   end
   local x_edges, y_edges = {}, {}
   for j = 0, across do x_edges[j + 1] = x_low + j * width end
   for i = 0, down do y_edges[i + 1] = y_low + i * height end
   return x_edges, y_edges, rows
end

--- The columns of a layer, thinned when they are many.
function M.columns(layer, columns, panel, tell)
   if layer.kind == "points" and #columns.x > M.MANY_POINTS then return points(columns, panel, tell) end
   if (layer.kind == "line" or layer.kind == "band") and not columns.z and #columns.x > M.MANY_LINE then
      return line(columns, panel, tell)
   end
   return columns
end

return M
