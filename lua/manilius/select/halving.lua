--- Successive halving and Hyperband: many candidates on few rows, the best of them on more.
--
-- The resource that grows from round to round is the number of training rows, or an integer parameter of the model.

local candidate_lists = require "manilius.select.candidates"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local results_of = require "manilius.select.search_results"
local rows = require "manilius.rows"
local runs = require "manilius.select.search_run"
local validate = require "manilius.select.validate"

local M = {}

local MIN_ROWS = 20

-- --- the resource ---

local function max_rows(splits)
   local max = math.huge
   for _, split in ipairs(splits) do max = math.min(max, #split.train) end
   return max
end

-- Smaller samples are subsets of larger ones.
local function subsample(split, size, seed, f)
   if size >= #split.train then return split end
   local order = core.rng(seed, f):permutation(#split.train)
   return { train = split.train:take(order:take(core.range(1, size)):sort()), test = split.test }
end

-- Splits with this many training rows, or models with this value of the parameter.
local function with_resource(run, list, size)
   local self, splits = run.self, run.task.folds
   if self.resource then
      local models = {}
      for i, c in ipairs(list) do
         models[i] = estimator.clone(run.models[c])
         estimator.set_params(models[i], { [self.resource] = size })
      end
      return splits, models
   end
   local sampled = {}
   for f, split in ipairs(splits) do sampled[f] = subsample(split, size, self.seed, f) end
   return sampled
end

-- --- rounds ---

local HISTORY = { "bracket", "round", "candidate", "resource", "mean_score" }

local function new_run(self, X, y, options)
   local run = runs.new(self, X, y, options)
   if run.task.lengths then error(run.who .. ": does not support queries, because it subsamples rows", 0) end
   run.final, run.means, run.levels, run.rounds, run.sizes, run.brackets = {}, {}, {}, {}, {}, {}
   run.done, run.history = 0, {}
   for j in ipairs(HISTORY) do run.history[j] = {} end
   run.max = self.resource and self.max_resource or max_rows(run.task.folds)
   run.final_params = self.resource and { [self.resource] = run.max } or nil
   return run
end

local function record(run, list, results, bracket, round, size)
   local n_folds = #run.task.folds
   for i, c in ipairs(list) do
      local scores = results_of.fold_scores(results, i, n_folds, run.deciding.name, run.error_score)
      run.means[c] = validate.mean_sd(scores)
      run.rounds[c], run.sizes[c], run.brackets[c] = round, size, bracket
      for f = 1, n_folds do run.final[(c - 1) * n_folds + f] = results[(i - 1) * n_folds + f] end
      for j, value in ipairs { bracket, round, c, size, run.means[c] } do table.insert(run.history[j], value) end
   end
end

-- Fit the candidates of `list` with the resources sizes[1], sizes[2], ...; after round i the best counts[i + 1] remain.
local function halve(run, list, sizes, counts, bracket, total)
   local n_folds = #run.task.folds
   for round, size in ipairs(sizes) do
      local splits, models = with_resource(run, list, size)
      -- Samples of rows depend on the seed, and so do scores of them in a checkpoint.
      local place = run.self.resource and (":%d"):format(size) or (":%d:%d"):format(size, run.self.seed)
      local results = runs.measure(run, list, splits, { size = place, models = models, before = run.done,
         total = total })
      run.done = run.done + #list * n_folds
      record(run, list, results, bracket, round, size)
      if run.stopped then return end
      if counts[round + 1] then
         list = results_of.best_candidates(list, run.means, counts[round + 1], run.deciding.greater)
      end
   end
end

-- The number of fits of rounds with these numbers of candidates.
local function count_fits(run, counts)
   local fits = 0
   for _, count in ipairs(counts) do fits = fits + count * #run.task.folds end
   return fits
end

-- Choose among the candidates of the highest level.
local function finish(run, levels, with_brackets)
   local more, top = { { "round", run.rounds }, { "resource", run.sizes } }, 0
   if with_brackets then table.insert(more, 1, { "bracket", run.brackets }) end
   local results, means, errors = results_of.frame(run, run.final, more, levels)
   for i, mean in ipairs(means) do
      if mean == mean then top = math.max(top, levels[i]) end
   end
   for i in ipairs(means) do means[i] = levels[i] == top and means[i] or 0 / 0 end
   local columns = {}
   for j, list in ipairs(run.history) do columns[j] = core.Vector(list) end
   run.self.results, run.self.history = results, rows.frame(HISTORY, columns)
   runs.finish(run, means, errors)
   return run.self
end

-- --- successive halving ---

local function halving_rounds(run, n)
   local factor, sizes, counts = run.self.factor, {}, { n }
   local steps = math.max(1, math.ceil(math.log(n, factor) - 1e-9))
   local min = run.self.resource and (run.self.min_resource or 1) or run.self.min_rows or MIN_ROWS
   for step = 0, steps do
      local size = step == steps and run.max or math.max(min, run.max // factor ^ (steps - step))
      sizes[step + 1] = math.tointeger(math.min(size, run.max))
      if step < steps then counts[step + 2] = math.max(1, math.ceil(counts[step + 1] / factor)) end
   end
   return sizes, counts
end

--- Fit `candidates`; each round keeps the best 1/factor of them and gives them factor times the resource.
function M.fit(self, X, y, options, candidates)
   local run = new_run(self, X, y, options)
   local sizes, counts = halving_rounds(run, #candidates)
   halve(run, runs.add(run, candidates), sizes, counts, 1, count_fits(run, counts))
   return finish(run, run.rounds)
end

-- --- Hyperband ---

-- The brackets: { sizes, counts } with s_max, ..., 0 halvings (Li et al., 2018, algorithm 1).
local function brackets_of(run)
   local self, factor, list = run.self, run.self.factor, {}
   local min = self.resource and (self.min_resource or math.max(1, math.ceil(run.max / factor ^ 4)))
      or self.min_rows or math.max(MIN_ROWS, math.ceil(run.max / factor ^ 4))
   local most = math.max(0, math.floor(math.log(run.max / min, factor) + 1e-9))
   for s = most, 0, -1 do
      local first, sizes, counts = math.ceil((most + 1) / (s + 1) * factor ^ s - 1e-9), {}, {}
      for i = 0, s do
         counts[i + 1] = math.max(1, math.floor(first / factor ^ i + 1e-9))
         sizes[i + 1] = i == s and run.max or math.max(1, math.floor(run.max / factor ^ (s - i) + 1e-9))
      end
      list[#list + 1] = { sizes = sizes, counts = counts }
   end
   return list
end

--- All brackets, each with random candidates of its own.
function M.hyperband(self, X, y, options)
   local run = new_run(self, X, y, options)
   local brackets, total, drawn = brackets_of(run), 0, 0
   for _, bracket in ipairs(brackets) do
      bracket.first, drawn = drawn, drawn + bracket.counts[1]
      total = total + count_fits(run, bracket.counts)
   end
   for b, bracket in ipairs(brackets) do
      local list = runs.add(run, candidate_lists.from_random(run.who, self.grid, bracket.counts[1], self.seed,
         bracket.first))
      halve(run, list, bracket.sizes, bracket.counts, b, total)
      if run.stopped then break end
   end
   return finish(run, run.sizes, true)
end

return M
