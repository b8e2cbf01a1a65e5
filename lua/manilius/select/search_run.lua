--- The fits of a search: candidates on folds, with early stopping, checkpoints and a choice at the end.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local options_of = require "manilius.options"
local progress = require "manilius.progress"
local queries = require "manilius.help.queries"
local results_of = require "manilius.select.search_results"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local stores = require "manilius.select.search_store"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = {}

--- The key of the fit option that holds the store of an interrupted fit.
M.STORE = {}

--- The models of candidates, whose parameters are copied.
function M.models_of(self, candidates)
   local models = {}
   for i, params in ipairs(candidates) do
      models[i] = estimator.clone(self.model)
      for name, value in pairs(params) do params[name] = estimator.copy_value(value) end
      estimator.set_params(models[i], params)
   end
   return models
end

-- --- the task ---

local function new_task(self, X, y, options)
   local who = estimator.name(self)
   local task = validate.task(who, self.model, X, y, { cv = self.cv, groups = options.groups,
      lengths = options.lengths, weights = options.weights, threads = self.threads, path = self.path }, 1)
   task.scorers, task.also_train = scorers.resolve(who, self.scoring, task.default, 1), self.return_train
   return task
end

-- The score by which candidates are ranked: the only one, the one that refit names, or the first if refit is a
-- function.
local function deciding_scorer(self, who, list)
   if type(self.refit) == "function" then return list[1] end
   if type(self.refit) ~= "string" then
      if #list > 1 and self.refit ~= false then
         error(("%s: refit must name the score to choose by, because scoring has %d"):format(who, #list), 0)
      end
      return list[1]
   end
   for _, scorer in ipairs(list) do
      if scorer.name == self.refit then return scorer end
   end
   error(("%s: refit must name a score of scoring, got '%s'"):format(who, self.refit), 0)
end

local FIT_OPTIONS = { groups = true, lengths = true, on_iter = true, resume = true, weights = true, [M.STORE] = true }

local function check_fit_options(self, options)
   local who = estimator.name(self)
   for name in pairs(options) do
      if not FIT_OPTIONS[name] then
         error(("%s:fit has no option '%s'%s"):format(who, tostring(name),
            estimator.setting_text(self, name) or "; there are groups, lengths, on_iter, resume, weights"), 0)
      end
   end
   if options.resume ~= nil and type(options.resume) ~= "boolean" then
      error(("%s: resume must be true or false, got %s"):format(who, estimator.value_text(options.resume)), 0)
   end
   return options
end

--- A run of the search on these data. Candidates are added by M.add.
function M.new(self, X, y, options)
   local who = estimator.name(self)
   options = check_fit_options(self, options or {})
   local task = new_task(self, X, y, options)
   local on_iter = options.on_iter or self.on_iter
   local run = { self = self, who = who, task = task, deciding = deciding_scorer(self, who, task.scorers),
      error_score = type(self.error_score) == "number" and self.error_score or nil, candidates = {}, models = {},
      keys = {}, begin = core.seconds(), report = on_iter ~= nil and progress.caller(who, on_iter) or nil }
   run.store = self.checkpoint and stores.open(who, self.checkpoint) or options[M.STORE] or stores.new()
   run.store.describe = function() return stores.fingerprint(self.model, task) end
   if self.checkpoint then
      run.store:begin(who, ("checkpoint '%s'"):format(self.checkpoint), "remove the file or choose another name")
   elseif run.store.fingerprint then
      run.store:begin(who, "resume", "call fit without resume")
   end
   return run
end

--- Add candidates; returns their indices.
function M.add(run, candidates)
   local added, models = {}, M.models_of(run.self, candidates)
   for i, params in ipairs(candidates) do
      local c = #run.candidates + 1
      run.candidates[c], run.models[c], run.keys[c], added[i] = params, models[i], stores.candidate_key(params), c
   end
   return added
end

-- --- fits ---

local function best_mean(run, results, n, n_folds, best)
   for i = 1, n do
      local mean = validate.mean_sd(results_of.fold_scores(results, i, n_folds, run.deciding.name, run.error_score))
      if results_of.is_better(mean, best, run.deciding.greater) then best = mean end
   end
   return best == best and best or nil
end

local function raise_errors(run, result, i, f)
   if run.self.error_score ~= "raise" or not result.error then return end
   error(("%s: candidate %d, fold %d: %s"):format(run.who, i, f, result.error), 0)
end

local function is_out_of_time(run)
   local limit = run.self.max_seconds
   return limit ~= nil and core.seconds() - run.begin >= limit
end

-- The jobs that are not measured yet. Measured ones go to `results`. size: text that tells rounds apart.
local function open_jobs(run, list, n_folds, size, results)
   local jobs, places = {}, {}
   for i, c in ipairs(list) do
      for f = 1, n_folds do
         local key, place = ("%s@%d%s"):format(run.keys[c], f, size), (i - 1) * n_folds + f
         results[place] = run.store:get(key)
         if not results[place] then
            jobs[#jobs + 1], places[#places + 1] = { i, f }, { place = place, key = key }
         end
      end
   end
   return jobs, places
end

-- Move what evaluate.run has measured to the store and to `results`.
local function absorb(run, live, places, results)
   for j, result in pairs(live) do
      local at = places[j]
      if not results[at.place] then results[at.place] = run.store:put(at.key, result) end
   end
end

-- Called between batches of fits: reports progress, writes the checkpoint, asks whether to stop.
local function after_batch(run, round, results, done, progress_of)
   run.store:write()
   local request
   if run.report then
      local n_folds = #round.folds
      request = run.report(progress_of.before + done, progress_of.total,
         best_mean(run, results, done // n_folds, n_folds, progress_of.best))
   end
   if request == "cancel" then return request end
   run.stopped = run.stopped or request == "stop" or is_out_of_time(run)
      or progress_of.enough ~= nil and progress_of.enough(results)
   return run.stopped and "stop" or nil
end

--- Fit the candidates of `list` on `splits`. Returns the results by candidate and fold; fits that were not run because
-- the search stopped are missing. `run.stopped` says whether it did.
-- @param options size (text that tells rounds apart), models (by position in list; default: of the candidates),
--   before and total (fits) and best (mean score before), for progress, enough (function(results): whether to stop)
function M.measure(run, list, splits, options)
   local results, live, round = {}, {}, {}
   for key, value in pairs(run.task) do round[key] = value end
   local jobs, places = open_jobs(run, list, #splits, options.size or "", results)
   round.folds, round.jobs, round.results, round.models = splits, jobs, live, options.models or {}
   for i, c in ipairs(list) do round.models[i] = round.models[i] or run.models[c] end
   local known = #list * #splits - #jobs
   local progress_of = { before = options.before or 0, total = options.total or #list * #splits,
      best = options.best or 0 / 0, enough = options.enough }
   if run.report or run.self.max_seconds or run.self.checkpoint or options.enough then
      round.on_done = function(done)
         absorb(run, live, places, results)
         return after_batch(run, round, results, known + done, progress_of)
      end
   end
   local ok, failed = pcall(function() return #jobs > 0 and evaluate.run(round) end)
   absorb(run, live, places, results)
   run.store:write(true)
   if not ok then error(failed, 0) end
   for i in ipairs(list) do
      for f = 1, #splits do
         local result = results[(i - 1) * #splits + f]
         if result then raise_errors(run, result, i, f) end
      end
   end
   return results
end

-- --- the choice ---

local function warn_failures(who, candidates, errors)
   local count, first = 0, nil
   for i = 1, #candidates do
      if errors[i] then count, first = count + 1, first or errors[i] end
   end
   if count == #candidates then error(("%s: no candidate could be fitted: %s"):format(who, first), 0) end
   if count == 0 then return end
   rows.warn(("%s: %d of %s could not be fitted: %s"):format(who, count, text.plural(#candidates, "candidate"), first))
end

local function copied(t)
   local out = {}
   for key, value in next, t do out[key] = value end
   return out
end

-- The row of the results that the function refit returns.
local function chosen_row(self, who, means)
   local row = self.refit(self.results:copy())
   if math.type(row) ~= "integer" or row < 1 or row > #means then
      error(("%s: refit must return a row of the results, from 1 to %d, got %s"):format(who, #means,
         estimator.value_text(row)), 0)
   end
   return row
end

--- Choose the candidate with the best mean of the ranking score, and refit it on all rows.
function M.finish(run, means, errors)
   local self, who, task, greater = run.self, run.who, run.task, run.deciding.greater
   warn_failures(who, run.candidates, errors)
   local best = type(self.refit) == "function" and chosen_row(self, who, means) or results_of.best_index(means, greater)
   if not best then
      error(("%s: the scores of all candidates are nan%s"):format(who,
         run.stopped and ", because the search stopped before a candidate was measured" or ""), 0)
   end
   self.best_index, self.best_score = best, means[best]
   self.best_params = options_of.named(copied(run.candidates[best]), "setting")
   self.judge, self.greater = run.deciding.name, greater
   if self.refit == false then return end
   local model = M.models_of(self, { run.candidates[best] })[1]
   if run.final_params then estimator.set_params(model, run.final_params) end
   self.best = model:fit(task.X, task.y, queries.fit_options(task.weights, task.lengths))
end

-- --- all candidates on all folds ---

-- With `patience`: a function that says whether this many candidates in a row have not improved the best score. It
-- removes the results of the candidates after them, which depend on the number of threads.
local function patience_of(run, n_folds)
   local limit = run.self.patience
   if limit == nil then return nil end
   return function(results)
      local best, best_at = 0 / 0, 0
      for i in ipairs(run.candidates) do
         local is_known = true
         for f = 1, n_folds do is_known = is_known and results[(i - 1) * n_folds + f] ~= nil end
         if not is_known then return false end
         local mean = validate.mean_sd(results_of.fold_scores(results, i, n_folds, run.deciding.name, run.error_score))
         if results_of.is_better(mean, best, run.deciding.greater) then best, best_at = mean, i end
         if i - best_at >= limit then
            for place = i * n_folds + 1, #run.candidates * n_folds do results[place] = nil end
            return true
         end
      end
      return false
   end
end

--- Fit all candidates on all folds and choose the best.
function M.exhaustive(self, X, y, options, candidates)
   local run = M.new(self, X, y, options)
   local list, folds = M.add(run, candidates), run.task.folds
   local enough = patience_of(run, #folds)
   local results = M.measure(run, list, folds, { enough = enough })
   if enough then enough(results) end
   local means, errors
   self.results, means, errors = results_of.frame(run, results)
   M.finish(run, means, errors)
   return self
end

return M
