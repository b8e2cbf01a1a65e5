--- Thins large numbers of points without visible change.
--
-- Points: the area is divided into cells about the size of a point, and the first point of each cell is kept. Lines:
-- the range of x is divided into intervals, and the first, lowest, highest and last point of each are kept.
-- Deterministic.

local M = {}

local MAX_POINTS, MAX_LINE_POINTS = 20000, 5000
local CELLS_X, CELLS_Y, INTERVALS = 320, 220, 1000

-- The range of an axis: as given, else of the finite values; logarithms if `log`.
local function range_of(column, given, log)
   local finite = column:take(column:isfinite():nonzero())
   if #finite == 0 then return 0, 0 end
   local low, high = finite:min(), finite:max()
   if given then low, high = math.min(given[1], given[2]), math.max(given[1], given[2]) end
   if log then low, high = math.log(math.max(low, 1e-300)), math.log(math.max(high, 1e-300)) end
   return low, high
end

-- The index of the cell of each value, from 0.
local function cell(column, given, log, cells)
   local low, high = range_of(column, given, log)
   local v = log and column:log() or column
   local scale = high > low and cells / (high - low) or 0
   if scale - scale ~= 0 then scale = 0 end
   return ((v - low) * scale):floor():clip(-1, cells)
end

-- The positions of the first occurrence of each number.
local function first_occurrences(numbers)
   local seen, places = {}, {}
   for i, number in ipairs(numbers) do
      if not seen[number] then
         seen[number] = true
         places[#places + 1] = i
      end
   end
   return places
end

local function gather_rows(columns, places)
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

local function thin_points(columns, panel, report)
   local n = #columns.x
   local numbers = cell(columns.x, panel.x_range, panel.x_log, CELLS_X)
      + cell(columns.y, panel.y_range, panel.y_log, CELLS_Y) * (CELLS_X + 2)
   if columns.z then numbers = numbers + cell(columns.z, nil, panel.z_log, 60) * ((CELLS_X + 2) * (CELLS_Y + 2)) end
   local places = first_occurrences(numbers:totable())
   if #places == n then return columns end
   report("points", n, #places)
   return gather_rows(columns, places)
end

-- Positions of the first, lowest, highest and last point of each run of points in the same interval.
local function extremes(interval, y)
   local places, i, n = {}, 1, #interval
   while i <= n do
      local s, low, high, last = interval[i], i, i, i
      while last < n and interval[last + 1] == s do
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

-- The position of each value along an axis, in cells with fractions.
local function position(column, given, log, cells)
   local low, high = range_of(column, given, log)
   local v = log and column:log() or column
   return ((v - low) * (high > low and cells / (high - low) or 0)):totable()
end

-- Positions of points at least a cell away from the point kept before, for lines whose x is not monotone.
local function distinct_cells(x, y)
   local places, px, py = {}, nil, nil
   for i, cx in ipairs(x) do
      local cy = y[i]
      -- comparisons with nan are false, so gaps are kept
      if not px or not (cx - px < 1 and px - cx < 1 and cy - py < 1 and py - cy < 1) then
         places[#places + 1] = i
         px, py = cx, cy
      end
   end
   if places[#places] ~= #x then places[#places + 1] = #x end
   return places
end

-- The union of two ascending lists.
local function union(a, b)
   local out, i, j = {}, 1, 1
   while a[i] or b[j] do
      local place = math.min(a[i] or math.huge, b[j] or math.huge)
      if a[i] == place then i = i + 1 end
      if b[j] == place then j = j + 1 end
      out[#out + 1] = place
   end
   return out
end

local function thin_line(columns, panel, report)
   local n = #columns.x
   local intervals = cell(columns.x, panel.x_range, panel.x_log, INTERVALS):totable()
   local places = extremes(intervals, (columns.y or columns.high):totable())
   if columns.low then places = union(places, extremes(intervals, columns.low:totable())) end
   if columns.y and #places > 8 * INTERVALS then
      places = distinct_cells(position(columns.x, panel.x_range, panel.x_log, CELLS_X),
         position(columns.y, panel.y_range, panel.y_log, CELLS_Y))
   end
   if #places == n then return columns end
   report("line", n, #places)
   return gather_rows(columns, places)
end

--- The number of points in each cell of a regular grid: edges in x and in y, and a list of rows of counts.
function M.counts(x, y, across, down)
   local x_low, x_high = range_of(x)
   local y_low, y_high = range_of(y)
   local rows, width, height = {}, (x_high - x_low) / across, (y_high - y_low) / down
   for i = 1, down do
      rows[i] = {}
      for j = 1, across do rows[i][j] = 0 end
   end
   local columns, lines = cell(x, nil, nil, across):clip(0, across - 1), cell(y, nil, nil, down):clip(0, down - 1)
   local numbers, totals = (columns + lines * across):totable(), {}
   for i = 0, across * down - 1 do totals[i] = 0 end
   for _, number in ipairs(numbers) do totals[number] = totals[number] + 1 end
   for i = 1, down do
      for j = 1, across do rows[i][j] = totals[(i - 1) * across + j - 1] end
   end
   local x_edges, y_edges = {}, {}
   for j = 0, across do x_edges[j + 1] = x_low + j * width end
   for i = 0, down do y_edges[i + 1] = y_low + i * height end
   return x_edges, y_edges, rows
end

--- The columns of a layer, thinned if there are many points.
function M.columns(layer, columns, panel, report)
   if layer.kind == "points" and #columns.x > MAX_POINTS then return thin_points(columns, panel, report) end
   if (layer.kind == "line" or layer.kind == "band") and not columns.z and #columns.x > MAX_LINE_POINTS then
      return thin_line(columns, panel, report)
   end
   return columns
end

return M
