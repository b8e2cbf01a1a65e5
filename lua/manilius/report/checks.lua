--- Warnings of a report: properties of the data, the fits and the scores that often indicate a problem.

local data = require "manilius.report.data"
local metrics = require "manilius.metrics"
local rows = require "manilius.rows"
local warnings = require "manilius.warnings"

local M = {}

local plural = data.plural

-- Larger data is not checked column by column: it would take too long.
local MAX_CELLS = 2e7

-- --- columns ---

-- The number of distinct values, and the number of rows with a value.
local function distinct(list, n)
   local seen, count, there = {}, 0, 0
   for i = 1, n do
      local value = list[i]
      if value ~= nil and value == value then
         there = there + 1
         if not seen[value] then seen[value], count = true, count + 1 end
      end
   end
   return count, there
end

local function listed(names)
   local shown = table.move(names, 1, math.min(#names, 8), 1, {})
   for i, name in ipairs(shown) do shown[i] = ("'%s'"):format(name) end
   if #names > 8 then shown[#shown + 1] = ("%d more"):format(#names - 8) end
   return table.concat(shown, ", ")
end

local MANY_MISSING = 0.5

local function of_columns(frame, lists, n, out)
   local constant, empty, sparse, ids = {}, {}, {}, {}
   for j, name in ipairs(frame.names) do
      local count, there = distinct(lists[j], n)
      if there == 0 then
         empty[#empty + 1] = name
      elseif count == 1 and there == n then
         constant[#constant + 1] = name
      elseif there < (1 - MANY_MISSING) * n then
         sparse[#sparse + 1] = name
      end
      local is_label = rows.kind(frame.columns[j]) == "Factor"
      if is_label and count > 20 and count > 0.5 * there then ids[#ids + 1] = name end
   end
   local function add(names, singular, plural_text, advice)
      if #names == 0 then return end
      out[#out + 1] = ("%s %s %s: %s."):format(#names == 1 and "Column" or "Columns", listed(names),
         #names == 1 and singular or plural_text, advice)
   end
   add(empty, "has no values", "have no values", "consider removing it")
   add(constant, "is constant", "are constant", "a constant column carries no information")
   add(sparse, "is missing in most rows", "are missing in most rows", "missingness itself may be informative")
   add(ids, "has a different label in most rows, like an identifier",
      "have different labels in most rows, like identifiers", "the model may memorize them")
end

-- --- rows ---

-- The number of rows that equal an earlier row in all columns (and y).
local function duplicates(lists, n)
   local code, count = {}, 0
   for i = 1, n do code[i] = 0 end
   for _, list in ipairs(lists) do
      local ids, next_id = {}, 0
      for i = 1, n do
         local value = list[i]
         if value == nil or value ~= value then value = ids end -- a missing value equals another
         local inner = ids[code[i]]
         if not inner then
            inner = {}
            ids[code[i]] = inner
         end
         if not inner[value] then
            next_id = next_id + 1
            inner[value] = next_id
         end
         code[i] = inner[value]
      end
   end
   local seen = {}
   for i = 1, n do
      if seen[code[i]] then count = count + 1 end
      seen[code[i]] = true
   end
   return count
end

-- Rounded values produce some duplicates by chance; a smaller fraction of rows is not reported.
local MIN_DUPLICATE_SHARE = 0.01

local function of_rows(frame, lists, y_lists, n, out)
   local all = table.move(lists, 1, #lists, 1, {})
   table.move(y_lists, 1, #y_lists, #all + 1, all)
   local count = duplicates(all, n)
   if count >= MIN_DUPLICATE_SHARE * n and count > 0 then
      out[#out + 1] = ("%s (%s) %s an earlier row, including the target. If they are copies, the same row may be in "
         .. "both training and test data, and the scores are too optimistic."):format(plural(count, "row"),
         data.percent(count / n), count == 1 and "duplicates" or "duplicate")
   end
   if n < 50 then
      out[#out + 1] = ("There are only %d rows: the scores are imprecise."):format(n)
   elseif n < 5 * #frame.names then
      out[#out + 1] = ("There are %d columns for %d rows: the model may overfit."):format(#frame.names, n)
   end
end

-- --- leaks ---

-- Does the column alone determine the class? For labels and repeated numbers: each value occurs in one class only, and
-- there are few values. For numbers: after sorting by the column, the rows of each class are contiguous.
local function determines_class(list, labels, n, is_number)
   local of_value, values, seen = {}, {}, {}
   local count, there, classes = 0, 0, 0
   for i = 1, n do
      local value = list[i]
      if value ~= nil and value == value then
         there = there + 1
         if of_value[value] == nil then
            count = count + 1
            of_value[value], values[count] = labels[i], value
         end
         if of_value[value] ~= labels[i] then return false end
         if not seen[labels[i]] then seen[labels[i]], classes = true, classes + 1 end
      end
   end
   if classes < 2 or there < 20 or there < 0.5 * n then return false end
   if count <= math.max(classes, there / 10) then return true end
   if not is_number then return false end
   table.sort(values)
   local runs = 1
   for i = 2, count do
      if of_value[values[i]] ~= of_value[values[i - 1]] then runs = runs + 1 end
   end
   return runs <= classes
end

local function correlation(x, y, n)
   local count, mx, my = 0, 0, 0
   local sxx, syy, sxy = 0, 0, 0
   for i = 1, n do
      local a, b = x[i], y[i]
      if a == a and b == b then
         count = count + 1
         local dx, dy = a - mx, b - my
         mx, my = mx + dx / count, my + dy / count
         sxx, syy, sxy = sxx + dx * (a - mx), syy + dy * (b - my), sxy + dx * (b - my)
      end
   end
   if count < 20 or sxx <= 0 or syy <= 0 then return 0 end
   return sxy / math.sqrt(sxx * syy)
end

local TELLS_ALL = 0.9999

local function of_leaks(given, frame, lists, y_lists, n, out)
   local names = {}
   for j, name in ipairs(frame.names) do
      local is_number = rows.kind(frame.columns[j]) == "Vector"
      if given.labeled then
         if determines_class(lists[j], y_lists[1], n, is_number) then names[#names + 1] = name end
      elseif is_number then
         for _, list in ipairs(y_lists) do
            if math.abs(correlation(lists[j], list, n)) > TELLS_ALL then names[#names + 1] = name end
         end
      end
   end
   if #names > 0 then
      out[#out + 1] = ("%s %s determines the target by itself. If it is not known at prediction time, it leaks the "
         .. "target, and the scores are meaningless."):format(#names == 1 and "Column" or "Each of", listed(names))
   end
end

-- --- target and scores ---

local MIN_CLASS_SHARE, MIN_CLASS_ROWS = 0.1, 10

local function of_classes(given, n, out)
   local counts = data.class_counts(given.y)
   local smallest, largest = counts[#counts], counts[1]
   local share = smallest.count / n
   if #counts == 2 and share < MIN_CLASS_SHARE or share < MIN_CLASS_SHARE / #counts then
      out[#out + 1] = ("Classes are imbalanced: '%s' has %s (%s), '%s' has %d. Accuracy can be misleading; use "
         .. "balanced accuracy and the precision and recall of the small class."):format(data.label(smallest.label),
         plural(smallest.count, "row"), data.percent(share), data.label(largest.label), largest.count)
   elseif smallest.count < MIN_CLASS_ROWS then
      out[#out + 1] = ("Class '%s' has only %s."):format(data.label(smallest.label), plural(smallest.count, "row"))
   end
end

local PERFECT = { accuracy = 0.9999, r2 = 0.9999, roc_auc = 0.99999 }

local function of_scores(evidence, out)
   if evidence.kind == "fit" then return end
   for _, score in ipairs(evidence.scores) do
      local limit = PERFECT[score.name]
      if limit and score.mean >= limit then
         out[#out + 1] = ("%s is %s on held-out rows, which is suspiciously high: look for a column that leaks the "
            .. "target, or for duplicate rows."):format(score.name, data.number(score.mean))
         return
      end
   end
end

-- --- predictions ---

local function of_class_predictions(evidence, out)
   local labels_of = require("manilius.metrics.parts").labels
   local y, predicted = labels_of("y", evidence.y), labels_of("predicted", evidence.outputs.predict)
   local counts, seen, hits, largest = {}, {}, 0, nil
   for i = 1, #y do
      local label = y[i]
      counts[label] = (counts[label] or 0) + 1
      seen[predicted[i]] = true
      if predicted[i] == label then hits = hits + 1 end
   end
   local never = {}
   for _, label in ipairs(y.levels) do
      if counts[label] and not seen[label] then never[#never + 1] = data.label(label) end
      if counts[label] and (not largest or counts[label] > counts[largest]) then largest = label end
   end
   if #never > 0 then
      out[#out + 1] = ("%s %s %s never predicted: recall is 0 and precision undefined. Use class_weight, another "
         .. "threshold or more rows."):format(#never == 1 and "Class" or "Classes", listed(never),
         #never == 1 and "is" or "are")
   end
   if hits <= counts[largest] then
      out[#out + 1] = ("Accuracy %s is no better than that of always predicting '%s', %s."):format(
         data.number(hits / #y), data.label(largest), data.number(counts[largest] / #y))
   end
end

local function of_number_predictions(evidence, out)
   local r2 = metrics.r2(evidence.y, evidence.outputs.predict, { average = "none" })
   local worst = type(r2) == "number" and r2 or r2:min()
   if worst <= 0 then
      out[#out + 1] = ("R2 is %s on held-out rows: the predictions are no better than the mean of y."):format(
         data.number(worst))
   end
end

local function of_predictions(given, evidence, out)
   if evidence.kind == "fit" or evidence.outputs.predict == nil then return end
   if given.does == "classify" then of_class_predictions(evidence, out) end
   if given.does == "regress" then of_number_predictions(evidence, out) end
end

local function of_importance(importance, out)
   if not (importance and importance.table) or importance.method == "drop" then return end
   local values = importance.table.importance
   for i = 1, #values do
      if values[i] ~= 0 and values[i] == values[i] then return end
   end
   out[#out + 1] = "No column has an influence: shuffling any of them leaves the score unchanged."
end

-- --- fits ---

local function of_fits(given, evidence, out)
   local names = {}
   for i, model in ipairs(warnings.unconverged(given.fitted)) do names[i] = model.class end
   local folds = evidence and evidence.unconverged or 0
   if #names == 0 and folds == 0 then return end
   out[#out + 1] = ("%s did not converge%s: increase max_iter or scale the columns."):format(
      #names > 0 and table.concat(names, ", ") or "A fit", folds > 0 and (" in %d of the folds"):format(folds) or "")
end

--- All warnings, as a list of sentences.
-- @param given { X, y, does, labeled = is y labels?, fitted }
-- @param evidence of held_out, or nil
-- @param importance of importances, or nil
function M.all(given, evidence, importance)
   local out = {}
   local frame, n = data.frame_of(given.X), rows.count(given.X)
   of_fits(given, evidence, out)
   if given.does == "classify" then of_classes(given, n, out) end
   if frame and n * #frame.names <= MAX_CELLS then
      local lists, y_lists = {}, {}
      for j, column in ipairs(frame.columns) do lists[j] = column:totable() end
      if given.y ~= nil and given.does ~= "cluster" then
         if given.labeled then
            y_lists[1] = require("manilius.metrics.parts").labels("y", given.y):totable()
         else
            for j, column in ipairs(data.targets(given.y).columns) do y_lists[j] = column:totable() end
         end
      end
      of_columns(frame, lists, n, out)
      of_rows(frame, lists, y_lists, n, out)
      if #y_lists > 0 then of_leaks(given, frame, lists, y_lists, n, out) end
   end
   if evidence then
      of_scores(evidence, out)
      of_predictions(given, evidence, out)
   end
   of_importance(importance, out)
   return out
end

--- The sentence shown when there are no warnings.
function M.no_warnings_text(given)
   return ("None. Checked for: fits that did not converge, %stoo few rows, duplicate rows, columns that are constant, "
      .. "empty, mostly missing or identifiers%s."):format(given.does == "classify" and "small classes, " or "",
      given.y ~= nil and given.does ~= "cluster" and ", columns that leak the target, suspiciously high scores, and "
         .. "predictions no better than a constant" or "")
end

return M
