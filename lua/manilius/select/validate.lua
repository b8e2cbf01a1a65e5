--- Cross-validation, out-of-fold predictions, learning and validation curves.

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
   y = rows.y(who, rows.rethrow(level, pcall(estimator.find_target, model, X, y)), n, level)
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
   local splits = rows.rethrow(level, pcall(folds.resolve, who, options.cv, stratify, X, y, groups))
   if queries then splits = rows.rethrow(level, pcall(queries_of.split, who, queries, splits)) end
   return { who = who, models = { model }, X = X, y = y, weights = weights, folds = splits, threads = options.threads,
      path = options.path, default = default, stratify = stratify,
      lengths = queries and core.Vector(queries.sizes) or nil }
end

--- All models on all folds.
function M.all_jobs(models, splits)
   local jobs = {}
   for m = 1, #models do
      for f = 1, #splits do jobs[#jobs + 1] = { m, f } end
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
local function interval_of(values, splits, corrected)
   local mean, sd = mean_sd(values)
   local k = #values
   if k < 2 then return 0 / 0, 0 / 0 end
   local extra = 0
   for _, split in ipairs(splits) do extra = extra + #split.test / #split.train / k end
   local half = M.t_quantile(0.95, k - 1) * sd * math.sqrt(1 / k + (corrected and extra or 0))
   return mean - half, mean + half
end

-- --- cross_validate ---

local Result = { __name = "CrossValidation" }

local RESULT_NAMES = { "folds", "fit_seconds", "interval", "interval_kind", "mean", "metrics", "model", "models",
   "scores", "sd" }

function Result.__tostring(self)
   local kind = self.interval_kind == "corrected" and "95% interval (corrected)" or "95% interval"
   local lines = { { "", "mean", "sd", kind } }
   for _, name in ipairs(self.metrics) do
      local interval = self.interval[name]
      lines[#lines + 1] = { name, text.number(self.mean[name], 4), text.number(self.sd[name], 3),
         ("%s to %s"):format(text.number(interval[1], 4), text.number(interval[2], 4)) }
   end
   lines[#lines + 1] = { "fit time", text.seconds(self.fit_seconds) }
   return ("%s, %s\n%s"):format(self.model, text.plural(self.folds, "fold"), text.aligned(lines, { [4] = true }))
end

function Result.__index(_, key)
   if key == "models" then return nil end -- unless return_models asked for them
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
      local low, high = interval_of(values, splits, corrected)
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

local function raise_first_error(who, results)
   for i, result in ipairs(results) do
      if result.error then error(("%s: fold %d: %s"):format(who, i, result.error), 0) end
   end
end

--- Option texts shared by the functions of this module.
local CV = "number of folds (default 5; stratified for classifiers, grouped if groups are given), a splitter such as "
   .. "KFold { seed = 1 }, or a list of { train =, test = }"
local SCORING = "name from metrics.scorers, function(y, predicted), scorer, or a list or table of them; "
   .. "{ \"f1\", positive = label } sets the positive class; default: accuracy for labels, else r2"
local GROUPS = "one label per row; rows with the same label stay in the same fold; for rankers also the queries"
local LENGTHS = "for rankers: number of rows of each query; folds hold whole queries"
local WEIGHTS = "sample weights, used in fits and scores"
local THREADS = "number of threads, 0 for all cores; default: the value of ml.threads"
local PATH = '"lua": run the fits sequentially in Lua instead of the core; the results are the same'

local DATA = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, ml.Vector { 1.1, 1.9, 3.2, 3.9, 5.1, 5.8 }
]]

M.help.cross_validate = {
   args = { "model", "X", "y" },
   brief = "Cross-validation: fit on the training rows and score on the test rows of folds.",
   options = { cv = CV, scoring = SCORING, groups = GROUPS, lengths = LENGTHS, weights = WEIGHTS, threads = THREADS,
      path = PATH, return_train = "true: also score the training rows", return_models = "true: keep the fitted models",
      interval = 'interval of the mean: "t" (default) or "corrected" for overlapping training sets (Nadeau & Bengio, '
         .. "2003)",
      on_iter = 'function(state) called with done and total fits; may return "stop" (keep the finished folds) or '
         .. '"cancel"' },
   returns = "an object that prints as a table: mean, sd, interval (by score name), fit_seconds, scores (Frame with "
      .. "one row per fold), models",
   example = DATA .. [[print(ml.cross_validate(ml.Ridge {}, X, y, { cv = 3, scoring = { "r2", "rmse" } }))]],
}

