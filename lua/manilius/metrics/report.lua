--- Reports: several metrics at once, as tables that print.

local core = require "manilius.core"
local parts = require "manilius.metrics.parts"
local show = require "manilius.metrics.text"
local text = require "manilius.text"

local core_metrics = core.metrics

-- --- classification ---

local MEASURES = { "precision", "recall", "f1" }

local Report = { __name = "Report" }
Report.__index = Report

local function class_line(name, row, digits)
   local line = { name }
   for j, measure in ipairs(MEASURES) do line[j + 1] = show.number(row[measure], digits) end
   line[5] = show.number(row.support, 0)
   return line
end

function Report:__tostring()
   local d = self.digits
   local lines = { { "", "precision", "recall", "f1", "support" } }
   for _, label in ipairs(self.labels) do
      lines[#lines + 1] = class_line(show.label(label), self.classes[label], d)
   end
   lines[#lines + 1] = {}
   for _, average in ipairs { "micro", "macro", "weighted" } do
      if self[average] then lines[#lines + 1] = class_line(average .. " mean", self[average], d) end
   end
   local out = { text.aligned(lines) }
   if self.accuracy then
      out[2] = ("accuracy %s, %g%% interval %s to %s (Wilson), %s rows"):format(show.number(self.accuracy, d),
         self.level * 100, show.number(self.low, d), show.number(self.high, d), show.number(self.support, 0))
   end
   for _, note in ipairs(self.notes) do out[#out + 1] = text.wrap(note, 0) end
   return table.concat(out, "\n\n")
end

--- The classes as a Frame: label, precision, recall, f1, support.
function Report:frame()
   local columns = { {}, {}, {}, {} }
   for i, label in ipairs(self.labels) do
      local row = self.classes[label]
      for j, name in ipairs { "precision", "recall", "f1", "support" } do columns[j][i] = row[name] end
   end
   return require("manilius.frame").build({ "label", "precision", "recall", "f1", "support" },
      { core.Factor(self.labels), columns[1], columns[2], columns[3], columns[4] }, "Report:frame", 2)
end

local function ratio(numerator, denominator, zero)
   if denominator == 0 then return zero end
   return numerator / denominator
end

local function line_of(hits, of_y, of_predicted, zero)
   return { precision = ratio(hits, of_predicted, zero), recall = ratio(hits, of_y, zero),
      f1 = ratio(2 * hits, of_y + of_predicted, zero), support = of_y }
end

local function average_of(list, weights, support, zero)
   local out = { support = support }
   for _, measure in ipairs(MEASURES) do
      local values, by = {}, weights and {}
      for c, row in ipairs(list) do
         values[c] = row[measure]
         if by then by[c] = row.support end
      end
      out[measure] = weights and support == 0 and zero or parts.mean(values, by)
   end
   return out
end

local function undefined_note(labels, measure, reason, zero)
   if #labels == 0 then return nil end
   local shown = {}
   for i = 1, math.min(#labels, 8) do shown[i] = ("'%s'"):format(show.label(labels[i])) end
   if #labels > 8 then shown[9] = ("%d more"):format(#labels - 8) end
   return ("note: the %s of %s is undefined, because %s; shown as %s (zero_division)"):format(measure,
      table.concat(shown, ", "), reason, show.number(zero, 1))
end

-- Why values of the table are not what they seem.
local function notes_of(labels, of_y, of_predicted, zero)
   local unpredicted, absent, notes = {}, {}, {}
   for c, label in ipairs(labels) do
      if of_predicted[c] == 0 then unpredicted[#unpredicted + 1] = label end
      if of_y[c] == 0 then absent[#absent + 1] = label end
   end
   notes[1] = undefined_note(unpredicted, "precision", "no row is predicted as it", zero)
   notes[#notes + 1] = undefined_note(absent, "recall", "y has no row of it", zero)
   return notes
end

local function report(y, predicted, o)
   local labels = parts.label_list(o)
   local level = parts.number(o, "level", 0.95, 0, 1)
   local zero = parts.zero_division(o)
   y, predicted = parts.class_labels(y, predicted)
   local known = labels and core.Factor(labels)
   local names, hits, of_y, of_predicted, total = core_metrics.class_totals(y, predicted, known, parts.weights(o, #y))
   labels = labels or names
   local made = setmetatable({ labels = labels, classes = {}, level = level,
      notes = notes_of(labels, of_y, of_predicted, zero), digits = parts.whole(o, "digits", 3, 0) }, Report)
   local list = {}
   for c, label in ipairs(labels) do
      list[c] = line_of(hits[c], of_y[c], of_predicted[c], zero)
      made.classes[label] = list[c]
   end
   made.support = of_y:sum()
   made.macro = average_of(list, false, made.support, zero)
   made.weighted = average_of(list, true, made.support, zero)
   local has_all_classes = of_y:sum() == total and of_predicted:sum() == total
   if has_all_classes then -- the micro mean of all classes is the accuracy
      made.accuracy = hits:sum() / total
      made.low, made.high = core_metrics.interval("wilson", math.min(made.accuracy, 1), total, level)
   else
      made.micro = line_of(hits:sum(), of_y:sum(), of_predicted:sum(), zero)
   end
   return made
end

-- --- regression ---

local Regression = { __name = "RegressionReport" }
Regression.__index = Regression

local LINES = {
   { "r2", "r2" }, { "explained_variance", "explained variance" }, { "rmse", "rmse" }, { "mae", "mae" },
   { "median_ae", "median absolute error" }, { "max_error", "largest error" }, { "mape", "relative error" },
   { "bias", "mean error (predicted - y)" },
}

function Regression:__tostring()
   local lines = { { "" } }
   for j = 1, self.targets do lines[1][j + 1] = self.targets == 1 and "value" or ("target %d"):format(j) end
   for _, line in ipairs(LINES) do
      local cells = { line[2] }
      for j = 1, self.targets do
         local value = self[line[1]]
         cells[j + 1] = show.value(self.targets == 1 and value or value[j])
      end
      lines[#lines + 1] = cells
   end
   return ("%s\n\n%s rows"):format(text.aligned(lines), show.number(self.support, 0))
end

local function bias(y, predicted, o)
   local out = {}
   local w = parts.weights(o, #y)
   local off = core.Matrix(predicted) - core.Matrix(y)
   for j = 1, off.cols do
      local column = off:col(j)
      out[j] = w and column:dot(w) / w:sum() or column:mean()
   end
   return core.Vector(out)
end

local function define_regression(M)
   local function regression_report(y, predicted, o)
      local n, q
      y, n, q = parts.numbers("y", y)
      predicted = parts.numbers("predicted", predicted)
      local made = { support = o.weights and parts.weights(o, n):sum() or n, targets = q }
      for _, line in ipairs(LINES) do
         local name = line[1]
         local options = { weights = o.weights, average = "none" }
         local values = name == "bias" and bias(y, predicted, o) or M[name](y, predicted, options)
         made[name] = q == 1 and values[1] or values
      end
      return setmetatable(made, Regression)
   end
   parts.define(M, "regression_report", { args = { "y", "predicted" }, options = { weights = parts.WEIGHTS },
      brief = "Table of common regression metrics.",
      returns = "{ r2 =, explained_variance =, rmse =, mae =, median_ae =, max_error =, mape =, bias =, support = }, "
         .. "a Vector each for several targets; prints as a table",
      fn = regression_report })
end

return function(M)
   parts.define(M, "report", { args = { "y", "predicted" }, fn = report,
      brief = "Table of precision, recall, F1 and support per class, and the accuracy.",
      returns = "{ labels = list, classes = { [label] = { precision =, recall =, f1 =, support = } }, macro =, "
         .. "weighted =, accuracy =, low =, high =, level =, notes = list of texts on undefined values }; prints as a "
         .. "table; :frame()",
      options = { weights = parts.WEIGHTS, labels = parts.LABELS, digits = "number of printed decimals; default 3",
         level = "confidence level of the interval of the accuracy; default 0.95",
         zero_division = parts.ZERO } })
   define_regression(M)
end
