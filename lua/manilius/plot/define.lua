--- What the functions of ml.plot share: their definition, which is also their help, and how they read data.
-- @module manilius.plot.define

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"
local figure = require "manilius.plot.figure"

local M = {}
local fail, kind_of = parts.fail, rows.kind

--- Options that every plot has, and those of plots with two axes.
M.COMMON = { title = "above the plot", caption = "below the plot", width = "in pixels, default 640",
   height = "in pixels, default 440" }
M.AXES = { x_label = "name and unit of the x axis", y_label = "name and unit of the y axis", x_range = "{ from, to }",
   y_range = "{ from, to }", x_log = "true for a logarithmic axis", y_log = "true for a logarithmic axis" }

-- Options are the last argument when that is a table with names, or an empty one behind the data.
local function is_options(value, data_given)
   if kind_of(value) ~= "table" or value[1] ~= nil or getmetatable(value) ~= nil then return false end
   return data_given or next(value) ~= nil
end

local function options_of(...)
   local all = {}
   for _, list in ipairs { ... } do
      for name, text in pairs(list) do all[name] = text end
   end
   return all
end

--- Add the plot `name` to `module` and its help.
-- @param about { args = { "x", "y" }, brief =, options = { name = text }, axes = bool, fn = function(options, args...),
--   needs = how many arguments are data for sure (1), returns =, source = }; fn gives a figure. Arguments may be left
--   out from the end; options come behind those given.
function M.define(module, name, about)
   local who, n = "plot." .. name, #about.args
   about.name = name
   about.options = options_of(M.COMMON, about.axes and M.AXES or {}, about.options or {})
   about.returns = about.returns or "a figure: :show(), :save(path), :svg(), :script(path)"
   module.help[name] = about
   module[name] = function(...)
      local given = table.pack(...)
      return parts.finish(who, pcall(function()
         local options
         if given.n > 0 and is_options(given[given.n], given.n > (about.needs or 1)) then
            options = given[given.n]
            given[given.n] = nil
            given.n = given.n - 1
         end
         if given.n > n then
            fail("takes %s and a table of options, got %d arguments", table.concat(about.args, ", "), given.n)
         end
         return about.fn(parts.check_options(about, options), table.unpack(given, 1, n))
      end))
   end
end

--- The figure of one panel, with what the options say of figure and axes.
function M.figure(o, panel)
   local title = o.title or panel.title
   panel.title = nil
   panel.x, panel.y = o.x_label or panel.x, o.y_label or panel.y
   for _, name in ipairs { "x_range", "y_range", "x_log", "y_log" } do
      if o[name] ~= nil then panel[name] = o[name] end
   end
   local ok, fig = pcall(figure.Figure, { title = title, caption = o.caption, width = o.width, height = o.height,
      panels = { panel } })
   if ok then return fig end
   if type(fig) ~= "string" then error(fig, 0) end
   fail("%s", (parts.bare(fig):gsub("^Figure: ", "", 1):gsub("^panel 1: ", "", 1)
      :gsub("^layer %d+ %(%l+%): ", "", 1)))
end

-- --- data ---

--- A column: by its name in `frame`, or the value itself; and the name to label it with.
function M.column(frame, what, value)
   if frame and type(value) == "string" then
      local hint = require "manilius.frame".hint
      local place = require "manilius.frame".index_of(frame, value)
      if not place then fail("%s: there is no column '%s'%s", what, value, hint(value, frame.names)) end
      return frame.columns[place], value
   end
   if kind_of(value) == "Frame" then
      if #value.columns ~= 1 then fail("%s must be one column, got a Frame of %d", what, #value.columns) end
      return value.columns[1], value.names[1]
   end
   return value
end

--- The same, of numbers: a Vector.
function M.numbers(frame, what, value)
   if value == nil then
      fail("%s must be given: %s", what, frame and "the name of a column" or "a Vector, a column of a Frame or a list")
   end
   local column, name = M.column(frame, what, value)
   if kind_of(column) == "Factor" then
      fail("%s must be numbers, got labels%s", what, name and (" in column '%s'"):format(name) or "")
   end
   return require "manilius.plot.layers".vector(what, column), name
end

--- The same, of labels: a Factor with as many rows as `n`.
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
   if n and #column ~= n then fail("%s must have as many values as the data, %d, got %d", what, n, #column) end
   return column, name
end

local MAX_CLASSES = 12

-- Levels by falling count; those of equal count in their order.
local function by_count(factor)
   local counts, order = factor:counts(), {}
   for i = 1, #factor.levels do order[i] = i end
   table.sort(order, function(a, b) return counts[a] > counts[b] or (counts[a] == counts[b] and a < b) end)
   return order, counts
end

--- The rows of each class: a list of { name, places = Vector, color }; without a class one group of all rows. Of many
-- classes the smaller ones are one group, "other"; rows without a class are a group too. `most` nil: 12.
function M.groups(factor, n, most)
   if not factor then return { { places = core.range(1, n) } } end
   most = most or MAX_CLASSES
   local order, counts = by_count(factor)
   local shown, levels, all = {}, factor.levels, 0
   for _, i in ipairs(order) do all = all + (counts[i] > 0 and 1 or 0) end
   for k, i in ipairs(order) do shown[i] = counts[i] > 0 and (all <= most or k < most) end
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
      out[#out + 1] = { name = ("other (%d classes)"):format(all - #out), places = other:nonzero(), color = "grey" }
   end
   if without:sum() > 0 then
      out[#out + 1] = { name = "(missing)", places = without:nonzero(), color = "lightgrey" }
   end
   return out
end

return M
