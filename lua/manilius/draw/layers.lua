--- Checks layers and converts them to the form that both renderers draw.
--
-- A checked layer holds lists of finite numbers, `color` as "#rrggbb" (nil until the panel assigns one) and `series`
-- (its series number, nil when the color is not that of a series). Omitted points are reported by report(reason,
-- count).

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local theme = require "manilius.draw.theme"
local reduce = require "manilius.draw.reduce"

local M = {}
local fail, kind_of = parts.fail, rows.kind

-- --- values ---

--- Numbers as a Vector: a Vector, a Matrix of one column, a Frame of one column, or a list.
function M.vector(what, value)
   local kind = kind_of(value)
   if kind == "Frame" and #value.columns == 1 then return M.vector(what, value.columns[1]) end
   if kind == "Vector" then return value end
   if kind ~= "table" and kind ~= "Matrix" then
      fail("%s must be numbers (a Vector, a column of a Frame or a list), got %s", what, parts.text(value))
   end
   local ok, vector = pcall(core.Vector, value)
   if not ok then fail("%s must be numbers: %s", what, parts.bare(tostring(vector))) end
   return vector
end

--- Numbers as a Matrix.
function M.matrix(what, value)
   local kind = kind_of(value)
   if kind == "Matrix" then return value end
   if kind == "Frame" then return value:matrix() end
   if kind ~= "table" then fail("%s must be a Matrix or a table of rows, got %s", what, parts.text(value)) end
   local ok, matrix = pcall(core.Matrix, value)
   if not ok then fail("%s must be a Matrix: %s", what, parts.bare(tostring(matrix))) end
   return matrix
end

--- A list of strings from a list, a Factor or a Vector.
function M.texts(what, value, n)
   local kind = kind_of(value)
   if kind ~= "table" and kind ~= "Factor" and kind ~= "Vector" then
      fail("%s must be a list of strings, got %s", what, parts.text(value))
   end
   if n and #value ~= n then fail("%s must have %d elements, one per point, got %d", what, n, #value) end
   local out = {}
   for i = 1, #value do
      local one = value[i]
      out[i] = one == nil and "" or type(one) == "number" and ("%.6g"):format(one) or tostring(one)
   end
   return out
end

local function check_number(what, value, low)
   if type(value) ~= "number" or not (value >= low and value < math.huge) then
      fail("%s must be a finite number%s, got %s", what, low > -math.huge and (" >= %g"):format(low) or "",
         parts.text(value))
   end
end

local function check_choice(what, value, choices)
   if type(value) == "string" and choices[value] ~= nil then return end
   fail("%s must be one of %s, got %s%s", what, table.concat(parts.sorted_keys(choices), ", "), parts.text(value),
      type(value) == "string" and parts.hint(value, parts.sorted_keys(choices)) or "")
end

local function check_color(what, value)
   if math.type(value) and math.tointeger(value) and value >= 1 then return end
   if type(value) == "string" and (theme.named[value] or value:find "^#%x%x%x%x%x%x$") then return end
   fail("%s must be the number of a series (1, 2, ...), '#rrggbb' or one of %s, got %s", what,
      table.concat(parts.sorted_keys(theme.named), ", "), parts.text(value))
end

-- The check of each option.
local checks = {
   name = function(what, value)
      if type(value) ~= "string" and type(value) ~= "number" then
         fail("%s must be a string, got %s", what, parts.text(value))
      end
   end,
   color = check_color,
   size = function(what, value) check_number(what, value, 0) end,
   width = function(what, value) check_number(what, value, 0) end,
   opacity = function(what, value)
      if type(value) ~= "number" or not (value >= 0 and value <= 1) then
         fail("%s must be from 0 to 1, got %s", what, parts.text(value))
      end
   end,
   shape = function(what, value)
      if not (math.type(value) == "integer" and value >= 1) then check_choice(what, value, theme.points) end
   end,
   dash = function(what, value) check_choice(what, value, theme.dashes) end,
   palette = function(what, value) check_choice(what, value, theme.palettes) end,
}
for _, name in ipairs { "steps", "arrow", "horizontal", "markers", "boxed" } do
   checks[name] = function(what, value)
      if type(value) ~= "boolean" then fail("%s must be true or false, got %s", what, parts.text(value)) end
   end
end
for _, name in ipairs { "low", "high", "base", "at_x", "at_y", "slope", "intercept", "at" } do
   checks[name] = function(what, value) check_number(what, value, -math.huge) end
end

-- --- kinds ---

