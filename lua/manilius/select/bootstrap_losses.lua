--- Losses of single rows for bootstrap estimates, and their exact mean over all pairs of a target and a prediction.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local NAMES = { "accuracy", "log_loss", "mae", "mse" }
local EPSILON = 2.220446049250313e-16

-- --- labels ---

local function list_of(y) return rows.kind(y) == "table" and y or y:totable() end

local function shares(list)
   local out = {}
   for _, label in ipairs(list) do out[label] = (out[label] or 0) + 1 / #list end
   return out
end

local function wrong(y, output)
   local labels, predicted, loss = list_of(y), list_of(output), {}
   for i, label in ipairs(labels) do loss[i] = predicted[i] == label and 0 or 1 end
   return loss
end

-- 1 - sum over labels of their fraction in y times that in the predictions.
local function wrong_by_chance(y, output)
   local p, q, agree = shares(list_of(y)), shares(list_of(output)), 0
   for label, share in pairs(p) do agree = agree + share * (q[label] or 0) end
   return 1 - agree
end

local function positions(classes)
   local column = {}
   for c, label in ipairs(classes) do column[label] = c end
   return column
end

local function negative_log(p) return -math.log(math.max(math.min(p, 1), EPSILON)) end

local function log_losses(y, output, classes)
   local column, loss = positions(classes), {}
   for i, label in ipairs(list_of(y)) do
      loss[i] = negative_log(column[label] and output:get(i, column[label]) or 0)
   end
   return loss
end

-- Sum over labels of their fraction in y times their mean loss over all predictions.
local function log_loss_by_chance(y, output, classes)
   local column, sum = positions(classes), 0
   local p, labels = shares(list_of(y)), {}
   for label in pairs(p) do labels[#labels + 1] = label end
   table.sort(labels, function(a, b) return (column[a] or 0) < (column[b] or 0) end)
   for _, label in ipairs(labels) do
      local total = 0
      for i = 1, output.rows do total = total + negative_log(column[label] and output:get(i, column[label]) or 0) end
      sum = sum + p[label] * total / output.rows
   end
   return sum
end

-- --- numbers ---

local function squares(y, output) return ((y - output) ^ 2):totable() end

-- E (Y - F)^2 for independent Y and F.
local function square_by_chance(y, output)
   local a, b = y - y:mean(), output - output:mean()
   return a:dot(a) / #y + b:dot(b) / #output + (y:mean() - output:mean()) ^ 2
end

local function sizes(y, output) return (y - output):abs():totable() end

-- E |Y - F| for independent Y and F: sorted together, each pair is counted once when its larger value is met.
local function size_by_chance(y, output)
   local all = core.vcat(y:as_column(), output:as_column()):flatten()
   local order, n = all:argsort():totable(), #y
   local count, sum, total = { 0, 0 }, { 0, 0 }, 0
   for _, place in ipairs(order) do
      local own = place <= n and 1 or 2
      local value = all[place]
      total = total + count[3 - own] * value - sum[3 - own]
      count[own], sum[own] = count[own] + 1, sum[own] + value
   end
   return total / (n * #output)
end

local losses = {
   accuracy = { method = "predict", greater = true, rows = wrong, no_information = wrong_by_chance },
   log_loss = { method = "predict_proba", rows = log_losses, no_information = log_loss_by_chance },
   mse = { method = "predict", rows = squares, no_information = square_by_chance },
   mae = { method = "predict", rows = sizes, no_information = size_by_chance },
}
for name, loss in pairs(losses) do
   loss.name, loss.greater = name, loss.greater == true
end

--- The loss of the option scoring: { name, method, greater (its score is 1 - loss), rows(y, output, classes),
-- no_information(y, output, classes) }.
function M.find(who, model, y, scoring)
   local does = estimator.does(model)
   if does ~= "classify" and does ~= "regress" then
      error(("%s: model must be a classifier or a regressor, got %s"):format(who, estimator.name(model)), 0)
   end
   local labels = evaluate.default_score(model, y) == "accuracy"
   if scoring == nil then scoring = labels and "accuracy" or "mse" end
   local loss = losses[scoring]
   if not loss then
      error(("%s: scoring must be %s, got %s%s"):format(who, table.concat(NAMES, ", "), estimator.value_text(scoring),
         type(scoring) == "string" and text.near(scoring, NAMES) or ""), 0)
   end
   local for_labels = scoring == "accuracy" or scoring == "log_loss"
   if for_labels ~= labels then
      error(("%s: scoring = '%s' requires a %s"):format(who, scoring, for_labels and "classifier" or "regressor"), 0)
   end
   if not labels and rows.kind(y) ~= "Vector" then
      error(("%s: y must have one target, got %s"):format(who, rows.kind(y)), 0)
   end
   if not estimator.can(model, loss.method) then
      error(("%s: scoring = '%s' requires %s, but %s does not provide it"):format(who, scoring, loss.method,
         estimator.name(model)), 0)
   end
   return loss
end

return M
