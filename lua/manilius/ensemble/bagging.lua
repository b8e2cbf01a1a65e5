--- BaggingClassifier and BaggingRegressor: the mean of models fitted to random rows and columns.
--
--    y(x) = 1/B sum_b y_b(x),      model b fitted to max_samples rows and max_features columns, drawn by stream b
--
-- Breiman, Machine Learning 24 (1996); with columns: Ho, IEEE PAMI 20 (1998).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local core_models = require "manilius.core_models"
local estimator = require "manilius.estimator"
local metrics = require "manilius.metrics"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"

local M = {}

local function is_classifier(self)
   return estimator.class_of(self).classifies == true
end

-- --- settings ---

-- Check a fraction (float in (0, 1]) or a number of rows or columns (integer >= 1).
local function check_size(self, name)
   local value = self[name]
   local good = math.type(value) == "integer" and value >= 1 or math.type(value) == "float" and value > 0 and value <= 1
   if not good then
      error(("%s: %s must be a fraction > 0 and <= 1.0 or a whole number >= 1, got %s"):format(
         estimator.name(self), name, estimator.value_text(value)), 0)
   end
end

local function check(self)
   base.check(self)
   core_models.refuse_square(estimator.name(self), self.estimator)
   check_size(self, "max_samples")
   check_size(self, "max_features")
   for _, name in ipairs { "bootstrap", "bootstrap_features", "oob" } do base.check_flag(self, name) end
   if self.oob and not self.bootstrap then
      error(("%s: oob requires bootstrap = true, got false"):format(estimator.name(self)), 0)
   end
end

