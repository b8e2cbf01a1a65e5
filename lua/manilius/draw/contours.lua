--- Contour lines of values on a grid (marching squares).

local parts = require "manilius.metrics.parts"
local axis = require "manilius.draw.axis"
local layers -- loaded on the first call, because it requires this module

local M = {}

local function levels_of(layer, out)
   local given = layer.levels
   if given == nil then given = 8 end
   if type(given) == "number" then
      local count = math.tointeger(given)
      if not count or count < 1 or count > 100 then
         parts.fail("levels must be a count from 1 to 100 or a list of values, got %g", given)
      end
      local found = {}
      for _, tick in ipairs(axis.nice(out.low, out.high, count)) do
         if tick > out.low and tick < out.high then found[#found + 1] = tick end
      end
      if #found == 0 then found[1] = (out.low + out.high) / 2 end
      return found
   end
   layers = layers or require "manilius.draw.layers"
   local list = layers.vector("levels", given):sort():totable()
   for _, level in ipairs(list) do
      if level - level ~= 0 then parts.fail("levels must be finite, got %g", level) end
   end
   return list
end

-- The position, from 0 to 1, at which the level crosses the edge from a to b.
local function crossing(level, a, b)
   return (level - a) / (b - a)
end

-- The edges at which each segment of a contour begins and ends in the cell with corners a (low x, low y), b (high x,
-- low y), c (high x, high y), d (low x, high y), by code = sum of 1, 2, 4, 8 for the corners a, b, c, d that are at
-- least as high as the level. Edges: 1 bottom, 2 right, 3 top, 4 left.
local SEGMENTS = { [0] = {}, { { 4, 1 } }, { { 1, 2 } }, { { 4, 2 } }, { { 2, 3 } }, { { 4, 1 }, { 2, 3 } },
   { { 1, 3 } },
   { { 4, 3 } }, { { 3, 4 } }, { { 1, 3 } }, { { 1, 2 }, { 3, 4 } }, { { 2, 3 } }, { { 4, 2 } }, { { 1, 2 } },
   { { 4, 1 } }, {} }

local function cell_lines(level, x, y, z, i, j, emit)
   local a, b, c, d = z[i][j], z[i][j + 1], z[i + 1][j + 1], z[i + 1][j]
   if a - a ~= 0 or b - b ~= 0 or c - c ~= 0 or d - d ~= 0 then return end
   local code = (a >= level and 1 or 0) + (b >= level and 2 or 0) + (c >= level and 4 or 0) + (d >= level and 8 or 0)
   local function at(edge)
      if edge == 1 then return x[j] + (x[j + 1] - x[j]) * crossing(level, a, b), y[i] end
      if edge == 3 then return x[j] + (x[j + 1] - x[j]) * crossing(level, d, c), y[i + 1] end
      if edge == 2 then return x[j + 1], y[i] + (y[i + 1] - y[i]) * crossing(level, b, c) end
      return x[j], y[i] + (y[i + 1] - y[i]) * crossing(level, a, d)
   end
   for _, segment in ipairs(SEGMENTS[code]) do
      local x1, y1 = at(segment[1])
      local x2, y2 = at(segment[2])
      emit(x1, y1, x2, y2)
   end
end

-- A function that gives a key to a point, the same for points that differ only by rounding.
local function point_key(x, y)
   local across, down = 1e8 / (x[#x] - x[1]), 1e8 / (y[#y] - y[1])
   return function(px, py)
      return ("%.0f %.0f"):format(math.floor((px - x[1]) * across + 0.5), math.floor((py - y[1]) * down + 0.5))
   end
end

-- Join segments into lines at their common end points.
local function join_segments(segments, key)
   local at = {}
   for p, segment in ipairs(segments) do
      for _, k in ipairs { key(segment[1], segment[2]), key(segment[3], segment[4]) } do
         at[k] = at[k] or {}
         table.insert(at[k], p)
      end
   end
   local used, lines = {}, {}
   local function follow(px, py)
      local xs, ys = {}, {}
      while true do
         local found
         for _, p in ipairs(at[key(px, py)] or {}) do found = found or (not used[p] and p) end
         if not found then return xs, ys end
         used[found] = true
         local segment = segments[found]
         local forward = key(segment[1], segment[2]) == key(px, py)
         px, py = segment[forward and 3 or 1], segment[forward and 4 or 2]
         xs[#xs + 1], ys[#ys + 1] = px, py
      end
   end
   for p, segment in ipairs(segments) do
      if not used[p] then
         used[p] = true
         local xs, ys = follow(segment[1], segment[2])
         local line = { x = {}, y = {} }
         for i = #xs, 1, -1 do line.x[#line.x + 1], line.y[#line.y + 1] = xs[i], ys[i] end
         xs, ys = follow(segment[3], segment[4])
         table.insert(xs, 1, segment[3])
         table.insert(ys, 1, segment[4])
         table.insert(xs, 1, segment[1])
         table.insert(ys, 1, segment[2])
         table.move(xs, 1, #xs, #line.x + 1, line.x)
         table.move(ys, 1, #ys, #line.y + 1, line.y)
         lines[#lines + 1] = line
      end
   end
   return lines
end

--- The contour lines of one level: a list of { x = list, y = list }.
function M.lines(level, x, y, z)
   if #x < 2 or #y < 2 then return {} end
   local segments, key = {}, point_key(x, y)
   local function emit(x1, y1, x2, y2)
      if key(x1, y1) ~= key(x2, y2) then segments[#segments + 1] = { x1, y1, x2, y2 } end
   end
   for i = 1, #y - 1 do
      for j = 1, #x - 1 do cell_lines(level, x, y, z, i, j, emit) end
   end
   return join_segments(segments, key)
end

--- Set `curves` of a checked layer: a list of { level =, lines = }.
function M.set(layer, out)
   out.levels = levels_of(layer, out)
   out.curves = {}
   for i, level in ipairs(out.levels) do
      out.curves[i] = { level = level, lines = M.lines(level, out.x, out.y, out.values) }
   end
end

return M
