--- AdaBoostClassifier and AdaBoostRegressor: models one after the other, each on rows weighed by the errors so far.
--
-- SAMME (Zhu, Zou, Rosset & Hastie, Statistics and Its Interface 2, 2009), K classes, weights w that add up to 1:
--
--    e_m = sum_i w_i [y_m(x_i) <> y_i],  a_m = rate (log((1 - e_m) / e_m) + log(K - 1))
--    w_i <- w_i exp(a_m [y_m(x_i) <> y_i])
--    decision_c(x) = sum_m a_m ([y_m(x) = c] - [y_m(x) <> c] / (K - 1)) / sum_m a_m
--
-- AdaBoost.R2 (Drucker, ICML 1997), model m being fitted to as many rows as there are, row i drawn with probability
-- w_i, and L_i the loss of |y_m(x_i) - y_i| / max_i of that over all rows:
--
--    e_m = sum_i w_i L_i,  b_m = e_m / (1 - e_m),  w_i <- w_i b_m^(rate (1 - L_i))
--    y(x) = median of y_m(x) with weights a_m = rate log(1 / b_m)
-- @module manilius.ensemble.adaboost

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
      error(("%s: learning_rate must be > 0, got %s"):format(estimator.name(self), estimator.value_text(rate)), 0)
   end
   if loss ~= nil and loss ~= "linear" and loss ~= "square" and loss ~= "exponential" then
      error(("%s: loss must be linear, square or exponential, got %s%s"):format(estimator.name(self),
         estimator.value_text(loss), text.near(tostring(loss), LOSSES)), 0)
   end
end

-- --- one round ---

-- How often each row is drawn, of as many draws as there are rows, in proportion to w: where the sums of w pass numbers
-- drawn uniformly.
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

-- The next model, and what it says of all rows. Weights stand for rows, so they are given with the sum of all rows, and
-- a model of the core that takes weights is given those drawn as the number of times each was.
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
   return model, parts.ask(self, tostring(i), model, "predict", data.X)
end

-- SAMME: the error and the weight of a model, and the factors of the weights; nil when it is no better than chance.
local function judge_labels(self, data, w, said, i)
   local wrong = parts.codes(data.who, tostring(i), said, self.classes):ne(data.codes)
   local e, k = w:dot(wrong), #self.classes
   if e <= 0 then return 0, 1 end
   if e >= 1 - 1 / k then return nil end
   local a = self.learning_rate * (math.log((1 - e) / e) + math.log(k - 1))
   return e, a, (wrong * a):exp()
end

-- AdaBoost.R2, likewise.
local function judge_numbers(self, data, w, said)
   local off = (parts.numbers(said) - data.y):abs()
   local most = off:max()
   if most > 0 then off = off / most end
   if self.loss == "square" then off = off:square() end
   if self.loss == "exponential" then off = 1 - (-off):exp() end
   local e = w:dot(off)
   if e <= 0 then return 0, 1 end
   if e >= 0.5 then return nil end
   local log_beta = math.log(e / (1 - e))
   return e, -self.learning_rate * log_beta, ((1 - off) * (self.learning_rate * log_beta)):exp()
end

-- --- fit ---

-- No weight falls below the precision of the sum, so that no row is lost.
local LEAST = 2.0 ^ -52

local function first_weights(data)
   local w = data.weights or core.Vector(data.n, 1)
   return w / w:sum()
end

