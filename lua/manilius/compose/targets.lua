--- Targets with several columns, for compositions that fit one model per column.
--
-- y is a Matrix (numbers, also labels), or a Frame of numbers and Factors; predictions then have its column names. A
-- single column is accepted as well: then predictions, probabilities and classes are those of an ordinary model.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"

local M = {}

-- --- fit ---

local function columns_of(y)
   local kind = rows.kind(y)
   if kind == "Frame" then return y.columns end
   if kind ~= "Matrix" then return { y } end
   local columns = {}
   for j = 1, y.cols do columns[j] = y:col(j):copy() end
   return columns
end

-- The labels of a column as a Factor. Errors name the column.
local function labels_of(who, column, name)
   local ok, result = rows.try(parts.labels_of, who, column)
   if ok then return result end
   if not name then error(result, 0) end
   error((result:gsub("^(.-): y ", ("%%1: column '%s' of y "):format((name:gsub("%%", "%%%%"))), 1)), 0)
end

--- The columns of data.y: Vectors for regression, else Factors. Sets n_targets, target_names, classes and what the
-- functions below need.
-- y: as it was given to fit, for its names
function M.learn(self, data, y)
   local columns, classify = columns_of(data.y), estimator.class_of(self).classifies
   if #columns == 0 then error(data.who .. ": y must have at least 1 column, got 0", 0) end
   self.n_targets = #columns
   local named = rows.is_frame(y) and #columns > 1
   self.target_names = named and table.move(y.names, 1, #y.names, 1, {}) or nil
   if not classify then return columns end
   local classes, numeric = {}, {}
   for j, column in ipairs(columns) do
      numeric[j] = rows.kind(column) ~= "Factor"
      columns[j] = labels_of(data.who, column, named and y.names[j] or #columns > 1 and tostring(j))
      classes[j] = table.move(columns[j].levels, 1, #columns[j].levels, 1, {})
   end
   rawset(self, "numeric", numeric)
   self.classes = self.n_targets > 1 and classes or classes[1]
   return columns
end

--- The name of target j, for messages.
function M.name(self, j)
   local names = rawget(self, "target_names")
   return names and names[j] or tostring(j)
end

--- The classes of target j.
function M.classes(self, j)
   return self.n_targets > 1 and self.classes[j] or self.classes
end

-- --- predictions ---

-- Predictions for the targets as one value: a Frame if y had names, else a Matrix; a Vector or Factor for one target.
local function join(self, columns)
   local names = rawget(self, "target_names")
   if names then return rows.frame(table.move(names, 1, #names, 1, {}), columns) end
   return self.n_targets > 1 and core.hcat(table.unpack(columns)) or columns[1]
end

-- The labels that the model of target j predicts, in the form of y.
local function as_labels(self, j, predicted)
   local classes = M.classes(self, j)
   local codes = parts.codes(estimator.name(self), M.name(self, j), predicted, classes)
   return (self.numeric[j] and core.Vector or core.Factor)(classes):take(codes)
end

local function predicting(outputs)
   return rows.rethrowing(function(self, X)
      local columns, classify = outputs(self, X, "predict"), estimator.class_of(self).classifies
      for j, column in ipairs(columns) do
         columns[j] = classify and as_labels(self, j, column) or parts.numbers(column)
      end
      return join(self, columns)
   end)
end

-- A list of Matrices with named columns, one per target; the Matrix alone if y was one column.
local function by_class(outputs, method)
   return rows.rethrowing(function(self, X)
      local values = outputs(self, X, method)
      for j, value in ipairs(values) do values[j] = core.name_columns(value, M.classes(self, j)) end
      return self.n_targets > 1 and values or values[1]
   end)
end

-- --- classes ---

--- Fields that fit learns, and their help.
function M.learned(classify, more)
   local all = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      n_targets = "number of columns of y", target_names = "column names of y, if y is a Frame" }
   if classify then all.classes = "list with the labels of each target, ascending; only those if y is one column" end
   for name, text in pairs(more) do all[name] = text end
   return all
end

--- Define a composition with its predictions.
-- outputs: function(self, X, method) -> list with the output of the model of each target
function M.class(definition, outputs)
   definition.inner, definition.own_target, definition.reports_progress = "estimator", true, true
   definition.ours, definition.several_targets, definition.private = true, true, { numeric = true }
   definition.tostring, definition.predict = base.show, predicting(outputs)
   if definition.classifies then
      definition.predict_proba = by_class(outputs, "predict_proba")
      definition.predict_log_proba = by_class(outputs, "predict_log_proba")
   end
   return estimator.class(definition)
end

return M
