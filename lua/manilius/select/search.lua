--- GridSearch, RandomSearch and HalvingGridSearch.
--
-- The fits of all candidates on all folds run in parallel in the core. After fit: best (fitted on all rows),
-- best_params, best_score, best_index, results (Frame with one row per candidate). A candidate that cannot be fitted
-- has the score nan and the error in the column `error`. Predictions and scores are those of best.

local candidate_lists = require "manilius.select.candidates"
local check = require "manilius.select.search_checks"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local progress = require "manilius.progress"
local queries = require "manilius.help.queries"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local show = require "manilius.select.search_show"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local sorted_keys = text.sorted_keys

-- --- results ---

local function models_of(self, candidates)
   local models = {}
   for i, params in ipairs(candidates) do
      models[i] = estimator.clone(self.model)
      for name, value in pairs(params) do params[name] = estimator.copy_value(value) end
      estimator.set_params(models[i], params)
   end
   return models
end

local function all_params(candidates)
   local seen = {}
   for _, params in ipairs(candidates) do
      for name in pairs(params) do seen[name] = true end
   end
   return sorted_keys(seen)
end

-- Ranks from 1; ties share the lowest rank, nan is last. With `rounds`, candidates of later rounds come first, because
-- scores on different numbers of rows cannot be compared.
local function ranks(values, greater, rounds)
   local out = {}
   for i, value in ipairs(values) do
      out[i] = 1
      for j, other in ipairs(values) do
         local better = other == other and (value ~= value or (greater and other > value) or
            (not greater and other < value))
         if rounds and rounds[i] ~= rounds[j] then better = rounds[j] > rounds[i] end
         if better then out[i] = out[i] + 1 end
      end
   end
   return out
end

local function candidate_scores(results, i, n_folds, name)
   local scores = {}
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      scores[f] = result and result.scores and result.scores[name] or 0 / 0
   end
   return scores
end

local function first_error(results, i, n_folds)
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      if result and result.error then return result.error end
   end
end

local function mean_seconds(results, i, n_folds)
   local sum, count = 0, 0
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      if result then sum, count = sum + result.fit_seconds, count + 1 end
   end
   return count > 0 and sum / count or 0 / 0
end

-- Add the columns of a score with add(name, column); returns the mean of each candidate.
local function add_scores(add, candidates, results, task, scorer, rounds)
   local means, sds, n_folds, several = {}, {}, #task.folds, #task.scorers > 1
   local fold_scores = {}
   for f = 1, n_folds do fold_scores[f] = {} end
   for i in ipairs(candidates) do
      local scores = candidate_scores(results, i, n_folds, scorer.name)
      means[i], sds[i] = validate.mean_sd(scores)
      for f = 1, n_folds do fold_scores[f][i] = scores[f] end
   end
   local function name(base) return several and base .. "_" .. scorer.name or base end
   add(name "mean_score", core.Vector(means))
   add(name "sd_score", core.Vector(sds))
   add(name "rank", core.Vector(ranks(means, scorer.greater, rounds)))
   for f = 1, n_folds do add(name("fold" .. f), core.Vector(fold_scores[f])) end
   return means
end

