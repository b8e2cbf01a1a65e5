--- Plots of values on a grid: heat maps, contours, surfaces.
-- @module manilius.plot.grids

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local define = require "manilius.plot.define"
local layers = require "manilius.plot.layers"

local fail, kind_of = parts.fail, rows.kind

local PALETTE = "'sequential' (default), 'blues' or 'diverging' (white in the middle)"

local function ticks_of(what, names, n)
   if names == nil then return nil end
   local list = layers.texts(what, names)
   if #list ~= n then fail("%s must have %d elements, got %d", what, n, #list) end
   local ticks = {}
   for i, name in ipairs(list) do ticks[i] = { i, name } end
   return ticks
end

-- A matrix is shown as it is printed, its first row on top, unless y says where the rows lie.
local function heatmap(o, z)
   if z == nil then fail("z must be given: a Matrix or a Frame") end
   local columns = o.columns
   if kind_of(z) == "Frame" and not columns and not o.x then columns = z.names end
   local matrix = layers.matrix("z", z)
   if matrix.rows == 0 or matrix.cols == 0 then return define.figure(o, { layers = {} }) end
   local text = o.cell_text
   if text == nil then text = matrix.rows * matrix.cols <= 150 end
   local panel = { equal = o.equal, color_label = o.color_label, x_ticks = ticks_of("columns", columns, matrix.cols),
      y_ticks = ticks_of("rows", o.rows, matrix.rows),
      layers = { { kind = "heat", x = o.x, y = o.y, z = matrix, low = o.low, high = o.high, palette = o.palette,
         cell_text = text } } }
   if o.y == nil then panel.y_range = { matrix.rows + 0.5, 0.5 } end
   return define.figure(o, panel)
end

local function range_of(o, name)
   local range = o[name]
   if range == nil then fail("%s must be given with a function: { from, to }", name) end
   if kind_of(range) ~= "table" and kind_of(range) ~= "Vector" then fail("%s must be { from, to }", name) end
   local from, to = range[1], range[2]
   local fine = type(from) == "number" and type(to) == "number" and from < to
   if not fine then
      fail("%s must be { from, to } with from below to", name)
   end
   return from, to
end

-- A function over an even grid of its ranges.
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
            fail("the function must give a number, got %s at (%g, %g)", parts.text(value), x[j], y[i])
         end
         z[i][j] = value
      end
   end
   return core.Matrix(z), x, y
end

local function grid_of(o, z)
   if z == nil then fail("z must be given: a Matrix, or a function of x and y") end
   if type(z) == "function" then return sampled(o, z) end
   local matrix = layers.matrix("z", z)
   if matrix.rows == 0 or matrix.cols == 0 then fail("z must have rows and columns, got a Matrix without values") end
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
   local x = "where the columns lie (centers, or one more edges); default 1, 2, ..."
   local y = "where the rows lie (centers, or one more edges); default 1, 2, ..."
   define.define(M, "heatmap", { args = { "z" }, axes = true, fn = heatmap,
      brief = "Heat map of a Matrix or a Frame of numbers, first row on top.",
      options = { x = x, y = y .. "; when given, y goes up", rows = "names of the rows",
         columns = "names of the columns",
         low = "value of the first color", high = "value of the last color", palette = PALETTE,
         cell_text = "true, a table of rows of texts, or function(value, row, column); default true up to 150 cells",
         color_label = "name and unit of the values", equal = "true: cells are square" } })
   local function more(options)
      for name, text in pairs { x = x, y = y, palette = PALETTE,
         points = "of a function: points along each axis, default 60",
         x_range = "{ from, to }; needed with a function", y_range = "{ from, to }; needed with a function",
         color_label = "name and unit of the values" } do
         options[name] = text
      end
      return options
   end
   define.define(M, "contour", { args = { "z" }, axes = true, fn = contour,
      brief = "Contours: contour(Matrix, { x =, y = }) or contour(f, { x_range =, y_range = }).",
      options = more { levels = "their number (default 8) or a list of values", fill = "true: values as colors below",
         equal = "true: a unit of x is as long as one of y" } })
   define.define(M, "surface", { args = { "z" }, axes = true, fn = surface,
      brief = "Surface in 3-D: surface(Matrix) or surface(f, { x_range =, y_range = }).",
      options = more { z_label = "name and unit of the z axis" } })
end
