--- Plot of regression curves on one column, with intervals.
-- @module manilius.plot.fit

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local fail = parts.fail

local STEPS = 200 -- of a curve
local KINDS = { confidence = { "confidence" }, prediction = { "prediction" }, both = { "prediction", "confidence" },
   none = {} }
local SAYS = { confidence = "interval of the mean", prediction = "interval of a new point" }

-- The one column of X: its values, its name, and a function that makes an X like it of other values.
local function one_column(X)
   if rows.kind(X) == "Sparse" then fail("X must be a Frame, a Matrix or a table of rows, got Sparse") end
   if rows.width(X) ~= 1 then
      fail("X must have one column, which is the x axis, got %d; of more, ml.plot.partial_dependence shows each",
         rows.width(X))
   end
   local numeric = inputs.numeric_columns(X)
   if #numeric == 0 then fail("X must be numbers, got labels") end
   local name = numeric[1].name
   return numeric[1].values, name, function(values)
      return rows.is_frame(X) and rows.frame({ name }, { values }) or core.Matrix(values:reshape(#values, 1))
   end
end

local function has(model, name)
   local ok, found = rows.try(function() return model[name] end)
   return ok and type(found) == "function"
end

-- Ends of the intervals of a model, or nothing where it has none. Bayesian models and mixtures know where a new point
-- may lie, and not the mean by itself.
local function ends(model, X, kind, level)
   local last, found = inputs.last(model), nil
   if has(last, "intervals") then
      found = last:intervals(inputs.prepared(model, X), { kind = kind, level = level })
   elseif kind == "prediction" and has(last, "predict_interval") then
      found = last:predict_interval(inputs.prepared(model, X), { level = level })
   end
   return found and { kind = kind, low = found.low, high = found.high }
end

local function curve_of(one, X, grid, wanted, level)
   inputs.need(one.value, "regress", "ml.plot.decision is for classifiers")
   local curve = { name = one.name, x = grid, bands = {} }
   curve.y = inputs.target("predictions", one.value:predict(X), 1)
   for _, kind in ipairs(wanted) do
      local ok, band = pcall(ends, one.value, X, kind, level)
      if not ok then fail("%s", parts.bare(tostring(band))) end
      curve.bands[#curve.bands + 1] = band
   end
   curve.of_points = #curve.bands == 0 and has(inputs.last(one.value), "predict_interval")
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

-- Panels that are to be compared have one scale.
local function range_of(y, curves)
   local low, high = math.huge, -math.huge
   local function take(values)
      local fine = values:take(values:isfinite():nonzero())
      if #fine > 0 then low, high = math.min(low, fine:min()), math.max(high, fine:max()) end
   end
   take(y)
   for _, curve in ipairs(curves) do
      take(curve.y)
      for _, band in ipairs(curve.bands) do
         take(band.low)
         take(band.high)
      end
   end
   local margin = high > low and 0.04 * (high - low) or 0.5
   return { low - margin, high + margin }
end

-- Which bands there are, and which models have none.
local function caption_of(curves, wanted, level)
   local without, of_points, drawn, said = {}, {}, {}, {}
   for _, curve in ipairs(curves) do
      if #wanted > 0 and #curve.bands == 0 then
         local list = curve.of_points and of_points or without
         list[#list + 1] = curve.name
      end
      for _, band in ipairs(curve.bands) do drawn[band.kind] = true end
   end
   for _, kind in ipairs(wanted) do
      if drawn[kind] then
         local which = #wanted == 1 and "band" or kind == "prediction" and "pale band" or "dark band"
         said[#said + 1] = ("%s: %g%% %s"):format(which, 100 * level, SAYS[kind])
      end
   end
   local function tell(list, what)
      if #list == 0 then return end
      said[#said + 1] = ("%s %s %s"):format(table.concat(list, ", "), #list == 1 and "has" or "have", what)
   end
   if #without < #curves then tell(without, "no intervals") end
   tell(of_points, "intervals of new points only")
   return #said > 0 and table.concat(said, "; ") or nil
end

local function level_of(o)
   local level = o.level
   if level == nil then return 0.95 end
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      fail("level must be a number between 0 and 1, got %s", parts.text(level))
   end
   return level
end

local function fit(first, X, y, o)
   local models = inputs.models(first)
   if not models then fail("a model expected, or several by name, got %s", parts.text(first)) end
   local level = level_of(o)
   local wanted = KINDS[parts.choice(o, "interval", { "confidence", "prediction", "both", "none" }, "confidence")]
   X, y = inputs.data(X, y, models)
   if y == nil then fail("y must be given behind X, got nil") end
   y = inputs.target("y", y, 1)
   local x, name, like = one_column(X)
   local fine = x:take(x:isfinite():nonzero())
   if #fine == 0 then fail("X has no finite value") end
   local grid = fine:max() > fine:min() and core.linspace(fine:min(), fine:max(), STEPS) or fine:head(1)
   local curves, panels = {}, {}
   for i, one in ipairs(models) do
      curves[i] = curve_of(one, like(grid), grid, wanted, level)
      panels[i] = panel_of(curves[i], x, y)
      panels[i].x, panels[i].y = o.x_label or name, o.y_label
      if #models > 1 then panels[i].title = one.name end
   end
   if #models > 1 then
      local range = range_of(y, curves)
      for _, panel in ipairs(panels) do panel.y_range = range end
   end
   local columns = #models == 1 and 1 or 2
   return { title = #models == 1 and models[1].name or nil, caption = caption_of(curves, wanted, level),
      panels = panels, columns = columns, width = columns == 1 and 640 or 900,
      height = columns == 1 and 440 or 60 + 320 * math.ceil(#models / 2) }
end

return function(module)
   define(module, "fit", { args = { "models", "X", "y" }, least = 2, fn = fit,
      brief = "Regression curve of one feature with data and intervals.",
      notes = "models is a model, a list, or { { \"name\", model }, ... }, fitted on this column; each has a panel. "
         .. "Intervals are those of model:intervals(X, { kind =, level = }) or model:predict_interval(X, { level = }), "
         .. "if the model has such a method.",
      options = { interval = "'confidence' (of the mean; default), 'prediction' (of a new point), 'both' or 'none'",
         level = "coverage of the intervals; default 0.95",
         x_label = "label of the x axis; default: the name of the column", y_label = "label of the y axis" } })
end
