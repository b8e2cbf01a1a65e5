--- GridSearch, RandomSearch, BayesSearch, HalvingGridSearch, HalvingRandomSearch and HyperbandSearch.
--
-- The fits of all candidates on all folds run in parallel in the core. After fit: best (fitted on all rows),
-- best_params, best_score, best_index, results (Frame with one row per candidate). A candidate that cannot be fitted
-- has the score error_score (nan) and the error in the column `error`. Predictions and scores are those of best.

local bayes = require "manilius.select.bayes"
local candidate_lists = require "manilius.select.candidates"
local check = require "manilius.select.search_checks"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local halving = require "manilius.select.halving"
local options_of = require "manilius.options"
local rows = require "manilius.rows"
local runs = require "manilius.select.search_run"
local show = require "manilius.select.search_show"
local stores = require "manilius.select.search_store"

local M = { help = {} }

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
   path = NONE, error_score = NONE, return_train = false, max_seconds = NONE, checkpoint = NONE }

local common_help = {
   model = "estimator whose parameters are searched; may be given first, without a name",
   cv = "number of folds, a splitter such as KFold { seed = 1 }, or a list of splits",
   scoring = "name from metrics.scorers, function(y, predicted), or a table of them; { \"f1\", positive = label } sets "
      .. "the positive class; nil: accuracy or r2",
   refit = "true: fit the best candidate on all rows; with several scores, the name of the score to choose by, or a "
      .. "function(results) that returns the row of the best candidate",
   threads = "number of threads, 0 for all cores; nil: the value of ml.threads",
   on_iter = "function(state) called with done and total fits and the best score as objective; may return \"stop\" or "
      .. "\"cancel\"",
   error_score = "score of a fit that fails, or \"raise\" to stop with its error; nil: nan, which ranks last",
   return_train = "true: also score the training rows: columns mean_train_score and sd_train_score of results",
   max_seconds = "seconds after which no more fits are started, > 0; the best candidate measured so far is kept; nil: "
      .. "no limit",
   checkpoint = "path of a file that keeps the scores measured so far; a later fit on the same data continues from it",
   path = "\"lua\": run the fits sequentially in Lua instead of the core; the results are the same",
}

