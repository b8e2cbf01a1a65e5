--- Plots of values on a grid: heat maps, contours, surfaces.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local layers = require "manilius.draw.layers"

local fail, kind_of = parts.fail, rows.kind

local PALETTE = "'sequential' (default), 'blues' or 'diverging' (white in the middle)"

local function name_ticks(what, names, n)
   if names == nil then return nil end
   local list = layers.texts(what, names)
   if #list ~= n then fail("%s must have %d elements, got %d", what, n, #list) end
   local ticks = {}
   for i, name in ipairs(list) do ticks[i] = { i, name } end
   return ticks
end

-- A matrix is shown as it is printed, with its first row on top, unless y gives the positions of the rows.
local function heatmap(o, z)
   if z == nil then fail("z must be a Matrix or a Frame, got nil") end
   local columns = o.columns
   if kind_of(z) == "Frame" and not columns and not o.x then columns = z.names end
   local matrix = layers.matrix("z", z)
   if matrix.rows == 0 or matrix.cols == 0 then return define.figure(o, { layers = {} }) end
   local text = o.cell_text
   if text == nil then text = matrix.rows * matrix.cols <= 150 end
   local panel = { equal = o.equal, color_label = o.color_label, x_ticks = name_ticks("columns", columns, matrix.cols),
      y_ticks = name_ticks("rows", o.rows, matrix.rows),
      layers = { { kind = "heat", x = o.x, y = o.y, z = matrix, low = o.low, high = o.high, palette = o.palette,
         cell_text = text } } }
   if o.y == nil then panel.y_range = { matrix.rows + 0.5, 0.5 } end
   return define.figure(o, panel)
end

local function range_of(o, name)
   local range = o[name]
   if range == nil then fail("%s must be { from, to } for a function, got nil", name) end
   if kind_of(range) ~= "table" and kind_of(range) ~= "Vector" then
      fail("%s must be { from, to }, got %s", name, parts.text(range))
   end
   local from, to = range[1], range[2]
   local ordered = type(from) == "number" and type(to) == "number" and from < to
   if not ordered then
      fail("%s must be { from, to } with numbers from < to, got { %s, %s }", name, parts.text(from), parts.text(to))
   end
   return from, to
end

-- The values of a function on a regular grid over its ranges.
local function sampled(o, f)
   local n = parts.whole(o, "points", 60, 2)
   local x_low, x_high = range_of(o, "x_range")
   local y_low, y_high = range_of(o, "y_range")
   local x, y, z = core.linspace(x_low, x_high, n), core.linspace(y_low, y_high, n), {}
   for i = 1, n do
      z[i] = {}
      for j = 1, n do
         local value = f(x[j], y[i])
         if type(value) ~= "number" then
            fail("the function must return a number, got %s at (%g, %g)", parts.text(value), x[j], y[i])
         end
         z[i][j] = value
      end
   end
   return core.Matrix(z), x, y
end

local function grid_of(o, z)
   if z == nil then fail("z must be a Matrix or a function of x and y, got nil") end
   if type(z) == "function" then return sampled(o, z) end
   local matrix = layers.matrix("z", z)
   if matrix.rows == 0 or matrix.cols == 0 then fail("z must have rows and columns, got an empty Matrix") end
   return matrix, o.x, o.y
end

local function contour(o, z)
   local matrix, x, y = grid_of(o, z)
   local list = {}
   if parts.flag(o, "fill", false) then
      list[1] = { kind = "heat", x = x, y = y, z = matrix, palette = o.palette }
   end
   list[#list + 1] = { kind = "contour", x = x, y = y, z = matrix, levels = o.levels, palette = o.palette,
      color = o.fill and "black" or nil, width = o.fill and 0.8 or nil }
   return define.figure(o, { color_label = o.color_label, layers = list, equal = o.equal })
end

local function surface(o, z)
   local matrix, x, y = grid_of(o, z)
   return define.figure(o, { z = o.z_label, color_label = o.color_label,
      layers = { { kind = "surface", x = x, y = y, z = matrix, palette = o.palette } } })
end

return function(M)
   local x = "positions of the columns: centers, or edges (one more value); default 1, 2, ..."
   local y = "positions of the rows: centers, or edges (one more value); default 1, 2, ..."
   define.define(M, "heatmap", { args = { "z" }, axes = true, fn = heatmap,
      brief = "Heat map of a Matrix or a Frame of numbers, with the first row on top.",
      options = { x = x, y = y .. "; if given, y increases upwards", rows = "names of the rows",
         columns = "names of the columns",
         low = "value of the first color; default: the minimum", high = "value of the last color; default: the maximum",
         palette = PALETTE,
         cell_text = "true, a table of rows of texts, or function(value, row, column); default: true up to 150 cells",
         color_label = "name and unit of the values", equal = "true: square cells" } })
   local function with_common(options)
      for name, text in pairs { x = x, y = y, palette = PALETTE,
         points = "for a function: grid points along each axis; default 60",
         x_range = "{ from, to }; required for a function", y_range = "{ from, to }; required for a function",
         color_label = "name and unit of the values" } do
         options[name] = text
      end
      return options
   end
   define.define(M, "contour", { args = { "z" }, axes = true, fn = contour,
      brief = "Contour plot: contour(Matrix, { x =, y = }) or contour(f, { x_range =, y_range = }).",
      options = with_common { levels = "number of levels (default 8) or a list of values",
         fill = "true: show values by color as well", equal = "true: the axes have the same scale" } })
   define.define(M, "surface", { args = { "z" }, axes = true, fn = surface,
      brief = "3-D surface: surface(Matrix) or surface(f, { x_range =, y_range = }).",
      options = with_common { z_label = "name and unit of the z axis" } })
end