function M.cross_validate(model, X, y, options)
   local who = "cross_validate"
   options = check_options(who, options, M.help.cross_validate.options, 2)
   local task = M.task(who, model, X, y, options, 2)
   task.scorers = scorers.resolve(who, options.scoring, task.default, 2)
   task.also_train, task.keep = options.return_train, options.return_models
   task.jobs = M.all_jobs(task.models, task.folds)
   local on_iter = options.on_iter
   if on_iter ~= nil then
      local ask = rows.rethrow(2, pcall(progress.caller, who, on_iter))
      task.on_done = function(done, total) return ask(done, total) end
   end
   local interval = options.interval or "t"
   if interval ~= "t" and interval ~= "corrected" then
      error(("%s: interval must be t or corrected, got %s%s"):format(who, estimator.value_text(interval),
         text.near(interval, { "corrected" })), 2)
   end
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(raise_first_error, who, results))
   local names = {}
   for i, scorer in ipairs(task.scorers) do names[i] = scorer.name end
   local tested = table.move(task.folds, 1, #results, 1, {})
   local self = M.summary(model, names, results, tested, interval, task.also_train)
   if task.keep then
      self.models = {}
      for i, result in ipairs(results) do self.models[i] = result.model end
   end
   return self
end

-- --- cross_val_predict ---

-- The position of each row of X in the concatenated test rows.
local function test_positions(who, splits, n)
   local position, next = {}, 0
   for _, split in ipairs(splits) do
      for i = 1, #split.test do
         local row = split.test[i]
         next = next + 1
         if position[row] then error(("%s: cv must test each row once, row %d is tested twice"):format(who, row), 0) end
         position[row] = next
      end
   end
   for row = 1, n do
      if not position[row] then
         error(("%s: cv must test each row once, but row %d is not tested"):format(who, row), 0)
      end
   end
   return core.Vector(position)
end

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
   local position = rows.rethrow(2, pcall(test_positions, who, task.folds, rows.count(task.X)))
   task.want, task.jobs = { [method] = true }, M.all_jobs(task.models, task.folds)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(raise_first_error, who, results))
   return (joined(results, method, task.y, position))
end

-- --- curves ---

