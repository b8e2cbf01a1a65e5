--- FixedThresholdClassifier and TunedThresholdClassifier: binary classification with a threshold on the score.
--
--    label = positive class if s(x) >= threshold, s(x): probability or decision for the positive class
--
-- Tuning scores out-of-fold labels at many thresholds; Elkan, IJCAI (2001), for costs.

local base = require "manilius.ensemble.base"
local curves = require "manilius.calibrate.threshold_curves"
local estimator = require "manilius.estimator"
local held_out = require "manilius.calibrate.held_out"
local parts = require "manilius.ensemble.parts"
local text = require "manilius.text"

local M = {}

local RESPONSES = { "auto", "predict_proba", "decision_function" }

-- --- settings ---

local function response_of(self)
   if self.response ~= "auto" then return self.response end
   return estimator.can(self.estimator, "predict_proba") and "predict_proba" or "decision_function"
end

local function check_common(self)
   base.check_base(self)
   held_out.check_choice(self, "response", RESPONSES)
   local response = response_of(self)
   if not estimator.can(self.estimator, response) then
      error(("%s: estimator must have %s, got %s"):format(estimator.name(self), self.response == "auto"
         and "predict_proba or decision_function" or response, estimator.name(self.estimator)), 0)
   end
end

-- --- fit ---

