--- BayesSearch: candidates one after the other, each chosen by a Gaussian process of the earlier scores.
--
-- A candidate depends on the seed and the scores before it, so that a fit that continues an earlier one, by resume or
-- from a checkpoint, proposes the same candidates and finds their scores in the store.

local proposal = require "manilius.optimize.proposal"
local results_of = require "manilius.select.search_results"
local runs = require "manilius.select.search_run"
local spaces = require "manilius.optimize.space"
local validate = require "manilius.select.validate"

local M = {}

local WHO = "BayesSearch"

--- The space and the settings of a search; an error if they do not fit together.
function M.settings_of(self)
   local space = spaces.new(WHO, self.grid)
   return space, proposal.settings(WHO, space, { n_initial = self.n_initial, acquisition = self.acquisition,
      kappa = self.kappa, seed = self.seed })
end

-- Up to `count` positions. All but the first are proposed as if those before had the best value so far, so that they
-- differ (constant liar; Ginsbourger, Le Riche & Carraro 2010).
local function propose(space, settings, state, count)
   local positions = table.move(state.positions, 1, #state.positions, 1, {})
   local values, out, lie = table.move(state.values, 1, #state.values, 1, {}), {}, math.huge
   for _, value in ipairs(values) do
      if value < lie then lie = value end
   end
   if lie == math.huge then lie = 0 / 0 end
   for k = 1, count do
      local position = proposal.next(space, settings, positions, values)
      if not position then break end
      out[k] = position
      positions[#positions + 1], values[#values + 1] = position, lie
   end
   return out
end

-- Fit the candidates at these positions on all folds, and note their mean scores.
local function measure(run, space, state, positions)
   local points, n_folds = {}, #run.task.folds
   for k, position in ipairs(positions) do points[k] = space:point(position) end
   local list = runs.add(run, points)
   local results = runs.measure(run, list, run.task.folds, { before = (list[1] - 1) * n_folds,
      total = run.self.n * n_folds, best = state.best })
   for k, c in ipairs(list) do
      for f = 1, n_folds do state.results[(c - 1) * n_folds + f] = results[(k - 1) * n_folds + f] end
      local mean = validate.mean_sd(results_of.fold_scores(results, k, n_folds, run.deciding.name, run.error_score))
      state.positions[c], state.values[c] = positions[k], run.deciding.greater and -mean or mean
      if results_of.is_better(mean, state.best, run.deciding.greater) then state.best, state.best_at = mean, c end
   end
end

--- Fit a BayesSearch.
function M.fit(self, X, y, options)
   local run = runs.new(self, X, y, options)
   local space, settings = M.settings_of(self)
   local state = { positions = {}, values = {}, results = {}, best = 0 / 0, best_at = 0 }
   while #state.positions < self.n and not run.stopped do
      local positions = propose(space, settings, state, math.min(self.batch, self.n - #state.positions))
      if #positions == 0 then break end
      measure(run, space, state, positions)
      local since = math.max(state.best_at, settings.n_initial)
      if self.patience and #state.positions - since >= self.patience then break end
   end
   local means, errors
   self.results, means, errors = results_of.frame(run, state.results)
   runs.finish(run, means, errors)
   return self
end

return M
