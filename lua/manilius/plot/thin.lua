--- Many points made few, without a difference that can be seen.
--
-- Points: the area is divided in cells about as large as a point, and of each cell the first point is kept. Lines: of
-- each stretch of x the first, lowest, highest and last point are kept. No chance is involved.
-- @module manilius.plot.thin

local M = {}

M.MANY_POINTS, M.MANY_LINE = 20000, 5000
local CELLS_X, CELLS_Y, STRETCHES = 320, 220, 1000

local function ends(column, given, log)
   local low, high = column:min(), column:max()
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
   tell(("%s points drawn as %s: one for each place that can be told apart."):format(with_commas(n),
      with_commas(#places)))
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

local function line(columns, panel, tell)
   local n = #columns.x
   if columns.x:isnan():sum() > 0 then return columns end
   local stretch = cell(columns.x, panel.x_range, panel.x_log, STRETCHES):totable()
   local places = turning(stretch, (columns.y or columns.high):totable())
   if #places == n then return columns end
   tell(("%s points of a line drawn as %s: the turning points."):format(with_commas(n), with_commas(#places)))
   return take(columns, places)
end

--- The columns of a layer, thinned when they are many.
function M.columns(layer, columns, panel, tell)
   if layer.kind == "points" and #columns.x > M.MANY_POINTS then return points(columns, panel, tell) end
   if layer.kind == "line" and not columns.z and #columns.x > M.MANY_LINE then return line(columns, panel, tell) end
   return columns
end

return M
