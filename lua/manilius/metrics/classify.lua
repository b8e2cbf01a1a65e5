--- Metrics of predicted labels.
--
-- Where rows may have several tags at once, y and predicted are Matrices with a column for each tag that hold 1 where a
-- row has it, 0 where not; accuracy, hamming, and all ratios with an average take them.
-- @module manilius.metrics.classify

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"

local step = core.metrics
local fail, text = parts.fail, parts.text

-- y and predicted as Factors of one length; weights.
local function pair(y, predicted, o)
   y, predicted = parts.labels("y", y), parts.labels("predicted", predicted)
   parts.same_length("y", #y, "predicted", #predicted)
   return y, predicted, parts.weights(o, #y)
end

-- The same as below for tags, which are labels 1, 2, ... and may be several in a row; nil when y and predicted are
-- labels.
local function tally_tags(y, predicted, o)
   y, predicted = parts.tags(y, predicted)
   if not y then return nil end
   if o.labels ~= nil then fail("labels are for single labels; tags are the columns of y") end
   local hits, of_y, of_predicted, total, same, wrong = step.multilabel_totals(y, predicted, parts.weights(o, y.rows))
   local labels = {}
   for c = 1, #hits do labels[c] = c end
   return { labels = labels, hits = hits:totable(), y = of_y:totable(), predicted = of_predicted:totable(),
      total = total, same = same, wrong = wrong }
end

-- Weights of rows by label: { labels =, hits =, y =, predicted = (lists), total = }.
local function tally(y, predicted, o, labels)
   local w
   y, predicted, w = pair(y, predicted, o)
   local names, hits, of_y, of_predicted, total = step.class_totals(y, predicted, labels and core.Factor(labels), w)
   return { labels = labels or names, hits = hits:totable(), y = of_y:totable(), predicted = of_predicted:totable(),
      total = total }
end

local function sum(list)
   local total = 0
   for _, value in ipairs(list) do total = total + value end
   return total
end

-- --- ratios of counts, one for each class ---

local AVERAGES = { "macro", "micro", "weighted", "none" }

local function zero_division(o)
   local value = o.zero_division
   if value == nil then return 0.0 end
   if type(value) ~= "number" or (value ~= 0 and value ~= 1 and value == value) then
      fail("zero_division must be 0, 1 or nan, got %s", text(value))
   end
   return value + 0.0
end

local function divide(over, under, zero)
   if under == 0 then return zero end
   return over / under
end

-- The ratio of one class, or of several taken as one.
local function ratio_of(ratio, t, first, last, zero, o)
   local hits, of_y, of_predicted, total = 0, 0, 0, 0
   for c = first, last do
      hits, of_y, of_predicted = hits + t.hits[c], of_y + t.y[c], of_predicted + t.predicted[c]
      total = total + t.total
   end
   local over, under = ratio(hits, of_y, of_predicted, total, o)
   return divide(over, under, zero)
end

local function refuse_many(t)
   fail("y and predicted hold %d classes, %s; give average = 'macro', 'micro', 'weighted' or 'none', or positive = the "
      .. "one that is looked for", #t.labels, parts.texts(t.labels))
end

local function of_positive(ratio, t, zero, o)
   local wanted = parts.positive(o, t.labels)
   if wanted == nil then
      if #t.labels > 2 then refuse_many(t) end
      fail("only the label %s occurs; give positive = the label that is looked for, or labels = { negative, positive }",
         text(t.labels[1]))
   end
   local place = parts.place(t.labels, wanted)
   if place then return ratio_of(ratio, t, place, place, zero, o) end
   return divide(0.0, 0.0, zero)
end

local function averaged(ratio, y, predicted, o)
   local average = parts.choice(o, "average", AVERAGES)
   local t = tally_tags(y, predicted, o)
   if t and not average and o.positive == nil then refuse_many(t) end
   t = t or tally(y, predicted, o, parts.label_list(o))
   local zero = zero_division(o)
   if not average then return of_positive(ratio, t, zero, o) end
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
      brief = "Share of the rows predicted as a class that belong to it.", formula = "TP / (TP + FP)",
      of = function(hits, _, of_predicted) return hits, of_predicted end,
   },
   recall = {
      brief = "Share of the rows of a class that are predicted as it (sensitivity).", formula = "TP / (TP + FN)",
      of = function(hits, of_y) return hits, of_y end,
   },
   specificity = {
      brief = "Share of the rows of other classes that are not predicted as the class.", formula = "TN / (TN + FP)",
      of = function(hits, of_y, of_predicted, total) return total - of_y - of_predicted + hits, total - of_y end,
   },
   fpr = {
      brief = "False positive rate: share of the rows of other classes predicted as the class.",
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
      options = { beta = "how much more recall counts than precision; must be given" },
      of = function(hits, of_y, of_predicted, _, o)
         if o.beta == nil then fail("beta must be given: 2 puts recall above precision, 0.5 below") end
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
         average = parts.AVERAGE, zero_division = parts.ZERO }
      for option, help in pairs(about.options or {}) do options[option] = help end
      parts.define(M, name, { args = { "y", "predicted" }, brief = about.brief, formula = about.formula,
         options = options,
         fn = function(y, predicted, o) return averaged(about.of, y, predicted, o) end })
   end
end

-- --- all classes at once ---

local WEIGHTS = { weights = parts.WEIGHTS }

local function accuracy(y, predicted, o)
   local tags = tally_tags(y, predicted, o)
   if tags then return tags.same / tags.total end
   local t = tally(y, predicted, o)
   return sum(t.hits) / t.total
end

local function hamming(y, predicted, o)
   local tags = tally_tags(y, predicted, o)
   if tags then return tags.wrong / (tags.total * #tags.labels) end
   local t = tally(y, predicted, o)
   return (t.total - sum(t.hits)) / t.total
end

local function balanced_accuracy(y, predicted, o)
   local t = tally(y, predicted, o)
   local recalls = {}
   for c = 1, #t.labels do
      if t.y[c] > 0 then recalls[#recalls + 1] = t.hits[c] / t.y[c] end
   end
   local value = parts.mean(recalls)
   if not parts.flag(o, "adjusted", false) then return value end
   if #recalls == 1 then fail("adjusted needs at least two classes in y, got one") end
   local chance = 1 / #recalls
   return (value - chance) / (1 - chance)
end

local function dot(a, b)
   local total = 0
   for i, value in ipairs(a) do total = total + value * b[i] end
   return total
end

local function mcc(y, predicted, o)
   local t = tally(y, predicted, o)
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
   local value = step.kappa(y, predicted, labels and core.Factor(labels), w, power)
   if value ~= value then
      fail("y and predicted must not both hold one and the same label only: chance agrees as well")
   end
   return value
end

local function define_wholes(M)
   local function add(name, brief, fn, options, more)
      local about = { args = { "y", "predicted" }, brief = brief, fn = fn, options = options or WEIGHTS }
      for key, value in pairs(more or {}) do about[key] = value end
      parts.define(M, name, about)
   end
   add("accuracy", "Share of the rows with the correct label (for tags: all tags correct).", accuracy)
   add("hamming", "Hamming loss: share of the labels (or single tags) that are wrong.", hamming)
   add("balanced_accuracy", "Mean recall over the classes of y.", balanced_accuracy, { weights = parts.WEIGHTS,
      adjusted = "true: shifted so that chance has 0, and perfection 1" })
   add("mcc", "Matthews correlation coefficient, -1 to 1; 0 if y or predicted is constant.", mcc, nil,
      { source = "Matthews (1975); for many classes Gorodkin (2004)" })
   add("kappa", "Cohen's kappa: agreement beyond chance, 1 at best.", kappa, { weights = parts.WEIGHTS,
      labels = parts.LABELS, disagreement = "how much two labels differ: 'none' (default: all alike), 'linear' or "
         .. "'quadratic' in their distance in the list of labels" }, { source = "Cohen (1960, 1968)" })
end

-- --- the confusion matrix ---

local Confusion = {}
Confusion.__index = Confusion
Confusion.__name = "Confusion"

--- Counts as shares: "true" of each row, "pred" of each column, "all" of the whole; 0 where there is nothing.
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
   local names, counts = step.confusion(y, predicted, labels and core.Factor(labels), w)
   local made = setmetatable({ labels = labels or names, counts = counts }, Confusion)
   if by then made.counts = made:normalized(by) end
   return made
end

-- --- what a sample tells ---

local function error_interval(y, predicted, o)
   local method = parts.choice(o, "method", { "wilson", "normal" }, "wilson")
   local level = parts.number(o, "level", 0.95, 0, 1)
   local share, n
   if type(y) == "number" and type(predicted) == "number" then
      if not (predicted > 0 and y >= 0 and y <= predicted) then
         fail("of a number of errors and of rows, 0 <= errors <= rows and rows > 0 must hold, got %s and %s", text(y),
            text(predicted))
      end
      share, n = y / predicted, predicted
   else
      local t = tally(y, predicted, o)
      share, n = (t.total - sum(t.hits)) / t.total, t.total
   end
   local low, high = step.interval(method, share, n, level)
   return { error = share, low = low, high = high, level = level, n = n, method = method }
end

local function wrong_alone(y, first, second, o)
   y, first, second = parts.labels("y", y), parts.labels("first", first), parts.labels("second", second)
   parts.same_length("y", #y, "first", #first)
   parts.same_length("y", #y, "second", #second)
   local w = parts.weights(o, #y)
   local only_first, only_second = 0, 0
   for i = 1, #y do
      local one, two = first[i] == y[i], second[i] == y[i]
      if one and not two then only_second = only_second + (w and w[i] or 1) end
      if two and not one then only_first = only_first + (w and w[i] or 1) end
   end
   return only_first, only_second
end

local EXACT_BELOW = 25

local function mcnemar(y, first, second, o)
   local correct = parts.flag(o, "correction", true)
   local a, b = wrong_alone(y, first, second, o)
   local whole = math.tointeger(a) ~= nil and math.tointeger(b) ~= nil
   local exact = parts.flag(o, "exact", whole and a + b < EXACT_BELOW)
   if exact and not whole then fail("exact needs whole weights, got %g and %g rows", a, b) end
   local p, statistic = step.mcnemar(a, b, exact, correct)
   return { p_value = p, statistic = statistic, only_first_wrong = a, only_second_wrong = b, exact = exact }
end

local function define_samples(M)
   parts.define(M, "confusion_matrix", { args = { "y", "predicted" },
      brief = "Counts of rows by true label (rows of the matrix) and predicted label (columns).",
      returns = "{ labels = list, counts = Matrix }; :normalized(by), :get(true, predicted), prints as a table",
      options = { weights = parts.WEIGHTS, labels = parts.LABELS,
         normalize = "shares instead of counts: of each 'true' label, of each 'pred'icted one, of 'all' rows" },
      fn = confusion_matrix })
   parts.define(M, "error_interval", { args = { "y", "predicted" },
      brief = "Error rate with its confidence interval; also error_interval(errors, rows).",
      returns = "{ error =, low =, high =, level =, n =, method = }",
      options = { weights = parts.WEIGHTS, level = "confidence, default 0.95",
         method = "'wilson' (default) or 'normal': error +- z sqrt(error (1 - error) / n)" },
      source = "Wilson (1927)", fn = error_interval })
   parts.define(M, "mcnemar", { args = { "y", "first", "second" },
      brief = "McNemar's test that two classifiers have equal error rates on the same rows.",
      returns = "{ p_value =, statistic =, only_first_wrong =, only_second_wrong =, exact = }",
      options = { weights = parts.WEIGHTS, exact = "binomial instead of chi-square; default: below 25 rows that count",
         correction = "Edwards' continuity correction of chi-square, default true" },
      source = "McNemar (1947)", fn = mcnemar })
end

return function(M)
   define_ratios(M)
   define_wholes(M)
   define_samples(M)
end
