--- The target of a counterfactual: a class, a probability or a range of predictions. `measure(X)` returns for each row
-- whether it meets the target, and a margin, which is negative for rows that do and grows with the distance from it.

local estimator = require "manilius.estimator"
local parts = require "manilius.metrics.parts"
local response_of = require "manilius.explain.response"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "counterfactuals"

local function fail(form, ...)
   response_of.fail(WHO, form, ...)
end

-- --- classes ---

-- The target class: as given, else the other one of two.
local function target_class(model, classes, predicted, target)
   if target ~= nil then
      local at = parts.place(classes, target)
      if at then return at end
      fail("target must be one of %s, got %s%s", parts.texts(classes), parts.text(target),
         type(target) == "string" and text.near(target, classes) or "")
   end
   if #classes > 2 then fail("target must be given: one of the classes %s", parts.texts(classes)) end
   if #classes < 2 then fail("%s has a single class; a counterfactual requires two", estimator.name(model)) end
   return predicted == classes[1] and 2 or 1
end

-- The largest score of the other classes minus that of class `at`, and this score; nil for a model without scores.
local function margins(model, X, at, threshold)
   local scores
   if estimator.can(model, "predict_proba") then
      scores = model:predict_proba(X)
      if threshold then return threshold - scores:col(at), scores:col(at) end
   elseif estimator.can(model, "decision_function") then
      scores = model:decision_function(X)
      if rows.kind(scores) == "Vector" then
         local own = at == 2 and scores:copy() or -scores
         return -own, own
      end
   else
      return nil
   end
   local others
   for c = 1, scores.cols do
      if c ~= at then others = others and others:maximum(scores:col(c)) or scores:col(c):copy() end
   end
   return others - scores:col(at), scores:col(at)
end

-- What `margins` gives as the score of a class, or whether it is predicted.
local function score_name(model, class)
   return (estimator.can(model, "predict_proba") and "probability of %s"
      or estimator.can(model, "decision_function") and "decision value of %s" or "is %s"):format(class)
end

local function of_class(model, row, options)
   local classes, threshold = estimator.learned(model, "classes"), options.min_probability
   local predicted = model:predict(row)[1]
   if classes == nil then fail("%s has no classes", estimator.name(model)) end
   local at = target_class(model, classes, predicted, options.target)
   if threshold ~= nil then
      local in_range = type(threshold) == "number" and threshold >= 0 and threshold <= 1
      if not in_range then fail("min_probability must be a number from 0 to 1, got %s", parts.text(threshold)) end
      if not estimator.can(model, "predict_proba") then
         fail("min_probability requires predict_proba, but %s does not provide it", estimator.name(model))
      end
   end
   local class = classes[at]
   return { name = ("class %s%s"):format(tostring(class), threshold and (" with probability >= %g"):format(threshold)
         or ""), predicted = predicted, response = score_name(model, class),
      measure = function(X)
         local margin, shown = margins(model, X, at, threshold)
         if threshold then return margin:le(0), margin, shown:copy() end
         local met = model:predict(X):eq(class)
         return met, margin or 0.5 - met, shown and shown:copy() or met
      end }
end

-- --- numbers ---

local function of_range(model, row, options)
   local target = options.target
   local low, high = type(target) == "table" and target[1], type(target) == "table" and target[2]
   local ordered = type(low) == "number" and type(high) == "number" and low <= high and low < math.huge
      and high > -math.huge
   if not ordered then
      fail("target must be { from, to } for a regressor, with numbers from <= to (math.huge: no limit), got %s",
         estimator.value_text(target))
   end
   if options.min_probability ~= nil then fail("min_probability must be nil for a regressor") end
   local _, predict = response_of.of(WHO, model, options.output)
   return { name = ("prediction from %g to %g"):format(low, high), predicted = predict(row)[1], response = "prediction",
      measure = function(X)
         local f = predict(X):copy()
         local margin = low == -math.huge and f - high or high == math.huge and low - f
            or (low - f):maximum(f - high)
         return margin:le(0), margin, f
      end }
end

--- The target from the options target, min_probability and output. row: an X of one row.
function M.new(model, row, options)
   local does = estimator.does(model)
   if does == "classify" then return of_class(model, row, options) end
   if does ~= "regress" then fail("model must be a classifier or a regressor, got %s", estimator.name(model)) end
   return of_range(model, row, options)
end

return M