-- A Frame with the mean and standard deviation over folds of training and test scores, one row per setting.
local function curve(names, firsts, results, scorer, n_folds)
   local lists = { {}, {}, {}, {} }
   for i = 1, #firsts[1] do
      local train, test = {}, {}
      for f = 1, n_folds do
         local result = results[(i - 1) * n_folds + f]
         train[f], test[f] = result.train_scores[scorer.name], result.scores[scorer.name]
      end
      lists[1][i], lists[2][i] = mean_sd(train)
      lists[3][i], lists[4][i] = mean_sd(test)
   end
   local columns = {}
   for _, first in ipairs(firsts) do columns[#columns + 1] = first end
   for _, list in ipairs(lists) do columns[#columns + 1] = core.Vector(list) end
   for _, name in ipairs { "train_mean", "train_sd", "test_mean", "test_sd" } do names[#names + 1] = name end
   return rows.frame(names, columns)
end

local function learning_sizes(who, sizes, max)
   local out = {}
   for i, size in ipairs(sizes) do
      local count = size
      if math.type(size) == "float" and size > 0 and size <= 1 then count = math.tointeger(math.floor(size * max)) end
      if math.type(count) ~= "integer" or count < 1 or count > max then
         error(("%s: sizes must be fractions in (0, 1] or numbers of rows from 1 to %d, got %s at position %d")
            :format(who, max, estimator.value_text(size), i), 0)
      end
      out[i] = count
   end
   return out
end

-- Reorder rows so that each class is spread evenly, unless the first `smallest` rows contain all classes. The k-th of n
-- rows of a class comes at (k - 1/2) / n.
local function in_proportion(train, y, smallest)
   local labels, count, early, place, order = y:take(train), {}, {}, {}, {}
   for i = 1, #train do
      local label = labels[i]
      count[label] = (count[label] or 0) + 1
      place[i] = count[label]
      if i <= smallest then early[label] = true end
   end
   local complete = true
   for label in pairs(count) do complete = complete and early[label] end
   if complete then return train end
   for i = 1, #train do order[i], place[i] = i, (place[i] - 0.5) / count[labels[i]] end
   table.sort(order, function(a, b)
      if place[a] ~= place[b] then return place[a] < place[b] end
      return a < b
   end)
   return train:take(core.Vector(order))
end

M.help.learning_curve = {
   args = { "model", "X", "y" },
   brief = "Training and test scores for increasing numbers of training rows.",
   options = { cv = CV, scoring = "one score; " .. SCORING, groups = GROUPS, weights = WEIGHTS, threads = THREADS,
      path = PATH,
      sizes = "fractions (floats) or numbers (integers) of training rows; default { 0.1, 0.325, 0.55, 0.775, 1.0 }",
      seed = "shuffle the training rows with this seed before taking the first of them; labels whose first rows lack "
         .. "a class are taken in proportion, which keeps the order within each class" },
   returns = "Frame: train_rows, train_mean, train_sd, test_mean, test_sd",
   example = DATA .. 'print(ml.learning_curve(ml.Ridge {}, X, y, { cv = 3, sizes = { 0.5, 1.0 }, scoring = "rmse" }))',
}

-- The training rows of a split in the order in which they are added.
local function growing_rows(split, y, seed, f, smallest)
   local train = split.train
   if seed then train = train:take(core.rng(seed, f):permutation(#train)) end
   return y and in_proportion(train, y, smallest) or train
end

function M.learning_curve(model, X, y, options)
   local who = "learning_curve"
   options = check_options(who, options, M.help.learning_curve.options, 2)
   local task = M.task(who, model, X, y, options, 2)
   if task.lengths then error(who .. ": does not support queries, because it subsamples rows", 2) end
   task.scorers, task.also_train = scorers.resolve(who, options.scoring, task.default, 2), true
   local max = math.huge
   for _, split in ipairs(task.folds) do max = math.min(max, #split.train) end
   local sizes = rows.rethrow(2, pcall(learning_sizes, who, options.sizes or { 0.1, 0.325, 0.55, 0.775, 1.0 }, max))
   local splits, orders, smallest = {}, {}, math.min(table.unpack(sizes))
   for f, split in ipairs(task.folds) do
      orders[f] = growing_rows(split, task.stratify and task.y or nil, options.seed, f, smallest)
   end
   for _, size in ipairs(sizes) do
      for f, split in ipairs(task.folds) do
         splits[#splits + 1] = { train = orders[f]:take(core.range(1, size)), test = split.test }
      end
   end
   local n_folds = #task.folds
   task.folds, task.jobs = splits, M.all_jobs(task.models, splits)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(raise_first_error, who, results))
   return curve({ "train_rows" }, { core.Vector(sizes) }, results, task.scorers[1], n_folds)
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

M.help.validation_curve = {
   args = { "model", "X", "y" },
   brief = "Training and test scores for different values of one parameter.",
   options = { cv = CV, scoring = "one score; " .. SCORING, groups = GROUPS, lengths = LENGTHS, weights = WEIGHTS,
      threads = THREADS, path = PATH, param = 'name of the parameter, "step__name" inside compositions',
      values = "list of values of the parameter" },
   returns = "Frame: value, train_mean, train_sd, test_mean, test_sd",
   example = DATA .. 'print(ml.validation_curve(ml.Ridge {}, X, y, { param = "alpha", values = { 0.1, 1 }, cv = 3 }))',
}

function M.validation_curve(model, X, y, options)
   local who = "validation_curve"
   options = check_options(who, options, M.help.validation_curve.options, 2)
   if type(options.param) ~= "string" or type(options.values) ~= "table" or #options.values == 0 then
      error(who .. ": the options param (a string) and values (a list) must be given", 2)
   end
   local task = M.task(who, model, X, y, options, 2)
   task.scorers, task.also_train = scorers.resolve(who, options.scoring, task.default, 2), true
   for i, value in ipairs(options.values) do
      task.models[i] = estimator.clone(model)
      estimator.set_params(task.models[i], { [options.param] = value }, 2)
   end
   task.jobs = M.all_jobs(task.models, task.folds)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(raise_first_error, who, results))
   return curve({ "value" }, { M.value_column(options.values, #options.values) }, results, task.scorers[1],
      #task.folds)
end

return M
