--- Plots of classifiers: confusion matrix, ROC, precision-recall and calibration curves.
--
-- Each accepts a model and data, ml.plot.roc(model, X, y), several models, ml.plot.roc({ ridge = a, bayes = b }, X, y),
-- or y and scores, ml.plot.roc(y, scores). With more than two classes, the curves are one vs. rest.

local core = require "manilius.core"
local define = require "manilius.plot.diagnose"
local estimator = require "manilius.estimator"
local inputs = require "manilius.plot.inputs"
local metrics = require "manilius.metrics"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

-- --- confusion ---

-- (model, X, y) or (y, predicted) -> y, predicted
local function predicted_labels(first, second, third)
   if not estimator.is(first) then return first, second end
   local model = inputs.model(first)
   inputs.need(model, "classify", "use ml.plot.residuals for regressors")
   local X, y = inputs.data(second, third, model)
   if y == nil then fail("y must be given after X, got nil") end
   return y, model:predict(X)
end

local TOTALS = { ["true"] = "true class", pred = "predicted class", all = "all rows" }
local MAX_WITH_SHARES, MAX_WITH_TEXT = 6, 25

-- The values from the last row to the first, because the axis points upwards.
local function flip_rows(matrix, value)
   local k = matrix.rows
   local out = {}
   for i = 1, k do
      out[i] = {}
      for j = 1, k do out[i][j] = value(k + 1 - i, j) end
   end
   return out
end

local function count_text(count)
   return math.tointeger(count) and ("%d"):format(count) or ("%.1f"):format(count)
end

local function cell_texts(counts, shares)
   local k = counts.rows
   if k > MAX_WITH_TEXT then return nil end
   return flip_rows(counts, function(i, j)
      local count = count_text(counts:get(i, j))
      if k > MAX_WITH_SHARES then return count end
      return ("%s (%.0f%%)"):format(count, 100 * shares:get(i, j))
   end)
end

