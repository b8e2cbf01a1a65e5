--- Boruta: select the columns that are more important than shuffled columns.
--
-- Each round appends a shuffled copy of each column (a shadow), fits the estimator, and counts a hit for each column
-- whose importance exceeds that of the shadows. Under chance hits are binomial(n, 1/2); columns with significantly many
-- are confirmed, those with significantly few are rejected and left out. Kursa & Rudnicki, J. Statistical Software 36
-- (2010); two-step correction and percentile as in boruta_py.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local selection = require "manilius.selection.base"
local special = require "manilius.special"
local text = require "manilius.text"

local M = {}

local WHO = "Boruta"
local MIN_SHADOWS = 5
local CONFIRMED, TENTATIVE, REJECTED = "confirmed", "tentative", "rejected"

local function check(self)
   selection.check(self)
   base.check_whole(self, "max_iter", 1)
   base.check_whole(self, "seed", 0)
   selection.check_number(self, "perc", 0, 100)
   selection.check_number(self, "alpha", 0, 1)
   selection.check_number(self, "norm_order", 1, math.huge)
   base.check_flag(self, "two_step")
   base.check_flag(self, "include_tentative")
end

-- --- one round ---

-- X with the columns `active` and at least MIN_SHADOWS shuffled copies of them, in random order: estimators that break
-- ties by position, such as trees, would prefer the first. places[k]: which column stands at k, shadows after #active.
local function with_shadows(X, active, rng)
   local sources, n = table.move(active, 1, #active, 1, {}), rows.count(X)
   local count = #active
   while count < MIN_SHADOWS do count = 2 * count end
   for i = 1, count do sources[#active + i] = active[(i - 1) % #active + 1] end
   local columns, names, made = {}, {}, {}
   for i, j in ipairs(sources) do
      local column = rows.is_frame(X) and X.columns[j] or X:col(j):copy()
      made[i] = i > #active and column:take(rng:permutation(n)) or column
   end
   local places = rng:permutation(#sources):totable()
   for k, i in ipairs(places) do
      columns[k], names[k] = made[i], i > #active and "shadow_" .. i or "x" .. i
   end
   if rows.is_frame(X) then return rows.frame(names, columns), places end
   return core.hcat(table.unpack(columns)), places
end

-- The importances of the active columns and of the shadows.
local function importances(self, data, active, round)
   local rng = core.rng(self.seed, round)
   local X, places = with_shadows(data.X, active, rng)
   local model = base.fresh(self.estimator, rng)
   local options = data.weights and { weights = data.weights } or nil
   local ok, message = pcall(model.fit, model, X, data.y, options)
   if not ok then
      -- An error about X should name its rows and columns, not those of the shadows.
      local fits, plain = pcall(model.fit, model, data.X, data.y, options)
      error(("%s: %s"):format(WHO, rows.recoverable_error(fits and message or plain)), 0)
   end
   local own, shadows = {}, {}
   for k, value in ipairs(selection.importances(self, model, #places, self.norm_order)) do
      local i = places[k]
      if i > #active then shadows[i - #active] = value else own[i] = value end
   end
   return own, shadows
end

-- --- tests ---

-- Benjamini & Hochberg: which of these p-values are significant at level alpha?
local function significant(p, alpha)
   local sorted, limit = table.move(p, 1, #p, 1, {}), -1
   table.sort(sorted)
   for i, value in ipairs(sorted) do
      if value <= alpha * i / #p then limit = value end
   end
   local found = {}
   for i, value in ipairs(p) do found[i] = value <= limit end
   return found
end

-- Which columns pass: in two steps, by the false discovery rate among columns and Bonferroni's correction for rounds;
-- else by Bonferroni's correction for columns.
local function passing(self, p, width, round)
   local found = self.two_step and significant(p, self.alpha) or {}
   for i, value in ipairs(p) do
      if self.two_step then
         found[i] = found[i] and value <= self.alpha / round
      else
         found[i] = value <= self.alpha / width
      end
   end
   return found
end

-- Decide about the tentative ones among the active columns.
local function decide(self, state, active, round)
   local high, low = {}, {}
   for i, j in ipairs(active) do
      high[i] = special.binomial_sf(state.hits[j] - 1, round, 0.5)
      low[i] = special.binomial_cdf(state.hits[j], round, 0.5)
   end
   local accept, reject = passing(self, high, state.width, round), passing(self, low, state.width, round)
   for i, j in ipairs(active) do
      if state.decision[j] == TENTATIVE then
         state.decision[j] = accept[i] and CONFIRMED or reject[i] and REJECTED or TENTATIVE
      end
   end
end

-- --- fit ---

local function columns_with(state, decision, other)
   local list = {}
   for j = 1, state.width do
      if state.decision[j] == decision or state.decision[j] == other then list[#list + 1] = j end
   end
   return list
end

local function run_round(self, data, state, round)
   local active = columns_with(state, TENTATIVE, CONFIRMED)
   local own, shadows = importances(self, data, active, round)
   local limit, record = core.Vector(shadows):quantile(self.perc / 100), {}
   for j = 1, state.width do record[j] = 0 / 0 end
   for i, j in ipairs(active) do
      record[j] = own[i]
      if own[i] > limit then state.hits[j] = state.hits[j] + 1 end
   end
   state.history[round], state.limits[round] = record, limit
   decide(self, state, active, round)
end

local function run(self, data)
   local state = { width = data.width, hits = {}, decision = {}, history = {}, limits = {} }
   for j = 1, data.width do state.hits[j], state.decision[j] = 0, TENTATIVE end
   local shown <close> = require "manilius.progress".task(WHO, self.max_iter)
   for round = 1, self.max_iter do
      shown:at(round - 1, 1)
      run_round(self, data, state, round)
      if selection.report(data, round, self.max_iter) == "stop" then break end
      if #columns_with(state, TENTATIVE) == 0 then break end
   end
   return state
end

-- 1 for confirmed columns, 2 for tentative ones; rejected ones by the round of rejection, the last first.
local function ranking_of(state)
   local ranking, rounds = {}, {}
   for j = 1, state.width do
      local seen = 0
      for round, record in ipairs(state.history) do
         if record[j] == record[j] then seen = round end
      end
      rounds[j] = seen
   end
   for j = 1, state.width do
      local decision = state.decision[j]
      local later = {}
      for i = 1, state.width do
         if state.decision[i] == REJECTED and rounds[i] > rounds[j] then later[rounds[i]] = true end
      end
      local count = 0
      for _ in pairs(later) do count = count + 1 end
      ranking[j] = decision == CONFIRMED and 1 or decision == TENTATIVE and 2 or 3 + count
   end
   return core.Vector(ranking)
end

local function learn(self, state)
   local chosen = columns_with(state, CONFIRMED, self.include_tentative and TENTATIVE or nil)
   self.support = core.Vector(chosen)
   self.tentative = core.Vector(columns_with(state, TENTATIVE))
   self.decisions, self.ranking = core.Factor(state.decision), ranking_of(state)
   self.n_iter, self.hits = #state.history, core.Vector(state.hits)
   self.frequencies = self.hits / self.n_iter
   self.importance_history, self.shadow_history = core.Matrix(state.history), core.Vector(state.limits)
   if #self.tentative > 0 and not self.include_tentative then
      rows.warn(("%s: no decision about %s after %s; increase max_iter or set include_tentative"):format(WHO,
         text.plural(#self.tentative, "column"), text.plural(self.n_iter, "iteration")))
   end
end

local function fit(self, X, y, options)
   local data = selection.data(self, X, y, options)
   if rows.kind(data.X) ~= "Matrix" and rows.kind(data.X) ~= "Frame" then
      error(("%s: X must be a Matrix or a Frame, got %s"):format(WHO, rows.kind(data.X)), 0)
   end
   learn(self, run(self, data))
   return self
end

M.Boruta = selection.class {
   name = WHO,
   params = { estimator = estimator.NONE, max_iter = 100, perc = 100, alpha = 0.05, two_step = true,
      include_tentative = false, norm_order = 1, importance_getter = "auto", seed = 0 },
   learned = { tentative = "Vector: indices of the columns without a decision",
      decisions = "Factor: confirmed, tentative or rejected, for each column",
      ranking = "Vector: 1 confirmed, 2 tentative, from 3 rejected, the last rejected first",
      hits = "Vector: number of iterations in which each column exceeded the shadows",
      frequencies = "Vector: hits / n_iter",
      importance_history = "Matrix (iterations x columns): importances, nan after rejection",
      shadow_history = "Vector: the importance that columns had to exceed in each iteration",
      n_iter = "number of iterations" },
   help = {
      use = "Boruta { estimator, max_iter = 100, perc = 100, alpha = 0.05, two_step = true, ... }",
      brief = "Selects all columns that are more important than shuffled copies of columns.",
      objective = "keep j where hits_j ~ binomial(n, 1/2) is rejected in favor of more hits",
      params = {
         estimator = selection.ESTIMATOR .. "; usually a forest, which for regression decides sooner with max_features "
            .. "below 1, such as 0.33",
         max_iter = "maximum number of iterations; fit stops earlier once all columns are decided",
         perc = "a column must exceed this percentile of the importances of the shadows (the shuffled copies); 100: "
            .. "the largest",
         alpha = "level of the binomial tests",
         two_step = "correct for columns by the false discovery rate and for iterations by Bonferroni; false: for "
            .. "columns by Bonferroni only, as in the paper",
         include_tentative = "select undecided columns too",
         norm_order = "order of the norm of the coefficients of several classes or targets",
         importance_getter = selection.IMPORTANCE,
         seed = "random seed of shuffles and of the estimator",
      },
      notes = "Unlike in boruta_py, max_iter is the exact number of iterations, the estimator keeps its n_estimators, "
         .. "and columns and shadows are in random order, so that trees with ties prefer none. With few columns "
         .. "there are at least 5 shadows. Factor columns and weights are supported if the estimator supports them, "
         .. "sparse X is not. on_iter may return \"stop\".",
      source = "Kursa & Rudnicki, J. Statistical Software 36 (2010)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local boruta = ml.Boruta { ml.RandomForestClassifier { n_estimators = 50 }, max_iter = 20 }:fit(X, y)
print(boruta, boruta.decisions, boruta.hits)]],
   },
   check = check,
   fit = fit,
}

return M
