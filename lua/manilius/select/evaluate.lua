--- Fits and scores many models on many subsets of the data, for cross-validation and search.
--
-- If all estimators of a model are core models, the fits run in threads of the core; otherwise they run sequentially in
-- Lua. The results are bit-identical.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local core_models = require "manilius.core_models"
local progress = require "manilius.progress"
local queries = require "manilius.help.queries"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local warnings = require "manilius.warnings"

local M = {}

-- --- plans for the core ---

local to_plan

local function parts_to_plan(model, kind)
   local plan = { kind = kind, names = model.names, prefix = rawget(model, "prefix"),
      sparse_threshold = rawget(model, "sparse_threshold") }
   for i, part in ipairs(model.models) do
      local made = part == "drop" and kind == "columns" and false
      if part ~= "drop" then made = to_plan(part) end
      if made == nil then return nil end
      plan[i] = made
   end
   return plan
end

--- The description of a model for core.plan; nil if a part is written in Lua.
function to_plan(model)
   if model == "passthrough" or rows.kind(model) == "Model" then return model end
   local class = estimator.class_of(model)
   local name = class and class.name
   if name == "Pipeline" then return parts_to_plan(model, "chain") end
   if name == "FeatureUnion" then return parts_to_plan(model, "union") end
   if name ~= "ColumnTransformer" then return nil end
   for _, columns in ipairs(model.columns) do
      if type(columns) == "function" then return nil end
   end
   local plan = parts_to_plan(model, "columns")
   if plan then plan.columns = model.columns end
   return plan
end

-- --- outputs and scores ---

local METHOD = { predict = "predict", proba = "predict_proba", decision = "decision_function", x = "predict",
   density = "score_samples" }

-- Does the model predict the probability of the second label (a GLM of family binomial)?
local function predicts_probability(model, y)
   return rows.kind(y) == "Factor" and estimator.does(model) == "regress"
end

--- The method whose output a scorer needs.
local function method_for(model, scorer, y)
   local method = METHOD[scorer.needs]
   if predicts_probability(model, y) then return "predict" end
   if method == "decision_function" and not estimator.can(model, method) then method = "predict_proba" end
   if not estimator.can(model, method) then
      error(("%s requires %s, but %s does not provide it"):format(scorer.name, method, estimator.name(model)), 0)
   end
   return method
end

local function methods_for(model, list, y)
   local methods = {}
   for _, scorer in ipairs(list) do methods[method_for(model, scorer, y)] = true end
   return methods
end

