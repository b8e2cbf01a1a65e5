--- AdaBoostClassifier and AdaBoostRegressor: models fitted in sequence to rows reweighted by the errors so far.
--
-- SAMME (Zhu, Zou, Rosset & Hastie, Statistics and Its Interface 2, 2009), K classes, weights w that add up to 1:
--
--    e_m = sum_i w_i [y_m(x_i) <> y_i],  a_m = rate (log((1 - e_m) / e_m) + log(K - 1))
--    w_i <- w_i exp(a_m [y_m(x_i) <> y_i])
--    decision_c(x) = sum_m a_m ([y_m(x) = c] - [y_m(x) <> c] / (K - 1)) / sum_m a_m
--
-- AdaBoost.R2 (Drucker, ICML 1997): model m is fitted to n rows drawn with replacement, row i with probability w_i;
-- L_i is the loss of |y_m(x_i) - y_i| divided by its maximum over all rows:
--
--    e_m = sum_i w_i L_i,  b_m = e_m / (1 - e_m),  w_i <- w_i b_m^(rate (1 - L_i))
--    y(x) = median of y_m(x) with weights a_m = rate log(1 / b_m)

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local parts = require "manilius.ensemble.parts"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local function is_classifier(self)
   return estimator.class_of(self).classifies == true
end

-- --- settings ---

local LOSSES = { "linear", "square", "exponential" }

local function check(self)
   base.check(self)
   if rawget(self, "resample") ~= nil then base.check_flag(self, "resample") end
   local rate, loss = self.learning_rate, rawget(self, "loss")
   local good = type(rate) == "number" and rate > 0 and rate < math.huge
   if not good then
      error(("%s: learning_rate must be a number > 0, got %s"):format(estimator.name(self),
         estimator.value_text(rate)), 0)
   end
   if loss ~= nil and loss ~= "linear" and loss ~= "square" and loss ~= "exponential" then
      error(("%s: loss must be linear, square or exponential, got %s%s"):format(estimator.name(self),
         estimator.value_text(loss), text.near(tostring(loss), LOSSES)), 0)
   end
end

-- --- one round ---

-- How often each row is drawn in n draws with probabilities proportional to w, by inverting the cumulative sums of w at
-- sorted uniform numbers.
local function resample(data, w, rng)
   local sums, u = w:cumsum():totable(), core.random(data.n, nil, base.seed_from(rng)):sort():totable()
   local counts, at, total = {}, 1, w:sum()
   for i = 1, data.n do counts[i] = 0 end
   for i = 1, data.n do
      while at < data.n and sums[at] < u[i] * total do at = at + 1 end
      counts[at] = counts[at] + 1
   end
   return counts
end

