--- Learning and validation curves: scores on folds for numbers of training rows, and for values of a parameter.

local check_options = require "manilius.options".check
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local OPTIONS = validate.OPTIONS
local DATA = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, ml.Vector { 1.1, 1.9, 3.2, 3.9, 5.1, 5.8 }
]]

-- --- intervals ---

local RESAMPLES = 2000

-- Percentile interval of the mean of resampled fold scores.
local function bootstrap_interval(values)
   local rng, means, k = core.rng(0, 0), {}, #values
   if k < 2 then return 0 / 0, 0 / 0 end
   for b = 1, RESAMPLES do
      local sum = 0
      for _ = 1, k do sum = sum + values[rng:integer(1, k)] end
      means[b] = sum / k
   end
   local limits = core.Vector(means):quantile { 0.025, 0.975 }
   return limits[1], limits[2]
end

local intervals = {
   t = function(values, splits) return validate.interval_of(values, splits, false) end,
   corrected = function(values, splits) return validate.interval_of(values, splits, true) end,
   bootstrap = bootstrap_interval,
}

local INTERVAL = 'add the columns train_low, train_high, test_low, test_high, a 95% interval of each mean: "t", '
   .. '"corrected" for overlapping training sets (Nadeau & Bengio, 2003), or "bootstrap" over the folds'

local function check_interval(who, interval, level)
   if interval == nil or intervals[interval] then return interval end
   error(("%s: interval must be t, corrected or bootstrap, got %s%s"):format(who, estimator.value_text(interval),
      text.near(interval, { "bootstrap", "corrected" })), level + 1)
end

-- --- the Frame ---

local KINDS = { "train", "test" }

-- A Frame with the mean and standard deviation over folds of training and test scores, one row per setting.
-- @param results by setting and fold
-- @param splits of the folds, by setting and fold or by fold
-- @param task model and score
-- @param interval kind of interval, or nil
-- @param param name of the parameter, or nil
local function curve(name, first, results, task, splits, n_folds, interval, param)
   local scorer = task.scorers[1]
   local lists = {}
   local function put(column, i, value)
      lists[column] = lists[column] or {}
      lists[column][i] = value
   end
   for i = 1, #first do
      local values, own = { train = {}, test = {} }, {}
      for f = 1, n_folds do
         local place = (i - 1) * n_folds + f
         own[f] = splits[place] or splits[f]
         values.train[f] = results[place].train_scores[scorer.name]
         values.test[f] = results[place].scores[scorer.name]
      end
      for _, kind in ipairs(KINDS) do
         local mean, sd = validate.mean_sd(values[kind])
         put(kind .. "_mean", i, mean)
         put(kind .. "_sd", i, sd)
         if interval then
            local low, high = scorers.within_limits(scorer.name, mean, intervals[interval](values[kind], own))
            put(kind .. "_low", i, low)
            put(kind .. "_high", i, high)
         end
      end
   end
   local names, columns = { name }, { first }
   for _, kind in ipairs(KINDS) do
      for _, ending in ipairs { "_mean", "_sd", "_low", "_high" } do
         if lists[kind .. ending] then
            names[#names + 1], columns[#columns + 1] = kind .. ending, core.Vector(lists[kind .. ending])
         end
      end
   end
   return rows.set_origin(rows.frame(names, columns), { model = estimator.last_title(task.models[1]),
      scoring = scorer.name, param = param })
end

-- --- learning curves ---

local function learning_sizes(who, sizes, max)
   local out = {}
   if type(sizes) ~= "table" and rows.kind(sizes) ~= "Vector" or #sizes == 0 then
      error(("%s: sizes must be a list of fractions or numbers of rows, got %s"):format(who,
         estimator.value_text(sizes)), 0)
   end
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
   options = { cv = OPTIONS.cv, scoring = "one score; " .. OPTIONS.scoring, groups = OPTIONS.groups,
      weights = OPTIONS.weights, threads = OPTIONS.threads, path = OPTIONS.path, interval = INTERVAL,
      sizes = "fractions (floats) or numbers (integers) of training rows; default { 0.1, 0.325, 0.55, 0.775, 1.0 }",
      seed = "shuffle the training rows with this seed before the first ones are taken; if these lack a class, each "
         .. "class is taken in proportion, in the order of its rows" },
   returns = "Frame: train_rows, train_mean, train_sd, test_mean, test_sd, and limits of intervals",
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
   local interval = check_interval(who, options.interval, 2)
   local task = validate.task(who, model, X, y, options, 2)
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
   task.folds, task.jobs = splits, validate.all_jobs(task.models, splits)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(validate.raise_first_error, who, results))
   return curve("train_rows", core.Vector(sizes), results, task, splits, n_folds, interval)
end

-- --- validation curves ---

M.help.validation_curve = {
   args = { "model", "X", "y" },
   brief = "Training and test scores for different values of one parameter.",
   options = { cv = OPTIONS.cv, scoring = "one score; " .. OPTIONS.scoring, groups = OPTIONS.groups,
      lengths = OPTIONS.lengths, weights = OPTIONS.weights, threads = OPTIONS.threads, path = OPTIONS.path,
      interval = INTERVAL, param = 'name of the parameter, "step__name" inside compositions',
      values = "list of values of the parameter" },
   returns = "Frame: value, train_mean, train_sd, test_mean, test_sd, and limits of intervals",
   example = DATA .. 'print(ml.validation_curve(ml.Ridge {}, X, y, { param = "alpha", values = { 0.1, 1 }, cv = 3 }))',
}

function M.validation_curve(model, X, y, options)
   local who = "validation_curve"
   options = check_options(who, options, M.help.validation_curve.options, 2)
   local interval = check_interval(who, options.interval, 2)
   if type(options.param) ~= "string" or type(options.values) ~= "table" or #options.values == 0 then
      error(who .. ": the options param (a string) and values (a list) must be given", 2)
   end
   local task = validate.task(who, model, X, y, options, 2)
   task.scorers, task.also_train = scorers.resolve(who, options.scoring, task.default, 2), true
   for i, value in ipairs(options.values) do
      task.models[i] = estimator.clone(model)
      estimator.set_params(task.models[i], { [options.param] = value }, 2)
   end
   task.jobs = validate.all_jobs(task.models, task.folds)
   local results = rows.rethrow(2, pcall(evaluate.run, task))
   rows.rethrow(2, pcall(validate.raise_first_error, who, results))
   return curve("value", validate.value_column(options.values, #options.values), results, task, task.folds,
      #task.folds, interval, options.param)
end

return M
