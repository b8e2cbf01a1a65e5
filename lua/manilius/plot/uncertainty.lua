--- Plots of tuned thresholds and of conformal sets of labels.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local metrics = require "manilius.metrics"
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
      caption = ("mean over out-of-fold rows; vertical line: %.4g, with a %s of %.4g%s"):format(last.used_threshold,
         rawget(last, "costs") and "mean cost" or "score", last.best_score,
         limit and (", where %s %s %g"):format(tostring(other), limit[2], limit[3]) or ""),
      panels = { { x = "threshold", y = other and "score" or score, legend = other ~= nil, layers = layers } } }
end

-- --- costs ---

-- The mean cost of the labels score >= threshold, in steps: ascending thresholds and the cost from each to the next.
local function cost_steps(curve, costs, weights)
   local found = metrics.roc_curve(curve.truth, curve.score, { positive = 1, labels = { 0, 1 }, weights = weights,
      corners = false })
   local share = weights and curve.truth:dot(weights) / weights:sum() or curve.truth:mean()
   local cost = (found.tpr * costs.tp + (1 - found.tpr) * costs.fn) * share
      + (found.fpr * costs.fp + (1 - found.fpr) * costs.tn) * (1 - share)
   local x, y, best = { 0.0 }, {}, 1
   for k = #cost, 1, -1 do
      local i = #cost + 1 - k
      y[i] = cost[k]
      if k > 1 then x[i + 1] = found.threshold[k] end
      if cost[k] < cost[best] then best = k end
   end
   x[#x + 1], y[#y + 1] = math.max(1.0, x[#x]), y[#y]
   return { x = x, y = y, best = cost[best], at = math.min(found.threshold[best], x[#x]),
      none = costs.fn * share + costs.tn * (1 - share), all = costs.tp * share + costs.fp * (1 - share) }
end

local function costs_of(o)
   local costs = { fp = 1, fn = 1, tp = 0, tn = 0 }
   if o.costs ~= nil and type(o.costs) ~= "table" then
      fail("costs must be a table such as { fp = 1, fn = 5 }, got %s", parts.text(o.costs))
   end
   for name, value in pairs(o.costs or {}) do
      if costs[name] == nil then fail("costs has no '%s'; there are fn, fp, tn, tp", tostring(name)) end
      if type(value) ~= "number" or value - value ~= 0 then
         fail("costs.%s must be a number, got %s", name, parts.text(value))
      end
      costs[name] = value
   end
   return costs
end

local CEILING = 1.6 -- range of the axis, in costs of a constant answer: worse thresholds are of no interest

local function is_positive(costs)
   return math.min(costs.fp, costs.fn, costs.tp, costs.tn) >= 0
end

local function cost(first, second, third, o)
   local costs, weights = costs_of(o), o.weights and core.Vector(o.weights) or nil
   local curves = inputs.class_curves(first, second, third, { positive = o.positive, labels = o.labels,
      probabilities = true })
   local layers, texts, top = {}, {}, 0
   for c, curve in ipairs(curves) do
      local steps = cost_steps(curve, costs, weights)
      top = math.max(top, math.min(steps.none, steps.all))
      local name = curve.many and tostring(curve.class) or curve.name
      layers[#layers + 1] = { kind = "line", x = steps.x, y = steps.y, steps = true, color = c,
         name = #curves > 1 and name or nil }
      layers[#layers + 1] = { kind = "points", x = { steps.at }, y = { steps.best }, color = c, size = 1.2 }
      texts[c] = ("%s%.4g at %.4g"):format(#curves > 1 and name .. " " or "", steps.best, steps.at)
      if c == 1 and not curve.many then
         layers[#layers + 1] = { kind = "rule", at_y = math.min(steps.none, steps.all), color = "grey",
            dash = "dotted", name = "one label for all" }
      end
   end
   local gain = costs.fp - costs.tn + costs.fn - costs.tp
   if gain > 0 then
      local ideal = (costs.fp - costs.tn) / gain
      layers[#layers + 1] = { kind = "rule", at_x = ideal, color = "black", dash = "dashed",
         name = ("ideal if calibrated: %.3g"):format(ideal) }
   end
   local positive = #curves == 1 and ("positive class: %s; "):format(curves[1].class) or ""
   return { title = "Costs by threshold", caption = positive .. "least cost: " .. table.concat(texts, ", "),
      panels = { { x = "threshold", y = "mean cost", legend = true, legend_position = "below", layers = layers,
         y_range = is_positive(costs) and top > 0 and { 0, CEILING * top } or nil } } }
end

-- --- intervals ---

local MAX_ROWS = 1000

local function intervals(model, X, y, o)
   model = inputs.model(model)
   inputs.need(model, "regress", "use ml.plot.label_sets for classifiers")
   X, y = inputs.data(X, y, model)
   if y == nil then fail("y must be given after X, got nil") end
   y = inputs.target("y", y, 1)
   local level = parts.number(o, "level", inputs.level(model) or 0.9, 0, 1)
   local found = inputs.intervals(model, X, "prediction", level)
   if not found then
      fail("model must have prediction intervals, as ConformalRegressor, got %s", estimator.name(model))
   end
   local predicted = inputs.target("predictions", model:predict(X), 1)
   local low, high, n = core.Vector(found.low), core.Vector(found.high), #y
   local inside = y:ge(low):mul(y:le(high))
   local count = math.min(n, MAX_ROWS)
   local at = predicted:argsort():take(core.linspace(1, n, count):round())
   local x, hit = core.range(1, count), inside:take(at)
   local function points(rows_of, name, color)
      return { kind = "points", x = x:take(rows_of), y = y:take(at):take(rows_of), name = name, color = color,
         size = 0.7 }
   end
   local layers = { { kind = "band", x = x, low = low:take(at), high = high:take(at), color = 1, name = "interval" },
      { kind = "line", x = x, y = predicted:take(at), color = 1, name = "prediction" } }
   for _, one in ipairs { { hit:nonzero(), "inside", "grey" }, { hit:eq(0):nonzero(), "outside", 2 } } do
      if #one[1] > 0 then layers[#layers + 1] = points(one[1], one[2], one[3]) end
   end
   return { title = "Prediction intervals of " .. inputs.title(model),
      caption = ("level %g: %.1f%% of %s inside; mean width %.4g"):format(level, 100 * inside:mean(),
         text.plural(n, "row"), (high - low):mean()),
      panels = { { x = "rows by prediction", y = "y", legend = true, legend_position = "below", layers = layers } } }
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
      panels = { { x = "labels in the set", y = "fraction of rows", legend_position = "below", layers = {
         { kind = "bars", x = at, y = total, name = "without the true label", color = 2, opacity = 1 },
         { kind = "bars", x = at, y = { table.unpack(with, 1, #at) }, name = "with the true label", color = 1,
            opacity = 1 } } } } }
end

return function(module)
   define(module, "threshold", { args = { "model" }, fn = threshold, options = {},
      brief = "The score or cost of a tuned threshold against the threshold.",
      notes = "model: a fitted TunedThresholdClassifier. With a constraint, its metric is a second line, and the "
         .. "dotted line is its bound.", source = "Elkan (2001)" })
   define(module, "cost", { args = { "model", "X", "y" }, data_args = 2, fn = cost,
      brief = "Mean cost of the errors of a classifier against the threshold.",
      notes = "Several models may be given by name: { before = a, after = b }. Also accepts y and probabilities "
         .. "instead of a model and X. The dashed line is the best threshold if the probabilities are calibrated; the "
         .. "dotted one is the cost of the better of two constant answers. Use held-out rows.",
      options = { costs = "costs of a row by its outcome, default { fp = 1, fn = 1, tp = 0, tn = 0 }",
         positive = "the positive class; default: the second of two", labels = parts.LABELS, weights = parts.WEIGHTS },
      source = "Elkan (2001)" })
   define(module, "intervals", { args = { "model", "X", "y" }, data_args = 2, fn = intervals,
      brief = "Prediction intervals of the rows, ordered by prediction, with the values they should contain.",
      notes = "model: a ConformalRegressor, or any model with prediction intervals. Use rows that it was not fitted "
         .. "to; of more than 1000, evenly spaced ones are drawn.",
      options = { level = "coverage of the intervals; default: that of a ConformalRegressor, else 0.9" },
      source = "Lei et al. (2018)" })
   define(module, "label_sets", { args = { "model", "X", "y" }, fn = label_sets,
      brief = "Sizes of conformal sets of labels, and how often they contain the true one.",
      notes = "model: a fitted ConformalClassifier. Use rows that it was not fitted to.",
      options = { level = "coverage of the sets; default: that of the model" },
      source = "Sadinle, Lei & Wasserman (2019)" })
end
