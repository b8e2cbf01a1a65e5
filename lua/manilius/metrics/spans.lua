--- Metrics of tags that mark spans, such as names of places: B-LOC I-LOC O; and of sequences of tags.
--
-- Spans are those of conlleval (Tjong Kim Sang & Buchholz, 2000), also for tags that do not fit together: a span begins
-- at B, at S, behind O, E or S, and where the type changes; it ends at E, at S, before B, S or O, and where the type
-- changes. L and U are E and S (BILOU).

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"

local fail = parts.fail

local LENGTHS = "numbers of rows of the sequences; default: one sequence"
local SAME = { L = "E", U = "S", M = "I" }

-- The letter and the type of a tag.
local function parse(label)
   local word = type(label) == "string" and label or ""
   local letter, kind = word:match "^([BIOESLUM])$", ""
   if not letter then letter, kind = word:match "^([BIESLUM])[-_](.+)$" end
   if not letter then
      fail("tags must be O, or a letter of B, I, E and S with a type, as in B-LOC; got %s", parts.text(label))
   end
   return { letter = SAME[letter] or letter, kind = letter == "O" and "" or kind }
end

local OUTSIDE = { letter = "O", kind = "" }
local ENDS = { E = true, S = true }
local BEGINS = { B = true, S = true }

local function ends_between(before, tag)
   if before.letter == "O" then return false end
   return ENDS[before.letter] or BEGINS[tag.letter] or tag.letter == "O" or before.kind ~= tag.kind
end

local function begins_between(before, tag)
   if tag.letter == "O" then return false end
   return BEGINS[tag.letter] or before.letter == "O" or ENDS[before.letter] or before.kind ~= tag.kind
end

-- The first rows of the sequences, as a set.
local function first_rows(o, n)
   local starts, at = { [1] = true }, 1
   if o.lengths == nil then return starts end
   local lengths = parts.numbers("lengths", o.lengths):totable()
   for i, length in ipairs(lengths) do
      if length < 1 or length % 1 ~= 0 then
         fail("lengths must be whole numbers >= 1, got %s at position %d", length, i)
      end
      starts[at] = true
      at = at + length
   end
   if at - 1 ~= n then fail("lengths must add up to the number of rows, %d, got %d", n, at - 1) end
   return starts
end

-- Spans as keys "first last type", each with its type.
local function spans_of(factor, starts)
   local tags, spans, known, first = factor:totable(), {}, {}, nil
   local before = OUTSIDE
   local function close(last)
      if first then spans[("%d %d %s"):format(first, last, before.kind)] = before.kind end
      first = nil
   end
   for i = 1, #factor do
      local label = tags[i]
      if label == nil then fail("tags must not be missing, got nil at position %d", i) end
      known[label] = known[label] or parse(label)
      local tag = known[label]
      if starts[i] then
         close(i - 1)
         before = OUTSIDE
      end
      if ends_between(before, tag) then close(i - 1) end
      if begins_between(before, tag) then first = i end
      before = tag
   end
   close(#factor)
   return spans
end

-- By type: { hits =, y =, predicted = }; the sorted types.
local function count(y, predicted, o)
   y, predicted = parts.class_labels(y, predicted)
   local starts = first_rows(o, #y)
   local of_y, of_predicted, totals = spans_of(y, starts), spans_of(predicted, starts), {}
   local function add(kind, what)
      totals[kind] = totals[kind] or { hits = 0, y = 0, predicted = 0 }
      totals[kind][what] = totals[kind][what] + 1
   end
   for key, kind in pairs(of_y) do
      add(kind, "y")
      if of_predicted[key] then add(kind, "hits") end
   end
   for _, kind in pairs(of_predicted) do add(kind, "predicted") end
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

-- The shares of correct rows of each sequence.
local function by_sequence(y, predicted, o)
   y, predicted = parts.class_labels(y, predicted)
   local starts, right, rows = first_rows(o, #y), {}, {}
   local a, b = y:totable(), predicted:totable()
   for i = 1, #y do
      if starts[i] then right[#right + 1], rows[#rows + 1] = 0, 0 end
      rows[#rows] = rows[#rows] + 1
      if a[i] == b[i] then right[#right] = right[#right] + 1 end
   end
   for s, n in ipairs(rows) do right[s] = right[s] / n end
   return core.Vector(right)
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
   add("span_precision", "Share of the predicted spans (B-LOC I-LOC O) that are right.", measure "precision", averaged)
   add("span_recall", "Share of the spans (B-LOC I-LOC O) that are found.", measure "recall", averaged)
   add("span_f1", "Harmonic mean of precision and recall of spans (B-LOC I-LOC O).", measure "f1", averaged)
   add("span_report", "Precision, recall and F1 of spans by type, as conlleval prints them.", report,
      { lengths = LENGTHS }, "Frame, a row for each type and one for all")
   add("sequence_accuracy", "Share of the sequences whose tags are all right.", sequence_accuracy,
      { lengths = LENGTHS })
   add("accuracy_by_sequence", "Share of right tags in each sequence.", by_sequence, { lengths = LENGTHS },
      "Vector, a value for each sequence")
end