local function places_of(counts)
   local places = {}
   for i, times in ipairs(counts) do
      for _ = 1, times do places[#places + 1] = i end
   end
   return places
end

-- The next model and its predictions for all rows. Weights are scaled to sum to the total weight; drawn rows are passed
-- to built-in models as counts in place of weights.
local function next_model(self, data, w, i)
   local rng = core.rng(self.seed, i)
   local model = base.fresh(self.estimator, rng)
   local X, y, options = data.X, data.y, { weights = w * data.total }
   if data.draws then
      local counts = resample(data, w, rng)
      if rows.kind(model) == "Model" and parts.takes_weights(model) then
         options.weights = core.Vector(counts)
      else
         local places = places_of(counts)
         X, y, options = rows.take(X, places), rows.take(y, places), nil
      end
   end
   local ok, message = pcall(base.learn, data, model, X, y, options)
   if not ok then parts.raise(self, tostring(i), message) end
   return model, parts.call(self, tostring(i), model, "predict", data.X)
end

-- SAMME: the error and weight of a model, and the factors for the row weights; nil if it is no better than chance.
local function weigh_classifier(self, data, w, predicted, i)
   local wrong = parts.codes(data.who, tostring(i), predicted, self.classes):ne(data.codes)
   local e, k = w:dot(wrong), #self.classes
   if e <= 0 then return 0, 1 end
   if e >= 1 - 1 / k then return nil end
   local a = self.learning_rate * (math.log((1 - e) / e) + math.log(k - 1))
   return e, a, (wrong * a):exp()
end

-- The same for AdaBoost.R2.
local function weigh_regressor(self, data, w, predicted)
   local loss = (parts.numbers(predicted) - data.y):abs()
   local max_loss = loss:max()
   if max_loss > 0 then loss = loss / max_loss end
   if self.loss == "square" then loss = loss:square() end
   if self.loss == "exponential" then loss = 1 - (-loss):exp() end
   local e = w:dot(loss)
   if e <= 0 then return 0, 1 end
   if e >= 0.5 then return nil end
   local log_beta = math.log(e / (1 - e))
   return e, -self.learning_rate * log_beta, ((1 - loss) * (self.learning_rate * log_beta)):exp()
end

-- --- fit ---

-- Lower bound of the row weights, so that no weight underflows to 0.
local MIN_WEIGHT = 2.0 ^ -52

local function first_weights(data)
   local w = data.weights or core.Vector(data.n, 1)
   return w / w:sum()
end

-- Are rows drawn in each round? SAMME uses weights if the base supports them; AdaBoost.R2 follows `resample`.
local function uses_resampling(self)
   local weighs = parts.takes_weights(self.estimator)
   if is_classifier(self) then return not weighs end
   if not (self.resample or weighs) then
      error(("%s: resample = false requires an estimator that supports weights, got %s"):format(estimator.name(self),
         estimator.name(self.estimator)), 0)
   end
   return self.resample
end

local function prepare(self, X, y, options)
   local data = parts.data(self, X, y, options)
   parts.need_numbers(data, self.estimator)
   parts.one_target(data)
   parts.learn(self, data)
   if is_classifier(self) then
      data.codes = data.y:codes()
   elseif rows.kind(data.y) == "Matrix" then
      data.y = data.y:flatten()
   end
   data.draws = uses_resampling(self)
   data.total = data.weights and data.weights:sum() or data.n
   return data
end

local function append_model(self, model, e, a)
   local n = #self.estimators + 1
   self.estimators[n] = model
   return e, a
end

-- If the first model is no better than chance, a classifier raises an error and a regressor keeps that model.
local function handle_weak_first_model(self, data, model, errors, weights)
   if is_classifier(self) then
      error(("%s: the first model is no better than chance; choose another estimator"):format(data.who), 0)
   end
   errors[1], weights[1] = append_model(self, model, 0.5, 1)
end

local function boost(self, data, errors, weights)
   local weigh = is_classifier(self) and weigh_classifier or weigh_regressor
   local w = first_weights(data)
   local shown <close> = progress.task(data.who, self.n_estimators)
   for i = 1, self.n_estimators do
      shown:at(i - 1, 1, errors[i - 1])
      local model, predicted = next_model(self, data, w, i)
      local e, a, factor = weigh(self, data, w, predicted, i)
      if not e then
         if i == 1 then handle_weak_first_model(self, data, model, errors, weights) end
         return
      end
      errors[i], weights[i] = append_model(self, model, e, a)
      local answer = data.report and data.report(i, self.n_estimators, e)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" or not factor then return end
      w = w:mul(factor)
      w = (w / w:sum()):maximum(MIN_WEIGHT)
      w = w / w:sum()
   end
end

local function fit(self, X, y, options)
   local data, errors, weights = prepare(self, X, y, options), {}, {}
   self.estimators = {}
   boost(self, data, errors, weights)
   self.estimator_errors, self.estimator_weights = core.Vector(errors), core.Vector(weights)
   self.feature_importances = base.importances(self.estimators, weights, nil, self.n_features)
   return self
end

-- --- classifiers: decisions by stages ---

-- Call each(stage, sums, total) with the sums of votes so far, one Vector per class.
local function each_decision(self, X, each)
   local k, sums, total = #self.classes, {}, 0
   for m, model in ipairs(self.estimators) do
      local codes = parts.codes(estimator.name(self), tostring(m), parts.call(self, tostring(m), model, "predict", X),
         self.classes)
      local a = self.estimator_weights[m]
      total = total + a
      for c = 1, k do
         local vote = codes:eq(c):where(a, -a / (k - 1))
         sums[c] = sums[c] and sums[c] + vote or vote
      end
      if each then each(m, sums, total) end
   end
   return sums, total
end

local function decision_of(sums, total)
   if #sums == 2 then return (sums[2] - sums[1]) / total end
   local columns = {}
   for c, sum in ipairs(sums) do columns[c] = sum / total end
   return core.hcat(table.unpack(columns))
end

local function labels_of(self, sums)
   local places = #sums == 2 and (sums[2] - sums[1]):gt(0) + 1 or core.hcat(table.unpack(sums)):argmax "rows"
   return parts.labels(self, places)
end

-- log softmax(decision / (K - 1)); for two classes of -d/2 and d/2.
local function log_proba_of(decision)
   if rows.kind(decision) == "Vector" then return core.log_softmax(core.hcat(decision * -0.5, decision * 0.5)) end
   return core.log_softmax(decision / (decision.cols - 1))
end

-- --- regressors: medians by stages ---

-- The lower weighted median of the predictions for each row. With stages = true one column per number of models.
local function medians(self, X, stages)
   local predicted = {}
   for m, model in ipairs(self.estimators) do
      predicted[m] = parts.numbers(parts.call(self, tostring(m), model, "predict", X))
   end
   return core.running_medians(core.hcat(table.unpack(predicted)), self.estimator_weights, stages)
end

-- --- stages ---

local function staged_predictions(self, X)
   local list = {}
   if is_classifier(self) then
      each_decision(self, X, function(m, sums) list[m] = labels_of(self, sums) end)
      return list
   end
   local all = medians(self, X, true)
   for n = 1, all.cols do list[n] = all:col(n):copy() end
   return list
end

local function staged_predict(self, X)
   estimator.need_fitted(self, "staged_predict", 2)
   return (rows.rethrow(2, pcall(staged_predictions, self, X)))
end

local function staged_score(self, X, y, options)
   estimator.need_fitted(self, "staged_score", 2)
   return (rows.rethrow(2, pcall(function()
      local scores = {}
      for n, predicted in ipairs(staged_predictions(self, X)) do
         local stage = { does = estimator.class_of(self).does, fit = fit, predict = function() return predicted end }
         scores[n] = evaluate.score(stage, X, y, options, 1)
      end
      return core.Vector(scores)
   end)))
end

local function staged_decision_function(self, X)
   estimator.need_fitted(self, "staged_decision_function", 2)
   return (rows.rethrow(2, pcall(function()
      local list = {}
      each_decision(self, X, function(m, sums, total) list[m] = decision_of(sums, total) end)
      return list
   end)))
end

local rethrowing = rows.rethrowing

-- --- the classes ---

local function described(more)
   more.learning_rate = "factor for the weight of each model, > 0"
   return base.described(more)
end

local function learned(more)
   local all = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      estimators = "list of fitted models", estimator_weights = "Vector: a_m, the weight of each model",
      estimator_errors = "Vector: e_m, the weighted error of each model",
      feature_importances = "weighted mean of the importances of the models, if they have any" }
   for name, line in pairs(more) do all[name] = line end
   return all