local learned = { best = "model with the best parameters, fitted on all rows",
   best_params = "parameters of the best candidate", best_score = "mean score of the best candidate over the folds",
   best_index = "row of the best candidate in results",
   results = "Frame with one row per candidate: parameters, mean_score, sd_score, rank, score of each fold, times",
   history = "with halving or Hyperband: Frame with one row per candidate and round",
   judge = "name of the score by which candidates are ranked",
   greater = "true if higher scores are better", classes = "class labels",
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
      if name == "fit_seconds" or name == "score_seconds" then results = results:drop(name) end
   end
   return results
end

-- The fields that are saved: everything but functions and splitters, which are only needed to fit.
local function saved(self)
   local is_plain, fields = require "manilius.save".is_plain, {}
   for name, value in next, self do
      local is_setting = name == "scoring" or name == "cv" or name == "grid" or name == "refit"
      if name ~= "on_iter" and name ~= "threads" and not (is_setting and not is_plain(value)) then
         fields[name] = name == "results" and without_times(value) or value
      end
   end
   return fields
end

-- The score of the best model, by the score that ranked the candidates.
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

-- Stores of interrupted fits, by search.
local interrupted = setmetatable({}, { __mode = "k" })

-- The options of fit with the store to fill: that of the interrupted fit for { resume = true }.
local function with_store(self, options)
   local given = { [runs.STORE] = options.resume and interrupted[self] or stores.new() }
   for name, value in pairs(options) do given[name] = value end
   interrupted[self] = given[runs.STORE]
   return given
end

-- A fit that keeps what it has measured when it is interrupted, for fit(X, y, { resume = true }).
local function resumable(fit)
   return function(self, X, y, options)
      if type(self) ~= "table" or options ~= nil and type(options) ~= "table" then
         return (rows.rethrow(2, pcall(fit, self, X, y, options)))
      end
      local ok, result = pcall(fit, self, X, y, with_store(self, options or {}))
      if ok or interrupted[self].count == 0 then
         interrupted[self] = nil
      else
         interrupted[self]:close()
      end
      return (rows.rethrow(2, ok, result))
   end
end

local function define(definition, extra)
   local random, check_more = definition.random, definition.check_more
   definition.params, definition.ours, definition.learned = {}, true, learned
   definition.random, definition.check_more = nil, nil
   for name, value in pairs(common) do definition.params[name] = value end
   for name, line in pairs(common_help) do
      definition.help.params[name] = definition.help.params[name] or line
   end
   for name, value in pairs(extra) do definition.params[name] = value end
   definition.construct, definition.tostring, definition.saved = positional, show, saved
   definition.check = function(self)
      check(self, runs.models_of, random)
      if check_more and next(self.grid) ~= nil then check_more(self) end
   end
   definition.restored = function(fields)
      fields.cv, fields.grid = fields.cv or 5, fields.grid or {}
      if fields.refit == nil then fields.refit = true end
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
   local construct, class = estimator.class(definition)
   class.methods.fit = resumable(class.methods.fit)
   return construct
end

local RANDOM_GRID = "{ name = distribution, ... }; a distribution is a list of values, { \"uniform\", from, to }, "
   .. "{ \"loguniform\", from, to }, { \"integer\", from, to }, or a function(rng)"
local PATIENCE = "stop after this many candidates in a row without a better score, >= 1; nil: never"

M.GridSearch = define({
   name = "GridSearch",
   fit = function(self, X, y, options)
      return runs.exhaustive(self, X, y, options, candidate_lists.from_grid("GridSearch", self.grid))
   end,
   help = {
      use = "GridSearch { model, grid, cv = 5, scoring =, refit = true, ... }",
      brief = "Exhaustive search over a parameter grid with cross-validation.",
      params = { grid = "{ name = { value, ... }, ... } or a list of such tables; step__name inside compositions; "
         .. "ml.unset stands for nil", patience = PATIENCE },
      example = EXAMPLE:format("GridSearch", "{ alpha = { 0.1, 1, 10 } }"),
   },
}, { patience = NONE })

M.RandomSearch = define({
   name = "RandomSearch", random = true,
   fit = function(self, X, y, options)
      return runs.exhaustive(self, X, y, options,
         candidate_lists.from_random("RandomSearch", self.grid, self.n, self.seed))
   end,
   help = {
      use = "RandomSearch { model, grid, n = 10, seed = 0, cv = 5, ... }",
      brief = "Random search over parameter distributions with cross-validation.",
      params = { grid = RANDOM_GRID, n = "number of candidates, >= 1", seed = "seed of the candidates",
         patience = PATIENCE },
      source = "Bergstra & Bengio, JMLR 13 (2012)",
      example = EXAMPLE:format("RandomSearch", '{ alpha = { "loguniform", 0.01, 100 } }, n = 5'),
   },
}, { n = 10, seed = 0, patience = NONE })

M.BayesSearch = define({
   name = "BayesSearch", random = true, check_more = bayes.settings_of, fit = bayes.fit,
   help = {
      use = "BayesSearch { model, grid, n = 30, seed = 0, cv = 5, ... }",
      brief = "Bayesian optimization of parameters with cross-validation.",
      params = { grid = "{ name = distribution, ... }; a distribution is a list of values, { \"uniform\", from, to }, "
         .. "{ \"loguniform\", from, to } or { \"integer\", from, to }", n = "number of candidates, >= 1",
         n_initial = "number of quasi-random candidates before the Gaussian process, >= 1; nil: 2 per parameter, 5 to "
            .. "20",
         acquisition = '"ei": expected improvement; "lcb": confidence bound with kappa standard deviations',
         kappa = "number of standard deviations of lcb, >= 0",
         batch = "candidates proposed at a time, >= 1; their fits run in parallel", seed = "seed of the candidates",
         patience = "stop after this many candidates in a row without a better score, not counting the initial ones, "
            .. ">= 1; nil: never" },
      notes = "As in ml.minimize, a Gaussian process of the mean scores proposes the next candidate. No candidate is "
         .. "measured twice. The candidates do not depend on the number of threads, but on batch: with more threads "
         .. "than folds, a batch of 2 or more uses them.",
      source = "Snoek, Larochelle & Adams, NeurIPS (2012)",
      example = EXAMPLE:format("BayesSearch", '{ alpha = { "loguniform", 0.01, 100 } }, n = 8'),
   },
}, { n = 30, n_initial = NONE, acquisition = "ei", kappa = 1.96, batch = 1, seed = 0, patience = NONE })

-- --- successive halving ---

local halving_help = {
   factor = "each round keeps 1/factor of the candidates on factor times the resource; > 1",
   min_rows = "minimum number of rows of a round; nil: 20", seed = "seed of the row samples",
   resource = "name of a parameter that grows from round to round, such as max_iter; nil: the number of rows",
   min_resource = "smallest value of the parameter resource, >= 1; nil: 1",
   max_resource = "largest value of the parameter resource, that of the last round",
}

local function with(params)
   for name, line in pairs(halving_help) do params[name] = params[name] or line end
   return params
end

local halving_params = { factor = 3, min_rows = NONE, seed = 0, resource = NONE, min_resource = NONE,
   max_resource = NONE }

-- Each round keeps the best 1/factor of the candidates and fits them on factor times as many rows.
M.HalvingGridSearch = define({
   name = "HalvingGridSearch",
   fit = function(self, X, y, options)
      return halving.fit(self, X, y, options, candidate_lists.from_grid("HalvingGridSearch", self.grid))
   end,
   help = {
      use = "HalvingGridSearch { model, grid, factor = 3, min_rows =, cv = 5, ... }",
      brief = "Grid search with successive halving.",
      params = with { grid = "{ name = { value, ... }, ... } or a list of such tables" },
      source = "Jamieson & Talwalkar, AISTATS (2016)",
      example = EXAMPLE:format("HalvingGridSearch", "{ alpha = { 0.1, 1, 10 } }, min_rows = 3"),
   },
}, halving_params)

local random_params = { n = 20 }
for name, value in pairs(halving_params) do random_params[name] = value end

M.HalvingRandomSearch = define({
   name = "HalvingRandomSearch", random = true,
   fit = function(self, X, y, options)
      return halving.fit(self, X, y, options,
         candidate_lists.from_random("HalvingRandomSearch", self.grid, self.n, self.seed))
   end,
   help = {
      use = "HalvingRandomSearch { model, grid, n = 20, factor = 3, min_rows =, seed = 0, cv = 5, ... }",
      brief = "Random search with successive halving.",
      params = with { grid = RANDOM_GRID, n = "number of candidates, >= 1",
         seed = "seed of the candidates and of the row samples" },
      source = "Jamieson & Talwalkar, AISTATS (2016)",
      example = EXAMPLE:format("HalvingRandomSearch", '{ alpha = { "loguniform", 0.01, 100 } }, n = 9, min_rows = 3'),
   },
}, random_params)

M.HyperbandSearch = define({
   name = "HyperbandSearch", random = true,
   fit = halving.hyperband,
   help = {
      use = "HyperbandSearch { model, grid, factor = 3, min_rows =, seed = 0, cv = 5, ... }",
      brief = "Random search by brackets of successive halving, from many candidates to few.",
      params = with { grid = RANDOM_GRID, seed = "seed of the candidates and of the row samples",
         min_rows = "rows of the first round of the first bracket; nil: 1/factor^4 of the training rows, at least 20",
         min_resource = "smallest value of the parameter resource, >= 1; nil: max_resource/factor^4, at least 1" },
      notes = "The first bracket starts with the most candidates on the fewest rows; the last one fits a few on all "
         .. "rows. So the search also finds candidates that look poor on few rows.",
      source = "Li, Jamieson, DeSalvo, Rostamizadeh & Talwalkar, JMLR 18 (2018)",
      example = EXAMPLE:format("HyperbandSearch", '{ alpha = { "loguniform", 0.01, 100 } }, min_rows = 2'),
   },
}, halving_params)

return M