-- Learn the classes, of which there are two, and the positive one.
local function learn(self, data)
   parts.need_numbers(data, self.estimator)
   parts.learn(self, data)
   if rawget(self, "cv") == "prefit" then held_out.check_prefit(self, data) end
   if #self.classes ~= 2 then
      error(("%s: y must have 2 classes, got %d"):format(data.who, #self.classes), 0)
   end
   local positive = rawget(self, "positive")
   if positive == nil then positive = self.classes[2] end
   if positive ~= self.classes[1] and positive ~= self.classes[2] then
      error(("%s: positive must be one of the classes %s and %s, got %s"):format(data.who,
         estimator.value_text(self.classes[1]), estimator.value_text(self.classes[2]), estimator.value_text(positive)),
         0)
   end
   self.positive_class, self.used_response = positive, response_of(self)
end

-- Scores of the positive class as a Vector, from the output of the estimator.
local function positive_scores(self, value, known)
   local second = held_out.class_scores(self, self.used_response, value, known):flatten()
   if self.positive_class == self.classes[2] then return second end
   return self.used_response == "predict_proba" and 1 - second or -second
end

local function new_scores(self, X)
   local value = parts.call(self, "estimator", self.best, self.used_response, X)
   return positive_scores(self, value, estimator.learned(self.best, "classes"))
end

local function fit_fixed(self, X, y, options)
   local data = parts.data(self, X, y, options)
   learn(self, data)
   local _, model = held_out.fit_splits(self, data, {}, self.used_response, { all = true })
   self.best = model
   self.used_threshold = self.threshold == "auto" and (self.used_response == "predict_proba" and 0.5 or 0.0)
      or self.threshold
   return self
end

-- The held-out rows of each split: scores, codes (1: positive), labels, weights and costs.
local function pieces_of(self, data, results, costs)
   local pieces = {}
   for f, one in ipairs(results) do
      local y = data.y:take(one.test)
      pieces[f] = { s = positive_scores(self, one.value, one.classes), y = y, is_positive = y:eq(self.positive_class),
         weights = held_out.weights_of(data, one.test), costs = curves.take_costs(costs, one.test) }
   end
   return pieces
end

local function fit_tuned(self, X, y, options)
   local given = {}
   for name, value in pairs(options or {}) do given[name] = value end
   local per_row = given.costs
   given.costs = nil
   local data = parts.data(self, X, y, given, { "groups" })
   learn(self, data)
   local costs = curves.costs_of(self, data, per_row, options and options.weights)
   held_out.check_class_sizes(self, data)
   local splits = held_out.splits(self, data)
   if self.cv ~= "prefit" and not self.refit and #splits > 1 then
      error(("%s: refit = false requires a single split, got %d"):format(data.who, #splits), 0)
   end
   local results, model = held_out.fit_splits(self, data, splits, self.used_response,
      { all = self.refit, keep = not self.refit })
   self.best = model or results[1].model
   curves.tune(self, pieces_of(self, data, results, costs), costs)
   return self
end

-- --- prediction ---

local function predict(self, X)
   local is_positive = new_scores(self, X):ge(self.used_threshold)
   return parts.labels(self, self.positive_class == self.classes[2] and is_positive + 1 or 2 - is_positive)
end

local function can(self, name)
   if name == "predict_proba" or name == "predict_log_proba" or name == "decision_function" then
      return estimator.can(self.estimator, name)
   end
   return name == "predict" or not estimator.is_action(name)
end

local function pass(method)
   return function(self, X) return parts.call(self, "estimator", self.best, method, X) end
end

local function show(self)
   local line = estimator.one_line(self)
   if not rawget(self, "fitted") then return line end
   return text.wrap_line(("%s, fitted: positive class %s at %s >= %.6g"):format(line,
      estimator.value_text(self.positive_class),
      self.used_response == "predict_proba" and "probability" or "decision", self.used_threshold))
end

local POSITIVE = "the positive class; nil: the second of the two classes in ascending order"
local RESPONSE = "the score: \"predict_proba\", \"decision_function\", or \"auto\": the first that the estimator has"
local LEARNED = { classes = "the two class labels in ascending order", best = "the fitted estimator",
   positive_class = "the positive class", used_response = "the score that is compared with the threshold" }

local function learned(more)
   for name, line in pairs(LEARNED) do more[name] = line end
   return more
end

local function define(definition)
   definition.does, definition.classifies, definition.moves_threshold = "classify", true, true
   definition.construct, definition.tostring, definition.can = base.construct_binary, show, can
   definition.predict, definition.predict_proba = predict, pass "predict_proba"
   definition.predict_log_proba, definition.decision_function = pass "predict_log_proba", pass "decision_function"
   return held_out.class(definition)
end

M.FixedThresholdClassifier = define {
   name = "FixedThresholdClassifier",
   params = { threshold = "auto", positive = estimator.NONE, response = "auto" },
   learned = learned { used_threshold = "the threshold" },
   help = {
      use = "FixedThresholdClassifier { estimator, threshold = \"auto\", positive =, response = \"auto\" }",
      brief = "Binary classifier with a given threshold on the score.",
      objective = "label = positive if score(x) >= threshold",
      params = { estimator = "the classifier, default LogisticRegression {}; may be given first, without a name",
         threshold = "scores >= threshold are positive; \"auto\": 0.5 for probabilities, 0 for decisions",
         positive = POSITIVE, response = RESPONSE },
      notes = "predict uses the threshold; probabilities and decisions are those of the estimator.",
      source = "Elkan, IJCAI (2001)",
      example = [[
local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local model = ml.FixedThresholdClassifier { ml.GaussianNB {}, threshold = 0.1 }:fit(X, y)
print(model, model:score(X, y, { scoring = "recall" }))]],
   },
   check = function(self)
      check_common(self)
      if self.threshold ~= "auto" and (type(self.threshold) ~= "number" or self.threshold ~= self.threshold) then
         error(("FixedThresholdClassifier: threshold must be a number or \"auto\", got %s"):format(
            estimator.value_text(self.threshold)), 0)
      end
   end,
   fit = fit_fixed,
}

M.TunedThresholdClassifier = define {
   name = "TunedThresholdClassifier",
   params = { scoring = "balanced_accuracy", costs = estimator.NONE, constraint = estimator.NONE, thresholds = 100,
      cv = 5, refit = true, positive = estimator.NONE, response = "auto" },
   learned = learned { used_threshold = "the best threshold", best_score = "its mean score over the folds",
      curve = "Frame: threshold, score, and with a constraint its metric: means over the folds" },
   help = {
      use = "TunedThresholdClassifier { estimator, scoring = \"balanced_accuracy\", costs =, constraint =, "
         .. "thresholds = 100, cv = 5, refit = true, ... }",
      brief = "Binary classifier whose threshold is tuned by cross-validation.",
      objective = "max over thresholds of the mean score of out-of-fold labels, positive where score >= threshold",
      params = { estimator = "the classifier, default LogisticRegression {}; may be given first, without a name",
         scoring = "the score to maximize: a name, or a function(y, predicted, options)",
         costs = "instead of scoring: the cost of a row by its outcome, { fp = 1, fn = 5, tp = 0, tn = 0 }; gains are "
            .. "negative",
         constraint = "{ metric, \">=\", bound } or \"<=\": thresholds are limited to those where the metric keeps the "
            .. "bound",
         thresholds = "number of thresholds between the lowest and the highest score, or a list of them",
         cv = held_out.PREFIT,
         refit = "refit the estimator on all rows; false, for a single split: keep the model of the split",
         positive = POSITIVE, response = RESPONSE },
      notes = "TunedThresholdClassifierCV of scikit-learn, with costs and constraints. Scores of folds at other "
         .. "thresholds are interpolated; for a list of thresholds they are exact. fit(X, y, { costs = { fp = v } }) "
         .. "sets costs for each row as Vectors. Sample weights also weight the scores. Probabilities are those of the "
         .. "estimator.",
      source = "Elkan, IJCAI (2001)",
      example = [[
local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local model = ml.TunedThresholdClassifier { ml.GaussianNB {}, costs = { fp = 1, fn = 10 } }:fit(X, y)
print(model, model.best_score)]],
   },
   check = function(self)
      check_common(self)
      base.check_cv(self, "prefit")
      base.check_flag(self, "refit")
      curves.check(self)
   end,
   fit = fit_tuned,
}

return M