--- By kind: columns = required columns, maybe = optional columns, grid = the Matrix of a grid, logs = the axis of each
-- column, options = all other names.
M.kinds = {
   points = { columns = { "x", "y" }, maybe = { "z", "value" }, logs = { x = "x", y = "y", z = "z" },
      options = { "name", "color", "size", "shape", "labels", "opacity", "palette", "low", "high" } },
   line = { columns = { "x", "y" }, maybe = { "z" }, logs = { x = "x", y = "y", z = "z" },
      options = { "name", "color", "dash", "width", "steps", "markers" } },
   band = { columns = { "x", "low", "high" }, maybe = {}, logs = { x = "x", low = "y", high = "y" },
      options = { "name", "color", "opacity" } },
   bars = { columns = { "x", "y" }, maybe = { "low", "high", "width" }, logs = {},
      options = { "horizontal", "name", "color", "base", "opacity", "labels" } },
   rectangles = { columns = { "x1", "y1", "x2", "y2" }, maybe = {}, logs = { x1 = "x", x2 = "x", y1 = "y", y2 = "y" },
      options = { "name", "color", "opacity", "width" } },
   box = { columns = {}, maybe = {}, logs = {},
      options = { "at", "values", "quartiles", "outliers", "name", "color", "width", "horizontal" } },
   heat = { grid = "z", options = { "low", "high", "palette", "cell_text" } },
   contour = { grid = "z", options = { "levels", "color", "name", "palette", "width" } },
   regions = { grid = "code", options = { "names", "colors" } },
   surface = { grid = "z", options = { "palette", "low", "high" } },
   segments = { columns = { "x1", "y1", "x2", "y2" }, maybe = {}, logs = { x1 = "x", x2 = "x", y1 = "y", y2 = "y" },
      options = { "arrow", "labels", "name", "color", "dash", "width" } },
   rule = { columns = {}, maybe = {}, logs = {},
      options = { "at_x", "at_y", "slope", "intercept", "dash", "color", "name", "width" } },
   text = { columns = { "x", "y" }, maybe = {}, logs = { x = "x", y = "y" }, options = { "text", "color", "boxed" } },
}

