--- BoostedClassifier and BoostedRegressor: gradient boosting that starts from the predictions of another model.
--
-- The raw predictions F_0 of a fitted model replace the constant of gradient boosting:
--
--    F(x) = F_0(x) + sum_m learning_rate tree_m(x)
--
-- For regression F_0 is the prediction, or its logarithm if the loss has a log link. For two classes it is the log odds
-- (half of them for the loss exponential), for more classes log p_c minus its mean over the classes; probabilities are
-- clipped to [2^-23, 1 - 2^-23]. ml.GradientBoostingRegressor { init = ml.Ridge {}, ... } makes one.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local LEAST_PROBABILITY, LEAST_MEAN = 2.0 ^ -23, 1e-300
M.LEAST_PROBABILITY, M.LEAST_MEAN = LEAST_PROBABILITY, LEAST_MEAN
local LOG_LINKS = { poisson = true, gamma = true, tweedie = true }

-- --- settings ---

local function check(self)
   local who, does = estimator.name(self), estimator.class_of(self).does
   local boosting, init = self.boosting, self.init
   local class = rows.kind(boosting) == "Model" and estimator.describe(boosting)
   if not (class and class.takes.init_score and estimator.does(boosting) == does) then
      local wanted = "a GradientBoosting or HistGradientBoosting estimator that can"
      error(("%s: boosting must be %s %s, got %s"):format(who, wanted, does, estimator.got(boosting)), 0)
   end
   local method = does == "classify" and "predict_proba" or "predict"
   local found = estimator.is(init) and estimator.does(init)
   if found == false or (found and found ~= does) or not estimator.can(init, method) then
      error(("%s: init must be an estimator that can %s and has %s, got %s"):format(who, does, method,
         estimator.got(init)), 0)
   end
end

local function loss_of(self)
   return estimator.get_params(self.boosting).loss
end

local function has_log_link(self)
   return LOG_LINKS[loss_of(self)] == true
end

M.loss_of, M.has_log_link = loss_of, has_log_link

-- --- raw predictions ---

local function each_column(X, change)
   local columns = {}
   for c = 1, X.cols do columns[c] = change(X:col(c), c) end
   return core.hcat(table.unpack(columns))
end

local function row_means(X)
   local sum = core.Vector(X.rows, 0)
   for c = 1, X.cols do sum = sum + X:col(c) end
   return sum / X.cols
end

-- Raw predictions of a classifier: a Vector for two classes, else rows x classes.
local function raw_of_proba(self, init, X)
   local p = parts.proba(self, "init", init, X):clip(LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
   if #self.classes == 2 then
      local second = p:col(2):copy()
      local odds = second:log() - (1 - second):log()
      return loss_of(self) == "exponential" and odds / 2 or odds
   end
   local log_p = p:log()
   local mean = row_means(log_p)
   return each_column(log_p, function(column) return column - mean end)
end

local function predicted(self, init, X)
   local value = parts.numbers(parts.call(self, "init", init, "predict", X))
   return rows.kind(value) == "Matrix" and value:flatten() or value
end

local function raw_of_init(self, init, X)
   if estimator.class_of(self).classifies then return raw_of_proba(self, init, X) end
   local value = predicted(self, init, X)
   return has_log_link(self) and value:maximum(LEAST_MEAN):log() or value
end

-- --- fit ---

-- With warm_start, fit continues with the existing trees and their initial model.
local function starts_new_fit(self)
   return not (rawget(self, "fitted") and estimator.get_params(self.boosting).warm_start)
end

local function fit_init(self, data)
   if data.weights and not parts.takes_weights(self.init) then
      error(("%s: init: %s does not support weights"):format(data.who, estimator.name(self.init)), 0)
   end
   local init = estimator.clone(self.init)
   local ok, message = pcall(init.fit, init, data.X, data.y, data.weights and { weights = data.weights } or nil)
   if not ok then parts.raise(self, "init", message) end
   return init
end

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options)
   parts.one_target(data)
   local is_new = starts_new_fit(self)
   parts.learn(self, data)
   local init = is_new and fit_init(self, data) or self.init
   local boosting = is_new and estimator.clone(self.boosting) or self.boosting
   boosting:fit(data.X, data.y, { weights = data.weights, on_iter = options and options.on_iter,
      init_score = raw_of_init(self, init, data.X) })
   self.init, self.boosting = init, boosting
   return self
end

-- --- predictions ---

local function decision(self, X)
   return raw_of_init(self, self.init, X) + self.boosting:decision_function(X)
end

-- log(1 / (1 + exp(-f)))
local function log_sigmoid(f)
   return f:minimum(0) - (-f:abs()):exp():log1p()
end

local function log_proba(self, X)
   local f = decision(self, X)
   if rows.kind(f) == "Matrix" then return core.log_softmax(f) end
   if loss_of(self) == "exponential" then f = f * 2 end
   return core.hcat(log_sigmoid(-f), log_sigmoid(f))
end

local function labels(self, X)
   local f = decision(self, X)
   local places = rows.kind(f) == "Vector" and f:gt(0) + 1 or f:argmax "rows"
   return parts.labels(self, places)
