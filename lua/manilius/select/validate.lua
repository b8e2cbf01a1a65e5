--- Cross-validation and out-of-fold predictions.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local joined = require "manilius.select.joined"
local progress = require "manilius.progress"
local queries_of = require "manilius.help.queries"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local text = require "manilius.text"

local M = { help = {} }

local check_options = options_of.check

-- --- options and data ---

--- A task for evaluate.run from the user's arguments: checked data and splits.
function M.task(who, model, X, y, options, level)
   level = level + 1
   if not estimator.is(model) then
      error(("%s: model must be an estimator, got %s"):format(who, estimator.got(model)), level)
   end
   X = rows.x(who, X, level)
   local n = rows.count(X)
   local target = rows.rethrow(level, pcall(estimator.find_target, model, X, y))
   y = rows.y(who, target, n, level)
   if rows.has_columns(y) and rows.is_frame(target) and estimator.takes_named_targets(model) then y = target end
   local weights, threads, groups = options.weights, options.threads, options.groups
   if weights ~= nil and rows.kind(weights) ~= "Vector" then weights = core.Vector(weights) end
   local queries = rows.rethrow(level, pcall(queries_of.of, who, model, options.lengths, groups, n))
   weights = queries_of.row_weights(queries, weights)
   if weights and #weights ~= n then
      error(("%s: weights must have as many rows as X, %d, got %d"):format(who, n, #weights), level)
   end
   if threads ~= nil and (math.type(threads) ~= "integer" or threads < 0) then
      error(("%s: threads must be a whole number >= 0, got %s"):format(who, estimator.value_text(threads)), level)
   end
   if groups ~= nil and rows.count(groups) ~= n then
      error(("%s: groups must have as many rows as X, %d, got %d"):format(who, n, rows.count(groups)), level)
   end
   local default = evaluate.default_score(model, y)
   if groups == nil and queries then groups = core.Vector(queries.of) end
   local stratify = default == "accuracy" and not rows.has_columns(y)
   local resolve = estimator.takes_unlabelled(model) and folds.resolve_labelled or folds.resolve
   local splits = rows.rethrow(level, pcall(resolve, who, options.cv, stratify, X, y, groups))
   if queries then splits = rows.rethrow(level, pcall(queries_of.split, who, queries, splits)) end
   return { who = who, models = { model }, X = X, y = y, weights = weights, folds = splits, threads = options.threads,
      path = options.path, default = default, stratify = stratify,
      lengths = queries and core.Vector(queries.sizes) or nil }
end

--- All models on all folds. keep: return the fitted models, too.
function M.all_jobs(models, splits, keep)
   local jobs = {}
   for m = 1, #models do
      for f = 1, #splits do jobs[#jobs + 1] = { m, f, keep = keep } end
   end
   return jobs
end

-- --- intervals ---

-- P(|T| < t) for Student's t with integer degrees of freedom (Abramowitz & Stegun 26.7.3, 26.7.4).
local function central_probability(t, df)
   local theta = math.atan(t / math.sqrt(df))
   local c2, term, sum = math.cos(theta) ^ 2, 1, 0
   if df % 2 == 1 then
      if df == 1 then return 2 * theta / math.pi end
      term = math.cos(theta)
      for i = 1, df - 2, 2 do
         sum = sum + term
         term = term * c2 * (i + 1) / (i + 2)
      end
      return 2 / math.pi * (theta + math.sin(theta) * sum)
   end
   for i = 0, df - 2, 2 do
      sum = sum + term
      term = term * c2 * (i + 1) / (i + 2)
   end
   return math.sin(theta) * sum
end

--- The t such that P(|T| < t) = level.
function M.t_quantile(level, df)
   df = math.min(df, 2000)
   local low, high = 0, 1
   while central_probability(high, df) < level do high = high * 2 end
   for _ = 1, 100 do
      local midpoint = (low + high) / 2
      if central_probability(midpoint, df) < level then low = midpoint else high = midpoint end
   end
   return (low + high) / 2
end

local function mean_sd(values)
   local sum, square = 0, 0
   for _, value in ipairs(values) do sum = sum + value end
   local mean = sum / #values
   for _, value in ipairs(values) do square = square + (value - mean) ^ 2 end
   return mean, #values > 1 and math.sqrt(square / (#values - 1)) or 0 / 0
end

M.mean_sd = mean_sd

-- The variance of the mean: s^2 / k, or s^2 (1/k + n_test / n_train) (Nadeau & Bengio, 2003), which corrects for
-- overlapping training sets.
function M.interval_of(values, splits, corrected)
   local mean, sd = mean_sd(values)
   local k = #values
   if k < 2 then return 0 / 0, 0 / 0 end
   local extra = 0
   for _, split in ipairs(splits) do extra = extra + #split.test / #split.train / k end
   local half = M.t_quantile(0.95, k - 1) * sd * math.sqrt(1 / k + (corrected and extra or 0))
   return mean - half, mean + half
end

--- Values of a parameter as a column: a Vector when all are numbers, else a Factor.
function M.value_column(values, n)
   local numbers, labels = true, { n = n }
   for i = 1, n do
      local value = values[i]
      numbers = numbers and (type(value) == "number" or value == nil)
      if value == core.unset then value = "nil" end
      if type(value) ~= "number" and type(value) ~= "boolean" and value ~= nil then
         value = type(value) == "string" and value or estimator.value_text(value)
      end
      labels[i] = value
   end
   if not numbers then return core.Factor(labels) end
   local filled = {}
   for i = 1, n do filled[i] = labels[i] == nil and 0 / 0 or labels[i] end
   return core.Vector(filled)
end

-- --- cross_validate ---

local Result = { __name = "CrossValidation" }

local RESULT_NAMES = { "chosen", "folds", "fit_seconds", "inner", "interval", "interval_kind", "mean", "metrics",
   "model", "models", "positive", "scores", "sd" }

function Result.__tostring(self)
   local kind = self.interval_kind == "corrected" and "95% interval (corrected)" or "95% interval"
   local lines = { { "", "mean", "sd", kind } }
   for _, name in ipairs(self.metrics) do
      local interval = self.interval[name]
      lines[#lines + 1] = { name, text.number(self.mean[name], 4), text.number(self.sd[name], 3),
         ("%s to %s"):format(text.number(interval[1], 4), text.number(interval[2], 4)) }
   end
   lines[#lines + 1] = { "fit time", text.seconds(self.fit_seconds) }
   local positive = self.positive ~= nil and (", positive class %s"):format(self.positive) or ""
   return ("%s, %s%s\n%s"):format(self.model, text.plural(self.folds, "fold"), positive,
      text.aligned(lines, { [4] = true }))
end

function Result.__index(_, key)
   -- models: of the option return_models; inner and chosen: of nested_cross_validate; positive: of scores of one class
   if key == "models" or key == "inner" or key == "chosen" or key == "positive" then return nil end
   error(("the result of cross_validate has no '%s'%s"):format(tostring(key), text.near(key, RESULT_NAMES)), 2)
end

local function frame_of_scores(self, results, also_train)
   local names, lists = { "fold" }, { {} }
   local function column(name, value_of)
      local list = {}
      for i, result in ipairs(results) do list[i] = value_of(result) end
      names[#names + 1], lists[#lists + 1] = name, list
   end
   for i in ipairs(results) do lists[1][i] = i end
   for _, name in ipairs(self.metrics) do
      column(name, function(result) return result.scores[name] end)
      if also_train then column("train_" .. name, function(result) return result.train_scores[name] end) end
   end
   column("fit_seconds", function(result) return result.fit_seconds end)
   column("score_seconds", function(result) return result.score_seconds end)
   for j, list in ipairs(lists) do lists[j] = core.Vector(list) end
   return rows.frame(names, lists)
end

local function summarize(self, results, splits, corrected)
   for _, name in ipairs(self.metrics) do
      local values = {}
      for i, result in ipairs(results) do values[i] = result.scores[name] end
      self.mean[name], self.sd[name] = mean_sd(values)
      local low, high = M.interval_of(values, splits, corrected)
      self.interval[name] = { scorers.within_limits(name, self.mean[name], low, high) }
   end
   local seconds = {}
   for i, result in ipairs(results) do seconds[i] = result.fit_seconds end
   self.fit_seconds = mean_sd(seconds)
end

--- The result of cross_validate: a summary of one model on all folds.
-- @param names names of the scores, in order
-- @param interval "t" or "corrected"
function M.summary(model, names, results, splits, interval, also_train)
   local self = setmetatable({ model = estimator.title(model), folds = #splits, metrics = names,
      mean = options_of.named({}, "score"), sd = options_of.named({}, "score"),
      interval = options_of.named({}, "score"), interval_kind = interval }, Result)
   summarize(self, results, splits, interval == "corrected")
   self.scores = frame_of_scores(self, results, also_train)
   return self
end

--- Raise the first error of a fold.
function M.raise_first_error(who, results)
   for i, result in ipairs(results) do
      if result.error then error(("%s: fold %d: %s"):format(who, i, result.error), 0) end
   end
end

--- Option texts of the functions that cross-validate.
M.OPTIONS = {
   cv = "number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as "
      .. "KFold { seed = 1 }, or a list of { train =, test = }",
   scoring = "name from metrics.scorers, function(y, predicted), scorer, or a list or table of them; "
      .. "{ \"f1\", \"recall\", positive = label } sets the positive class, else the second label; "
      .. "default: accuracy for labels, log_likelihood for densities and mixtures, ari or silhouette "
      .. "(without y) for clusterings, else r2",
   groups = "one label per row; rows with the same label stay in the same fold; for rankers also the queries",
   lengths = "number of rows of each query of a ranker, or of each sequence; folds hold whole ones",
   weights = "sample weights, used in fits and scores",
   threads = "number of threads, 0 for all cores; default: the value of ml.threads",
   path = '"lua": run the fits sequentially in Lua instead of the core; the results are the same',
}

local CV, SCORING, GROUPS, LENGTHS = M.OPTIONS.cv, M.OPTIONS.scoring, M.OPTIONS.groups, M.OPTIONS.lengths
local WEIGHTS, THREADS, PATH = M.OPTIONS.weights, M.OPTIONS.threads, M.OPTIONS.path

local DATA = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, ml.Vector { 1.1, 1.9, 3.2, 3.9, 5.1, 5.8 }
]]

M.help.cross_validate = {
   args = { "model", "X", "y" },
   brief = "Cross-validation: fit on the training rows and score on the test rows of folds.",
   options = { cv = CV, scoring = SCORING, groups = GROUPS, lengths = LENGTHS, weights = WEIGHTS, threads = THREADS,
      path = PATH, return_train = "true: also score the training rows", return_models = "true: keep the fitted models",
      interval = 'interval of the mean: "t", or "corrected" for overlapping training sets (Nadeau & Bengio, 2003); '
         .. 'default: "t" if no row is tested twice',
      on_iter = 'function(state) called with done and total fits; may return "stop" (keep the finished folds) or '
         .. '"cancel"' },
   returns = "an object that prints as a table: mean, sd, interval (by score name), fit_seconds, scores (Frame with "
      .. "one row per fold), models, positive (positive class, if a score has one)",
   example = DATA .. [[print(ml.cross_validate(ml.Ridge {}, X, y, { cv = 3, scoring = { "r2", "rmse" } }))]],
}

-- The t interval takes the scores of folds for independent. That is far from true when rows are tested several times:
-- of the intervals of a linear model, with 100 rows and 5 times 5 folds, 55% cover the mean score, and 95% corrected.
local function default_interval(splits, n)
   local _, again = core.test_positions(folds.test_rows(splits), n)
   return again and "corrected" or "t"
end

function M.cross_validate(model, X, y, options)
   local who = "cross_validate"
   options = check_options(who, options, M.help.cross_validate.options, 2)
   local task = M.task(who, model, X, y, options, 2)
   task.scorers = scorers.resolve(who, options.scoring, task.default, 2)
   task.also_train, task.jobs = options.return_train, M.all_jobs(task.models, task.folds, options.return_models)
   local on_iter = options.on_iter
   if on_iter ~= nil then
      local ask = rows.rethrow(2, pcall(progress.caller, who, on_iter))
      task.on_done = function(done, total) return ask(done, total) end
   end
   local interval = options.interval == nil and default_interval(task.folds, rows.count(task.X)) or options.interval
   if interval ~= "t" and interval ~= "corrected" then
      error(("%s: interval must be t or corrected, got %s%s"):format(who, estimator.value_text(interval),
         text.near(interval, { "corrected" })), 2)
   end
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(M.raise_first_error, who, results))
   local names = {}
   for i, scorer in ipairs(task.scorers) do names[i] = scorer.name end
   local tested = table.move(task.folds, 1, #results, 1, {})
   local self = M.summary(model, names, results, tested, interval, task.also_train)
   self.positive = scorers.positive_class(task.scorers, task.y)
   if options.return_models then
      self.models = {}
      for i, result in ipairs(results) do self.models[i] = result.model end
   end
   return self
end

-- --- cross_val_predict ---

M.help.cross_val_predict = {
   args = { "model", "X", "y" },
   brief = "Out-of-fold predictions for each row.",
   options = { cv = CV, groups = GROUPS, lengths = LENGTHS, weights = WEIGHTS, threads = THREADS,
      path = PATH, method = '"predict" (default), "predict_proba", "decision_function", ...' },
   returns = "output of the method: Factor, Vector or Matrix; predict_proba has columns in label order",
   example = DATA .. "print(ml.cross_val_predict(ml.Ridge {}, X, y, { cv = 3 }))",
}

function M.cross_val_predict(model, X, y, options)
   local who = "cross_val_predict"
   options = check_options(who, options, M.help.cross_val_predict.options, 2)
   local method = options.method or "predict"
   local task = M.task(who, model, X, y, options, 2)
   if not estimator.can(model, method) then
      local known = { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
         "score_samples" }
      error(("%s: %s has no %s%s"):format(who, estimator.name(model), tostring(method),
         estimator.is_action(method) and "" or text.near(method, known)), 2)
   end
   local position = rows.rethrow(2, pcall(folds.test_positions, who, task.folds, rows.count(task.X)))
   task.want, task.jobs = { [method] = true }, M.all_jobs(task.models, task.folds)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(M.raise_first_error, who, results))
   return (joined(results, method, task.y, position))
end

return M