local function ticks(texts, downwards)
   local out = {}
   for i, one in ipairs(texts) do out[i] = { downwards and #texts + 1 - i or i, one } end
   return out
end

local function confusion(first, second, third, o)
   local y, predicted = predicted_labels(first, second, third)
   local by = parts.choice(o, "normalize", { "true", "pred", "all" }, "true")
   local c = metrics.confusion_matrix(y, predicted, { labels = o.labels, weights = o.weights })
   local shares, texts, hits = c:normalized(by), inputs.label_texts(c.labels), 0
   for i = 1, #texts do hits = hits + c.counts:get(i, i) end
   return {
      title = "Confusion matrix",
      width = math.max(640, math.min(1200, 400 + 48 * #texts)),
      height = math.max(440, math.min(1000, 240 + 36 * #texts)),
      caption = ("accuracy %.3f on %s rows"):format(hits / c.counts:sum(), count_text(c.counts:sum())),
      panels = { {
         x = "predicted", y = "true", color_label = "fraction of the " .. TOTALS[by],
         x_ticks = ticks(texts), y_ticks = ticks(texts, true),
         x_range = { 0.5, #texts + 0.5 }, y_range = { 0.5, #texts + 0.5 },
         layers = { { kind = "heat", z = flip_rows(shares, function(i, j) return shares:get(i, j) end), low = 0,
            high = 1, palette = "blues", cell_text = cell_texts(c.counts, shares) } },
      } },
   }
end

-- --- ROC curves ---

-- The name of a curve, without its score; nil for a single curve.
local function curve_name(curve, curves)
   if curve.many and curve.name and curves.several then return curve.name .. ", " .. tostring(curve.class) end
   if curve.many then return tostring(curve.class) end
   return curves.several and curve.name or nil
end

-- Set curves.several: are there several models, not only several classes?
local function mark_several(curves)
   for _, curve in ipairs(curves) do curves.several = curves.several or curve.name ~= curves[1].name end
   return curves
end

local function with_number(name, format, ...)
   local number = format:format(...)
   return name and name .. ": " .. number or number
end

-- Intervals and bands require unweighted rows, at least two of each class.
local function has_interval(curve, o)
   local size = curve.truth:sum()
   return o.weights == nil and size >= 2 and #curve.truth - size >= 2
end

-- Maximum numbers of curves with bands and with intervals, which would otherwise hide the curves.
local MAX_WITH_BAND, MAX_WITH_INTERVAL = 2, 6
local MAX_INSIDE = 5 -- a legend of more curves is below the axes

-- Linear interpolation of a curve with ascending x at each of xs; of points with equal x the last is used.
local function interpolate(x, y, xs)
   local out, i = {}, 1
   for k = 1, #xs do
      while i < #x and x[i + 1] <= xs[k] do i = i + 1 end
      local j = math.min(i + 1, #x)
      local run = x[j] - x[i]
      out[k] = run > 0 and y[i] + (y[j] - y[i]) * (xs[k] - x[i]) / run or y[i]
   end
   return out
end

-- The mean of the curves of all classes.
local function macro_curve(list)
   local xs = core.linspace(0, 1, 201)
   local sum = core.zeros(1, #xs):flatten()
   for _, curve in ipairs(list) do sum = sum + core.Vector(interpolate(curve.fpr, curve.tpr, xs)) end
   local ys = (sum / #list):totable()
   table.insert(ys, 1, 0.0)
   return table.move(xs:totable(), 1, #xs, 2, { 0.0 }), ys
end

local function roc_layers(layers, curves, curve, color, o)
   local level = parts.number(o, "level", 0.95, 0, 1)
   local options = { positive = 1, labels = { 0, 1 }, weights = o.weights }
   local found = metrics.roc_curve(curve.truth, curve.score, options)
   local area = metrics.roc_auc(curve.truth, curve.score, options)
   local name = curve_name(curve, curves)
   curve.fpr, curve.tpr, curve.area = found.fpr, found.tpr, area
   if #curves <= MAX_WITH_BAND and parts.flag(o, "band", true) and has_interval(curve, o) then
      local resamples = math.max(100, math.min(400, 2e7 // #curve.truth)) -- limits the time
      local band = metrics.roc_band(curve.truth, curve.score, { positive = 1, level = level, seed = o.seed,
         curves = math.tointeger(resamples) })
      layers[#layers + 1] = { kind = "band", x = band.fpr, low = band.low, high = band.high, color = color }
      curves.band = true
   end
   if #curves <= MAX_WITH_INTERVAL and has_interval(curve, o) then
      local interval = metrics.roc_interval(curve.truth, curve.score, { positive = 1, level = level })
      name = with_number(name, "AUC %.3f (%.3f to %.3f)", area, interval.low, interval.high)
      curves.interval = true
   else
      name = with_number(name, "AUC %.3f", area)
   end
   layers[#layers + 1] = { kind = "line", x = found.fpr, y = found.tpr, name = name, color = color }
end

local function roc_caption(curves, o)
   local out, methods = {}, {}
   if #curves == 1 then out[1] = "positive class: " .. tostring(curves[1].class) end
   if curves.interval then methods[1] = "DeLong (AUC)" end
   if curves.band then methods[#methods + 1] = "bootstrap (band)" end
   if #methods > 0 then
      out[#out + 1] = ("%g%% intervals: %s"):format(100 * (o.level or 0.95), table.concat(methods, ", "))
   end
   return #out > 0 and table.concat(out, "; ") or nil
end

local function roc(first, second, third, o)
   local curves = mark_several(inputs.class_curves(first, second, third, o))
   local layers = { { kind = "rule", slope = 1, intercept = 0, dash = "dotted", color = "grey" } }
   for i, curve in ipairs(curves) do roc_layers(layers, curves, curve, i, o) end
   if #curves > 2 and not curves.several then
      local x, y = macro_curve(curves)
      local sum = 0
      for _, curve in ipairs(curves) do sum = sum + curve.area end
      layers[#layers + 1] = { kind = "line", x = x, y = y, color = "black", dash = "dashed",
         name = ("macro average: AUC %.3f"):format(sum / #curves) }
   end
   local is_long = #curves > MAX_INSIDE
   return {
      title = curves[1].many and "ROC curves, one vs. rest" or #curves > 1 and "ROC curves"
         or "ROC curve",
      caption = roc_caption(curves, o), width = is_long and 640 or 520,
      height = is_long and math.min(1000, 600 + 10 * #layers) or 540,
      panels = { { x = "false positive rate", y = "true positive rate", x_range = { 0, 1 }, y_range = { 0, 1.02 },
         equal = true, legend = true, legend_position = is_long and "below" or "bottom right", layers = layers } },
   }
end

-- --- precision and recall ---

-- The steps whose area is the average precision: each recall is drawn with its best precision, which holds from the
-- previous recall. Lower thresholds that only add false positives have no part in the area, and would be drawn as
-- spikes.
local function steps(found)
   local recall, precision = { found.recall[1] }, {}
   for i = 2, #found.recall do
      if found.recall[i] > recall[#recall] then
         precision[#recall] = found.precision[i]
         recall[#recall + 1] = found.recall[i]
      end
   end
   precision[#recall] = precision[#recall - 1] or found.precision[1]
   return recall, precision
end

local function precision_recall(first, second, third, o)
   local curves = mark_several(inputs.class_curves(first, second, third, o))
   local layers, sum = {}, 0
   for i, curve in ipairs(curves) do
      local options = { positive = 1, labels = { 0, 1 }, weights = o.weights }
      local found = metrics.pr_curve(curve.truth, curve.score, options)
      local area = metrics.average_precision(curve.truth, curve.score, options)
      sum = sum + area
      local recall, precision = steps(found)
      layers[#layers + 1] = { kind = "line", x = recall, y = precision, color = i, steps = true,
         name = with_number(curve_name(curve, curves), "AP %.3f", area) }
   end
   local w = o.weights and core.Vector(o.weights)
   local share = w and curves[1].truth:dot(w) / w:sum() or curves[1].truth:mean()
   if not curves[1].many then
      layers[#layers + 1] = { kind = "rule", at_y = share, dash = "dotted", color = "grey",
         name = ("prevalence: %.3f"):format(share) }
   end
   local caption
   if not curves[1].many then
      caption = "positive class: " .. tostring(curves[1].class)
   elseif not curves.several then
      caption = ("macro average: AP %.3f"):format(sum / #curves)
   end
   -- Curves rarely fall below the prevalence: is there space for the legend?
   local is_free = not curves[1].many and share > 0.06 * (#layers + 1)
   return {
      title = curves[1].many and "Precision-recall curves, one vs. rest"
         or #curves > 1 and "Precision-recall curves" or "Precision-recall curve",
      caption = caption, height = is_free and 440 or 440 + 10 * #layers,
      panels = { { x = "recall", y = "precision", x_range = { 0, 1 }, y_range = { 0, 1.02 }, legend = true,
         legend_position = is_free and "bottom left" or "below", layers = layers } },
   }
end

-- --- calibration ---

local HISTOGRAM_BINS = 20
local MAX_WHISKERS = 3 -- maximum number of curves with whiskers, which would otherwise overlap

local function histogram(score, weights)
   local counts = {}
   for b = 1, HISTOGRAM_BINS do counts[b] = 0 end
   for i = 1, #score do
      local b = math.min(math.floor(score[i] * HISTOGRAM_BINS) + 1, HISTOGRAM_BINS)
      counts[b] = counts[b] + (weights and weights[i] or 1)
   end
   return counts
end

local function check_probabilities(curve)
   local low, high = curve.score:min(), curve.score:max()
   if low < 0 or high > 1 then
      fail("scores must be probabilities from 0 to 1, got %g; use ml.plot.roc for other scores",
         low < 0 and low or high)
   end
end

local function calibration_layers(above, below, curves, curve, color, o)
   check_probabilities(curve)
   local options = { positive = 1, labels = { 0, 1 }, weights = o.weights }
   curve.brier = metrics.brier(curve.truth, curve.score, options)
   options.bins, options.strategy, options.level = o.bins or 10, o.strategy, o.level
   local found = metrics.calibration_curve(curve.truth, curve.score, options)
   local name = curve_name(curve, curves)
   if o.weights == nil and #curves <= MAX_WHISKERS then
      above[#above + 1] = { kind = "segments", x1 = found.predicted, y1 = found.low, x2 = found.predicted,
         y2 = found.high, color = color, width = 1 }
   end
   name = name and with_number(name, "Brier %.3f", curve.brier)
   above[#above + 1] = { kind = "line", x = found.predicted, y = found.observed, color = color, markers = true,
      name = name }
   local counts, at, edges = histogram(curve.score, o.weights), {}, {}
   for b = 1, HISTOGRAM_BINS do at[b] = (b - 0.5) / HISTOGRAM_BINS end
   if #curves == 1 then
      below[1] = { kind = "bars", x = at, y = counts, width = 1 / HISTOGRAM_BINS, color = color }
   else
      for b = 1, HISTOGRAM_BINS do edges[b] = (b - 1) / HISTOGRAM_BINS end
      edges[HISTOGRAM_BINS + 1], counts[HISTOGRAM_BINS + 1] = 1, counts[HISTOGRAM_BINS]
      below[#below + 1] = { kind = "line", x = edges, y = counts, steps = true, color = color, name = name }
   end
end

local function calibration(first, second, third, o)
   local options = { positive = o.positive, labels = o.labels, probabilities = true }
   local curves = mark_several(inputs.class_curves(first, second, third, options))
   local above, below = { { kind = "rule", slope = 1, intercept = 0, dash = "dotted", color = "grey" } }, {}
   for i, curve in ipairs(curves) do calibration_layers(above, below, curves, curve, i, o) end
   local caption = o.weights == nil and #curves <= MAX_WHISKERS
      and ("whiskers: %g%% Wilson intervals"):format(100 * (o.level or 0.95)) or nil
   if #curves == 1 then
      caption = ("positive class: %s; Brier score %.4f%s"):format(tostring(curves[1].class), curves[1].brier,
         caption and "; " .. caption or "")
   end
   return {
      title = "Calibration", caption = caption, columns = 1, width = 640, height = 620,
      panels = {
         { x = "predicted probability", y = "observed frequency", x_range = { 0, 1 }, y_range = { 0, 1.02 },
            legend = #curves > 1, layers = above },
         { x = "predicted probability", y = "rows", x_range = { 0, 1 }, legend = false, layers = below },
      },
   }
end

-- --- definitions ---

local MODELS = "Several models may be given by name: { ridge = a, bayes = b } or { { 'ridge', a }, ... }. Also "
   .. "accepts y and scores instead of a model and X: a Vector, a column for each class, or several by name."
local POSITIVE = "the positive class; default: the second of two; with more, one vs. rest"
local LABELS = "with scores: the classes in column order; default: all that occur in y, ascending"
local LEVEL = "confidence level of the intervals; default 0.95"

return function(module)
   local function add(name, about)
      about.args, about.data_args = about.args or { "model", "X", "y" }, 2
      define(module, name, about)
   end
   add("confusion", { fn = confusion,
      brief = "Confusion matrix: counts and percentages of the true class.",
      notes = "Also accepts y and predicted labels instead of a model and X.",
      options = { normalize = "percentages of each 'true' class (default), of each 'pred'icted class, or of 'all' rows",
         labels = "classes to show, in this order; default: all that occur", weights = parts.WEIGHTS } })
   add("roc", { fn = roc, source = "Fawcett (2006); intervals: DeLong et al. (1988)",
      brief = "ROC curves with AUC, confidence intervals and bootstrap bands.",
      notes = MODELS .. " Bands are drawn for at most two curves. With more than two classes, the curves are one vs. "
         .. "rest, together with the macro average.",
      options = { positive = POSITIVE, labels = LABELS, level = LEVEL, band = "false: omit the band",
         seed = "seed of the bootstrap; default 0", weights = parts.WEIGHTS .. "; disables the intervals" } })
   add("precision_recall", { fn = precision_recall, source = "Davis & Goadrich (2006)",
      brief = "Precision-recall curves with average precision (AP).",
      notes = MODELS .. " The dotted line is the prevalence of the class, the precision of random guessing.",
      options = { positive = POSITIVE, labels = LABELS, weights = parts.WEIGHTS } })
   add("calibration", { fn = calibration, source = "Niculescu-Mizil & Caruana (2005); Wilson (1927); Brier (1950)",
      brief = "Calibration curves: observed frequencies against predicted probabilities.",
      notes = MODELS .. " With at most three curves, observed frequencies have Wilson intervals. The lower panel is a "
         .. "histogram of the predictions.",
      options = { positive = POSITIVE, labels = LABELS, level = LEVEL,
         bins = "number of bins, default 10; empty bins are omitted",
         strategy = "'uniform' (default): bins of equal width; 'quantile': bins of equal counts",
         weights = parts.WEIGHTS .. "; disables the intervals" } })
end
