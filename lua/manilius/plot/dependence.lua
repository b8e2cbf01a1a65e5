--- Partial dependence plots.

local axis = require "manilius.draw.axis"
local define = require "manilius.plot.diagnose"
local dependence = require "manilius.explain.dependence"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail, text = parts.fail, parts.text

local MAX_PANELS, MAX_CURVES = 4, 50
local FEW, MAX_CELL_TEXTS = 6, 36 -- values that are labelled one by one; cells with text

local RESPONSE = require("manilius.explain.response").RESPONSE

local function is_dependence(value)
   return type(value) == "table" and rawget(value, "averages") ~= nil and rawget(value, "responses") ~= nil
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

-- The positions of the values on an axis, its ticks and range: the levels of a factor, and at most `few` numbers, are
-- at 1, 2, ...
local function positions(values, few)
   local is_numeric = rows.kind(values) == "Vector"
   if is_numeric and #values > (few or 0) then return values:totable() end
   local at, ticks = {}, {}
   for i = 1, #values do
      at[i], ticks[i] = i, { i, is_numeric and ("%.4g"):format(values[i]) or tostring(values[i]) }
   end
   return at, ticks, { 0.5, #values + 0.5 }
end

-- --- one column ---

-- Thin curves of at most `count` evenly spaced rows.
local function curves_of(individual, x, count)
   local lines = { kind = "segments", color = "lightgrey", width = 0.6, x1 = {}, y1 = {}, x2 = {}, y2 = {} }
   local n, k = individual.rows, 0
   for c = 1, math.min(count, n) do
      local row = individual:row((c - 1) * n // math.min(count, n) + 1)
      for v = 1, #x - 1 do
         k = k + 1
         lines.x1[k], lines.y1[k], lines.x2[k], lines.y2[k] = x[v], row[v], x[v + 1], row[v + 1]
      end
   end
   return k > 0 and lines or nil
end

local function line_panel(one, o)
   local x, ticks, range = positions(one.values)
   local several = #one.responses > 1
   local panel = { x = one.column, y = several and "mean probability" or one.response, x_ticks = ticks, x_range = range,
      legend = several, legend_position = "below", layers = {} }
   if not several then panel.layers[1] = curves_of(one.individual, x, o.curves or MAX_CURVES) end
   for c, average in ipairs(one.averages) do
      panel.layers[#panel.layers + 1] = { kind = "line", x = x, y = average, color = c, width = 2.5,
         markers = ticks ~= nil, name = several and one.responses[c]:gsub("^probability of ", "") or nil }
   end
   return panel
end

-- --- two columns ---

-- A heat map with contours, or, if a column has few values, with those of the cells.
local function map_panel(one, average, response)
   local x, x_ticks, x_range = positions(one.values[1], FEW)
   local y, y_ticks, y_range = positions(one.values[2], FEW)
   local z, is_smooth = average:t(), not (x_ticks or y_ticks)
   local layers = { { kind = "heat", x = x, y = y, z = z, cell_text = not is_smooth and #x * #y <= MAX_CELL_TEXTS } }
   if is_smooth and #x > 2 and #y > 2 and average:max() > average:min() then
      layers[2] = { kind = "contour", x = x, y = y, z = z, color = "black", width = 0.8 }
   end
   return { x = one.columns[1], y = one.columns[2], x_ticks = x_ticks, x_range = x_range, y_ticks = y_ticks,
      y_range = y_range, color_label = response, layers = layers }
end

local function panels_of(list, o)
   local panels = {}
   for _, one in ipairs(list) do
      if one.columns then
         for c, average in ipairs(one.averages) do panels[#panels + 1] = map_panel(one, average, one.responses[c]) end
      else
         panels[#panels + 1] = line_panel(one, o)
      end
   end
   return panels
end

-- The result of ml.partial_dependence; its errors are raised without its name.
local function dependence_of(model, X, column, o)
   local ok, result = pcall(dependence.partial_dependence, model, X, column, { grid = o.grid, target = o.target,
      response = o.response })
   if not ok then fail("%s", (tostring(result):gsub("^.-partial_dependence: ", ""))) end
   return result
end

-- Give all panels of one column the y range of all of them, so that effects can be compared.
local function share_y(all)
   local extent, panels = axis.extent(false), {}
   for _, panel in ipairs(all) do
      if not panel.color_label then panels[#panels + 1] = panel end
   end
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

local function caption_of(list, o)
   local lines, n = nil, list[1].rows
   for _, one in ipairs(list) do
      if not one.columns then lines = lines or one end
   end
   local curves = lines and #lines.responses == 1 and math.min(o.curves or MAX_CURVES, n) or 0
   return ("%saverage over %d rows%s"):format(curves > 0 and "thick: " or "", n, curves > 0
      and ("; thin: %d of these rows"):format(curves) or "")
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
   local panels = panels_of(list, o)
   if parts.flag(o, "share_y", true) then share_y(panels) end
   local columns = #panels < 3 and #panels or 2
   return { title = title, panels = panels, columns = columns, aligned = true,
      width = columns == 1 and 640 or 400 * columns, height = 60 + 340 * math.ceil(#panels / columns),
      caption = caption_of(list, o) }
end

return function(module)
   define(module, "partial_dependence", { args = { "model", "X", "column" }, data_args = 1,
      fn = partial_dependence,
      brief = "Partial dependence of one column, with individual curves (ICE), or of two as a heat map.",
      notes = "column is a name, a number or a list of them, like the option columns; a pair in that list, { \"bmi\", "
         .. "\"s5\" }, is drawn as a heat map of both. Also accepts a result of ml.partial_dependence instead of "
         .. "model, X and column.",
      options = { columns = "names or numbers; default: the four most important, or the first four",
         target = "class, or number of the target if there are several; nil: the second of two classes, or all "
            .. "classes if there are more",
         response = RESPONSE,
         share_y = "false: each panel has its own range of y; default true",
         grid = "maximum number of values per column; default 50",
         curves = "maximum number of curves of single rows; default 50" } })
end
