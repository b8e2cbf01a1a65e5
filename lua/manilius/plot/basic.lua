--- Scatter plots, lines, bars, and several figures in one.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local bar_labels = require "manilius.draw.bar_labels"
local define = require "manilius.plot.define"
local figure = require "manilius.draw.figure"
local layers = require "manilius.draw.layers"
local points = require "manilius.plot.points"

local fail, kind_of = parts.fail, rows.kind

local CLASS = "labels (a Factor, a list, or the name of a column), shown by color and shape"

local function is_frame(value)
   return kind_of(value) == "Frame"
end

-- "y against x by class", as far as the columns have names.
local function title_of(y, x, class)
   if not x or not y then return nil end
   return y .. " against " .. x .. (class and " by " .. class or "")
end

-- --- points ---

local function density_figure(o, x, y, names)
   local heat, note = points.density(x, y)
   if not heat then return nil end
   local fig = define.figure(o, { title = title_of(names.y, names.x), x = names.x, y = names.y, equal = o.equal,
      color_label = "log10(points per cell)", layers = { heat } })
   return figure.with_remark(fig, note) -- empty cells need no note
end

local function scatter(o, x, y, z)
   local frame = is_frame(x) and x or nil
   if frame and y ~= nil then
      fail("y must be nil with a Frame; name the columns by options, { x = 'name', y = 'name' }")
   end
   local names = {}
   if frame then x, y, z = o.x, o.y, o.z end
   x, names.x = define.numbers(frame, "x", x)
   y, names.y = define.numbers(frame, "y", y)
   if #x ~= #y then fail("x and y must have the same length, got %d and %d", #x, #y) end
   if z ~= nil then z, names.z = define.numbers(frame, "z", z) end
   local class, value, labels
   if o.class ~= nil then class, names.class = define.labels(frame, "class", o.class, #x) end
   if o.value ~= nil then value, names.value = define.numbers(frame, "value", o.value) end
   if class and value then fail("class and value cannot be given together, because both are shown by color") end
   if o.labels ~= nil then labels = layers.texts("labels", (define.column(frame, "labels", o.labels)), #x) end
   local plain = not (class or value or labels or z or o.x_log or o.y_log)
   local density = parts.flag(o, "density", #x > points.MAX_POINTS and plain)
   local fig = density and density_figure(o, x, y, names)
   if fig then return fig end
   local list = points.layers(define.groups(class, #x), { x = x, y = y, z = z, value = value, labels = labels }, o)
   return define.figure(o, { title = title_of(names.y, names.x, names.class), x = names.x, y = names.y,
      z = z and (o.z_label or names.z) or nil, equal = o.equal, color_label = o.color_label or names.value,
      layers = list, legend = class and true or nil })
end

-- --- lines ---

-- A list of the columns of y, one for each line, and their names.
local function columns_of(y, o)
   local kind = kind_of(y)
   if kind == "Frame" then
      local list = {}
      for i, column in ipairs(y.columns) do
         if kind_of(column) == "Factor" then fail("y must be numbers, got labels in column '%s'", y.names[i]) end
         list[i] = column
      end
      return list, y.names
   end
   if kind == "Matrix" and y.cols > 1 or kind == "table" and (type(y[1]) == "table" or kind_of(y[1]) == "Vector") then
      local list, columns = {}, kind == "Matrix" and y.cols or #y
      for j = 1, columns do list[j] = kind == "Matrix" and y:col(j) or layers.vector("y", y[j]) end
      return list, o.names
   end
   return { layers.vector("y", y) }, o.names
end

local function line_data(o, x, y)
   if is_frame(x) and y == nil and o.y ~= nil then
      local frame = x
      local wanted = type(o.y) == "table" and o.y or { o.y }
      local chosen = {}
      for i, name in ipairs(wanted) do chosen[i] = define.numbers(frame, "y", name) end
      local at, x_name
      if o.x ~= nil then at, x_name = define.numbers(frame, "x", o.x) end
      return at or core.range(1, frame.rows), chosen, wanted, x_name or "row", frame
   end
   if y == nil then x, y = nil, x end
   if y == nil then fail("y must be given: a Vector, a Matrix or Frame with a column for each line, or a list") end
   local list, names = columns_of(y, o)
   if x ~= nil then return define.numbers(nil, "x", x), list, names end
   return core.range(1, #list[1]), list, names, "row"
end

local function line(o, x, y)
   local at, list, names, x_name, frame = line_data(o, x, y)
   if (o.low == nil) ~= (o.high == nil) then fail("low and high must be given together") end
   local drawn = {}
   if o.low ~= nil then
      if #list > 1 then fail("low and high require a single line, got %d lines", #list) end
      drawn[1] = { kind = "band", x = at, low = define.numbers(frame, "low", o.low),
         high = define.numbers(frame, "high", o.high) }
   end
   for i, column in ipairs(list) do
      local name = names and names[i] or #list > 1 and "y" .. i or nil
      drawn[#drawn + 1] = { kind = "line", x = at, y = column, name = name,
         steps = o.steps, markers = o.markers, dash = o.dash }
   end
   local y_name = #list == 1 and names and names[1] or nil
   return define.figure(o, { title = title_of(y_name, x_name), x = x_name, y = y_name, layers = drawn })
end

-- --- bars ---

local function bar_ticks(labels)
   local ticks = {}
   for i, label in ipairs(labels) do ticks[i] = { i, label } end
   return ticks
end

-- { labels, values } as given, as columns of a frame, or as the counts of a Factor; the names of both.
local function bar_data(o, labels, values)
   if is_frame(labels) and values == nil then
      local frame = labels
      if o.x == nil then fail("x must be given, the name of the column of labels") end
      local column, name = define.column(frame, "x", o.x)
      if o.y == nil then return bar_data(o, column), name, "count" end
      return { layers.texts("x", column), define.numbers(frame, "y", o.y) }, name, o.y
   end
   if labels == nil then fail("labels must be a list of strings, or a Factor to count, got nil") end
   if values == nil then
      local factor = define.labels(nil, "labels", labels)
      return { layers.texts("labels", factor.levels), factor:counts() }, nil, "count"
   end
   return { layers.texts("labels", labels), values }
end

local function value_labels(o, column)
   local given, out = o.value_labels, {}
   if given ~= nil and type(given) ~= "boolean" and type(given) ~= "function" then
      fail("value_labels must be true, false or function(value), got %s", parts.text(given))
   end
   if given == false then return nil end
   local of = type(given) == "function" and given or bar_labels.format
   for i, v in ipairs(layers.vector("values", column):totable()) do out[i] = tostring(of(v)) end
   return out
end

local function bar(o, labels, values)
   local data, x_name, y_name = bar_data(o, labels, values)
   local list, names = columns_of(data[2], o)
   local n, k = #data[1], #list
   local drawn, width = {}, 0.8 / k
   for j, column in ipairs(list) do
      if #column ~= n then fail("values must have one number for each of the %d labels, got %d", n, #column) end
      local function whisker(name)
         if o[name] == nil then return nil end
         return columns_of(o[name], o)[j]
      end
      drawn[j] = { kind = "bars", x = core.range(1, n) + (j - (k + 1) / 2) * width, y = column, width = width * 0.95,
         low = whisker "low", high = whisker "high", horizontal = o.horizontal, labels = value_labels(o, column),
         name = names and names[j] or k > 1 and "y" .. j or nil, color = j }
   end
   local panel = { x = x_name, y = y_name, x_ticks = bar_ticks(data[1]), layers = drawn, x_range = { 0.4, n + 0.6 } }
   if o.horizontal then
      panel = { x = y_name, y = x_name, y_ticks = panel.x_ticks, layers = drawn, y_range = { n + 0.6, 0.4 } }
   end
   return define.figure(o, panel)
end

-- --- several figures ---

local function join(given)
   local names = { title = true, caption = true, columns = true, width = true, height = true }
   local list, options = {}, {}
   if kind_of(given) ~= "table" then
      fail("the argument must be a table { figure, figure, ..., columns = 2 }, got %s", parts.text(given))
   end
   for key, value in pairs(given) do
      if math.type(key) == "integer" and figure.is(value) then
         list[key] = value
      elseif names[key] then
         options[key] = value
      elseif type(key) == "string" then
         fail("there is no option %s%s", parts.text(key), parts.hint(key, parts.sorted_keys(names)))
      else
         fail("element %s must be a figure, got %s", parts.text(key), parts.text(value))
      end
   end
   if #list == 0 then fail("the list must hold at least one figure, got none") end
   return figure.join(list, options)
end

return function(M)
   define.define(M, "scatter", { args = { "x", "y", "z" }, data_args = 2, axes = true, fn = scatter,
      brief = "Scatter plot: scatter(x, y [, z]), or scatter(frame, { x = 'name', y = 'name' }).",
      options = { x = "with a Frame: name of a column", y = "with a Frame: name of a column",
         z = "with a Frame: name of a column, for a 3-D view", z_label = "name and unit of the z axis",
         class = CLASS, value = "numbers, or the name of a column: points colored by a palette",
         labels = "a text for each point", size = "size of the points; default by their number", opacity = "0 to 1",
         palette = "palette of value: 'sequential' (default), 'blues' or 'diverging'",
         color_label = "name and unit of value",
         density = "true: draw the number of points per cell instead of points; default: true above 100,000 points "
            .. "without a class",
         equal = "true: the axes have the same scale" } })
   define.define(M, "line", { args = { "x", "y" }, axes = true, fn = line,
      brief = "Line plot: line(y), line(x, y), or line(frame, { x = 'name', y = 'name' }).",
      notes = "y is a Vector, or a Matrix or Frame with one column for each line.",
      options = { x = "with a Frame: name of a column", y = "with a Frame: name of a column, or a list of names",
         low = "lower limits of a band", high = "upper limits of a band", names = "a name for each line",
         steps = "true: constant until the next x", markers = "true: a marker at each point",
         dash = "'solid', 'dashed', 'dotted', 'dashdot' or 'longdash'; default by series" } })
   define.define(M, "bar", { args = { "labels", "values" }, data_args = 2, axes = true, fn = bar,
      brief = "Bar plot: bar(labels, values), bar(factor), or bar(frame, { x = 'name' }).",
      notes = "values is a Vector, or a Matrix or Frame with one column for each bar of a group. The levels of a "
         .. "Factor are counted, and so is column x of a Frame without the option y.",
      options = { x = "with a Frame: name of the column of labels", y = "with a Frame: name of the column of values",
         low = "lower ends of the whiskers, like values", high = "upper ends of the whiskers, like values",
         names = "a name for each bar of a group", horizontal = "true: horizontal bars",
         value_labels = "false: no numbers at the bars; function(value): their texts; default: numbers that fit" } })
   M.help.figure = { name = "figure", args = { "figures" },
      brief = "Combine several figures as panels of one figure.", returns = "a figure",
      params = { { name = "1, 2, ...", brief = "the figures" }, { name = "columns", brief = "panels per row" },
         { name = "title", brief = "title of the figure" }, { name = "caption", brief = "text below the figure" },
         { name = "width", brief = "in pixels" }, { name = "height", brief = "in pixels" } } }
   M.figure = function(given)
      return parts.finish("plot.figure", pcall(join, given))
   end
end
