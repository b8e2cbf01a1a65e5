--- Metrics of tags that mark spans, such as names of places: B-LOC I-LOC O; and of sequences of tags.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"

local LENGTHS = "numbers of rows of the sequences; default: one sequence"

local function lengths_of(o)
   if o.lengths ~= nil then return parts.numbers("lengths", o.lengths) end
end

-- By type: { hits =, y =, predicted = }; the sorted types.
local function count(y, predicted, o)
   y, predicted = parts.class_labels(y, predicted)
   local types, counts = core.metrics.spans(y, predicted, nil, lengths_of(o))
   local totals = {}
   for k, kind in ipairs(types) do
      local t = { hits = counts:get(k, 1), y = counts:get(k, 2), predicted = counts:get(k, 3) }
      if t.y + t.predicted > 0 then totals[kind] = t end
   end
   return totals, parts.sorted_keys(totals)
end

local function divide(a, b) return b == 0 and 0.0 or a / b end

local RATIOS = {
   precision = function(t) return divide(t.hits, t.predicted) end,
   recall = function(t) return divide(t.hits, t.y) end,
   f1 = function(t) return divide(2 * t.hits, t.predicted + t.y) end,
}

local function sum_of(totals)
   local sum = { hits = 0, y = 0, predicted = 0 }
   for _, t in pairs(totals) do
      for name, value in pairs(t) do sum[name] = sum[name] + value end
   end
   return sum
end

local function measure(ratio)
   return function(y, predicted, o)
      local average = parts.choice(o, "average", { "micro", "macro" }, "micro")
      local totals, types = count(y, predicted, o)
      if average == "micro" then return RATIOS[ratio](sum_of(totals)) end
      local sum = 0
      for _, kind in ipairs(types) do sum = sum + RATIOS[ratio](totals[kind]) end
      return divide(sum, #types)
   end
end

-- A Frame: one row for each type, and one for all.
local function report(y, predicted, o)
   local totals, types = count(y, predicted, o)
   local columns = { { "type", {} }, { "precision", {} }, { "recall", {} }, { "f1", {} }, { "spans", {} } }
   local function add(name, t)
      for j, value in ipairs { name, RATIOS.precision(t), RATIOS.recall(t), RATIOS.f1(t), t.y } do
         table.insert(columns[j][2], value)
      end
   end
   for _, kind in ipairs(types) do add(kind == "" and "(none)" or kind, totals[kind]) end
   add("all", sum_of(totals))
   return require "manilius.frame".Frame(columns)
end

-- The fractions of correct rows of each sequence.
local function by_sequence(y, predicted, o)
   y, predicted = parts.class_labels(y, predicted)
   return (core.metrics.accuracy_by_sequence(y, predicted, nil, lengths_of(o)))
end

local function sequence_accuracy(y, predicted, o)
   local shares = by_sequence(y, predicted, o)
   return shares:eq(1):sum() / #shares
end

return function(M)
   local source = "Tjong Kim Sang & Buchholz (CoNLL 2000)"
   local function add(name, brief, fn, options, returns)
      parts.define(M, name, { args = { "y", "predicted" }, brief = brief, fn = fn, options = options, source = source,
         returns = returns })
   end
   local averaged = { lengths = LENGTHS, average = "'micro' (default): of all spans; 'macro': mean over types" }
   add("span_precision", "Fraction of the predicted spans (B-LOC I-LOC O) that are right.", measure "precision",
      averaged)
   add("span_recall", "Fraction of the spans (B-LOC I-LOC O) that are found.", measure "recall", averaged)
   add("span_f1", "Harmonic mean of precision and recall of spans (B-LOC I-LOC O).", measure "f1", averaged)
   add("span_report", "Precision, recall and F1 of spans by type, as conlleval prints them.", report,
      { lengths = LENGTHS }, "Frame, a row for each type and one for all")
   add("sequence_accuracy", "Fraction of the sequences whose tags are all right.", sequence_accuracy,
      { lengths = LENGTHS })
   add("accuracy_by_sequence", "Fraction of right tags in each sequence.", by_sequence, { lengths = LENGTHS },
      "Vector, a value for each sequence")
end
