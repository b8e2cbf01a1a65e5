--- The definition of the functions of ml.plot, which is also their help, and how they read data.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local figure = require "manilius.draw.figure"

local M = {}
local fail, kind_of = parts.fail, rows.kind

--- Options of every plot.
M.COMMON = { title = "text above the plot", caption = "text below the plot", width = "in pixels; default 640",
   height = "in pixels; default 440" }
-- Options of plots with two axes.
local AXES = { x_label = "name and unit of the x axis", y_label = "name and unit of the y axis",
   x_range = "{ from, to }", y_range = "{ from, to }",
   x_log = "true for a logarithmic axis", y_log = "true for a logarithmic axis" }

-- Is the last argument a table of options? An empty table is one only after the data.
local function is_options(value, after_data)
   if kind_of(value) ~= "table" or value[1] ~= nil or getmetatable(value) ~= nil then return false end
   return after_data or next(value) ~= nil
end

local function merge(...)
   local all = {}
   for _, list in ipairs { ... } do
      for name, text in pairs(list) do all[name] = text end
   end
   return all
end

--- Add the plot `name` to `module` and its help.
-- @param about { args = { "x", "y" }, brief =, options = { name = text }, axes = bool, fn = function(options, args...),
--   data_args = number of leading arguments that are never options (1), returns =, source = }; fn returns a figure.
--   Trailing arguments may be omitted; options follow the arguments given.
function M.define(module, name, about)
   local who, n = "plot." .. name, #about.args
   about.name = name
   about.options = merge(M.COMMON, about.axes and AXES or {}, about.options or {})
   about.returns = about.returns or "a figure: :show(), :save(path), :svg(), :script(path)"
   module.help[name] = about
   module[name] = function(...)
      local given = table.pack(...)
      return parts.finish(who, pcall(function()
         local options
         if given.n > 0 and is_options(given[given.n], given.n > (about.data_args or 1)) then
            options = given[given.n]
            given[given.n] = nil
            given.n = given.n - 1
         end
         if given.n > n then
            fail("the arguments must be %s and a table of options, got %d", table.concat(about.args, ", "), given.n)
         end
         return about.fn(parts.check_options(about, options), table.unpack(given, 1, n))
      end))
   end
end

--- A figure of one panel, with the options for the figure and the axes.
function M.figure(o, panel)
   local title, caption = o.title or panel.title, o.caption or panel.caption
   panel.title, panel.caption = nil, nil
   panel.x, panel.y = o.x_label or panel.x, o.y_label or panel.y
   for _, name in ipairs { "x_range", "y_range", "x_log", "y_log" } do
      if o[name] ~= nil then panel[name] = o[name] end
   end
   local ok, fig = pcall(figure.Figure, { title = title, caption = caption, width = o.width, height = o.height,
      panels = { panel } })
   if ok then return fig end
   if type(fig) ~= "string" then error(fig, 0) end
   fail("%s", (parts.bare(fig):gsub("^Figure: ", "", 1):gsub("^panel 1: ", "", 1)
      :gsub("^layer %d+ %(%l+%): ", "", 1)))
end

-- --- data ---

--- A column of `frame` given by name, or the value itself; and its name.
function M.column(frame, what, value)
   if frame and type(value) == "string" then
      local hint = require "manilius.frame".hint
      local place = require "manilius.frame".index_of(frame, value)
      if not place then fail("%s: the Frame has no column '%s'%s", what, value, hint(value, frame.names)) end
      return frame.columns[place], value
   end
   if kind_of(value) == "Frame" then
      if #value.columns ~= 1 then fail("%s must be one column, got a Frame of %d columns", what, #value.columns) end
      return value.columns[1], value.names[1]
   end
   return value
end

--- A numeric column as a Vector, and its name.
function M.numbers(frame, what, value)
   if value == nil then
      fail("%s must be %s, got nil", what, frame and "the name of a column"
         or "a Vector, a column of a Frame or a list")
   end
   local column, name = M.column(frame, what, value)
   if kind_of(column) == "Factor" then
      fail("%s must be numbers, got labels%s", what, name and (" in column '%s'"):format(name) or "")
   end
   return require "manilius.draw.layers".vector(what, column), name
end

--- A column of labels as a Factor of `n` values, and its name.
function M.labels(frame, what, value, n)
   local column, name = M.column(frame, what, value)
   local kind = kind_of(column)
   if kind ~= "Factor" then
      if kind ~= "Vector" and kind ~= "table" then
         fail("%s must be labels (a Factor, a Vector or a list), got %s", what, parts.text(value))
      end
      local ok, factor = pcall(core.Factor, kind == "Vector" and core.metrics.whole_labels(column) or column)
      if not ok then fail("%s must be labels: %s", what, parts.bare(tostring(factor))) end
      column = kind_of(factor) == "Factor" and factor or core.Factor(factor)
   end
   if n and #column ~= n then fail("%s must have one value for each of %d rows, got %d", what, n, #column) end
   return column, name
end

local MAX_CLASSES = 12

-- The positions of the levels, most frequent first; ties are broken by the lowest index.
local function sort_levels(factor)
   local counts, order = factor:counts(), {}
   for i = 1, #factor.levels do order[i] = i end
   table.sort(order, function(a, b) return counts[a] > counts[b] or (counts[a] == counts[b] and a < b) end)
   return order, counts
end

--- The rows of each class: a list of { name, places = Vector, color }; a single group of all rows without a factor.
-- With more than `max_groups` (12) classes the smallest ones form the group "other". Rows without a class are a group
-- too.
function M.groups(factor, n, max_groups)
   if not factor then return { { places = core.range(1, n) } } end
   max_groups = max_groups or MAX_CLASSES
   local order, counts = sort_levels(factor)
   local shown, levels, total = {}, factor.levels, 0
   for _, i in ipairs(order) do total = total + (counts[i] > 0 and 1 or 0) end
   for k, i in ipairs(order) do shown[i] = counts[i] > 0 and (total <= max_groups or k < max_groups) end
   local out, other, without = {}, nil, factor:ismissing()
   for i, level in ipairs(levels) do
      if shown[i] then
         local name = type(level) == "number" and ("%.6g"):format(level) or tostring(level)
         out[#out + 1] = { name = name, places = factor:eq(level):nonzero(), color = #out + 1 }
      elseif counts[i] > 0 then
         local mask = factor:eq(level)
         other = other and other:maximum(mask) or mask
      end
   end
   if other then
      out[#out + 1] = { name = ("other (%d classes)"):format(total - #out), places = other:nonzero(), color = "grey" }
   end
   if without:sum() > 0 then
      out[#out + 1] = { name = "(missing)", places = without:nonzero(), color = "lightgrey" }
   end
   return out
end

return M
