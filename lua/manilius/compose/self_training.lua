--- SelfTrainingClassifier: repeatedly add the confident predictions of a classifier as labels, and fit it again.
--
-- Yarowsky, ACL 1995.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local WHO = "SelfTrainingClassifier"
local CRITERIA = { "threshold", "k_best" }

local function check(self)
   base.check_base(self)
   if not estimator.can(self.estimator, "predict_proba") then
      error(("%s: estimator must have predict_proba, got %s"):format(WHO, estimator.name(self.estimator)), 0)
   end
   if not text.contains(CRITERIA, self.criterion) then
      error(("%s: criterion must be threshold or k_best, got %s"):format(WHO, estimator.value_text(self.criterion)), 0)
   end
   local threshold = self.threshold
   if type(threshold) ~= "number" or not (threshold >= 0 and threshold < 1) then
      error(("%s: threshold must be a number >= 0 and < 1, got %s"):format(WHO, estimator.value_text(threshold)), 0)
   end
   base.check_whole(self, "k_best", 1)
   if self.max_iter ~= nil then base.check_whole(self, "max_iter", 0) end
end

-- --- fit ---

local function fit_base(self, data, codes)
   local known = codes:gt(0):nonzero()
   local y = core.Factor(self.classes):take(codes:take(known))
   local options = data.weights and { weights = data.weights:take(known) } or nil
   local model = estimator.clone(self.estimator)
   local ok, message = pcall(model.fit, model, rows.take(data.X, known), y, options)
   if not ok then parts.raise(self, "estimator", message) end
   return model
end