end

-- With a log link the boosting predicts exp of its part of the sum, so the predictions are multiplied.
local function numbers(self, X)
   local value, more = predicted(self, self.init, X), self.boosting:predict(X)
   if not has_log_link(self) then return value + more end
   return value:maximum(LEAST_MEAN):mul(more)
end

local function staged(self, X)
   estimator.need_fitted(self, "staged", 2)
   return (rows.rethrow(2, pcall(function()
      local stages, log_link = self.boosting:staged(X), has_log_link(self)
      local first = log_link and predicted(self, self.init, X):maximum(LEAST_MEAN) or raw_of_init(self, self.init, X)
      local outputs = rows.kind(first) == "Matrix" and first.cols or 1
      return each_column(stages, function(column, c)
         local start = outputs > 1 and first:col((c - 1) % outputs + 1) or first
         return log_link and start:mul(column) or start + column
      end)
   end)))
end

local rethrowing = rows.rethrowing

-- --- the classes ---

-- Fields of the boosting are available, but not its operations, which ignore the initial predictions.
local function field_of_boosting(self, key)
   local boosting = rawget(self, "boosting")
   if boosting == nil or type(key) ~= "string" or not rawget(self, "fitted") then return nil end
   local value = parts.has_field(boosting, key)
   return type(value) ~= "function" and value or nil
end

local function show(self)
   local line, classes = estimator.one_line(self), rawget(self, "classes")
   if rawget(self, "fitted") then
      line = ("%s, fitted: %s, %s%s"):format(line, text.plural(self.boosting.n_iter, "round"),
         text.plural(self.n_features, "feature"), classes and ", " .. text.plural(#classes, "class", "classes") or "")
   end
   return text.wrap_line(line)
end

local function define(definition, home, base)
   definition.ours, definition.check, definition.fit, definition.tostring = true, check, fit, show
   definition.params = { init = estimator.NONE, boosting = estimator.NONE }
   definition.staged, definition.index = staged, field_of_boosting
   local learned = definition.learned
   learned.n_features, learned.feature_names = "number of columns of X", "column names of X, if X is a Frame"
   definition.help = {
      use = ("%s { init =, boosting = }, or ml.%s { init = ml.%s {}, ... }"):format(definition.name, home, base),
      brief = definition.brief,
      objective = "sum_i w_i L(y_i, F_0(x_i) + F(x_i)), F_0: raw predictions of init, F: sum of trees",
      params = { init = "the estimator fitted first; a classifier must have predict_proba",
         boosting = "a GradientBoosting or HistGradientBoosting estimator, fitted to the residuals of init" },
      methods = { staged = { use = "staged(X)", brief = "Predictions or decision function after each round, as a "
         .. "Matrix.", notes = "One column per round; for several classes one per round and class." } },
      notes = "fit stores fitted clones as model.init and model.boosting; learned fields of the boosting are fields of "
         .. "this model too. Unlike in scikit-learn, init is also fitted to rows that the boosting holds out. With "
         .. "warm_start init is not refitted. To start from known scores instead, pass fit(X, y, { init_score = ... }) "
         .. "to a boosting estimator.",
      source = "Friedman, Annals of Statistics 29 (2001)",
      example = definition.example,
   }
   definition.brief, definition.example = nil, nil
   M[definition.name] = estimator.class(definition)
end

define({
   name = "BoostedClassifier", does = "classify", classifies = true, reports_progress = true,
   brief = "Gradient boosting that starts from the probabilities of another classifier.",
   learned = { classes = "class labels in ascending order" },
   example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local model = ml.GradientBoostingClassifier { init = ml.GaussianNB {}, n_estimators = 10 }:fit(X, y)
print(model, model:score(X, y))]],
   predict = rethrowing(labels), decision_function = rethrowing(decision),
   predict_log_proba = rethrowing(function(self, X) return parts.by_class(self, log_proba(self, X)) end),
   predict_proba = rethrowing(function(self, X) return parts.by_class(self, log_proba(self, X):exp()) end),
}, "GradientBoostingClassifier", "GaussianNB")

define({
   name = "BoostedRegressor", does = "regress", reports_progress = true,
   brief = "Gradient boosting that starts from the predictions of another regressor.",
   learned = {},
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local model = ml.GradientBoostingRegressor { init = ml.Ridge {}, n_estimators = 20, max_depth = 2 }:fit(X, y)
print(model:score(X, y), model.init:score(X, y))]],
   predict = rethrowing(numbers),
}, "GradientBoostingRegressor", "Ridge")

--- Construct an estimator whose parameter `init` is a model; only boosting estimators accept one.
function M.of(class, constructor, settings)
   local made = class.takes.init_score and (class.does.classify and M.BoostedClassifier
      or class.does.regress and M.BoostedRegressor)
   if not made then return constructor(settings) end
   local own = {}
   for name, value in pairs(settings) do
      if name ~= "init" then own[name] = value end
   end
   return made { init = settings.init, boosting = constructor(own) }
end

return M
