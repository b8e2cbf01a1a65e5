--- Metrics of predicted labels.
--
-- For multilabel data y and predicted are Matrices of 0 and 1 with a column per tag; accuracy, hamming, and all ratios
-- with an average accept them. accuracy and hamming also accept Frames or Matrices with several columns of labels.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local rows = require "manilius.rows"

local core_metrics = core.metrics
local fail, text = parts.fail, parts.text

-- y and predicted as Factors of the same length, and the weights.
local function pair(y, predicted, o)
   y, predicted = parts.class_labels(y, predicted)
   return y, predicted, parts.weights(o, #y)
end

-- The same as count_classes for multilabel data, with tags as labels 1, 2, ...; nil if y and predicted are labels.
local function count_tags(y, predicted, o)
   y, predicted = parts.tags(y, predicted)
   if not y then return nil end
   if o.labels ~= nil then fail("labels cannot be given for multilabel data, whose labels are the columns of y") end
   local w = parts.weights(o, y.rows)
   local hits, of_y, of_predicted, total, same, wrong = core_metrics.multilabel_totals(y, predicted, w)
   local labels = {}
   for c = 1, #hits do labels[c] = c end
   return { labels = labels, hits = hits:totable(), y = of_y:totable(), predicted = of_predicted:totable(),
      total = total, same = same, wrong = wrong }
end

-- Total weights by class: { labels =, hits = (true positives), y =, predicted =, total = }, all but total are lists.
local function count_classes(y, predicted, o, labels)
   local w
   y, predicted, w = pair(y, predicted, o)
   local known = labels and core.Factor(labels)
   local names, hits, of_y, of_predicted, total = core_metrics.class_totals(y, predicted, known, w)
   return { labels = labels or names, hits = hits:totable(), y = of_y:totable(), predicted = of_predicted:totable(),
      total = total }
end

local function sum(list)
   local total = 0
   for _, value in ipairs(list) do total = total + value end
   return total
end

-- --- ratios of counts, one for each class ---

local AVERAGES = { "macro", "micro", "weighted", "samples", "none" }

local function divide(numerator, denominator, zero)
   if denominator == 0 then return zero end
   return numerator / denominator
end

-- The ratio of the summed counts of classes first to last.
local function ratio_of(ratio, t, first, last, zero, o)
   local hits, of_y, of_predicted, total = 0, 0, 0, 0
   for c = first, last do
      hits, of_y, of_predicted = hits + t.hits[c], of_y + t.y[c], of_predicted + t.predicted[c]
      total = total + t.total
   end
   local numerator, denominator = ratio(hits, of_y, of_predicted, total, o)
   return divide(numerator, denominator, zero)
end

local function raise_multiclass(t)
   fail("y and predicted have %d classes, %s; give average = 'macro', 'micro', 'weighted' or 'none', or positive = "
      .. "the positive class", #t.labels, parts.texts(t.labels))
end

local function positive_ratio(ratio, t, zero, o)
   local wanted = parts.positive(o, t.labels)
   if wanted == nil then
      if #t.labels > 2 then raise_multiclass(t) end
      fail("only the label %s occurs; give positive = the positive class, or labels = { negative, positive }",
         text(t.labels[1]))
   end
   local index = parts.place(t.labels, wanted)
   if index then return ratio_of(ratio, t, index, index, zero, o) end
   return divide(0.0, 0.0, zero)
end

-- The mean over rows of the ratio of their tags: rows and tags change places.
local function samples_ratio(ratio, y, predicted, o, zero)
   local weights = parts.weights(o, rows.count(y))
   y, predicted = parts.tags(y, predicted)
   if not y then fail "average = 'samples' is only for several tags, a matrix of 0 and 1 with a column per tag" end
   local t, values = count_tags(y:t():copy(), predicted:t():copy(), {}), {}
   for i = 1, #t.labels do values[i] = ratio_of(ratio, t, i, i, zero, o) end
   return parts.mean(values, weights)
end

local function average_ratio(ratio, y, predicted, o)
   local average = parts.choice(o, "average", AVERAGES)
   if average == "samples" then return samples_ratio(ratio, y, predicted, o, parts.zero_division(o)) end
   local t = count_tags(y, predicted, o)
   if t and not average and o.positive == nil then raise_multiclass(t) end
   t = t or count_classes(y, predicted, o, parts.label_list(o))
   local zero = parts.zero_division(o)
   if not average then return positive_ratio(ratio, t, zero, o) end
   if o.positive ~= nil then fail("give either positive or average, got both") end
   if average == "micro" then return ratio_of(ratio, t, 1, #t.labels, zero, o) end
   local values = {}
   for c = 1, #t.labels do values[c] = ratio_of(ratio, t, c, c, zero, o) end
   if average == "none" then return core.Vector(values), t.labels end
   if average == "macro" then return parts.mean(values) end
   if sum(t.y) == 0 then return zero end
   return parts.mean(values, t.y)
end

local ratios = {
   precision = {
      brief = "Fraction of the rows predicted as a class that belong to it.", formula = "TP / (TP + FP)",
      of = function(hits, _, of_predicted) return hits, of_predicted end,
   },
   recall = {
      brief = "Fraction of the rows of a class that are predicted as it (sensitivity).", formula = "TP / (TP + FN)",
      of = function(hits, of_y) return hits, of_y end,
   },
   specificity = {
      brief = "Fraction of the rows of other classes that are not predicted as the class.", formula = "TN / (TN + FP)",
      of = function(hits, of_y, of_predicted, total) return total - of_y - of_predicted + hits, total - of_y end,
   },
   fpr = {
      brief = "False positive rate: fraction of the rows of other classes predicted as the class.",
      formula = "FP / (TN + FP)",
      of = function(hits, of_y, of_predicted, total) return of_predicted - hits, total - of_y end,
   },
   f1 = {
      brief = "Harmonic mean of precision and recall.", formula = "2 TP / (2 TP + FP + FN)",
      of = function(hits, of_y, of_predicted) return 2 * hits, of_y + of_predicted end,
   },
   fbeta = {
      brief = "Weighted harmonic mean of precision and recall; recall has weight beta^2.",
      formula = "(1 + b^2) TP / ((1 + b^2) TP + FP + b^2 FN)",
      options = { beta = "weight of recall relative to precision; required" },
      of = function(hits, of_y, of_predicted, _, o)
         if o.beta == nil then fail("beta must be given: above 1 favors recall, below 1 precision") end
         local square = parts.number(o, "beta", 1, 0, 1e150) ^ 2
         if square == math.huge then return hits, of_y end
         return (1 + square) * hits, square * of_y + of_predicted
      end,
   },
   jaccard = {
      brief = "Jaccard index of the rows of a class and the rows predicted as it.",
      formula = "TP / (TP + FP + FN)",
      of = function(hits, of_y, of_predicted) return hits, of_y + of_predicted - hits end,
   },
}

local function define_ratios(M)
   for name, about in pairs(ratios) do
      local options = { weights = parts.WEIGHTS, positive = parts.POSITIVE, labels = parts.LABELS,
         average = parts.AVERAGE_OR_SAMPLES, zero_division = parts.ZERO }
      for option, help in pairs(about.options or {}) do options[option] = help end
      parts.define(M, name, { args = { "y", "predicted" }, brief = about.brief, formula = about.formula,
         options = options,
         fn = function(y, predicted, o) return average_ratio(about.of, y, predicted, o) end })
   end
end

-- --- all classes at once ---

local WEIGHTS = { weights = parts.WEIGHTS }

-- For several columns of labels: the weighted fractions of rows with all columns correct, and of correct labels; nil
-- for one column and for tags.
local function column_hits(y, predicted, o)
   y, predicted = parts.label_columns(y, predicted)
   if not y then return nil end
   local all, correct
   for j, column in ipairs(y) do
      local a, b = parts.class_labels(column, predicted[j])
      local same = a:eq(b)
      all, correct = all and all:mul(same) or same, correct and correct + same or same
   end
   local w = parts.weights(o, #all)
   local function share(value) return w and value:dot(w) / w:sum() or value:mean() end
   return share(all), share(correct) / #y
end

local function accuracy(y, predicted, o)
   local rows_correct = column_hits(y, predicted, o)
   if rows_correct then return rows_correct end
   local tags = count_tags(y, predicted, o)
   if tags then return tags.same / tags.total end
   local t = count_classes(y, predicted, o)
   return sum(t.hits) / t.total
end

local function hamming(y, predicted, o)
   local _, labels_correct = column_hits(y, predicted, o)
   if labels_correct then return 1 - labels_correct end
   local tags = count_tags(y, predicted, o)
   if tags then return tags.wrong / (tags.total * #tags.labels) end
   local t = count_classes(y, predicted, o)
   return (t.total - sum(t.hits)) / t.total
end

local function balanced_accuracy(y, predicted, o)
   local t = count_classes(y, predicted, o)
   local recalls = {}
   for c = 1, #t.labels do
      if t.y[c] > 0 then recalls[#recalls + 1] = t.hits[c] / t.y[c] end
   end
   local value = parts.mean(recalls)
   if not parts.flag(o, "adjusted", false) then return value end
   if #recalls == 1 then fail("adjusted requires at least two classes in y, got one") end
   local chance = 1 / #recalls
   return (value - chance) / (1 - chance)
end

local function dot(a, b)
   local total = 0
   for i, value in ipairs(a) do total = total + value * b[i] end
   return total
end

local function mcc(y, predicted, o)
   local t = count_classes(y, predicted, o)
   local square = t.total * t.total
   local spread = (square - dot(t.y, t.y)) * (square - dot(t.predicted, t.predicted))
   if spread <= 0 then return 0.0 end
   return (sum(t.hits) * t.total - dot(t.y, t.predicted)) / math.sqrt(spread)
end

local POWERS = { none = 0, linear = 1, quadratic = 2 }

local function kappa(y, predicted, o)
   local power = POWERS[parts.choice(o, "disagreement", { "none", "linear", "quadratic" }, "none")]
   local labels = parts.label_list(o)
   local w
   y, predicted, w = pair(y, predicted, o)
   local value = core_metrics.kappa(y, predicted, labels and core.Factor(labels), w, power)
   if value ~= value then
      fail("kappa is undefined if y and predicted have only one and the same label")
   end
   return value
end

local function define_overall(M)
   local function add(name, brief, fn, options, more)
      local about = { args = { "y", "predicted" }, brief = brief, fn = fn, options = options or WEIGHTS }
      for key, value in pairs(more or {}) do about[key] = value end
      parts.define(M, name, about)
   end
   add("accuracy", "Fraction of the rows with the correct label (of several columns: all correct).", accuracy)
   add("hamming", "Hamming loss: fraction of the labels (or single tags) that are wrong.", hamming)
   add("balanced_accuracy", "Mean recall over the classes of y.", balanced_accuracy, { weights = parts.WEIGHTS,
      adjusted = "true: rescale so that chance scores 0 and perfect predictions 1; default false" })
   add("mcc", "Matthews correlation coefficient, -1 to 1; 0 if y or predicted is constant.", mcc, nil,
      { source = "Matthews (1975); for many classes Gorodkin (2004)" })
   add("kappa", "Cohen's kappa: agreement beyond chance, 1 at best.", kappa, { weights = parts.WEIGHTS,
      labels = parts.LABELS, disagreement = "weight of a disagreement: 'none' (default, all equal), or 'linear' or "
         .. "'quadratic' in the distance of the labels in their list" }, { source = "Cohen (1960, 1968)" })
end

-- --- the confusion matrix ---

local Confusion = {}
Confusion.__index = Confusion
Confusion.__name = "Confusion"

--- Counts as fractions of each row ("true"), each column ("pred") or the total ("all"); 0 for an empty row or column.
function Confusion:normalized(by)
   local k = #self.labels
   local sums, out = {}, core.zeros(k, k)
   if by ~= "true" and by ~= "pred" and by ~= "all" then
      error(("Confusion:normalized: by must be 'true', 'pred' or 'all', got %s"):format(text(by)), 2)
   end
   local function key(i, j) return by == "true" and i or by == "pred" and j or 1 end
   for i = 1, k do
      for j = 1, k do sums[key(i, j)] = (sums[key(i, j)] or 0) + self.counts:get(i, j) end
   end
   for i = 1, k do
      for j = 1, k do
         local whole = sums[key(i, j)]
         if whole > 0 then out:set(i, j, self.counts:get(i, j) / whole) end
      end
   end
   return out
end

--- The count of rows with true label a and predicted label b.
function Confusion:get(a, b)
   local i, j = parts.place(self.labels, a), parts.place(self.labels, b)
   if not i or not j then
      error(("Confusion:get: label must be one of %s, got %s"):format(parts.texts(self.labels),
         text(i and b or a)), 2)
   end
   return self.counts:get(i, j)
end

Confusion.__tostring = function(self)
   return require("manilius.metrics.text").confusion(self)
end

local function confusion_matrix(y, predicted, o)
   local by = parts.choice(o, "normalize", { "true", "pred", "all" })
   local labels = parts.label_list(o)
   local w
   y, predicted, w = pair(y, predicted, o)
   local names, counts = core_metrics.confusion(y, predicted, labels and core.Factor(labels), w)
   local made = setmetatable({ labels = labels or names, counts = counts }, Confusion)
   if by then made.counts = made:normalized(by) end
   return made
end

-- --- inference ---

local function error_interval(y, predicted, o)
   local method = parts.choice(o, "method", { "wilson", "normal" }, "wilson")
   local level = parts.number(o, "level", 0.95, 0, 1)
   local share, n
   if type(y) == "number" and type(predicted) == "number" then
      if not (predicted > 0 and y >= 0 and y <= predicted) then
         fail("errors and rows must satisfy 0 <= errors <= rows and rows > 0, got %s and %s", text(y), text(predicted))
      end
      share, n = y / predicted, predicted
   else
      local t = count_classes(y, predicted, o)
      share, n = (t.total - sum(t.hits)) / t.total, t.total
   end
   local low, high = core_metrics.interval(method, share, n, level)
   return { error = share, low = low, high = high, level = level, n = n, method = method }
end

local function exclusive_errors(y, first, second, o)
   y, first, second = parts.labels("y", y), parts.labels("first", first), parts.labels("second", second)
   parts.same_length("y", #y, "first", #first)
   parts.same_length("y", #y, "second", #second)
   local w, first_correct, second_correct = parts.weights(o, #y), first:eq(y), second:eq(y)
   local function count(mask) return w and mask:dot(w) or mask:sum() end
   return count(second_correct:mul(1 - first_correct)), count(first_correct:mul(1 - second_correct))
end

local EXACT_BELOW = 25

local function mcnemar(y, first, second, o)
   local correct = parts.flag(o, "correction", true)
   local a, b = exclusive_errors(y, first, second, o)
   local whole = math.tointeger(a) ~= nil and math.tointeger(b) ~= nil
   local exact = parts.flag(o, "exact", whole and a + b < EXACT_BELOW)
   if exact and not whole then fail("exact requires whole weights, got %g and %g rows", a, b) end
   local p, statistic = core_metrics.mcnemar(a, b, exact, correct)
   return parts.result({ "p_value", "statistic", "only_first_wrong", "only_second_wrong", "exact" },
      { p_value = p, statistic = statistic, only_first_wrong = a, only_second_wrong = b, exact = exact })
end

local function define_samples(M)
   parts.define(M, "confusion_matrix", { args = { "y", "predicted" },
      brief = "Counts of rows by true label (rows of the matrix) and predicted label (columns).",
      returns = "{ labels = list, counts = Matrix }; :normalized(by), :get(true, predicted), prints as a table",
      options = { weights = parts.WEIGHTS, labels = parts.LABELS,
         normalize = "fractions instead of counts: of each true label ('true'), of each predicted label ('pred') or of "
            .. "all rows ('all')" },
      fn = confusion_matrix })
   parts.define(M, "error_interval", { args = { "y", "predicted" },
      brief = "Error rate with its confidence interval; also error_interval(errors, rows).",
      returns = "{ error =, low =, high =, level =, n =, method = }",
      options = { weights = parts.WEIGHTS, level = "confidence level; default 0.95",
         method = "'wilson' (default) or 'normal': error +- z sqrt(error (1 - error) / n)" },
      source = "Wilson (1927)", fn = error_interval })
   parts.define(M, "mcnemar", { args = { "y", "first", "second" },
      brief = "McNemar's test that two classifiers have equal error rates on the same rows.",
      returns = "{ p_value =, statistic =, only_first_wrong =, only_second_wrong =, exact = }",
      options = { weights = parts.WEIGHTS,
         exact = "binomial instead of chi-square test; default: if fewer than 25 rows differ",
         correction = "Edwards' continuity correction of the chi-square test; default true" },
      source = "McNemar (1947)", fn = mcnemar })
end

return function(M)
   define_ratios(M)
   define_overall(M)
   define_samples(M)
end