-- The positions of the k largest values, ties broken by the lowest, in ascending order.
local function largest(values, k)
   local order = {}
   for i = 1, #values do order[i] = i end
   table.sort(order, function(a, b)
      if values[a] ~= values[b] then return values[a] > values[b] end
      return a < b
   end)
   local chosen = table.move(order, 1, math.min(k, #order), 1, {})
   table.sort(chosen)
   return core.Vector(chosen)
end

-- Label the rows with confident predictions. Returns their number.
local function label_more(self, data, model, codes)
   local open = codes:eq(0):nonzero()
   local proba = parts.proba(self, "estimator", model, rows.take(data.X, open))
   local best, sure = proba:argmax "rows", proba:max "rows"
   local chosen = self.criterion == "threshold" and sure:gt(self.threshold):nonzero() or largest(sure, self.k_best)
   for i = 1, #chosen do
      local at = open[chosen[i]]
      codes[at], self.labelled_iter[at] = best[chosen[i]], self.n_iter
   end
   return #chosen
end

local function report(self, data)
   local request = data.report and data.report(self.n_iter, self.max_iter or self.n_iter + 1)
   if request == "cancel" then error("cancelled by the progress function", 0) end
   return request == "stop"
end

-- Label rows until all have a label, none was added, or max_iter is reached. codes: 0 for no label.
local function label_all(self, data, codes)
   while codes:min() == 0 do
      if self.n_iter == self.max_iter then return "max_iter" end
      self.n_iter = self.n_iter + 1
      if label_more(self, data, fit_base(self, data, codes), codes) == 0 then return "no_change" end
      if report(self, data) then return "stopped" end
   end
   return "all_labelled"
end

-- scikit-learn marks rows without a label by -1. Two classes of which one is -1 are a common way to write two classes.
local function warn_of_minus_one(self, missing)
   if missing:sum() > 0 or #self.classes < 3 then return end
   for _, label in ipairs(self.classes) do
      if label == -1 then
         return rows.warn(WHO .. ": every row of y has a label, and -1 is one of the classes; rows without a label "
            .. "must be nan, or nil in ml.Factor { ..., n = rows }")
      end
   end
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   local missing, given, codes = data.y:ismissing(), data.y:codes(), core.Vector(data.n, 0)
   for i = 1, data.n do codes[i] = missing[i] == 0 and given[i] or 0 end
   warn_of_minus_one(self, missing)
   self.labelled_iter, self.n_iter = missing:mul(-1), 0
   self.termination_condition = label_all(self, data, codes)
   self.final_estimator = fit_base(self, data, codes)
   rawset(self, "transduction_codes", codes)
   return self
end

-- --- use ---

-- The labels of the training rows, also those that were not given; missing where there is none.
local function transduction(self)
   local codes, labels = self.transduction_codes, { n = #self.transduction_codes }
   for i = 1, #codes do labels[i] = codes[i] > 0 and self.classes[math.tointeger(codes[i])] or nil end
   return core.Factor(labels)
end

local function predict(self, X)
   local label = parts.call(self, "estimator", self.final_estimator, "predict", X)
   return parts.labels(self, parts.codes(WHO, "estimator", label, self.classes))
end

local function proba(self, X)
   return parts.proba(self, "estimator", self.final_estimator, X)
end

local function show(self)
   local line = estimator.one_line(self)
   if rawget(self, "fitted") then
      line = ("%s, fitted: %s, %s, %s"):format(line, text.plural(self.n_iter, "iteration"),
         text.plural(self.n_features, "feature"), text.plural(#self.classes, "class", "classes"))
   end
   return text.wrap_line(line)
end

M.SelfTrainingClassifier = estimator.class {
   name = WHO,
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true, unlabelled = true,
   params = { estimator = estimator.NONE, criterion = "threshold", threshold = 0.75, k_best = 10, max_iter = 10 },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      classes = "class labels in ascending order", final_estimator = "the model fitted to all labels",
      transduction = "Factor: label of each training row; missing if none was given or added",
      labelled_iter = "iteration in which each row got its label: 0 if it was given, -1 if it has none",
      n_iter = "number of iterations", termination_condition =
         "all_labelled, no_change (no prediction was confident enough), max_iter, or stopped (by on_iter)" },
   private = { transduction_codes = true },
   help = {
      use = "SelfTrainingClassifier { estimator, threshold = 0.75 }",
      brief = "Semi-supervised classification: confident predictions are added as labels.",
      objective = "repeat: fit to the labelled rows; label the rows with max_c p(c | x) > threshold",
      params = { estimator = "a classifier with probabilities, default LogisticRegression {}; may be given first, "
         .. "without a name",
         criterion = "threshold: add rows above `threshold`; k_best: add the k_best most confident rows",
         threshold = "probability that a label must exceed to be added", k_best = "rows added per iteration",
         max_iter = "maximum number of iterations; ml.unset: until no row is added" },
      notes = "Rows without a label have a missing value in y: nil in ml.Factor { ..., n = rows }, nan in a Vector "
         .. "(-1 in scikit-learn); cross-validation never tests them. Added labels are never removed, so the "
         .. "probabilities should be calibrated. Ties of k_best are broken by the lowest row number.",
      source = "Yarowsky, ACL 1995",
      example = [[
local X, y = ml.read_csv("examples/data/iris.csv"):split "species"
local some = { n = #y }
for i = 1, #y, 10 do some[i] = y[i] end
local model = ml.SelfTrainingClassifier { ml.GaussianNB {} }:fit(X, ml.Factor(some))
print(model, model.termination_condition, model:score(X, y))]],
   },
   construct = base.construct_binary,
   check = check,
   tostring = show,
   index = function(self, key)
      if key == "transduction" and rawget(self, "transduction_codes") then return transduction(self) end
   end,
   fit = fit,
   can = function(self, name)
      if name == "predict_proba" or name == "predict_log_proba" then return true end
      if name == "decision_function" then return estimator.can(self.estimator, name) end
      return name == "predict" or not estimator.is_action(name)
   end,
   predict = rows.rethrowing(predict),
   predict_proba = rows.rethrowing(function(self, X) return parts.by_class(self, proba(self, X)) end),
   predict_log_proba = rows.rethrowing(function(self, X) return parts.by_class(self, proba(self, X):log()) end),
   decision_function = rows.rethrowing(function(self, X)
      return parts.call(self, "estimator", self.final_estimator, "decision_function", X)
   end),
}

return M
