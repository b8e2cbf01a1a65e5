--- What a reader should look at before believing a report: things in the data, the fits and the scores that often mean
-- that something is wrong.
-- @module manilius.report.checks

local data = require "manilius.report.data"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"

local M = {}

local plural = data.plural

-- Looking at all pairs of values takes too long beyond this.
local MOST_CELLS = 2e7

-- --- columns ---

-- Distinct values that are there: how many, and how many rows have one.
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
   local constant, empty, sparse, names_only = {}, {}, {}, {}
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
      if is_label and count > 20 and count > 0.5 * there then names_only[#names_only + 1] = name end
   end
   local function tell(names, one, many, why)
      if #names == 0 then return end
      out[#out + 1] = ("%s %s %s: %s."):format(#names == 1 and "Column" or "Columns", listed(names),
         #names == 1 and one or many, why)
   end
   tell(empty, "has no value at all", "have no value at all", "leave out what tells nothing")
   tell(constant, "is the same in every row", "are the same in every row", "nothing can be learned from that")
   tell(sparse, "is missing in most rows", "are missing in most rows", "see whether being missing is itself a sign")
   tell(names_only, "has a different label in most rows, as a name or number of a record has",
      "have different labels in most rows, as names or numbers of records have", "a model may learn it by heart")
end

-- --- rows ---

-- Rows that are the same as an earlier one, in all columns (and y).
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

-- A few rows that are alike are no wonder where values are rounded.
local FEW_TWICE = 0.01

local function of_rows(frame, lists, y_lists, n, out)
   local all = table.move(lists, 1, #lists, 1, {})
   table.move(y_lists, 1, #y_lists, #all + 1, all)
   local count = duplicates(all, n)
   if count >= FEW_TWICE * n and count > 0 then
      out[#out + 1] = ("%s (%s) %s the same as an earlier row, target included. If they are copies, a row may be "
         .. "learned from and judged by, and the scores are too good."):format(plural(count, "row"),
         data.percent(count / n), count == 1 and "is" or "are")
   end
   if n < 50 then
      out[#out + 1] = ("There are only %d rows: all scores here are rough."):format(n)
   elseif n < 5 * #frame.names then
      out[#out + 1] = ("There are %d columns for %d rows: a model can find patterns that are chance."):format(
         #frame.names, n)
   end
end

-- --- leaks ---

-- Does the value alone tell the class? Of labels and repeated numbers: each value has one class, and values are few; of
-- numbers: sorted by it, the rows of each class lie together.
local function tells_class(list, labels, n, is_number)
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
      if given.labelled then
         if tells_class(lists[j], y_lists[1], n, is_number) then names[#names + 1] = name end
      elseif is_number then
         for _, list in ipairs(y_lists) do
            if math.abs(correlation(lists[j], list, n)) > TELLS_ALL then names[#names + 1] = name end
         end
      end
   end
   if #names > 0 then
      out[#out + 1] = ("%s %s tells the target all by itself. Was it known before what is predicted, or does it follow "
         .. "from it? Then it is a leak, and the scores are worth nothing."):format(
         #names == 1 and "Column" or "Each of", listed(names))
   end
end

-- --- target and scores ---

local FEW_SHARE, FEW_ROWS = 0.1, 10

local function of_classes(given, n, out)
   local counts = data.class_counts(given.y)
   local least, most = counts[#counts], counts[1]
   if #counts == 2 and least.count / n < FEW_SHARE or least.count / n < FEW_SHARE / #counts then
      out[#out + 1] = ("Classes are unequal: '%s' has %s (%s), '%s' %d. Accuracy says little then; look at balanced "
         .. "accuracy and at the precision and recall of the small class."):format(tostring(least.label),
         plural(least.count, "row"), data.percent(least.count / n), tostring(most.label), most.count)
   elseif least.count < FEW_ROWS then
      out[#out + 1] = ("Class '%s' has only %s."):format(tostring(least.label), plural(least.count, "row"))
   end
end

local PERFECT = { accuracy = 0.9999, r2 = 0.9999, roc_auc = 0.99999 }

local function of_scores(evidence, out)
   if evidence.kind == "fit" then return end
   for _, score in ipairs(evidence.scores) do
      local limit = PERFECT[score.name]
      if limit and score.mean >= limit then
         out[#out + 1] = ("%s is %s on rows the model had not seen. That is too good to be believed unread: look for a "
            .. "column that follows from the target, or for rows that occur twice."):format(score.name,
            data.number(score.mean))
         return
      end
   end
end

-- --- fits ---

-- The names of the steps that stopped before they converged.
local function unconverged(model, list)
   if rows.kind(model) == "Model" then
      if model.fitted and estimator.describe(model).does.iterate and not model.converged then
         list[#list + 1] = model.class
      end
   elseif type(model) == "table" then
      for _, part in ipairs(type(rawget(model, "models")) == "table" and model.models or {}) do
         unconverged(part, list)
      end
      local best = rawget(model, "best")
      if estimator.is(best) then unconverged(best, list) end
   end
   return list
end

local function of_fits(given, evidence, out)
   local names = unconverged(given.fitted, {})
   local folds = evidence and evidence.unconverged or 0
   if #names == 0 and folds == 0 then return end
   out[#out + 1] = ("%s stopped before converging%s: raise max_iter, or scale the columns."):format(
      #names > 0 and table.concat(names, ", ") or "A fit",
      folds > 0 and (", in %d of the folds"):format(folds) or "")
end

--- All that was found, as a list of sentences.
-- @param given { X, y, does, labelled = is y labels?, fitted }
-- @param evidence of held_out, or nil
function M.all(given, evidence)
   local out = {}
   local frame, n = data.frame_of(given.X), rows.count(given.X)
   of_fits(given, evidence, out)
   if given.does == "classify" then of_classes(given, n, out) end
   if frame and n * #frame.names <= MOST_CELLS then
      local lists, y_lists = {}, {}
      for j, column in ipairs(frame.columns) do lists[j] = column:totable() end
      if given.y ~= nil and given.does ~= "cluster" then
         if given.labelled then
            y_lists[1] = require("manilius.metrics.parts").labels("y", given.y):totable()
         else
            for j, column in ipairs(data.targets(given.y).columns) do y_lists[j] = column:totable() end
         end
      end
      of_columns(frame, lists, n, out)
      of_rows(frame, lists, y_lists, n, out)
      if #y_lists > 0 then of_leaks(given, frame, lists, y_lists, n, out) end
   end
   if evidence then of_scores(evidence, out) end
   return out
end

--- What was looked for, as a sentence for when nothing was found.
function M.looked_for(given)
   return ("Looked for and not found: fits that did not converge, %stoo few rows, rows that occur twice, columns that "
      .. "are constant, empty or mostly missing, labels that differ in every row%s."):format(
      given.does == "classify" and "small classes, " or "",
      given.y ~= nil and given.does ~= "cluster" and ", single columns that tell the target, "
      .. "and scores too good to be true" or "")
end

return M
