--- Partial dependence plots.

local axis = require "manilius.draw.axis"
local define = require "manilius.plot.diagnose"
local dependence = require "manilius.select.dependence"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

local MAX_PANELS, MAX_CURVES = 4, 50

local function is_dependence(value)
   return type(value) == "table" and rawget(value, "average") ~= nil and rawget(value, "individual") ~= nil
end

-- The columns to draw: as given, else the most important ones, else the first ones.
local function chosen_columns(model, X, column, o)
   if column ~= nil then
      if o.columns ~= nil then fail("columns must be nil if column is given, got %s", text(o.columns)) end
      return type(column) == "table" and column or { column }
   end
   if o.columns ~= nil then
      if type(o.columns) ~= "table" or #o.columns == 0 then
         fail("columns must be a list of names or numbers, got %s", text(o.columns))
      end
      return o.columns
   end
   local width, order = rows.width(X), {}
   local importance = estimator.learned(model, "feature_importances")
   for j = 1, width do order[j] = j end
   if importance and #importance == width then
      table.sort(order, function(a, b)
         if importance[a] ~= importance[b] then return importance[a] > importance[b] end
         return a < b
      end)
   end
   return table.move(order, 1, math.min(width, MAX_PANELS), 1, {})
end

-- The x positions of the values; the levels of a factor are at 1, 2, ...
local function x_positions(one, panel)
   if rows.kind(one.values) == "Vector" then return one.values:totable() end
   local x = {}
   panel.x_ticks = {}
   for i = 1, #one.values do x[i], panel.x_ticks[i] = i, { i, tostring(one.values[i]) } end
   panel.x_range = { 0.5, #one.values + 0.5 }
   return x
end

-- Thin curves of at most `count` evenly spaced rows.
local function curves_of(one, x, count)
   local lines = { kind = "segments", color = "lightgrey", width = 0.6, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local n, k = one.individual.rows, 0
   for c = 1, math.min(count, n) do
      local row = one.individual:row((c - 1) * n // math.min(count, n) + 1)
      for v = 1, #x - 1 do
         k = k + 1
         lines.x1[k], lines.y1[k], lines.x2[k], lines.y2[k] = x[v], row[v], x[v + 1], row[v + 1]
      end
   end
   return k > 0 and lines or nil
end

local function panel_of(one, o)
   local panel = { x = one.column, y = one.response, layers = {} }
   local x = x_positions(one, panel)
   panel.layers[1] = curves_of(one, x, o.curves or MAX_CURVES)
   panel.layers[#panel.layers + 1] = { kind = "line", x = x, y = one.average, color = 1, width = 2.5,
      markers = panel.x_ticks ~= nil }
   return panel
end

-- The result of ml.partial_dependence; its errors are raised without its name.
local function dependence_of(model, X, column, o)
   local ok, result = pcall(dependence.partial_dependence, model, X, column, { grid = o.grid, target = o.target })
   if not ok then fail("%s", (tostring(result):gsub("^.-partial_dependence: ", ""))) end
   return result
end

-- Give all panels the y range of all of them, so that effects can be compared.
local function share_y(panels)
   local extent = axis.extent(false)
   for _, panel in ipairs(panels) do
      for _, layer in ipairs(panel.layers) do
         if layer.kind == "segments" then
            extent:include(layer.y1)
            extent:include(layer.y2)
         else
            extent:include(layer.y:totable())
         end
      end
   end
   local low, high = extent:range()
   for _, panel in ipairs(panels) do panel.y_range = { low, high } end
end

local function partial_dependence(first, X, column, o)
   local list, title = {}, "Partial dependence"
   if is_dependence(first) then
      list[1] = first
   else
      local model = inputs.model(first)
      X = inputs.x(X)
      title = "Partial dependence of " .. inputs.title(model)
      for i, one in ipairs(chosen_columns(model, X, column, o)) do
         list[i] = dependence_of(model, X, one, o)
      end
   end
   local panels = {}
   for i, one in ipairs(list) do panels[i] = panel_of(one, o) end
   if parts.flag(o, "share_y", true) then share_y(panels) end
   local curves = math.min(o.curves or MAX_CURVES, list[1].individual.rows)
   local columns = #panels < 3 and #panels or 2
   return { title = title, panels = panels, columns = columns, aligned = true,
      width = columns == 1 and 640 or 400 * columns, height = 60 + 340 * math.ceil(#panels / columns),
      caption = ("thick: average over %d rows%s"):format(list[1].individual.rows, curves > 0
         and ("; thin: %d of these rows"):format(curves) or "") }
end

return function(module)
   define(module, "partial_dependence", { args = { "model", "X", "column" }, data_args = 1,
      fn = partial_dependence,
      brief = "Partial dependence and individual conditional expectation (ICE) curves.",
      notes = "column is a name, a number or a list of them, like the option columns. Also accepts a result of "
         .. "ml.partial_dependence instead of model, X and column.",
      options = { columns = "names or numbers; default: the four most important, or the first four",
         target = "class (default: the second of two), or number of the target if there are several",
         share_y = "false: each panel has its own range of y; default true",
         grid = "maximum number of values per column; default 50",
         curves = "maximum number of curves of single rows; default 50" } })
end
