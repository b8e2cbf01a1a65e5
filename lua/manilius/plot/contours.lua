--- Lines of equal value on a grid (marching squares).
-- @module manilius.plot.contours

local parts = require "manilius.metrics.parts"
local axis = require "manilius.plot.axis"
local layers -- loaded by the first call, for it requires this module

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
   layers = layers or require "manilius.plot.layers"
   local list = layers.vector("levels", given):sort():totable()
   for _, level in ipairs(list) do
      if level - level ~= 0 then parts.fail("levels must be finite, got %g", level) end
   end
   return list
end

-- Where the level crosses the side from a to b, as a share of it.
local function crossing(level, a, b)
   return (level - a) / (b - a)
end

-- The two ends of each piece of the level inside the cell with corners a (low x, low y), b (high x, low y), c (high x,
-- high y), d (low x, high y). Sides: 1 bottom, 2 right, 3 top, 4 left.
local PIECES = { [0] = {}, { { 4, 1 } }, { { 1, 2 } }, { { 4, 2 } }, { { 2, 3 } }, { { 4, 1 }, { 2, 3 } }, { { 1, 3 } },
   { { 4, 3 } }, { { 3, 4 } }, { { 1, 3 } }, { { 1, 2 }, { 3, 4 } }, { { 2, 3 } }, { { 4, 2 } }, { { 1, 2 } },
   { { 4, 1 } }, {} }

local function cell_lines(level, x, y, z, i, j, emit)
   local a, b, c, d = z[i][j], z[i][j + 1], z[i + 1][j + 1], z[i + 1][j]
   if a - a ~= 0 or b - b ~= 0 or c - c ~= 0 or d - d ~= 0 then return end
   local code = (a >= level and 1 or 0) + (b >= level and 2 or 0) + (c >= level and 4 or 0) + (d >= level and 8 or 0)
   local function at(side)
      if side == 1 then return x[j] + (x[j + 1] - x[j]) * crossing(level, a, b), y[i] end
      if side == 3 then return x[j] + (x[j + 1] - x[j]) * crossing(level, d, c), y[i + 1] end
      if side == 2 then return x[j + 1], y[i] + (y[i + 1] - y[i]) * crossing(level, b, c) end
      return x[j], y[i] + (y[i + 1] - y[i]) * crossing(level, a, d)
   end
   for _, piece in ipairs(PIECES[code]) do
      local x1, y1 = at(piece[1])
      local x2, y2 = at(piece[2])
      emit(x1, y1, x2, y2)
   end
end

-- The name of a place, the same for places that differ by rounding only.
local function namer(x, y)
   local across, down = 1e8 / (x[#x] - x[1]), 1e8 / (y[#y] - y[1])
   return function(px, py)
      return ("%.0f %.0f"):format(math.floor((px - x[1]) * across + 0.5), math.floor((py - y[1]) * down + 0.5))
   end
end

-- Pieces joined to lines: each end is known by its place.
local function joined(pieces, key)
   local at = {}
   for p, piece in ipairs(pieces) do
      for _, k in ipairs { key(piece[1], piece[2]), key(piece[3], piece[4]) } do
         at[k] = at[k] or {}
         table.insert(at[k], p)
      end
   end
   local used, lines = {}, {}
   local function walk(px, py)
      local xs, ys = {}, {}
      while true do
         local found
         for _, p in ipairs(at[key(px, py)] or {}) do found = found or (not used[p] and p) end
         if not found then return xs, ys end
         used[found] = true
         local piece = pieces[found]
         local forward = key(piece[1], piece[2]) == key(px, py)
         px, py = piece[forward and 3 or 1], piece[forward and 4 or 2]
         xs[#xs + 1], ys[#ys + 1] = px, py
      end
   end
   for p, piece in ipairs(pieces) do
      if not used[p] then
         used[p] = true
         local xs, ys = walk(piece[1], piece[2])
         local line = { x = {}, y = {} }
         for i = #xs, 1, -1 do line.x[#line.x + 1], line.y[#line.y + 1] = xs[i], ys[i] end
         xs, ys = walk(piece[3], piece[4])
         table.insert(xs, 1, piece[3])
         table.insert(ys, 1, piece[4])
         table.insert(xs, 1, piece[1])
         table.insert(ys, 1, piece[2])
         table.move(xs, 1, #xs, #line.x + 1, line.x)
         table.move(ys, 1, #ys, #line.y + 1, line.y)
         lines[#lines + 1] = line
      end
   end
   return lines
end

--- The lines of one level: a list of { x = list, y = list }.
function M.lines(level, x, y, z)
   if #x < 2 or #y < 2 then return {} end
   local pieces, key = {}, namer(x, y)
   local function emit(x1, y1, x2, y2)
      if key(x1, y1) ~= key(x2, y2) then pieces[#pieces + 1] = { x1, y1, x2, y2 } end
   end
   for i = 1, #y - 1 do
      for j = 1, #x - 1 do cell_lines(level, x, y, z, i, j, emit) end
   end
   return joined(pieces, key)
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
