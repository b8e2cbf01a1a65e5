--- Pair plots: each pair of columns against each other, and the distribution of each.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local figure = require "manilius.draw.figure"
local inputs = require "manilius.plot.inputs"
local kernel = require "manilius.plot.kernel"

local fail, kind_of = parts.fail, rows.kind

local MAX_COLUMNS, PANEL, MARGIN = 6, 190, 60 -- panel and margin in pixels

-- The columns to draw, { name =, values = }: as chosen, else the first numeric ones; and how many more there are.
local function columns_of(o, X)
   local all = inputs.numeric_columns(X)
   if o.columns == nil then
      if #all < 2 then fail("X must have at least two numeric columns, got %d", #all) end
      return table.move(all, 1, math.min(MAX_COLUMNS, #all), 1, {}), math.max(0, #all - MAX_COLUMNS)
   end
   if kind_of(o.columns) ~= "table" or #o.columns < 2 then
      fail("columns must be a list of at least two names, got %s", parts.text(o.columns))
   end
   local names, out = {}, {}
   for i, one in ipairs(all) do names[i] = one.name end
   for i, name in ipairs(o.columns) do
      local at = parts.place(names, name)
      if not at then fail("there is no numeric column %s%s", parts.text(name), parts.hint(name, names)) end
      out[i] = all[at]
   end
   return out, 0
end

-- The densities of a column by class.
local function diagonal(values, groups)
   local layers = {}
   for _, group in ipairs(groups) do
      local part = values:take(group.places)
      part = part:take(part:isfinite():nonzero())
      if #part > 1 then
         local grid, heights = kernel.density(part, kernel.silverman(part))
         layers[#layers + 1] = { kind = "band", x = grid, low = core.Vector(#grid, 0), high = heights,
            color = group.color or 1 }
         layers[#layers + 1] = { kind = "line", x = grid, y = heights, color = group.color or 1, dash = "solid",
            width = 1.5 }
      end
   end
   return layers
end

local function scatter(x, y, groups, size)
   local layers = {}
   for i, group in ipairs(groups) do
      layers[i] = { kind = "points", x = x:take(group.places), y = y:take(group.places), name = group.name,
         color = group.color or 1, size = size }
   end
   return layers
end

local function extent(values)
   local part = values:take(values:isfinite():nonzero())
   if #part == 0 then return nil end
   local low, high = part:min(), part:max()
   local margin = high > low and 0.06 * (high - low) or math.max(math.abs(low), 1) * 0.1
   return { low - margin, high + margin }
end

local function pair_figure(o, X)
   local columns, more = columns_of(o, X)
   local p, n = #columns, #columns[1].values
   local class, class_name
   if o.class ~= nil then class, class_name = define.labels(kind_of(X) == "Frame" and X or nil, "class", o.class, n) end
   local groups, panels, ranges = define.groups(class, n), {}, {}
   for j = 1, p do ranges[j] = extent(columns[j].values) end
   local size = o.size or n > 1000 and 0.2 or n > 300 and 0.35 or 0.5
   for i = 1, p do
      for j = 1, p do
         local x, y = columns[j], columns[i]
         panels[#panels + 1] = { x = i == p and x.name or nil, y = j == 1 and y.name or nil, legend = false,
            x_range = ranges[j], y_range = i ~= j and ranges[i] or nil, y_ticks = i == j and {} or nil,
            layers = i == j and diagonal(x.values, groups) or scatter(x.values, y.values, groups, size) }
      end
   end
   local side = MARGIN + PANEL * p
   return figure.Figure { title = o.title or class_name and "Pairs of columns by " .. class_name or "Pairs of columns",
      caption = o.caption or more > 0 and ("The first %d of %d numeric columns."):format(p, p + more) or nil,
      columns = p, legend = class ~= nil, aligned = true, width = o.width or side,
      height = o.height or side, panels = panels }
end

return function(M)
   define.define(M, "pairs", { args = { "X" }, fn = pair_figure,
      brief = "Pair plot: each column against each other, with densities on the diagonal.",
      notes = "X is a Frame or a Matrix. Columns that are not numeric are omitted.",
      options = { columns = "names of the columns; default: the first 6 numeric ones",
         class = "labels (a Factor, a list, or the name of a column), shown by color and shape",
         size = "size of the points; default by their number" } })
end