-- Convert probabilities of the second class to the output of a classifier that a scorer needs.
local function classifier_output(model, scorer, probability, classes)
   if type(classes) ~= "table" or #classes ~= 2 then
      error(("%s: y must be numeric, as in fit, got labels"):format(estimator.name(model)), 0)
   end
   if scorer.needs == "decision" then return probability end
   if scorer.needs == "proba" then return core.hcat((1 - probability):as_column(), probability:as_column()) end
   local labels, first = { n = #probability }, probability:le(0.5)
   for i = 1, #probability do labels[i] = classes[first[i] == 1 and 1 or 2] end
   return core.Factor(labels)
end

-- Numbers of successes and failures (as for a GLM of family binomial) as proportions, with the trials as weights.
local function proportions(y, weights)
   local trials = (y:col(1) + y:col(2)):copy()
   return y:col(1) / trials:maximum(1e-300), weights and weights:mul(trials) or trials
end

--- The value of one scorer. outputs: by method.
local function value_of(model, scorer, X, y, outputs, classes, weights, lengths)
   local method = method_for(model, scorer, y)
   local output = outputs[method]
   if predicts_probability(model, y) then output = classifier_output(model, scorer, output, classes) end
   local counts = rows.kind(y) == "Matrix" and y.cols == 2 and rows.kind(output) == "Vector"
   if counts then y, weights = proportions(y, weights) end
   local ranks = scorer.needs == "decision" and method == "predict_proba" and output.cols == 2
   if ranks then output = output:col(2):copy() end
   local value = scorer.fn(scorer.needs == "x" and X or y, output, { classes = classes, weights = weights,
      lengths = lengths })
   if type(value) ~= "number" then
      error(("%s: a score must be a number, got %s"):format(scorer.name, estimator.value_text(value)), 0)
   end
   return value
end

-- The target of a job.
local function target_of(task, job)
   return job.target and task.targets[job.target] or task.y
end

-- All scores of a job for the given rows.
local function job_scores(task, job, at, outputs, classes, lengths)
   local values, model, X = {}, task.models[job[1]], nil
   local y, weights = rows.take(target_of(task, job), at), rows.take(task.weights, at)
   for _, scorer in ipairs(task.scorers) do
      if scorer.needs == "x" then X = X or rows.take(task.X, at) end
      values[scorer.name] = value_of(model, scorer, X, y, outputs, classes, weights, lengths)
   end
   return values
end

--- The name of the default score of an estimator: of a mixture the mean log likelihood, of another clustering the
-- agreement with y, or the silhouette without y.
function M.default_score(model, y)
   local does = estimator.does(model)
   if does == "classify" or does == "outliers" or predicts_probability(model, y) then return "accuracy" end
   if does == "regress" then return "r2" end
   if does == "rank" then return "ndcg" end
   if does == "density" or does == "cluster" and estimator.can(model, "score_samples") then return "log_likelihood" end
   if does == "cluster" then return y == nil and "silhouette" or "ari" end
   return rows.kind(y) == "Factor" and "accuracy" or "r2"
end

local function as_vector(list)
   return rows.kind(list) == "Vector" and list or core.Vector(list)
end

-- The score of a ranker: mean NDCG over the queries with gain 2^y - 1. Queries in which all y are equal are ignored.
local function ranking_score(model, X, y, options, level)
   local name, given = estimator.name(model), { gain = "exponential", empty = 0 / 0 }
   for key, value in pairs(options) do
      if key ~= "lengths" and key ~= "k" and key ~= "weights" then
         error(("%s:score has no option '%s'; there are k, lengths, weights"):format(name, tostring(key)), level + 1)
      end
      given[key] = value
   end
   y = rows.y(name, y, nil, level + 1)
   if y == nil then error(("%s: y must be given, score(X, y), got nil"):format(name), level + 1) end
   return (rows.rethrow(level + 1, pcall(function()
      local n = options.lengths and #options.lengths or 1
      if options.weights and #options.weights ~= n then
         given.weights = queries.query_weights(as_vector(options.weights), options.lengths or { #y })
      end
      return require("manilius.metrics").ndcg(y, model:predict(X), given)
   end)))
end

-- lengths: of the sequences of X, or nil
local function outputs_of(model, methods, X, lengths)
   local outputs, options = {}, lengths and estimator.takes_lengths(model) and { lengths = lengths } or nil
   for method in pairs(methods) do outputs[method] = model[method](model, X, options) end
   return outputs
end

--- model:score(X, y, options).
function M.score(model, X, y, options, level)
   local name = estimator.name(model)
   if options ~= nil and rows.kind(options) ~= "table" then
      error(("%s:score: options must be a table, as { scoring = \"accuracy\" }, got %s"):format(name,
         estimator.value_text(options)), level + 1)
   end
   options = options or {}
   y = rows.rethrow(level + 1, pcall(estimator.find_target, model, X, y))
   if estimator.does(model) == "rank" then return ranking_score(model, X, y, options, level) end
   local sequences = estimator.takes_lengths(model)
   for key in pairs(options) do
      if key ~= "weights" and key ~= "scoring" and not (key == "lengths" and sequences) then
         error(("%s:score has no option '%s'; there are %sscoring, weights"):format(name, tostring(key),
            sequences and "lengths, " or ""), level + 1)
      end
   end
   y = rows.y(name, y, nil, level + 1)
   local weights = rows.y(name .. ": weights", options.weights, nil, level + 1)
   local list = scorers.resolve(name .. ":score", options.scoring, M.default_score(model, y), level + 1)
   if y == nil and list[1].needs ~= "x" and list[1].needs ~= "density" then
      error(("%s: y must be given, score(X, y), got nil"):format(name), level + 1)
   end
   rows.rethrow(level + 1, pcall(warnings.warn_scores, model))
   return (rows.rethrow(level + 1, pcall(function()
      local method = method_for(model, list[1], y)
      local outputs = outputs_of(model, { [method] = true }, X, options.lengths)
      if y ~= nil and rows.count(outputs[method]) ~= rows.count(y) then
         error(("%s: y must have as many rows as X, %d, got %d"):format(name, rows.count(outputs[method]),
            rows.count(y)), 0)
      end
      return value_of(model, list[1], X, y, outputs, estimator.learned(model, "classes"), weights)
   end)))
end

-- --- one job in Lua ---

-- The columns of precomputed values that belong to the training rows of a fold.
local function square_columns(model, task, fold)
   local n, width = rows.count(task.X), rows.width(task.X)
   if n ~= width then
      error(("%s: subsets of precomputed values require a square X, a row and a column for each sample, got %d x %d")
         :format(estimator.name(model), n, width), 0)
   end
   local columns = {}
   for i = 1, #fold.train do columns[i] = math.tointeger(fold.train[i]) end
   return columns
end

-- Run one job. `result` is filled step by step, so that a failed job keeps the results of its finished steps.
local function run_in_lua(task, job, want, result)
   local model, fold, columns = task.models[job[1]], task.folds[job[2]], (task.columns or {})[job[1]]
   local fitted = estimator.clone(model)
   if not columns and core_models.needs_square(model) then columns = square_columns(model, task, fold) end
   local function subset(at)
      local X = rows.take(task.X, at)
      return columns and rows.columns(X, columns) or X
   end
   local X, y = subset(fold.train), rows.take(target_of(task, job), fold.train)
   local weights = rows.take(task.weights, fold.train)
   local begin = core.seconds()
   fitted:fit(X, y, queries.fit_options(weights, fold.train_lengths))
   local done = core.seconds()
   result.fit_seconds, result.converged = done - begin, true
   result.model = job.keep and fitted or nil
   result.test = #fold.test > 0 and outputs_of(fitted, want, subset(fold.test), fold.test_lengths) or {}
   if task.also_train then result.train = outputs_of(fitted, want, X, fold.train_lengths) end
   result.classes = estimator.learned(fitted, "classes")
   result.score_seconds = core.seconds() - done
end

local function run_all_in_lua(task, list, wants, shown, before, results)
   for i, job in ipairs(list) do
      shown:at(before + i - 1)
      local result = { fit_seconds = 0, score_seconds = 0 }
      local ok, failed = pcall(run_in_lua, task, job, wants[job[1]], result)
      local kept = not ok and { error = rows.recoverable_error(failed), fit_seconds = result.fit_seconds,
         score_seconds = 0 }
      results[i] = kept or result
   end
end

-- --- many jobs ---

-- The description of a model that uses some columns only. A part of a plan cannot name a column twice, so a repeated
-- column starts a new part.
local function columns_to_plan(plan, columns)
   if not columns then return plan end
   local chosen, seen, part = { kind = "columns", names = {}, columns = {}, prefix = false }, {}, nil
   for _, column in ipairs(columns) do
      if not part or seen[column] then
         seen, part = {}, {}
         chosen[#chosen + 1], chosen.columns[#chosen + 1] = "passthrough", part
         chosen.names[#chosen] = "chosen_" .. #chosen
      end
      seen[column] = true
      part[#part + 1] = column
   end
   return { kind = "chain", names = { "columns", "model" }, chosen, plan }
end

-- Plans of all models; nil when a model cannot be run by the core or restored from it, or needs queries.
local function plans_of(task)
   if task.lengths or rows.kind(task.X) == "table" then return nil end
   local kept, plans = {}, {}
   for _, job in ipairs(task.jobs) do kept[job[1]] = kept[job[1]] or job.keep end
   for i, model in ipairs(task.models) do
      local in_core = (not kept[i] or core_models.is(model)) and not core_models.calls_lua(model)
      local plan = in_core and to_plan(model) or nil
      if plan == nil or plan == "passthrough" then return nil end
      plans[i] = core.plan(columns_to_plan(plan, task.columns and task.columns[i]))
   end
   return plans
end

-- The fitted models of the jobs that keep them.
local function restore(task, list, made)
   for i, result in pairs(made) do
      local m = list[i][1]
      local fitted = result.fitted
      if fitted and task.columns and task.columns[m] then fitted = fitted[2] end
      result.model = fitted and core_models.restore(task.models[m], fitted)
      result.fitted = nil
   end
end

-- Call run() with this number of threads, nil: as set by ml.threads.
local function with_threads(threads, run)
   if threads == nil then return run() end
   local before = core.memory.threads()
   core.memory.threads(threads)
   local ok, failed = pcall(run)
   core.memory.threads(before)
   if not ok then error(failed, 0) end
end

-- Run jobs; returns whether all ended and else the error, and the results of those that did.
local function run_batch(task, list, plans, wants, shown, before)
   local made = {}
   local ok, failed = pcall(function()
      if not plans then
         return with_threads(task.threads, function() run_all_in_lua(task, list, wants, shown, before, made) end)
      end
      local options = { wants = wants, also_train = task.also_train, threads = task.threads, targets = task.targets,
         partial = made }
      made = core.run_jobs(plans, task.X, task.y, task.weights, task.folds, list, options)
   end)
   if plans then restore(task, list, made) end
   return ok, failed, made
end

-- Jobs run in batches, which limits the memory of predictions that wait to be scored.
local BATCH_VALUES, BATCH_JOBS_WITH_CALLBACK = 4000000, 2

local function batch_end(task, first)
   local values, last = 0, first
   local min_jobs = core.memory.threads() * (task.on_done and BATCH_JOBS_WITH_CALLBACK or 8)
   for i = first, #task.jobs do
      local fold = task.folds[task.jobs[i][2]]
      values = values + #fold.test + (task.also_train and #fold.train or 0)
      if i - first >= min_jobs and (task.on_done or values > BATCH_VALUES) then break end
      last = i
   end
   return last
end

-- An error message of a job, with row and column numbers of its data replaced by those of X.
local function with_positions_in_x(message, at, columns)
   local function replace(list, name)
      return function(index)
         index = math.tointeger(index)
         return list and index <= #list and ("%s %d"):format(name, list[index]) or nil
      end
   end
   return (message:gsub("in row (%d+)", replace(at, "in row"), 1):gsub("column (%d+)", replace(columns, "column"), 1))
end

local function score_job(task, job, result)
   local fold, columns = task.folds[job[2]], (task.columns or {})[job[1]]
   if result.error and not columns and core_models.needs_square(task.models[job[1]]) then columns = fold.train end
   if result.error then
      result.error = with_positions_in_x(result.error, result.fit_seconds > 0 and fold.test or fold.train, columns)
      return result
   end
   if not task.scorers then return result end
   local ok, failed = pcall(function()
      result.scores = job_scores(task, job, fold.test, result.test, result.classes, fold.test_lengths)
      if task.also_train then
         result.train_scores = job_scores(task, job, fold.train, result.train, result.classes,
            fold.train_lengths)
      end
   end)
   if not ok then result.error = with_positions_in_x(rows.recoverable_error(failed), fold.test) end
   if not (task.want or task.wants) then result.test, result.train = nil, nil end
   return result
end

local function warn_unconverged(task, results)
   local count = 0
   for _, result in ipairs(results) do
      if result.converged == false then count = count + 1 end
   end
   if count > 0 then
      rows.warn(("%s: %d of %d fits did not converge; increase max_iter or scale the columns"):format(
         task.who, count, #results))
   end
end

--- Run all jobs.
-- @param task a table with
--   who, models (list), X, y, weights, folds (list), threads
--   jobs: list of { model, fold, keep = true to return the fitted model, target = index in `targets` instead of y };
--   scorers: list of scorers, or nil
--   want: set of methods whose outputs are returned; wants: such a set for each model
--   also_train: apply scorers and methods to the training rows too
--   columns: column indices for each model, or nil
--   on_done: function(done, total, results) -> nil, "stop" or "cancel"
--   path: "lua" to run in Lua instead of the core
--   results: a table for the results by job, which keeps those of finished jobs if the call is cancelled
-- @return list of { scores =, train_scores =, test =, train =, classes =, fit_seconds =, score_seconds =, model =,
--   error = }
function M.run(task)
   local wants = {}
   for i, model in ipairs(task.models) do
      wants[i] = methods_for(model, task.scorers or {}, task.y)
      for method in pairs(task.want or task.wants and task.wants[i] or {}) do wants[i][method] = true end
   end
   local plans = task.path ~= "lua" and plans_of(task) or nil
   local results, first = task.results or {}, 1
   local shown <close> = progress.task(task.who, #task.jobs)
   while first <= #task.jobs do
      local last = batch_end(task, first)
      local list = table.move(task.jobs, first, last, 1, {})
      shown:at(first - 1, #list)
      local ok, failed, made = run_batch(task, list, plans, wants, shown, first - 1)
      for i, result in pairs(made) do results[first + i - 1] = score_job(task, list[i], result) end
      if not ok then error(failed, 0) end
      first = last + 1
      local request = task.on_done and task.on_done(last, #task.jobs, results)
      if request == "cancel" then error("cancelled by the progress function", 0) end
      if request == "stop" then break end
   end
   warn_unconverged(task, results)
   return results
end

M.to_plan = to_plan
M.value_of = value_of

return M
