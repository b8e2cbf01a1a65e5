--- Layers of points, and of their density if there are many.

local reduce = require "manilius.draw.reduce"

local M = {}

--- More points are drawn by their density.
M.MAX_POINTS = 100000

local GRID_COLUMNS, GRID_ROWS = 120, 80

--- A heat map of log10(points per cell) and a note on it; nil if x or y is constant.
function M.density(x, y)
   local places = x:isfinite():mul(y:isfinite()):nonzero()
   local omitted = #x - #places
   x, y = x:take(places), y:take(places)
   if #x == 0 or x:min() == x:max() or y:min() == y:max() then return nil end
   local x_edges, y_edges, counts = reduce.counts(x, y, GRID_COLUMNS, GRID_ROWS)
   for _, row in ipairs(counts) do
      for j, n in ipairs(row) do row[j] = n > 0 and math.log(n, 10) or 0 / 0 end
   end
   local note = ("Density of %s points."):format(reduce.with_commas(#x))
   if omitted > 0 then
      note = note .. (" %s with missing or infinite values omitted."):format(omitted == 1 and "1 point"
         or reduce.with_commas(omitted) .. " points")
   end
   return { kind = "heat", x = x_edges, y = y_edges, z = counts, palette = "blues" }, note
end

local function gather_rows(column, places)
   return column and column:take(places)
end

local function gather_texts(list, places)
   if not list then return nil end
   local out = {}
   for i = 1, #places do out[i] = list[places[i]] end
   return out
end

--- A layer of points for each group of manilius.plot.define.groups.
-- @param columns { x =, y =, z =, value = } Vectors, and labels = a list of texts; z, value and labels may be nil
-- @param o options: size, opacity, palette
function M.layers(groups, columns, o)
   local list = {}
   for i, group in ipairs(groups) do
      local places = group.places
      list[i] = { kind = "points", x = columns.x:take(places), y = columns.y:take(places),
         z = gather_rows(columns.z, places), value = gather_rows(columns.value, places),
         labels = gather_texts(columns.labels, places), name = group.name, color = group.color, size = o.size,
         opacity = o.opacity, palette = columns.value and o.palette or nil }
   end
   return list
end

return M
