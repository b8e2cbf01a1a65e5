--- Permutation importance: the decrease of the score of a fitted model when one column is shuffled (Breiman, Machine
-- Learning 45, 2001; for any model Fisher, Rudin & Dominici, JMLR 20, 2019).
--
-- Use held-out rows: on the training rows, columns that the model overfits look important too. Correlated columns share
-- their importance, so each alone may look unimportant.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local result = require "manilius.select.importance_table"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "permutation_importance"

-- --- shuffling ---

-- Decreases of the score: one row per column or group, one column per repeat. Random streams are indexed by the first
-- column and the repeat, so that a result does not depend on the other columns.
local function score_decreases(model, X, y, settings)
   local columns, names, assemble = rows.split_columns(WHO, X, estimator.learned(model, "feature_names"))
   local score = function(data)
      return evaluate.score(model, data, y, { scoring = settings.scoring, weights = settings.weights }, 0)
   end
   local base, n, measured = score(X), rows.count(X), result.parts(WHO, names, settings.groups)
   local values = core.zeros(#measured, settings.repeats)
   for i, part in ipairs(measured) do
      local changed = table.move(columns, 1, #columns, 1, {})
      for r = 1, settings.repeats do
         local order = core.rng(settings.seed, (part.places[1] - 1) * settings.repeats + r - 1):permutation(n)
         for _, j in ipairs(part.places) do changed[j] = columns[j]:take(order) end
         local decrease = base - score(assemble(changed))
         values:set(i, r, settings.greater and decrease or -decrease)
      end
   end
   return base, values, result.described(measured, names, settings.groups)
end

local function check_whole(name, value, low)
   if math.type(value) ~= "integer" or value < low then
      error(("%s: %s must be a whole number >= %d, got %s"):format(WHO, name, low, estimator.value_text(value)), 0)
   end
   return value
end

local function settings_of(model, y, options)
   local scorer = scorers.resolve(WHO, options.scoring, evaluate.default_score(model, y), 0)
   if #scorer > 1 then error(WHO .. ": scoring must be one score, got several", 0) end
   local seed = options.seed == nil and 0 or options.seed
   return { scoring = { [scorer[1].name] = scorer[1] }, name = scorer[1].name, greater = scorer[1].greater,
      weights = options.weights, groups = options.groups, repeats = check_whole("repeats", options.repeats or 10, 1),
      seed = check_whole("seed", seed, 0) }
end

local function finish(settings, score, values, features, groups, folds)
   return result.finish { method = "permutation", features = features, values = values, score = score,
      scoring = settings.name, greater = settings.greater, seed = settings.seed, groups = groups, folds = folds }
end

-- Means over the repeats for clones fitted on the training rows of folds, one column per fold.
local function on_folds(model, X, y, options)
   local task = validate.task(WHO, model, X, y, { cv = options.cv, weights = options.weights,
      threads = options.threads }, 0)
   local settings = settings_of(model, task.y, options)
   task.jobs = validate.all_jobs(task.models, task.folds, true)
   local fits, score, columns, features, groups = evaluate.run(task), 0, {}, nil, nil
   validate.raise_first_error(WHO, fits)
   local seed = settings.seed
   for f, split in ipairs(task.folds) do
      local base, values
      settings.weights, settings.seed = rows.take(task.weights, split.test), seed + f - 1
      base, values, features, groups = score_decreases(fits[f].model, rows.take(task.X, split.test),
         rows.take(task.y, split.test), settings)
      score, columns[f] = score + base / #task.folds, values:mean("rows"):as_column()
   end
   settings.seed = seed
   return finish(settings, score, core.hcat(table.unpack(columns)), features, groups, task.folds)
end

local function importance(model, X, y, options)
   if not estimator.is(model) then
      error(("%s: model must be an estimator, got %s"):format(WHO, estimator.value_text(model)), 0)
   end
   if options.cv ~= nil then return on_folds(model, X, y, options) end
   X = rows.x(WHO, X, 0)
   y = rows.y(WHO, estimator.find_target(model, X, y), rows.count(X), 0)
   local settings = settings_of(model, y, options)
   return finish(settings, score_decreases(model, X, y, settings))
end

--- Combine results for the same columns, for example of several folds: all repeats, and the mean score.
function M.combined(list)
   local values, score = {}, 0
   for i, one in ipairs(list) do
      values[i], score = one.values, score + one.score / #list
   end
   local first = list[1]
   return result.finish { method = "permutation", features = first.features, values = core.hcat(table.unpack(values)),
      score = score, scoring = first.scoring, greater = first.greater, seed = first.seed, groups = first.groups }
end

M.help.permutation_importance = {
   name = "permutation_importance", args = { "model", "X", "y" },
   brief = "Decrease of the score of a fitted model when one column is shuffled.",
   formula = "score(X, y) - mean over repeats of score(X with column j shuffled, y); "
      .. "negated if lower scores are better",
   returns = "an object that prints as a table: features, importance, sd, low and high (95% interval of the mean over "
      .. "the shuffles, or folds), values (features x repeats), score, table (Frame, most important first); "
      .. ":plot { top = 20 }",
   options = {
      groups = "columns that are shuffled together: { size = { \"height\", \"width\" } }; all others alone",
      cv = "cross-validate: clones are fitted on the training rows of these folds and scored on their test rows; "
         .. "default: the fitted model is scored",
      repeats = "number of shuffles of each column; default 10",
      seed = "seed of the shuffles; default 0",
      scoring = "one score; default: accuracy or r2",
      weights = "sample weights of the score, with cv also of the fits",
      threads = "number of threads of the fits with cv; default: the value of ml.threads",
   },
   notes = "Without cv, sd and the interval describe the shuffles only, not how the result varies between samples of "
      .. "rows. With cv the interval is over the folds, corrected for overlapping training rows (Nadeau & Bengio, "
      .. "2003).",
   source = "Breiman, Machine Learning 45 (2001); Fisher, Rudin & Dominici, JMLR 20 (2019)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y, { seed = 1 })
print(ml.permutation_importance(ml.Ridge {}:fit(X_train, y_train), X_test, y_test))]],
}

--- Decrease of the score of a fitted model when the values of one column, or of a group of columns, are shuffled; see
-- M.help. Importance is in units of the score and positive if the column helps, whether higher or lower scores are
-- better.
function M.permutation_importance(model, X, y, options)
   options = require("manilius.options").check(WHO, options, M.help.permutation_importance.options, 2)
   return (rows.rethrow(2, pcall(importance, model, X, y, options)))
end

return M