end

local STAGED = {
   staged_predict = { use = "staged_predict(X)", brief = "List of the predictions after each model." },
   staged_score = { use = "staged_score(X, y [, options])", brief = "Vector: the score after each model." },
}

-- Older archives lack `resample`; their models drew rows only if the base did not support weights.
local function restored(fields)
   if fields.resample == nil then fields.resample = not parts.takes_weights(fields.estimator) end
   return fields
end

local NOTES = "Boosting stops early if a model is perfect or no better than chance. The objective passed to on_iter is "
   .. "the error of the model; it may return \"stop\"."

M.AdaBoostClassifier = estimator.class {
   name = "AdaBoostClassifier",
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true,
   resamples = true,
   params = { estimator = estimator.NONE, n_estimators = 50, learning_rate = 1.0, seed = 0 },
   learned = learned { classes = "class labels in ascending order" },
   help = {
      use = "AdaBoostClassifier { estimator, n_estimators = 50, learning_rate = 1, seed = 0 }",
      brief = "AdaBoost classification (SAMME): a sequence of reweighted classifiers.",
      objective = "e_m = sum_i w_i [y_m(x_i) <> y_i]; a_m = rate (log((1 - e_m) / e_m) + log(K - 1)); w_i <- w_i "
         .. "exp(a_m) where y_m(x_i) <> y_i",
      params = described {},
      methods = { staged_predict = STAGED.staged_predict, staged_score = STAGED.staged_score,
         staged_decision_function = { use = "staged_decision_function(X)",
            brief = "List of the decision functions after each model." } },
      notes = "The base is fitted with weights if it supports them (user-defined estimators declare takes = "
         .. "{ \"weights\" }), otherwise to rows drawn in proportion to the weights. " .. NOTES
         .. " The default base is DecisionTreeClassifier { max_depth = 1 }.",
      source = "Zhu, Zou, Rosset & Hastie, Statistics and Its Interface 2 (2009)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local boost = ml.AdaBoostClassifier { n_estimators = 20 }:fit(X, y)
print(boost:staged_score(X, y), boost.estimator_weights)]],
   },
   construct = base.construct(function() return core.constructors.DecisionTreeClassifier { max_depth = 1 } end),
   check = check,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X) return labels_of(self, each_decision(self, X)) end),
   decision_function = rethrowing(function(self, X) return decision_of(each_decision(self, X)) end),
   predict_proba = rethrowing(function(self, X)
      return parts.by_class(self, log_proba_of(decision_of(each_decision(self, X))):exp())
   end),
   predict_log_proba = rethrowing(function(self, X)
      return parts.by_class(self, log_proba_of(decision_of(each_decision(self, X))))
   end),
   staged_predict = staged_predict,
   staged_score = staged_score,
   staged_decision_function = staged_decision_function,
}