local function size_of(self, name, all)
   local value = self[name]
   if math.type(value) == "float" then return math.max(1, math.tointeger(value * all // 1)) end
   if value > all then
      error(("%s: %s must be at most %d, got %d"):format(estimator.name(self), name, all, value), 0)
   end
   return value
end

-- --- drawing ---

-- k of n indices in ascending order, drawn with or without replacement.
local function draw(seed, n, k, replace)
   if not replace then
      if k == n then return core.range(1, n) end
      return core.rng(seed, 0):permutation(n):slice(1, k):copy():sort()
   end
   return ((core.random(k, nil, seed) * n):floor() + 1):minimum(n):sort()
end

local MAX_DRAWS = 100

-- The rows for one model: a seed and their indices. A sample with only one class is drawn again.
local function draw_rows(self, data, plan, rng)
   local codes = is_classifier(self) and data.y:codes()
   for _ = 1, MAX_DRAWS do
      local seed = base.seed_from(rng)
      local places = draw(seed, data.n, plan.samples, plan.replace)
      local some = codes and codes:take(places)
      if not some or some:min() < some:max() then return seed, places end
   end
   error(("%s: samples of max_samples = %s rows contain only one class; increase max_samples"):format(data.who,
      estimator.value_text(self.max_samples)), 0)
end

local function out_of_bag(n, places)
   local out = core.Vector(n, 1)
   for i = 1, #places do out[places[i]] = 0 end
   return out:nonzero()
end

-- The fitting task: models, their columns, and folds whose test rows are those not drawn.
local function draw_all(self, data, plan)
   local task = { models = {}, folds = {}, jobs = {}, columns = {}, wants = {} }
   local wants = self.oob and { [plan.method] = true } or {}
   for i = 1, self.n_estimators do
      local rng = core.rng(self.seed, i)
      local seed, places = draw_rows(self, data, plan, rng)
      plan.seeds[i], plan.names[i] = seed, tostring(i)
      task.folds[i] = { train = places, test = self.oob and out_of_bag(data.n, places) or core.Vector {} }
      local columns = draw(base.seed_from(rng), plan.width, plan.features, self.bootstrap_features):totable()
      for j, place in ipairs(columns) do columns[j] = math.tointeger(place) end
      plan.columns[i] = columns
      task.columns[i] = (plan.features < plan.width or self.bootstrap_features) and columns or nil
      task.models[i], task.wants[i] = base.fresh(self.estimator, rng), wants
      task.jobs[i] = { i, i, keep = true }
   end
   return task
end

-- --- rows that were not drawn ---

-- Out-of-bag predictions: the mean over the models that did not draw the row; nan if all did.
local function out_of_bag_means(self, data, results, task, plan)
   local width = is_classifier(self) and #self.classes or nil
   local sum, count
   for i, result in ipairs(results) do
      local at, value = task.folds[i].test, result.test[plan.method]
      if #at > 0 then
         value = plan.as_matrix(value, result.classes, plan.names[i])
         sum = sum or core.zeros(data.n, width or value.cols)
         count = count or core.zeros(data.n, 1)
         for k = 1, #at do
            count:set(at[k], 1, count:get(at[k], 1) + 1)
            for j = 1, sum.cols do sum:set(at[k], j, sum:get(at[k], j) + value:get(k, j)) end
         end
      end
   end
   if not sum then return core.full(data.n, width or 1, 0 / 0) end
   local columns = {}
   for j = 1, sum.cols do columns[j] = sum:col(j):copy():div(count:flatten()) end
   return core.hcat(table.unpack(columns))
end

local function score_out_of_bag(self, data, means)
   local known = means:col(1):copy():isfinite():nonzero()
   if #known < data.n then
      rows.warn(("%s: %d of %d rows were drawn for all models and have no out-of-bag prediction; increase n_estimators")
         :format(data.who, data.n - #known, data.n))
   end
   if #known == 0 then return 0 / 0 end
   local some, y = means:take(known), rows.take(data.y, known)
   local weights = data.weights and { weights = data.weights:take(known) } or nil
   if is_classifier(self) then
      return metrics.accuracy(y, parts.labels(self, some:argmax "rows"), weights)
   end
   return metrics.r2(y, rows.kind(y) == "Vector" and some:flatten() or some, weights)
end

-- --- fit ---

local function plan_of(self, data)
   local width = rows.width(data.X)
   local proba = is_classifier(self) and estimator.can(self.estimator, "predict_proba")
   local plan = { seeds = {}, names = {}, columns = {}, width = width, replace = self.bootstrap,
      samples = size_of(self, "max_samples", data.n), features = size_of(self, "max_features", width),
      method = proba and "predict_proba" or "predict" }
   function plan.as_matrix(value, known, name)
      if not is_classifier(self) then return parts.as_matrix(parts.numbers(value)) end
      if proba then return parts.align(data.who, name, value, known, self.classes) end
      return parts.indicators(parts.codes(data.who, name, value, self.classes), #self.classes)
   end
   return plan
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   if not is_classifier(self) then self.n_targets = rows.kind(data.y) == "Matrix" and data.y.cols or 1 end
   local plan = plan_of(self, data)
   local task = draw_all(self, data, plan)
   task.on_done = function(done, total) return data.report(done, total) end
   local results = parts.run(data, plan.names, task)
   self.estimators, self.estimators_features = {}, {}
   for i, result in ipairs(results) do
      self.estimators[i], self.estimators_features[i] = result.model, plan.columns[i]
   end
   self.draws = { seeds = table.move(plan.seeds, 1, #results, 1, {}), n = data.n, samples = plan.samples,
      replace = plan.replace, subset = next(task.columns) ~= nil }
   if self.oob then
      self.oob_prediction = out_of_bag_means(self, data, results, task, plan)
      self.oob_score = score_out_of_bag(self, data, self.oob_prediction)
   end
   local ones = core.Vector(#results, 1)
   self.feature_importances = base.importances(self.estimators, ones, self.estimators_features, self.n_features)
   return self
end

-- --- use ---

local function call_member(self, i, X, method)
   local model = self.estimators[i]
   local seen = self.draws.subset and base.select_columns(self, X, self.estimators_features[i]) or X
   return parts.call(self, tostring(i), model, method, seen), model
end

-- The mean of predict_one(self, i, X) over all models.
local function mean_of(self, X, predict_one)
   local sum
   for i = 1, #self.estimators do
      local value = predict_one(self, i, X)
      sum = sum and sum + value or value
   end
   return sum / #self.estimators
end

local function proba_of(self, i, X)
   if not estimator.can(self.estimators[i], "predict_proba") then
      local codes = parts.codes(estimator.name(self), tostring(i), call_member(self, i, X, "predict"), self.classes)
      return parts.indicators(codes, #self.classes)
   end
   local value, model = call_member(self, i, X, "predict_proba")
   return parts.align(estimator.name(self), tostring(i), value, estimator.learned(model, "classes"), self.classes)
end

local function number_of(self, i, X)
   return parts.numbers((call_member(self, i, X, "predict")))
end

local rethrowing = rows.rethrowing

-- The rows each model was fitted to.
local function samples_of(draws)
   local list = {}
   for i, seed in ipairs(draws.seeds) do list[i] = draw(seed, draws.n, draws.samples, draws.replace) end
   return list
end

local function index(self, key)
   local draws = key == "estimators_samples" and rawget(self, "draws")
   return draws and samples_of(draws) or nil
end

local params = { estimator = estimator.NONE, n_estimators = 10, max_samples = 1.0, max_features = 1.0,
   bootstrap = true, bootstrap_features = false, oob = false, seed = 0 }
local shares = { max_samples = true, max_features = true }

local function described()
   return base.described {
      max_samples = "rows drawn for each model: a fraction (float up to 1.0) or a number (integer)",
      max_features = "columns drawn for each model: a fraction (float up to 1.0) or a number (integer)",
      bootstrap = "draw rows with replacement",
      bootstrap_features = "draw columns with replacement",
      oob = "compute the out-of-bag score; requires bootstrap = true",
   }
end

local function learned(more)
   local all = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      estimators = "list of fitted models", estimators_samples = "list: indices of the rows of each model, among rows "
         .. "of weight > 0", estimators_features = "list: indices of the columns of each model",
      oob_score = "accuracy or R2 of oob_prediction; nil without oob",
      oob_prediction = "Matrix (rows x classes or targets): out-of-bag predictions, nan for rows drawn by all models",
      feature_importances = "mean of the importances of the models, if they have any" }
   for name, line in pairs(more) do all[name] = line end
   return all
end

local NOTES = "Built-in models are fitted in parallel; a user-defined base needs only fit and predict. If the base has "
   .. "a seed, each model gets its own. estimator__max_depth is a parameter of the base, in set_params and in "
   .. "searches. Sample weights, if the base supports them, are passed with the drawn rows. on_iter may return "
   .. "\"stop\" to keep the models fitted so far."

local function constructor(who, default)
   local construct = base.construct(function() return core.constructors[default]() end)
   return function(values)
      if values.oob_score ~= nil then
         error(who .. " has no parameter 'oob_score'; did you mean 'oob'? oob_score is learned by fit", 0)
      end
      return construct(values)
   end
end

M.BaggingClassifier = estimator.class {
   name = "BaggingClassifier",
   inner = "estimator", reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true,
   params = params,
   shares = shares,
   private = { draws = true },
   learned = learned { classes = "class labels in ascending order" },
   help = {
      use = "BaggingClassifier { estimator, n_estimators = 10, max_samples = 1.0, max_features = 1.0, "
         .. "bootstrap = true, ... }",
      brief = "Mean of classifiers fitted to random rows and columns (bagging).",
      objective = "p(c | x) = mean over the models of p_b(c | x), or of their votes if they have no probabilities",
      params = described(),
      notes = NOTES .. " The default base is DecisionTreeClassifier {}.",
      source = "Breiman, Machine Learning 24 (1996)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local bag = ml.BaggingClassifier { ml.KNeighborsClassifier {}, n_estimators = 20, max_features = 2, oob = true }
print(bag:fit(X, y).oob_score)]],
   },
   construct = constructor("BaggingClassifier", "DecisionTreeClassifier"),
   check = check,
   index = index,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X)
      return parts.labels(self, mean_of(self, X, proba_of):argmax "rows")
   end),
   predict_proba = rethrowing(function(self, X) return parts.by_class(self, mean_of(self, X, proba_of)) end),
   predict_log_proba = rethrowing(function(self, X) return parts.by_class(self, mean_of(self, X, proba_of):log()) end),
}

M.BaggingRegressor = estimator.class {
   name = "BaggingRegressor",
   inner = "estimator", reports_progress = true,
   ours = true,
   does = "regress",
   params = params,
   shares = shares,
   private = { draws = true },
   learned = learned { n_targets = "number of columns of y" },
   help = {
      use = "BaggingRegressor { estimator, n_estimators = 10, max_samples = 1.0, max_features = 1.0, "
         .. "bootstrap = true, ... }",
      brief = "Mean of regressors fitted to random rows and columns (bagging).",
      objective = "y(x) = mean over the models of y_b(x)",
      params = described(),
      notes = NOTES .. " The default base is DecisionTreeRegressor {}.",
      source = "Breiman, Machine Learning 24 (1996)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local bag = ml.BaggingRegressor { ml.DecisionTreeRegressor { max_depth = 4 }, n_estimators = 20, oob = true }
print(bag:fit(X, y).oob_score, bag.feature_importances)]],
   },
   construct = constructor("BaggingRegressor", "DecisionTreeRegressor"),
   check = check,
   index = index,
   tostring = base.show,
   fit = fit,
   predict = rethrowing(function(self, X) return mean_of(self, X, number_of) end),
}

return M
