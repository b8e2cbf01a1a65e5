--- Plots of tuned thresholds and of conformal sets of labels.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local parts = require "manilius.metrics.parts"
local text = require "manilius.text"

local fail = parts.fail

-- --- thresholds ---

local function line(curve, name, color)
   return { kind = "line", x = curve.threshold, y = curve[name], color = color }
end

local function threshold(model)
   model = inputs.model(model)
   local last = inputs.last(model)
   local curve = estimator.learned(last, "curve")
   if curve == nil or curve.threshold == nil then
      fail("model must be a fitted TunedThresholdClassifier, got %s", estimator.name(last))
   end
   local limit, other = rawget(last, "constraint"), curve.names[3]
   local score = rawget(last, "costs") and "mean cost" or tostring(last.scoring)
   local layers = { line(curve, "score", 1) }
   layers[1].name = other and score or nil
   if other then
      layers[2] = line(curve, other, 2)
      layers[2].name = other
      layers[3] = { kind = "rule", at_y = limit[3], color = 2, dash = "dotted" }
   end
   layers[#layers + 1] = { kind = "rule", at_x = last.used_threshold, color = "black", dash = "dashed" }
   layers[#layers + 1] = { kind = "points", x = { last.used_threshold }, y = { last.best_score }, color = 1,
      size = 1.2 }
   return { title = "Threshold of " .. inputs.title(model),
      caption = ("mean over out-of-fold rows; vertical line: %.4g, with a score of %.4g%s"):format(last.used_threshold,
         last.best_score, limit and (", where %s %s %g"):format(tostring(other), limit[2], limit[3]) or ""),
      panels = { { x = "threshold", y = other and "score" or score, legend = other ~= nil, layers = layers } } }
end

-- --- sets of labels ---

-- Fractions of set sizes among the rows of each class whose sets contain, and do not contain, the true label.
local function shares(sets, y, classes)
   local sizes, hit = sets:sum "rows", core.Vector(sets.rows, 0)
   for c, class in ipairs(classes) do hit = hit + y:eq(class):mul(sets:col(c)) end
   local with, without = {}, {}
   for k = 0, #classes do
      local of_size = sizes:eq(k)
      with[k + 1], without[k + 1] = of_size:mul(hit):mean(), of_size:mul(1 - hit):mean()
   end
   return with, without, hit:mean(), sizes:mean()
end

local function label_sets(model, X, y, o)
   model = inputs.model(model)
   local last = inputs.last(model)
   if not estimator.has_method(last, "predict_set") then
      fail("model must be a ConformalClassifier, got %s", estimator.name(last))
   end
   local level = parts.number(o, "level", last.level, 0, 1)
   local truth, classes = parts.labels("y", y), last.classes
   local sets = last:predict_set(inputs.prepared(model, X), { level = level })
   parts.same_length("y", #truth, "X", sets.rows)
   local with, without, coverage, mean = shares(sets, truth, classes)
   local at, total = {}, {}
   for k = 1, sets:sum("rows"):max() // 1 + 1 do at[k], total[k] = k - 1, with[k] + without[k] end
   return { title = "Label sets of " .. inputs.title(model),
      caption = ("level %g: the true label is in %.1f%% of %s; mean size %.3g"):format(level, 100 * coverage,
         text.plural(#truth, "set"), mean),
      panels = { { x = "labels in the set", y = "share of rows", legend_position = "below", layers = {
         { kind = "bars", x = at, y = total, name = "without the true label", color = 2, opacity = 1 },
         { kind = "bars", x = at, y = { table.unpack(with, 1, #at) }, name = "with the true label", color = 1,
            opacity = 1 } } } } }
end

return function(module)
   define(module, "threshold", { args = { "model" }, fn = threshold, options = {},
      brief = "The score or cost of a tuned threshold against the threshold.",
      notes = "model: a fitted TunedThresholdClassifier. With a constraint, its metric is a second line, and the "
         .. "dotted line is its bound.", source = "Elkan (2001)" })
   define(module, "label_sets", { args = { "model", "X", "y" }, fn = label_sets,
      brief = "Sizes of conformal sets of labels, and how often they contain the true one.",
      notes = "model: a fitted ConformalClassifier. Use rows that it was not fitted to.",
      options = { level = "coverage of the sets; default: that of the model" },
      source = "Sadinle, Lei & Wasserman (2019)" })
end