local function known_names(about)
   local names = { "kind" }
   for _, list in ipairs { about.columns or { "x", "y", about.grid }, about.maybe or {}, about.options } do
      table.move(list, 1, #list, #names + 1, names)
   end
   return names
end

local function check_names(layer, about)
   local names = known_names(about)
   for name in pairs(layer) do
      if not parts.place(names, name) then
         fail("there is no option %s%s", parts.text(name), parts.hint(name, names))
      end
   end
   for _, name in ipairs(about.options) do
      local as_column = about.maybe and parts.place(about.maybe, name)
      if layer[name] ~= nil and checks[name] and not as_column then checks[name](name, layer[name]) end
   end
end

-- --- columns of points ---

-- Larger values count as infinite, because the differences of axis limits would overflow.
local MAX_VALUE = 1e300

-- A mask of the points whose columns can all be drawn, and the number of points with missing values; nil when all can
-- be drawn. Reports the points that are <= 0 on a logarithmic axis.
local function drawable(columns, about, panel, report)
   local keep, n
   for name, column in pairs(columns) do
      local valid = column:abs():le(MAX_VALUE)
      local axis = about.logs[name]
      n = #column
      if axis and panel[axis .. "_log"] then
         local positive = column:gt(0)
         report("nonpositive", valid:mul(positive:mul(-1) + 1):sum())
         valid = valid:mul(positive)
      end
      keep = keep and keep:mul(valid) or valid
   end
   if n - keep:sum() == 0 then return nil end
   local missing
   for _, column in pairs(columns) do
      local nan = column:isnan()
      missing = missing and missing:maximum(nan) or nan
   end
   return keep, missing:sum()
end

local function read_columns(layer, about, n)
   local columns, first = {}, nil
   for _, list in ipairs { about.columns, about.maybe } do
      for _, name in ipairs(list) do
         local value = layer[name]
         if value == nil and list == about.columns then fail("%s must be given", name) end
         if type(value) == "number" then value = core.Vector(n or 1, value) end -- the same for all points
         if value ~= nil then
            local column = M.vector(name, value)
            if n and #column ~= n then
               fail("%s must have the same length as %s, %d, got %d", name, first, n, #column)
            end
            n, first = n or #column, first or name
            columns[name] = column
         end
      end
   end
   return columns, n
end

-- Set omitted points of a line to nan, which interrupts the line.
local function break_line(columns, keep)
   for i = 1, #keep do
      if keep[i] == 0 then
         for _, column in pairs(columns) do column[i] = 0 / 0 end
      end
   end
end

-- Omit the points that cannot be drawn, and report them. Returns the positions of the others, nil when all remain.
local function omit_points(columns, about, panel, layer, report)
   local nonpositive = 0
   local keep, missing = drawable(columns, about, panel, function(reason, count)
      nonpositive = nonpositive + count
      report(reason, count)
   end)
   if not keep then return nil end
   report("missing", missing)
   report("infinite", math.max(0, #keep - keep:sum() - missing - nonpositive))
   if layer.kind == "line" or layer.kind == "band" then
      for name, column in pairs(columns) do columns[name] = column:copy() end
      break_line(columns, keep)
      return nil
   end
   local places = keep:nonzero()
   for name, column in pairs(columns) do columns[name] = column:take(places) end
   return places
end

local function gather_texts(list, places)
   if not places then return list end
   local out = {}
   for i = 1, #places do out[i] = list[places[i]] end
   return out
end

local function set_columns(layer, about, panel, out, report)
   if #about.columns == 0 then return end
   local columns, n = read_columns(layer, about)
   if layer.labels ~= nil then out.labels = M.texts("labels", layer.labels, n) end
   if layer.kind == "text" then
      local given = layer.text
      if given == nil then fail("text must be given") end
      out.text = kind_of(given) == "table" and M.texts("text", given, n) or M.texts("text", { given }, n)
   end
   if n > 0 then
      local places = omit_points(columns, about, panel, layer, report)
      if out.labels then out.labels = gather_texts(out.labels, places) end
      if out.text then out.text = gather_texts(out.text, places) end
   end
   if not out.labels then columns = reduce.columns(layer, columns, panel, report) end
   for name, column in pairs(columns) do out[name] = column:totable() end
end

-- --- grids ---

local function check_increasing(what, list)
   for i = 2, #list do
      local rises = list[i] > list[i - 1]
      if not rises then -- also for nan
         fail("%s must be increasing, got %g after %g at position %d", what, list[i], list[i - 1], i)
      end
   end
   for _, value in ipairs(list) do
      if value ~= value or value - value ~= 0 then fail("%s must be finite, got %g", what, value) end
   end
end

-- The centers and edges of cells, from one of them.
local function cells(what, given, n, log)
   if given == nil then given = core.range(1, n) end
   local list = M.vector(what, given):totable()
   check_increasing(what, list)
   if #list ~= n and #list ~= n + 1 then
      fail("%s must have %d values (centers of the cells) or %d (edges), got %d", what, n, n + 1, #list)
   end
   local function to(v) return log and math.log(v) or v end
   local function back(v) return log and math.exp(v) or v end
   local centers, edges = {}, {}
   if #list == n + 1 then
      for i = 1, n do centers[i] = back((to(list[i]) + to(list[i + 1])) / 2) end
      return centers, list
   end
   local step = n > 1 and to(list[2]) - to(list[1]) or 1
   edges[1] = back(to(list[1]) - step / 2)
   for i = 2, n do edges[i] = back((to(list[i - 1]) + to(list[i])) / 2) end
   edges[n + 1] = back(to(list[n]) + (n > 1 and to(list[n]) - to(list[n - 1]) or 1) / 2)
   return list, edges
end

local function finite_range(values)
   local low, high = math.huge, -math.huge
   for _, row in ipairs(values) do
      for _, v in ipairs(row) do
         if v - v == 0 then low, high = math.min(low, v), math.max(high, v) end
      end
   end
   if low > high then return 0, 1 end
   return low, high
end

-- The range of the colors; symmetric about 0 for a diverging palette.
local function set_colors(layer, out, values)
   local low, high = finite_range(values)
   out.palette = layer.palette or "sequential"
   if out.palette == "diverging" and not layer.low and not layer.high then
      high = math.max(math.abs(low), math.abs(high))
      low = -high
   end
   out.low, out.high = layer.low or low, layer.high or high
   if out.high <= out.low then
      if layer.low and layer.high then fail("high must be above low, %g, got %g", out.low, out.high) end
      out.low, out.high = out.low - 0.5, out.high + 0.5
   end
end

local function set_grid(layer, about, panel, out, report)
   if layer[about.grid] == nil then fail("%s must be given", about.grid) end
   local grid = M.matrix(about.grid, layer[about.grid])
   out.values = grid:totable()
   out.x, out.x_edges = cells("x", layer.x, grid.cols, panel.x_log)
   out.y, out.y_edges = cells("y", layer.y, grid.rows, panel.y_log)
   out.x_counted, out.y_counted = layer.x == nil, layer.y == nil
   local blank = grid.rows * grid.cols - grid:isfinite():sum()
   if about.grid == "z" then
      set_colors(layer, out, out.values)
      report("cells", blank)
   end
end

-- A number in a cell: three digits, and whole numbers from a thousand to a million.
local function number_text(v)
   local size = math.abs(v)
   return v ~= v and "" or (size >= 1e3 and size < 1e6 and "%.0f" or "%.3g"):format(v)
end

local function cell_texts(layer, out)
   local given = layer.cell_text
   if not given then return nil end
   local all = {}
   for i, row in ipairs(out.values) do
      all[i] = {}
      for j, v in ipairs(row) do
         local one
         if given == true then
            one = number_text(v)
         elseif type(given) == "function" then
            one = given(v, i, j)
         else
            local line = given[i]
            one = line and line[j]
         end
         all[i][j] = one == nil and "" or type(one) == "number" and ("%.4g"):format(one) or tostring(one)
      end
   end
   return all
end

-- --- further checks of a kind ---

local kind_checks = {}

function kind_checks.heat(layer, out)
   local kind = kind_of(layer.cell_text)
   if layer.cell_text ~= nil and kind ~= "boolean" and kind ~= "function" and kind ~= "table" and kind ~= "Matrix" then
      fail("cell_text must be true, a Matrix, a table of rows of texts or a function, got %s",
         parts.text(layer.cell_text))
   end
   out.cell_text = cell_texts(layer, out)
end

function kind_checks.contour(layer, out)
   require "manilius.draw.contours".set(layer, out)
end

function kind_checks.regions(layer, out)
   local max_code = 0
   for _, row in ipairs(out.values) do
      for _, code in ipairs(row) do
         if code == code and (code < 0 or not math.tointeger(code)) then
            fail("code must be whole numbers >= 0, got %g", code)
         end
         if code == code then max_code = math.max(max_code, math.tointeger(code)) end
      end
   end
   out.names = layer.names and M.texts("names", layer.names) or nil
   out.colors = {}
   for c = 1, math.max(max_code, out.names and #out.names or 0) do
      local color = layer.colors and layer.colors[c] or c
      check_color("colors", color)
      out.colors[c] = theme.color(color)
   end
end

function kind_checks.box(layer, out, report)
   require "manilius.draw.boxes".set(layer, out, report)
end

function kind_checks.rule(layer)
   local count = (layer.at_x and 1 or 0) + (layer.at_y and 1 or 0) + ((layer.slope or layer.intercept) and 1 or 0)
   if count ~= 1 then fail("exactly one of at_x, at_y, or slope with intercept must be given, got %d", count) end
   if layer.slope and not layer.intercept or layer.intercept and not layer.slope then
      fail("slope and intercept must be given together")
   end
end

function kind_checks.points(layer, out)
   if out.value then set_colors(layer, out, { out.value }) end
end

function kind_checks.bars(_, out)
   if (out.low == nil) ~= (out.high == nil) then fail("low and high must be given together") end
   out.base = out.base or 0
   if not out.width then
      local min_gap
      local sorted = table.move(out.x, 1, #out.x, 1, {})
      table.sort(sorted)
      for i = 2, #sorted do
         local gap = sorted[i] - sorted[i - 1]
         if gap > 0 and (not min_gap or gap < min_gap) then min_gap = gap end
      end
      out.width = {}
      for i = 1, #out.x do out.width[i] = 0.8 * (min_gap or 1) end
   end
end

--- Check a layer.
-- @param layer as given
-- @param panel the checked settings of its panel (x_log, y_log, x_range, y_range)
-- @param report function(reason, count [, drawn]) for the notes; reasons are "missing", "infinite", "nonpositive" and
--   "cells" for omitted values, "points" and "line" for thinned points
-- @treturn table a new layer
function M.check(layer, panel, report)
   if kind_of(layer) ~= "table" then
      fail("the layer must be a table { kind = ..., ... }, got %s", parts.text(layer))
   end
   local about = type(layer.kind) == "string" and M.kinds[layer.kind]
   if not about then
      fail("kind must be one of %s, got %s%s", table.concat(parts.sorted_keys(M.kinds), ", "), parts.text(layer.kind),
         type(layer.kind) == "string" and parts.hint(layer.kind, parts.sorted_keys(M.kinds)) or "")
   end
   check_names(layer, about)
   local out = {}
   for _, name in ipairs(about.options) do out[name] = layer[name] end
   out.kind = layer.kind
   if out.name then out.name = tostring(out.name) end
   if about.grid then
      set_grid(layer, about, panel, out, report)
   else
      set_columns(layer, about, panel, out, report)
   end
   if kind_checks[layer.kind] then kind_checks[layer.kind](layer, out, report) end
   return out
end

return M
