--- Compare several models on the same folds, with paired tests of the differences.

local composite = require "manilius.compose.composite"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local paired = require "manilius.select.paired"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "compare"

-- --- models and options ---

local function named_models(models)
   local names, list = {}, {}
   for name, model in pairs(models) do
      if type(name) ~= "string" then
         error(("%s: models must be all named or all in a list, got both"):format(WHO), 0)
      end
      if not estimator.is(model) then
         error(("%s: models: '%s' must be an estimator, got %s"):format(WHO, name, estimator.value_text(model)), 0)
      end
      names[#names + 1] = name
   end
   table.sort(names)
   for i, name in ipairs(names) do list[i] = models[name] end
   return names, list
end

-- Models by name in the order of the names, or as listed: names and models.
local function read_models(models)
   if rows.kind(models) ~= "table" or estimator.is(models) then
      error(("%s: models must be a table { name = model, ... } or a list, got %s"):format(WHO,
         estimator.value_text(models)), 0)
   end
   local names, list
   if models[1] == nil then
      names, list = named_models(models)
   else
      for key in pairs(models) do
         if math.type(key) ~= "integer" then
            error(("%s: models must be all named or all in a list, got both"):format(WHO), 0)
         end
      end
      names, list = composite.read_parts(WHO, models)
      composite.check_names(WHO, names)
   end
   for i, model in ipairs(list) do
      if type(model) == "string" then
         error(("%s: model %d must be an estimator, got '%s'"):format(WHO, i, model), 0)
      end
   end
   if #list < 2 then error(("%s: models must hold at least two models, got %d"):format(WHO, #list), 0) end
   return names, list
end

local function check_choice(options, name, choices)
   local value = options[name]
   if value == nil then return choices[1] end
   for _, one in ipairs(choices) do
      if value == one then return value end
   end
   error(("%s: %s must be %s, got %s"):format(WHO, name, table.concat(choices, " or "), estimator.value_text(value)), 0)
end

-- The splitter for an integer cv; a seed shuffles its folds.
local function shuffled_folds(options, classify)
   local cv, seed = options.cv, options.seed
   if seed == nil then return cv end
   if math.type(seed) ~= "integer" then
      error(("%s: seed must be a whole number, got %s"):format(WHO, estimator.value_text(seed)), 0)
   end
   if cv ~= nil and math.type(cv) ~= "integer" then
      error(WHO .. ": seed requires cv to be a number of folds; set the seed of the splitter instead", 0)
   end
   local make = options.groups ~= nil and folds.GroupKFold or classify and folds.StratifiedKFold or folds.KFold
   return make { k = cv or 5, seed = seed }
end

-- Classifiers and regressors have no common default score.
local function check_kinds(names, models, y)
   local first, at
   for i, model in ipairs(models) do
      local does = estimator.does(model)
      if does == "regress" and evaluate.default_score(model, y) == "accuracy" then does = "classify" end
      if does == "classify" or does == "regress" then
         if first and does ~= first then
            local kinds = { classify = "classifier", regress = "regressor" }
            error(("%s: %s is a %s and %s is a %s; give scoring to compare them"):format(WHO, names[at], kinds[first],
               names[i], kinds[does]), 0)
         end
         first, at = does, i
      end
   end
end

-- --- running ---

local function first_error(results)
   for f, result in ipairs(results) do
      if result.error then return ("fold %d: %s"):format(f, result.error) end
   end
end

local STOPPED = "stopped by on_iter"

-- The results of one model on all folds, or nil and the error.
local function run_one(task, model)
   task.models = { model }
   task.jobs = validate.all_jobs(task.models, task.folds)
   local ok, results = pcall(evaluate.run, task)
   if not ok then return nil, rows.recoverable_error(results) end
   local failed = first_error(results)
   if failed then return nil, failed end
   if #results < #task.folds then return nil, STOPPED end
   return results
end

-- A progress callback for one model; `before` fits of other models are done.
local function progress_callback(report, before, total)
   return report and function(done) return report(before + done, total) end
end

local function run_all(task, names, models, options)
   local results, errors = {}, {}
   local report = options.on_iter ~= nil and progress.caller(WHO, options.on_iter)
   for m, model in ipairs(models) do
      task.who = ("%s: %s"):format(WHO, names[m])
      task.on_done = progress_callback(report, (m - 1) * #task.folds, #models * #task.folds)
      if errors[m - 1] == STOPPED then
         errors[m] = STOPPED
      else
         results[m], errors[m] = run_one(task, model)
      end
      if errors[m] and options.error == "raise" then error(("%s: %s"):format(task.who, errors[m]), 0) end
   end
   if next(results) == nil then
      error(("%s: all models failed; %s: %s"):format(WHO, names[1], errors[1]), 0)
   end
   return results, errors
end

-- --- order and tests ---

-- Best first by the first score; ties keep their order, failed models are last.
local function ranked(results, scorer, count)
   local order, value = {}, {}
   for m = 1, count do
      order[m] = m
      local mean = results[m] and results[m].mean[scorer.name]
      value[m] = (mean == nil or mean ~= mean) and -math.huge or scorer.greater and mean or -mean
   end
   table.sort(order, function(a, b)
      if (results[a] == nil) ~= (results[b] == nil) then return results[a] ~= nil end
      if value[a] ~= value[b] then return value[a] > value[b] end
      return a < b
   end)
   return order
end

-- The pairs that are tested: each model against the baseline; without a baseline all pairs.
local function pairs_to_test(order, results, baseline)
   local list = {}
   for i, a in ipairs(order) do
      for j, b in ipairs(order) do
         local wanted = baseline and a == baseline and b ~= a or not baseline and i < j
         if wanted and results[a] and results[b] then list[#list + 1] = { b, a } end
      end
   end
   return list
end

local TEST_COLUMNS = { "metric", "model", "reference", "difference", "sd", "low", "high", "t", "df", "p", "p_adjusted" }

-- One row per pair and score, for `model` minus `reference`.
local function run_tests(self, results, order, baseline, splits)
   local share, columns = paired.test_share(splits), {}
   for _, name in ipairs(TEST_COLUMNS) do columns[name] = {} end
   for _, metric in ipairs(self.metrics) do
      local tests, p = pairs_to_test(order, results, baseline), {}
      for i, pair in ipairs(tests) do
         local a, b = results[pair[1]].scores:col(metric), results[pair[2]].scores:col(metric)
         tests[i] = paired.test(a:totable(), b:totable(), share)
         tests[i].metric, tests[i].model, tests[i].reference = metric, self.given[pair[1]], self.given[pair[2]]
         p[i] = tests[i].p
      end
      local adjusted = paired.holm(p)
      for i, test in ipairs(tests) do
         test.p_adjusted = adjusted[i]
         for _, name in ipairs(TEST_COLUMNS) do table.insert(columns[name], test[name]) end
      end
   end
   return columns
end

local function frame_of(names, columns)
   local list = {}
   for i, name in ipairs(names) do list[i] = columns[name] end
   return require("manilius.frame").build(names, list, WHO, 2)
end

local function notes_of(self, splits, errors)
   local notes = {}
   if #splits < 3 then
      notes[1] = ("%d fold%s too few to detect differences; use at least 5, or RepeatedKFold"):format(#splits,
         #splits == 1 and " is" or "s are")
   end
   for m, name in ipairs(self.given) do
      if errors[m] then notes[#notes + 1] = ("%s failed: %s"):format(name, errors[m]) end
   end
   return notes
end

-- --- compare ---

local function baseline_index(names, baseline)
   if baseline == nil then return nil end
   for i, name in ipairs(names) do
      if name == baseline then return i end
   end
   error(("%s: baseline must be the name of a model, got %s%s; there are %s"):format(WHO,
      estimator.value_text(baseline), estimator.hint(baseline, names), table.concat(names, ", ")), 0)
end

local function compare(models, X, y, options)
   local names, list = read_models(models)
   X = rows.x(WHO, X, 0)
   for _, model in ipairs(list) do y = estimator.find_target(model, X, y) end
   y = rows.y(WHO, y, rows.count(X), 0)
   if options.scoring == nil then check_kinds(names, list, y) end
   local baseline = baseline_index(names, options.baseline)
   local interval = check_choice(options, "interval", { "corrected", "t" })
   check_choice(options, "error", { "report", "raise" })
   local settings = setmetatable({}, { __index = options })
   settings.cv = shuffled_folds(options, evaluate.default_score(list[1], y) == "accuracy")
   local task = validate.task(WHO, list[1], X, y, settings, 0)
   task.scorers = scorers.resolve(WHO, options.scoring, task.default, 0)
   local raw, errors = run_all(task, names, list, options)
   if baseline and errors[baseline] then
      error(("%s: the baseline %s failed: %s"):format(WHO, names[baseline], errors[baseline]), 0)
   end
   local self = { given = names, metrics = {}, greater = {}, results = {}, errors = {}, folds = #task.folds,
      rows = rows.count(task.X), baseline = options.baseline, interval_kind = interval }
   for i, scorer in ipairs(task.scorers) do
      self.metrics[i], self.greater[scorer.name] = scorer.name, scorer.greater
   end
   local summaries = {}
   for m, results in pairs(raw) do
      summaries[m] = validate.summary(list[m], self.metrics, results, task.folds, interval)
      self.results[names[m]] = summaries[m]
   end
   for m, text in pairs(errors) do self.errors[names[m]] = text end
   local order = ranked(summaries, task.scorers[1], #names)
   self.models = {}
   for i, m in ipairs(order) do self.models[i] = names[m] end
   self.reference = options.baseline or self.models[1]
   self.tests = frame_of(TEST_COLUMNS, run_tests(self, summaries, order, baseline, task.folds))
   self.notes = notes_of(self, task.folds, errors)
   return require "manilius.select.compare_show"(self)
end

M.help.compare = {
   name = "compare", args = { "models", "X", "y" },
   brief = "Compare models on the same folds: scores with intervals and paired tests.",
   formula = "t = mean d / sqrt((1/k + n_test/n_train) var d), d the differences of scores on k folds",
   returns = "an object that prints as a table: table, tests (Frames), results (by name), models (best first), "
      .. "best, reference, errors, notes; :plot { metric = } draws the scores by fold",
   options = {
      cv = "number of folds, a splitter, or a list of splits; default 5",
      scoring = "score or list of scores, as in cross_validate; the first determines the order",
      baseline = "name of the model that the others are tested against; default: all pairs, shown for the best",
      seed = "shuffle the folds with this seed; requires cv to be a number",
      groups = "one label per row; rows with the same label stay in the same fold",
      weights = "sample weights, used in fits and scores",
      interval = "interval of the mean over folds: 'corrected' (default) or 't'",
      error = "'report' (default): show the error of a failed model in its row; 'raise': raise it",
      threads = "number of threads, 0 for all cores; default: the value of ml.threads",
      on_iter = 'function(state) called with done and total fits; may return "stop" (compare the models with all '
         .. 'folds finished) or "cancel"',
      path = '"lua": run the fits sequentially in Lua instead of the core; the results are the same',
   },
   source = "Nadeau & Bengio, Machine Learning 52 (2003); Holm, Scand. J. Statist. 6 (1979)",
   example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
print(ml.compare({ ols = ml.LinearRegression {}, ridge = ml.Ridge { alpha = 10 } }, X, y, { seed = 1 }))]],
}

--- Fit and score several models on the same folds, and test their differences.
--
-- @param models { name = model, ... }, or a list of models or { name, model } pairs. Results are sorted by the first
--   score, best first; ties by name, or in the order of the list; failed models are last.
-- @param X rows
-- @param y targets; nil when all scores need X only
-- @param options cv (5), scoring, groups, weights, threads, on_iter as in cross_validate; baseline (name of the model
--   that the others are tested against; without it all pairs are tested, and the table shows those with the best);
--   seed (shuffles the folds when cv is a number); interval of the mean over folds = "corrected" (Nadeau & Bengio) or
--   "t"; error = "report" (show the error of a failed model in its row) or "raise"
-- @return an object that prints as a table, with `table` (Frame, one row per model), `tests` (Frame, one row per pair
--   and score: difference = model - reference, its 95% interval, t, p, and p_adjusted, by Holm's method over all tests
--   of that score), `results` (results of cross_validate by name), `models` (names, best first), `best`, `reference`,
--   `errors` (by name), `notes`; :plot { metric = } is a box plot of the scores by fold
function M.compare(models, X, y, options)
   if X == nil then error("compare: X must be given, compare(models, X, y, options), got nil", 2) end
   options = require("manilius.options").check(WHO, options, M.help.compare.options, 2)
   local self = rows.rethrow(2, pcall(compare, models, X, y, options))
   for _, note in ipairs(self.notes) do rows.warn(("%s: %s"):format(WHO, note)) end
   return self
end

return M
