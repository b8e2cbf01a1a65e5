--- Plots of regression curves against one column, with intervals.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

local STEPS = 200 -- points of a curve
local KINDS = { confidence = { "confidence" }, prediction = { "prediction" }, both = { "prediction", "confidence" },
   none = {} }
local INTERVALS = { confidence = "confidence interval", prediction = "prediction interval" }

-- The only column of X: its values, its name, and a function that makes an X of the same kind from other values.
local function single_column(X)
   if rows.kind(X) == "Sparse" then fail("X must be a Frame, a Matrix or a table of rows, got Sparse") end
   if rows.width(X) ~= 1 then
      fail("X must have a single column, the x axis, got %d; use ml.plot.partial_dependence for several columns",
         rows.width(X))
   end
   local numeric = inputs.numeric_columns(X)
   if #numeric == 0 then fail("X must be numbers, got labels") end
   local name = numeric[1].name
   return numeric[1].values, name, function(values)
      return rows.is_frame(X) and rows.frame({ name }, { values }) or core.Matrix(values:reshape(#values, 1))
   end
end

local function curve_of(one, X, grid, wanted, level)
   inputs.need(one.value, "regress", "use ml.plot.decision for classifiers")
   local curve = { name = one.name, x = grid, bands = {} }
   curve.y = inputs.target("predictions", one.value:predict(X), 1)
   for _, kind in ipairs(wanted) do
      local ok, band = pcall(inputs.intervals, one.value, X, kind, level)
      if not ok then fail("%s", parts.bare(tostring(band))) end
      curve.bands[#curve.bands + 1] = band
   end
   curve.prediction_only = #curve.bands == 0 and inputs.has_method(inputs.last(one.value), "predict_interval")
   return curve
end

local function panel_of(curve, x, y)
   local layers = { { kind = "points", x = x, y = y, color = "grey", shape = "circle", opacity = 0.5 } }
   for _, band in ipairs(curve.bands) do
      layers[#layers + 1] = { kind = "band", x = curve.x, low = band.low, high = band.high, color = 1,
         opacity = band.kind == "prediction" and 0.15 or 0.35 }
   end
   layers[#layers + 1] = { kind = "line", x = curve.x, y = curve.y, color = 1, width = 2 }
   return { layers = layers }
end

-- The common y range of all panels, so that they can be compared.
local function y_range(y, curves)
   local low, high = math.huge, -math.huge
   local function include(values)
      local finite = values:take(values:isfinite():nonzero())
      if #finite > 0 then low, high = math.min(low, finite:min()), math.max(high, finite:max()) end
   end
   include(y)
   for _, curve in ipairs(curves) do
      include(curve.y)
      for _, band in ipairs(curve.bands) do
         include(band.low)
         include(band.high)
      end
   end
   local margin = high > low and 0.04 * (high - low) or 0.5
   return { low - margin, high + margin }
end

-- The kinds of the bands, and the models without them.
local function caption_of(curves, wanted, level)
   local without, prediction_only, drawn, texts = {}, {}, {}, {}
   for _, curve in ipairs(curves) do
      if #wanted > 0 and #curve.bands == 0 then
         local list = curve.prediction_only and prediction_only or without
         list[#list + 1] = curve.name
      end
      for _, band in ipairs(curve.bands) do drawn[band.kind] = true end
   end
   for _, kind in ipairs(wanted) do
      if drawn[kind] then
         local which = #wanted == 1 and "band" or kind == "prediction" and "light band" or "dark band"
         texts[#texts + 1] = ("%s: %g%% %s"):format(which, 100 * level, INTERVALS[kind])
      end
   end
   local function add(list, what)
      if #list == 0 then return end
      texts[#texts + 1] = ("%s %s %s"):format(table.concat(list, ", "), #list == 1 and "has" or "have", what)
   end
   if #without < #curves then add(without, "no intervals") end
   add(prediction_only, "only prediction intervals")
   return #texts > 0 and table.concat(texts, "; ") or nil
end

local function level_of(o, models)
   local level = o.level
   if level == nil then return #models == 1 and inputs.level(models[1].value) or 0.95 end
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      fail("level must be a number between 0 and 1, got %s", parts.text(level))
   end
   return level
end

-- Confidence intervals, or prediction intervals if all models have only those.
local function default_interval(models)
   for _, one in ipairs(models) do
      local last = inputs.last(one.value)
      if inputs.has_method(last, "intervals") or not inputs.has_method(last, "predict_interval") then
         return "confidence"
      end
   end
   return "prediction"
end

local function fit(first, X, y, o)
   local models = inputs.models(first)
   if not models then fail("models must be an estimator or several by name, got %s", parts.text(first)) end
   local level = level_of(o, models)
   local wanted = KINDS[parts.choice(o, "interval", { "confidence", "prediction", "both", "none" },
      default_interval(models))]
   if y ~= nil and rows.is_frame(X) and rows.width(X) > 1 then X = inputs.used_columns(X, models) end
   X, y = inputs.data(X, y, models)
   if y == nil then fail("y must be given after X, got nil") end
   y = inputs.target("y", y, 1)
   local x, name, make_x = single_column(X)
   local finite = x:take(x:isfinite():nonzero())
   if #finite == 0 then fail("X has no finite value") end
   local grid = finite:max() > finite:min() and core.linspace(finite:min(), finite:max(), STEPS) or finite:head(1)
   local curves, panels = {}, {}
   for i, one in ipairs(models) do
      curves[i] = curve_of(one, make_x(grid), grid, wanted, level)
      panels[i] = panel_of(curves[i], x, y)
      panels[i].x, panels[i].y = o.x_label or name, o.y_label
      if #models > 1 then panels[i].title = one.name end
   end
   if #models > 1 then
      local range = y_range(y, curves)
      for _, panel in ipairs(panels) do panel.y_range = range end
   end
   local columns = #models == 1 and 1 or 2
   return { title = #models == 1 and models[1].name or nil, caption = caption_of(curves, wanted, level),
      panels = panels, columns = columns, width = columns == 1 and 640 or 900,
      height = columns == 1 and 440 or 60 + 320 * math.ceil(#models / 2) }
end

return function(module)
   define(module, "fit", { args = { "models", "X", "y" }, data_args = 2, fn = fit,
      brief = "Regression curve of one feature with data and intervals.",
      notes = "models is a model, a list, or { { \"name\", model }, ... }, fitted on this column; each has a panel. "
         .. "Intervals are those of model:intervals(X, { kind =, level = }) or model:predict_interval(X, { level = }), "
         .. "if the model has such a method.",
      options = { interval = "'confidence' (of the mean; default), 'prediction' (of an observation; default if all "
            .. "models have only those), 'both' or 'none'",
         level = "coverage of the intervals; default: that of a single ConformalRegressor, else 0.95",
         x_label = "label of the x axis; default: the name of the column", y_label = "label of the y axis" } })
end
