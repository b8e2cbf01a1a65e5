--- Metrics of scores and probabilities of classes.
--
-- Two classes: a Vector of scores that are high for the positive class, or two columns in the order of the classes.
-- Several classes: a Matrix with a column per class, in ascending order of the labels in y, or in the order of the
-- option `labels`.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local core_metrics = core.metrics
local fail, text = parts.fail, parts.text

local POSITIVE = "the positive class; default: the second of two"

local MAX_LEVELS = 20 -- of y, if one of them is not a whole number

-- Scores in place of y have many different values with fractions.
local function check_not_scores(y, what)
   local levels = y.levels
   if #levels <= MAX_LEVELS then return end
   for _, label in ipairs(levels) do
      if math.type(label) == "float" and label % 1 ~= 0 then
         fail("y must be class labels, got %d different numbers such as %s; the arguments are y, %s", #levels,
            text(label), what)
      end
   end
end

-- y, scores, weights, and the classes in the order of the columns.
local function checked(y, score, o, what, allow_infinity)
   y = parts.labels("y", y)
   check_not_scores(y, what)
   local values, n, cols = parts.numbers(what, score, allow_infinity)
   if cols == #y and n == 1 and #y > 1 then values, n, cols = values:flatten(), cols, 1 end
   parts.same_length("y", #y, what, n)
   return y, values, parts.weights(o, #y), parts.label_list(o) or parts.present(y), cols
end

local function need_columns(classes, cols, what)
   if #classes == cols then return end
   fail("%s must have a column for each class, %s, got %d columns; if y lacks a class, give labels = all classes", what,
      parts.texts(classes), cols)
end

local function check_known(y, classes)
   local known = {}
   for _, label in ipairs(classes) do known[label] = true end
   for _, label in ipairs(parts.present(y)) do
      if not known[label] then fail("y must contain only the labels %s, got %s", parts.texts(classes), text(label)) end
   end
end

-- The column of one class.
local function column(score, classes, cols, class, what)
   if cols == 1 then return score end
   need_columns(classes, cols, what)
   return score:col(parts.place(classes, class)):copy()
end

-- The positive class.
local function positive_class(o, classes, advice)
   local positive = parts.positive(o, classes)
   if positive ~= nil then return positive end
   if #classes == 1 then
      fail("y must contain both classes, got only %s; give positive, or labels = { negative, positive }",
         text(classes[1]))
   end
   fail("y has %d classes, %s; %s", #classes, parts.texts(classes), advice)
end

-- --- the ROC curve ---

-- The weights of the rows at or above each threshold, of other classes and of the positive class; the thresholds; that
-- class.
local function curve_points(y, score, o, corners)
   local w, classes, cols
   y, score, w, classes, cols = checked(y, score, o, "scores", true)
   local class = positive_class(o, classes, "give positive = the positive class")
   local of_it = column(score, classes, cols, class, "scores")
   local rest, of_class, threshold = core_metrics.curve(y, core.Factor { class }, of_it, w, corners)
   return rest, of_class, threshold, class
end

local function roc_curve(y, score, o)
   local rest, of_class, threshold, class = curve_points(y, score, o, parts.flag(o, "corners", true))
   local n, p = rest[#rest], of_class[#of_class]
   if n == 0 or p == 0 then fail("y must contain rows of %s and of other classes", text(class)) end
   return rows.frame({ "fpr", "tpr", "threshold" }, { rest / n, of_class / p, threshold })
end

-- --- areas under curves ---

local AVERAGES = { "macro", "micro", "weighted", "none" }
local MULTICLASS_ADVICE = "give scores with a column per class and average = 'macro', 'weighted', 'micro' or 'none', "
   .. "or positive = the positive class"

local MISSING_ROWS = { area = "y must contain rows of %s and of other classes",
   precision = "y must contain rows of %s" }

-- One class against the rest.
local function one_against_rest(y, score, w, classes, cols, class, measure, what)
   if measure == "area" and #classes == 1 and parts.place(classes, class) then
      fail("y must contain both classes, got only %s", text(class))
   end
   local of_class = column(score, classes, cols, class, what)
   local value = core_metrics.ranking(y, core.Factor { class }, of_class, w, measure)[1]
   if value ~= value then fail(MISSING_ROWS[measure], text(class)) end
   return value
end

local function over_classes(y, score, w, classes, average, measure)
   local list = core.Factor(classes)
   if average == "micro" then return core_metrics.micro_ranking(y, list, score, w, measure) end
   local values, mass = core_metrics.ranking(y, list, score, w, measure)
   for c, label in ipairs(classes) do
      if values[c] ~= values[c] then fail(MISSING_ROWS[measure], text(label)) end
   end
   if average == "none" then return values, classes end
   return parts.mean(values, average == "weighted" and mass or nil)
end

local function over_pairs(y, score, w, classes, average)
   local areas, masses = core_metrics.pair_areas(y, core.Factor(classes), score, w)
   local values, weights = {}, {}
   for a = 1, #classes do
      for b = a + 1, #classes do
         values[#values + 1], weights[#weights + 1] = areas:get(a, b), masses:get(a, b)
         if areas:get(a, b) ~= areas:get(a, b) then
            fail("y must contain rows of all classes, but %s or %s has none", text(classes[a]), text(classes[b]))
         end
      end
   end
   return parts.mean(values, average == "weighted" and weights or nil)
end

-- McClish's standardized area for fpr up to `max_fpr`: 0.5 by chance, 1 at best.
local function partial_area(curve, max_fpr)
   local fpr, tpr = curve.fpr, curve.tpr
   local area, i = 0, 2
   while i <= #fpr and fpr[i] <= max_fpr do
      area = area + (fpr[i] - fpr[i - 1]) * (tpr[i] + tpr[i - 1]) / 2
      i = i + 1
   end
   if i <= #fpr then
      local share = (max_fpr - fpr[i - 1]) / (fpr[i] - fpr[i - 1])
      local height = tpr[i - 1] + share * (tpr[i] - tpr[i - 1])
      area = area + (max_fpr - fpr[i - 1]) * (height + tpr[i - 1]) / 2
   end
   local min_area = max_fpr * max_fpr / 2
   return 0.5 * (1 + (area - min_area) / (max_fpr - min_area))
end

-- Is there a single area, of the positive class against the rest?
local function is_single(classes, cols, average)
   return not average or (#classes == 2 and cols <= 2 and average ~= "none")
end

local function single_area(y, score, w, classes, cols, o, max_fpr)
   local class = positive_class(o, classes, "give scores with a column per class and average = 'macro', "
      .. "'weighted', 'micro' or 'none' or multi_class = 'ovr' or 'ovo', or positive = the positive class")
   if max_fpr == 1 then return one_against_rest(y, score, w, classes, cols, class, "area", "scores") end
   local of_class = column(score, classes, cols, class, "scores")
   return partial_area(roc_curve(y, of_class, { weights = w, positive = class }), max_fpr)
end

local function roc_auc(y, score, o)
   local average = parts.choice(o, "average", AVERAGES)
   local scheme = parts.choice(o, "multi_class", { "ovr", "ovo" }, "ovr")
   local max_fpr = parts.number(o, "max_fpr", 1, 1e-12, 1)
   local w, classes, cols
   y, score, w, classes, cols = checked(y, score, o, "scores", true)
   check_known(y, classes)
   local several = #classes > 2 and cols > 1 and o.positive == nil and max_fpr == 1
   if average == nil and (o.multi_class ~= nil or several) then average = "macro" end
   if is_single(classes, cols, average) then return single_area(y, score, w, classes, cols, o, max_fpr) end
   if max_fpr < 1 then fail("max_fpr requires a single positive class; give positive instead of average") end
   need_columns(classes, cols, "scores")
   if scheme == "ovr" then return over_classes(y, score, w, classes, average, "area") end
   if average ~= "macro" and average ~= "weighted" then
      fail("average must be 'macro' or 'weighted' for multi_class = 'ovo', got '%s'", average)
   end
   return over_pairs(y, score, w, classes, average)
end

local function average_precision(y, score, o)
   local average = parts.choice(o, "average", AVERAGES)
   local w, classes, cols
   y, score, w, classes, cols = checked(y, score, o, "scores", true)
   check_known(y, classes)
   if is_single(classes, cols, average) then
      local class = positive_class(o, classes, MULTICLASS_ADVICE)
      return one_against_rest(y, score, w, classes, cols, class, "precision", "scores")
   end
   need_columns(classes, cols, "scores")
   return over_classes(y, score, w, classes, average, "precision")
end

local function define_areas(M)
   local options = { weights = parts.WEIGHTS, positive = POSITIVE, labels = parts.CLASSES, average = parts.AVERAGE }
   parts.define(M, "average_precision", { args = { "y", "scores" }, options = options, fn = average_precision,
      brief = "Area under the precision-recall curve, as a sum of steps.",
      formula = "sum over the distinct scores of (rise of recall) * precision" })
   parts.define(M, "roc_auc", { args = { "y", "scores" }, fn = roc_auc,
      brief = "Area under the ROC curve.",
      options = { weights = parts.WEIGHTS, positive = POSITIVE, labels = parts.CLASSES, average = parts.AVERAGE,
         multi_class = "for several classes: 'ovr': each class against the rest (default), 'ovo': all pairs of classes",
         max_fpr = "partial area up to this false positive rate, standardized to 0.5 by chance and 1 at best" },
      source = "Fawcett (2006); pairs: Hand & Till (2001); part: McClish (1989)" })
end

-- --- confidence of the area ---

-- y, the scores of the positive class, that class, and the weights.
local function one_score(y, score, o)
   local w, classes, cols
   y, score, w, classes, cols = checked(y, score, o, "scores", true)
   local class = positive_class(o, classes, "give positive = the positive class")
   local size = y:eq(class):sum()
   if size == 0 or size == #y then fail(MISSING_ROWS.area, text(class)) end
   return y, column(score, classes, cols, class, "scores"), class, w
end

local function roc_interval(y, score, o)
   local level = parts.number(o, "level", 0.95, 0, 1)
   local class, w
   y, score, class, w = one_score(y, score, o)
   local area, variance = core_metrics.delong(y, core.Factor { class }, score, w)
   if variance ~= variance then fail("y must contain at least two rows of %s and two of other classes", text(class)) end
   local reach = core.special.normal_isf((1 - level) / 2) * math.sqrt(variance)
   return parts.result({ "auc", "low", "high", "std_error", "level" }, { auc = area, std_error = math.sqrt(variance),
      low = math.max(area - reach, 0), high = math.min(area + reach, 1), level = level })
end

local function roc_band(y, score, o)
   local level, curves = parts.number(o, "level", 0.95, 0, 1), parts.whole(o, "curves", 400, 1)
   local points, seed = parts.whole(o, "points", 101, 2), parts.whole(o, "seed", 0, math.mininteger)
   local class, w
   y, score, class, w = one_score(y, score, o)
   local fpr = core.linspace(0, 1, points)
   local low, high = core_metrics.roc_band(y, core.Factor { class }, score, fpr, curves, level, seed, w)
   return rows.frame({ "fpr", "low", "high" }, { fpr, low, high })
end

local function define_intervals(M)
   local LEVEL = "confidence level of the interval; default 0.95"
   parts.define(M, "roc_interval", { args = { "y", "scores" }, fn = roc_interval,
      options = { weights = parts.WEIGHTS, positive = POSITIVE, labels = parts.CLASSES, level = LEVEL },
      brief = "Area under the ROC curve with its confidence interval (DeLong).",
      formula = "auc +- z sqrt(var of the positive rows' placements / n1 + var of the negative rows' / n0)",
      returns = "{ auc =, low =, high =, std_error =, level = }",
      source = "DeLong, DeLong & Clarke-Pearson (1988)" })
   parts.define(M, "roc_band", { args = { "y", "scores" }, fn = roc_band,
      options = { weights = parts.WEIGHTS, positive = POSITIVE, labels = parts.CLASSES, level = LEVEL,
         seed = "random seed; default 0",
         curves = "number of resampled curves; default 400",
         points = "number of false positive rates from 0 to 1; default 101" },
      brief = "Pointwise bootstrap confidence band of the ROC curve.",
      returns = "a Frame: fpr, low, high", source = "Efron (1979)" })
end

-- --- curves ---

local function pr_curve(y, score, o)
   local rest, of_class, threshold, class = curve_points(y, score, o, false)
   local p = of_class[#of_class]
   if p == 0 then fail("y must contain rows of %s", text(class)) end
   local precision = of_class:div(of_class + rest)
   precision[1] = 1.0
   return rows.frame({ "recall", "precision", "threshold" }, { of_class / p, precision, threshold })
end

local function calibration_curve(y, proba, o)
   local bins = parts.whole(o, "bins", 5, 1)
   local by = parts.choice(o, "strategy", { "uniform", "quantile" }, "uniform")
   local level = parts.number(o, "level", 0.95, 0, 1)
   local w, classes, cols
   y, proba, w, classes, cols = checked(y, proba, o, "probabilities")
   check_known(y, classes)
   local class = positive_class(o, classes, "give positive = the class of the probabilities")
   local weight, p_sum, y_sum = core_metrics.calibration(core.Factor(y:eq(class)), core.Factor { 0, 1 },
      column(proba, classes, cols, class, "probabilities"), w, bins, by == "quantile")
   local out = { {}, {}, {}, {}, {} }
   for b = 1, bins do
      if weight[b] > 0 then
         local share = math.min(y_sum[b] / weight[b], 1)
         local low, high = core_metrics.interval("wilson", share, weight[b], level)
         for i, value in ipairs { p_sum[b] / weight[b], share, weight[b], low, high } do table.insert(out[i], value) end
      end
   end
   for i, list in ipairs(out) do out[i] = core.Vector(list) end
   return rows.frame({ "predicted", "observed", "count", "low", "high" }, out)
end

local function define_curves(M)
   local function about(brief, fn, returns, more)
      local options = { weights = parts.WEIGHTS, positive = POSITIVE, labels = parts.CLASSES }
      for name, help in pairs(more or {}) do options[name] = help end
      return { args = { "y", "scores" }, brief = brief, fn = fn, options = options, returns = returns }
   end
   parts.define(M, "roc_curve", about("True and false positive rates at each threshold, from inf down.", roc_curve,
      "Frame: fpr, tpr, threshold", { corners = "omit points on straight lines; default true" }))
   parts.define(M, "pr_curve", about("Recall and precision at each threshold, from inf down.", pr_curve,
      "Frame: recall, precision, threshold"))
   local calibration = about("Predicted and observed frequencies of a class, in bins of the prediction.",
      calibration_curve, "Frame, a row per bin: predicted (mean probability), observed (frequency), count (weight), "
      .. "low and high (Wilson interval of observed)", { bins = "number of bins; default 5; empty bins are omitted",
      strategy = "'uniform': of equal width (default), 'quantile': of equal numbers of rows",
      level = "confidence level of the interval; default 0.95" })
   calibration.args = { "y", "probabilities" }
   parts.define(M, "calibration_curve", calibration)
end

-- --- probabilities and margins ---

-- The classes in the order of the columns; { negative, positive } for a single column.
local function class_list(o, classes, cols, what)
   if cols > 1 then
      need_columns(classes, cols, what)
      return core.Factor(classes)
   end
   if #classes == 1 and o.positive == nil then
      fail("y must contain both classes, got only %s; give labels = { negative, positive }", text(classes[1]))
   end
   if #classes > 2 then need_columns(classes, cols, what) end
   local positive = parts.positive(o, classes)
   local other = classes[1] == positive and classes[2] or classes[1]
   if other == nil then fail("y must contain both classes, got only %s; give labels", text(positive)) end
   return core.Factor { other, positive }
end

local function mean_of(name, what, after)
   return function(y, score, o)
      local w, classes, cols
      y, score, w, classes, cols = checked(y, score, o, what)
      check_known(y, classes)
      local value = core_metrics[name](y, class_list(o, classes, cols, what), score, w)
      return after and after(value, cols) or value
   end
end

local function top_k_accuracy(y, score, o)
   local k = parts.whole(o, "k", 2, 1)
   local w, classes, cols
   y, score, w, classes, cols = checked(y, score, o, "scores", true)
   check_known(y, classes)
   need_columns(classes, cols, "scores")
   return core_metrics.top_hits(y, core.Factor(classes), score, w, k) / (w and w:sum() or #y)
end

local function define_means(M)
   local options = { weights = parts.WEIGHTS, labels = parts.CLASSES,
      positive = "the class of a single column; default: the second of two" }
   parts.define(M, "log_loss", { args = { "y", "probabilities" }, options = options,
      brief = "Mean negative log probability of the true class (cross-entropy), in nats.",
      formula = "-mean log p(true class), p clipped to [2^-52, 1 - 2^-52]",
      fn = mean_of("log_loss", "probabilities") })
   parts.define(M, "brier", { args = { "y", "probabilities" }, options = options,
      brief = "Brier score: mean squared error of the probabilities.",
      formula = "mean sum_c (p_c - [c is true])^2; two classes: mean (p - y)^2", source = "Brier (1950)",
      fn = mean_of("brier", "probabilities", function(value, cols) return cols == 2 and value / 2 or value end) })
   parts.define(M, "hinge_loss", { args = { "y", "scores" }, options = options,
      brief = "Mean hinge loss of decision scores.",
      formula = "mean max(0, 1 - margin); many classes: margin = own score - highest other",
      source = "Crammer & Singer (2001)", fn = mean_of("hinge", "scores") })
   parts.define(M, "top_k_accuracy", { args = { "y", "scores" }, fn = top_k_accuracy,
      brief = "Fraction of the rows whose true class is among the k highest scores.",
      options = { weights = parts.WEIGHTS, labels = parts.CLASSES, k = "number of classes considered; default 2" } })
end

return function(M)
   define_areas(M)
   define_intervals(M)
   define_curves(M)
   define_means(M)
end