M.AdaBoostRegressor = estimator.class {
   name = "AdaBoostRegressor",
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "regress",
   resamples = true,
   params = { estimator = estimator.NONE, n_estimators = 50, learning_rate = 1.0, loss = "linear", resample = true,
      seed = 0 },
   learned = learned {},
   help = {
      use = "AdaBoostRegressor { estimator, n_estimators = 50, learning_rate = 1, loss = \"linear\", "
         .. "resample = true, ... }",
      brief = "AdaBoost regression (AdaBoost.R2): a sequence of reweighted regressors.",
      objective = "e_m = sum_i w_i L_i; b_m = e_m / (1 - e_m); w_i <- w_i b_m^(rate (1 - L_i)); weighted median",
      params = described { loss = "loss of the error d divided by the maximum error: \"linear\" d, \"square\" d^2, "
         .. "\"exponential\" 1 - exp(-d)", resample = "true: fit each model to n rows drawn with replacement in "
         .. "proportion to the weights; false: to all rows with weights, which the base must support" },
      methods = STAGED,
      notes = "Drawing rows follows Drucker and scikit-learn; it makes the models more diverse and usually predicts "
         .. "better. The weights option of fit sets the initial weights. With resample = false only the base is "
         .. "random. "
         .. NOTES .. " The default base is DecisionTreeRegressor { max_depth = 3 }.",
      source = "Drucker, ICML (1997)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local boost = ml.AdaBoostRegressor { n_estimators = 20, loss = "square" }:fit(X, y)
print(boost:score(X, y), boost.estimator_errors)]],
   },
   construct = base.construct(function() return core.constructors.DecisionTreeRegressor { max_depth = 3 } end),
   check = check,
   restored = restored,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X) return medians(self, X, false) end),
   staged_predict = staged_predict,
   staged_score = staged_score,
}

return M