-- The Frame of all candidates, and the mean scores that decide; `rounds` of successive halving.
local function results_frame(candidates, results, task, deciding, rounds)
   local names, columns, errors, seconds = {}, {}, { n = #candidates }, {}
   local function add(name, column) names[#names + 1], columns[#columns + 1] = name, column end
   for _, param in ipairs(all_params(candidates)) do
      local values = {}
      for i, params in ipairs(candidates) do values[i] = params[param] end
      add(param, validate.value_column(values, #candidates))
   end
   local deciding_means
   for _, scorer in ipairs(task.scorers) do
      local means = add_scores(add, candidates, results, task, scorer, rounds)
      if scorer == deciding then deciding_means = means end
   end
   for i in ipairs(candidates) do
      errors[i], seconds[i] = first_error(results, i, #task.folds), mean_seconds(results, i, #task.folds)
   end
   add("fit_seconds", core.Vector(seconds))
   if next(errors, "n") ~= nil or #errors > 0 then add("error", core.Factor(errors)) end
   return rows.frame(names, columns), deciding_means, errors
end

local function best_index(means, greater)
   local best
   for i, mean in ipairs(means) do
      local is_better = not best or (greater and mean > means[best]) or (not greater and mean < means[best])
      if mean == mean and is_better then best = i end
   end
   return best
end

-- The score that decides: the only one, or the one that refit names.
local function deciding_scorer(self, who, list)
   if type(self.refit) ~= "string" then
      if #list > 1 and self.refit ~= false then
         error(("%s: refit must name the score that decides, because scoring has %d"):format(who, #list), 0)
      end
      return list[1]
   end
   for _, scorer in ipairs(list) do
      if scorer.name == self.refit then return scorer end
   end
   error(("%s: refit must name a score of scoring, got '%s'"):format(who, self.refit), 0)
end

-- Progress callback: `before` fits were done in earlier rounds; `all` is the total over all rounds.
local function report_progress(task, n_folds, before, all)
   if not task.report then return end
   task.on_done = function(done, total, results)
      local best
      for i = 1, done // n_folds do
         local scores = candidate_scores(results, i, n_folds, task.scorers[1].name)
         local mean = validate.mean_sd(scores)
         local greater = task.scorers[1].greater
         local is_better = not best or (greater and mean > best) or (not greater and mean < best)
         if mean == mean and is_better then best = mean end
      end
      return task.report((before or 0) + done, all or total, best)
   end
end

local function new_task(self, X, y, options)
   local who = estimator.name(self)
   local task = validate.task(who, self.model, X, y, { cv = self.cv, groups = options.groups,
      lengths = options.lengths, weights = options.weights, threads = self.threads, path = self.path }, 1)
   task.scorers = scorers.resolve(who, self.scoring, task.default, 1)
   local on_iter = options.on_iter or self.on_iter
   task.report = on_iter ~= nil and progress.caller(who, on_iter) or nil
   return task
end

local function warn_failures(who, candidates, errors)
   local count, first = 0, nil
   for i = 1, #candidates do
      if errors[i] then count, first = count + 1, first or errors[i] end
   end
   if count == #candidates then error(("%s: no candidate could be fitted: %s"):format(who, first), 0) end
   if count == 0 then return end
   rows.warn(("%s: %d of %d candidates could not be fitted: %s"):format(who, count, #candidates, first))
end

local function copied(t)
   local out = {}
   for key, value in next, t do out[key] = value end
   return out
end

-- Select the best candidate and refit it on all rows.
local function finish(self, task, candidates, means, errors, deciding)
   local who = estimator.name(self)
   warn_failures(who, candidates, errors)
   local best = best_index(means, deciding.greater)
   if not best then error(("%s: the scores of all candidates are nan"):format(who), 0) end
   self.best_index, self.best_score = best, means[best]
   self.best_params = options_of.named(copied(candidates[best]), "setting")
   self.judge, self.greater = deciding.name, deciding.greater
   if self.refit == false then return end
   local model = models_of(self, { candidates[best] })[1]
   self.best = model:fit(task.X, task.y, queries.fit_options(task.weights, task.lengths))
end

local function check_fit_options(self, options)
   for name in pairs(options or {}) do
      if name ~= "groups" and name ~= "lengths" and name ~= "weights" and name ~= "on_iter" then
         error(("%s:fit has no option '%s'%s"):format(estimator.name(self), tostring(name),
            estimator.setting_text(self, name) or "; there are groups, lengths, on_iter, weights"), 0)
      end
   end
   return options or {}
end

local function fit_candidates(self, X, y, options, candidates)
   local who = estimator.name(self)
   local task = new_task(self, X, y, check_fit_options(self, options))
   local deciding = deciding_scorer(self, who, task.scorers)
   task.models = models_of(self, candidates)
   task.jobs = validate.all_jobs(task.models, task.folds)
   report_progress(task, #task.folds)
   local results = evaluate.run(task)
   local means, errors
   self.results, means, errors = results_frame(candidates, results, task, deciding)
   finish(self, task, candidates, means, errors, deciding)
   return self
end

-- --- the classes ---

-- Model and grid may be given by position: ml.GridSearch { model, grid, cv = 5 }.
local function positional(values)
   local settings = {}
   for name, value in pairs(values) do settings[name] = value end
   if settings[1] ~= nil then settings.model, settings[1] = settings[1], nil end
   if settings[2] ~= nil then settings.grid, settings[2] = settings[2], nil end
   return settings
end

local function need_best(self, method)
   local best = rawget(self, "best")
   if not best then
      error(("%s: %s requires refit = true"):format(estimator.name(self), method), 3)
   end
   return best
end

local forwarded = { "predict", "predict_proba", "predict_log_proba", "decision_function", "transform",
   "inverse_transform", "score_samples" }

local NONE = estimator.NONE
local common = { model = NONE, grid = NONE, cv = 5, scoring = NONE, refit = true, threads = NONE, on_iter = NONE,
   path = NONE }

local common_help = {
   model = "estimator whose parameters are searched; may be given first, without a name",
   cv = "number of folds, a splitter such as KFold { seed = 1 }, or a list of splits",
   scoring = "name from metrics.scorers, function(y, predicted), or a table of them; { \"f1\", positive = label } sets "
      .. "the positive class; nil: accuracy or r2",
   refit = "true: fit the best candidate on all rows; with several scores, the name of the score that decides",
   threads = "number of threads, 0 for all cores; nil: the value of ml.threads",
   on_iter = "function(state) called with done and total fits and the best score as objective; may return \"stop\" or "
      .. "\"cancel\"",
   path = "\"lua\": run the fits sequentially in Lua instead of the core; the results are the same",
}

local learned = { best = "model with the best parameters, fitted on all rows",
   best_params = "parameters of the best candidate", best_score = "its mean score over the folds",
   best_index = "its row in results",
   results = "Frame with one row per candidate: parameters, mean_score, sd_score, rank, score of each fold",
   judge = "name of the score that decided", greater = "true if higher scores are better", classes = "class labels",
   n_features = "number of columns of X", feature_names = "names of the columns of X, when X is a Frame" }

local EXAMPLE = [[
local X, y = ml.Matrix { { 1 }, { 2 }, { 3 }, { 4 }, { 5 }, { 6 } }, ml.Vector { 1.1, 1.9, 3.2, 3.9, 5.1, 5.8 }
local search = ml.%s { ml.Ridge {}, %s, cv = ml.KFold { k = 3, seed = 1 } }:fit(X, y)
print(search)
print(search.results)]]

-- Timings are not saved, so that the same search gives the same bytes.
local function without_times(results)
   if not rows.is_frame(results) then return results end
   for _, name in ipairs(results.names) do
      if name == "fit_seconds" then return results:drop(name) end
   end
   return results
end

-- The fields that are saved: everything but functions and splitters, which are only needed to fit.
local function saved(self)
   local is_plain, fields = require "manilius.save".is_plain, {}
   for name, value in next, self do
      local is_setting = name == "scoring" or name == "cv" or name == "grid"
      if name ~= "on_iter" and name ~= "threads" and not (is_setting and not is_plain(value)) then
         fields[name] = name == "results" and without_times(value) or value
      end
   end
   return fields
end

-- The score of the best model, by the score that decided.
local function score_of_best(self, X, y, options)
   estimator.need_fitted(self, "score", 2)
   if options ~= nil then estimator.need_table(self.class .. ":score", "options", options) end
   local scoring = self.scoring
   if type(scoring) == "table" and not scoring.fn then
      scoring = { [self.judge] = scoring[self.judge] or self.judge, positive = scoring.positive }
   end
   local given = { scoring = estimator.does(self) ~= "rank" and scoring or nil }
   for name, value in pairs(options or {}) do given[name] = value end
   return (evaluate.score(need_best(self, "score"), X, y, given, 2))
end

local function define(definition, extra)
   definition.params, definition.ours, definition.learned = {}, true, learned
   for name, value in pairs(common) do definition.params[name] = value end
   for name, line in pairs(common_help) do
      definition.help.params[name] = definition.help.params[name] or line
   end
   for name, value in pairs(extra) do definition.params[name] = value end
   definition.construct, definition.tostring, definition.saved = positional, show, saved
   definition.check = function(self) check(self, models_of) end
   definition.restored = function(fields)
      fields.cv, fields.grid = fields.cv or 5, fields.grid or {}
      if type(fields.best_params) == "table" then options_of.named(fields.best_params, "setting") end
      return fields
   end
   definition.does = function(self) return estimator.does(self.model) end
   definition.can = function(self, name)
      return not estimator.is_action(name) or (name ~= "partial_fit" and estimator.can(self.model, name))
   end
   definition.index = function(self, key)
      local best = rawget(self, "best")
      if best and (key == "classes" or key == "n_features" or key == "feature_names") then
         return estimator.learned(best, key)
      end
   end
   for _, method in ipairs(forwarded) do
      definition[method] = function(self, X, options)
         local best = need_best(self, method)
         return (rows.rethrow(2, pcall(estimator.call, best, method, X, options)))
      end
   end
   definition.score = score_of_best
   definition.inner, definition.reports_progress = "model", true
   return estimator.class(definition)
end

M.GridSearch = define({
   name = "GridSearch",
   fit = function(self, X, y, options)
      return fit_candidates(self, X, y, options, candidate_lists.from_grid("GridSearch", self.grid))
   end,
   help = {
      use = "GridSearch { model, grid, cv = 5, scoring =, refit = true, ... }",
      brief = "Exhaustive search over a parameter grid with cross-validation.",
      params = { grid = "{ name = { value, ... }, ... } or a list of such tables; step__name inside compositions; "
         .. "ml.unset stands for nil" },
      example = EXAMPLE:format("GridSearch", "{ alpha = { 0.1, 1, 10 } }"),
   },
}, {})

M.RandomSearch = define({
   name = "RandomSearch",
   fit = function(self, X, y, options)
      return fit_candidates(self, X, y, options, candidate_lists.from_random(self))
   end,
   help = {
      use = "RandomSearch { model, grid, n = 10, seed = 0, cv = 5, ... }",
      brief = "Random search over parameter distributions with cross-validation.",
      params = { grid = "{ name = distribution, ... }; a distribution is a list of values, { \"uniform\", from, to }, "
         .. "{ \"loguniform\", from, to }, { \"integer\", from, to }, or a function(rng)",
         n = "number of candidates, >= 1", seed = "seed of the random numbers" },
      example = EXAMPLE:format("RandomSearch", '{ alpha = { "loguniform", 0.01, 100 } }, n = 5'),
   },
}, { n = 10, seed = 0 })

-- --- successive halving ---

local function subsample(split, size, seed, f)
   local order = core.rng(seed, f):permutation(#split.train)
   if size >= #split.train then return split end
   return { train = split.train:take(order:take(core.range(1, size)):sort()), test = split.test }
end

local function reduced_count(n, factor)
   return math.max(1, math.ceil(n / factor))
end

-- The indices of the best 1/factor of the remaining candidates.
local function best_candidates(remaining, means, factor, greater)
   local order = table.move(remaining, 1, #remaining, 1, {})
   table.sort(order, function(a, b)
      local x, y = means[a], means[b]
      if x ~= x or y ~= y then return x == x or (y ~= y and a < b) end
      if x ~= y then
         if greater then return x > y end
         return x < y
      end
      return a < b
   end)
   return table.move(order, 1, reduced_count(#order, factor), 1, {})
end

-- Fit the remaining candidates on the given splits.
local function run_round(task, all, remaining, splits, before, fits)
   local round = {}
   for key, value in pairs(task) do round[key] = value end
   round.folds, round.models = splits, {}
   for i, c in ipairs(remaining) do round.models[i] = all[c] end
   round.jobs = validate.all_jobs(round.models, splits)
   report_progress(round, #splits, before, fits)
   return evaluate.run(round)
end

-- The number of fits of all rounds.
local function count_fits(n, steps, factor, n_folds)
   local fits = 0
   for _ = 0, steps do fits, n = fits + n * n_folds, reduced_count(n, factor) end
   return fits
end

local function halving(self, X, y, options)
   local who = "HalvingGridSearch"
   local task = new_task(self, X, y, check_fit_options(self, options))
   if task.lengths then error(who .. ": does not support queries, because it subsamples rows", 0) end
   local deciding = deciding_scorer(self, who, task.scorers)
   local candidates = candidate_lists.from_grid(who, self.grid)
   local all, remaining, final, means, rounds = models_of(self, candidates), {}, {}, {}, {}
   local max_size, n_folds = math.huge, #task.folds
   for _, split in ipairs(task.folds) do max_size = math.min(max_size, #split.train) end
   for i in ipairs(candidates) do remaining[i] = i end
   local steps = math.max(1, math.ceil(math.log(#candidates, self.factor) - 1e-9))
   local fitted, fits = 0, count_fits(#candidates, steps, self.factor, n_folds)
   for step = 0, steps do
      local size = step == steps and max_size
         or math.max(self.min_rows or 20, max_size // self.factor ^ (steps - step))
      local splits = {}
      for f, split in ipairs(task.folds) do splits[f] = subsample(split, math.tointeger(size), self.seed, f) end
      local results = run_round(task, all, remaining, splits, fitted, fits)
      fitted = fitted + #remaining * n_folds
      for i, c in ipairs(remaining) do
         means[c], rounds[c] = validate.mean_sd(candidate_scores(results, i, n_folds, deciding.name)), step + 1
         for f = 1, n_folds do final[(c - 1) * n_folds + f] = results[(i - 1) * n_folds + f] end
      end
      if step < steps then remaining = best_candidates(remaining, means, self.factor, deciding.greater) end
   end
   local frame, _, errors = results_frame(candidates, final, task, deciding, rounds)
   table.insert(frame.names, "round")
   table.insert(frame.columns, core.Vector(rounds))
   self.results = rows.frame(frame.names, frame.columns)
   for i in ipairs(means) do means[i] = rounds[i] == steps + 1 and means[i] or 0 / 0 end
   finish(self, task, candidates, means, errors, deciding)
   return self
end

-- Each round keeps the best 1/factor of the candidates and fits them on factor times as many rows.
M.HalvingGridSearch = define({
   name = "HalvingGridSearch",
   fit = halving,
   help = {
      use = "HalvingGridSearch { model, grid, factor = 3, min_rows =, cv = 5, ... }",
      brief = "Grid search with successive halving.",
      params = { grid = "{ name = { value, ... }, ... } or a list of such tables",
         factor = "each round keeps 1/factor of the candidates on factor times as many rows; > 1",
         min_rows = "minimum number of rows of a round; nil: 20", seed = "seed of the row samples" },
      source = "Jamieson & Talwalkar, AISTATS (2016)",
      example = EXAMPLE:format("HalvingGridSearch", "{ alpha = { 0.1, 1, 10 } }, min_rows = 3"),
   },
},
   { factor = 3, min_rows = NONE, seed = 0 })

return M