-- Are the rows of a round drawn? SAMME weighs them where the base takes weights; AdaBoost.R2 does as it is told.
local function draws(self)
   local weighs = parts.takes_weights(self.estimator)
   if is_classifier(self) then return not weighs end
   if not (self.resample or weighs) then
      error(("%s: resample = false needs an estimator that takes weights, got %s"):format(estimator.name(self),
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
   data.draws = draws(self)
   data.total = data.weights and data.weights:sum() or data.n
   return data
end

local function keep(self, model, e, a)
   local n = #self.estimators + 1
   self.estimators[n] = model
   return e, a
end

-- A first model that is no better than chance: a classifier says so, a regressor is that model.
local function settle_first(self, data, model, errors, weights)
   if is_classifier(self) then
      error(("%s: the first model is no better than chance; choose another estimator"):format(data.who), 0)
   end
   errors[1], weights[1] = keep(self, model, 0.5, 1)
end

local function boost(self, data, errors, weights)
   local judge = is_classifier(self) and judge_labels or judge_numbers
   local w = first_weights(data)
   local shown <close> = progress.task(data.who, self.n_estimators)
   for i = 1, self.n_estimators do
      shown:at(i - 1, 1, errors[i - 1])
      local model, said = next_model(self, data, w, i)
      local e, a, factor = judge(self, data, w, said, i)
      if not e then
         if i == 1 then settle_first(self, data, model, errors, weights) end
         return
      end
      errors[i], weights[i] = keep(self, model, e, a)
      local answer = data.ask and data.ask(i, self.n_estimators, e)
      if answer == "cancel" then progress.cancel() end
      if answer == "stop" or not factor then return end
      w = w:mul(factor)
      w = (w / w:sum()):maximum(LEAST)
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

-- Calls each(stage, sum, total) with the sums of votes so far, rows x classes as a list of Vectors.
local function each_decision(self, X, each)
   local k, sums, total = #self.classes, {}, 0
   for m, model in ipairs(self.estimators) do
      local codes = parts.codes(estimator.name(self), tostring(m), parts.ask(self, tostring(m), model, "predict", X),
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
   return parts.labels(self.classes, places)
end

-- log softmax(decision / (K - 1)); of two classes of -d/2 and d/2.
local function log_proba_of(decision)
   if rows.kind(decision) == "Vector" then return core.log_softmax(core.hcat(decision * -0.5, decision * 0.5)) end
   return core.log_softmax(decision / (decision.cols - 1))
end

-- --- regressors: medians by stages ---

-- The weighted median of each row: the least prediction whose models, with those of smaller ones, have half of all
-- weight. With stages = true a column for each number of models, from the first on.
local function medians(self, X, stages)
   local said = {}
   for m, model in ipairs(self.estimators) do
      said[m] = parts.numbers(parts.ask(self, tostring(m), model, "predict", X))
   end
   return core.running_medians(core.hcat(table.unpack(said)), self.estimator_weights, stages)
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
      for n, said in ipairs(staged_predictions(self, X)) do
         local stage = { does = estimator.class_of(self).does, fit = fit, predict = function() return said end }
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
   more.learning_rate = "shrinks the weight of each model; above 0"
   return base.described(more)
end

local function learned(more)
   local all = { n_features = "columns of X", feature_names = "names of the columns of X, from a Frame",
      estimators = "list of the fitted models", estimator_weights = "Vector: a_m, the weight of each model",
      estimator_errors = "Vector: e_m, the weighted error of each model",
      feature_importances = "mean of those of the models by their weights, where they have them" }
   for name, line in pairs(more) do all[name] = line end
   return all
end

local STAGED = {
   staged_predict = { use = "staged_predict(X)", brief = "List: the predictions after each model." },
   staged_score = { use = "staged_score(X, y [, options])", brief = "Vector: the score after each model." },
}

-- Archives from before there was resample hold models that drew rows only where the base takes no weights.
local function restored(fields)
   if fields.resample == nil then fields.resample = not parts.takes_weights(fields.estimator) end
   return fields
end

local NOTES = "Boosting ends early where a model is perfect, or no better than chance. on_iter has the error of the "
   .. "model as objective, and may return \"stop\"."

M.AdaBoostClassifier = estimator.class {
   name = "AdaBoostClassifier",
   ours = true,
   does = "classify",
   classifies = true,
   resamples = true,
   params = { estimator = estimator.NONE, n_estimators = 50, learning_rate = 1.0, seed = 0 },
   learned = learned { classes = "labels, ascending" },
   help = {
      use = "AdaBoostClassifier { estimator, n_estimators = 50, learning_rate = 1, seed = 0 }",
      brief = "Classifiers one after the other, each on rows weighed by the errors of those before (SAMME).",
      objective = "e_m = sum_i w_i [y_m(x_i) <> y_i]; a_m = rate (log((1 - e_m) / e_m) + log(K - 1)); w_i grows by "
         .. "exp(a_m) where y_m errs",
      params = described {},
      methods = { staged_predict = STAGED.staged_predict, staged_score = STAGED.staged_score,
         staged_decision_function = { use = "staged_decision_function(X)",
            brief = "List: the decision function after each model." } },
      notes = "The base is fitted with weights where it takes them (one of your own says so by takes = "
         .. "{ \"weights\" }), else to rows drawn in proportion to the weights. " .. NOTES
         .. " The base is DecisionTreeClassifier { max_depth = 1 } unless given.",
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
   predict_proba = rethrowing(function(self, X) return log_proba_of(decision_of(each_decision(self, X))):exp() end),
   predict_log_proba = rethrowing(function(self, X) return log_proba_of(decision_of(each_decision(self, X))) end),
   staged_predict = staged_predict,
   staged_score = staged_score,
   staged_decision_function = staged_decision_function,
}

M.AdaBoostRegressor = estimator.class {
   name = "AdaBoostRegressor",
   ours = true,
   does = "regress",
   resamples = true,
   params = { estimator = estimator.NONE, n_estimators = 50, learning_rate = 1.0, loss = "linear", resample = true,
      seed = 0 },
   learned = learned {},
   help = {
      use = "AdaBoostRegressor { estimator, n_estimators = 50, learning_rate = 1, loss = \"linear\", "
         .. "resample = true, ... }",
      brief = "Regressors one after the other, each on rows drawn by the errors of those before (AdaBoost.R2).",
      objective = "e_m = sum_i w_i L_i; b_m = e_m / (1 - e_m); w_i <- w_i b_m^(rate (1 - L_i)); weighted median",
      params = described { loss = "of an error d as a share of the greatest one: \"linear\" d, \"square\" d^2, "
         .. "\"exponential\" 1 - exp(-d)", resample = "fit each model to as many rows as there are, drawn with "
         .. "replacement in proportion to the weights; else to all rows with the weights, which the base must take" },
      methods = STAGED,
      notes = "Rows are drawn as Drucker defines it, and as scikit-learn does; the models then differ more, and "
         .. "predict better as a rule. weights given to fit are where the weights begin. With resample = false nothing "
         .. "is random but the base (one of your own says by takes = { \"weights\" } that it takes them). " .. NOTES
         .. " The base is DecisionTreeRegressor { max_depth = 3 } unless given.",
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
