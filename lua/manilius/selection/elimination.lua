--- Recursive feature elimination: fit, remove the least important columns, repeat.
--
-- Elimination runs on several subsets of the rows at the same time, so that the fits of each step run in parallel
-- threads of the core. Guyon et al., Machine Learning 46 (2002).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local rows = require "manilius.rows"
local selection = require "manilius.selection.base"

local M = {}

-- Several classes or targets: the sum of squared coefficients, whose order is that of this norm.
local NORM = 2

--- The number of columns removed in a step.
local function step_size(self, width)
   return selection.size_of(self.step, width)
end

--- The numbers of columns from `width` down to `last`, as a list.
function M.sizes(self, width, last)
   local list, n, step = { width }, width, step_size(self, width)
   while n > last do
      n = math.max(last, n - step)
      list[#list + 1] = n
   end
   return list
end

-- The columns without those of least importance; `round[j]` becomes the number of the step that removes column j.
local function reduced(self, model, columns, size, round, number)
   local order = selection.order(selection.importances(self, model, #columns, NORM))
   local keep, left = {}, {}
   for i = 1, size do keep[order[i]] = true end
   for i, j in ipairs(columns) do
      if keep[i] then left[#left + 1] = j else round[j] = number end
   end
   return left
end

-- Each fit copies its training rows with all columns of X. When a quarter of them is in use nowhere, X becomes a copy
-- without these.
local NARROW = 0.75

-- The data with those columns of X that some fold still has, and the place of each in X.
local function narrowed(data, states)
   local used, columns, place = {}, {}, {}
   for _, state in ipairs(states) do
      for _, j in ipairs(state.columns) do used[j] = true end
   end
   for j = 1, data.width do
      if used[j] then
         columns[#columns + 1] = j
         place[j] = #columns
      end
   end
   return setmetatable({ X = rows.columns(data.X, columns), width = #columns, place = place },
      { __index = data })
end

-- The data for the next step.
local function next_data(data, seen, states)
   if rows.kind(data.X) ~= "Matrix" then return data end
   local few = true
   for _, state in ipairs(states) do few = few and #state.columns <= NARROW * seen.width end
   if not few then return seen end
   local narrow = narrowed(data, states)
   return narrow.width <= NARROW * seen.width and narrow or seen
end

-- The places of columns in X; nil: all of them.
local function places(data, columns)
   if #columns == data.width then return nil end
   if not data.place then return columns end
   local list = {}
   for i, j in ipairs(columns) do list[i] = data.place[j] end
   return list
end

-- Fit and score all folds with their present columns.
local function fit_step(self, data, folds, states, scorers)
   local task = { models = {}, columns = {}, jobs = {}, folds = folds, scorers = scorers }
   for f, state in ipairs(states) do
      task.models[f] = self.estimator
      task.columns[f] = places(data, state.columns)
      task.jobs[f] = { f, f, keep = true }
   end
   return selection.run(data, task)
end

--- Eliminate columns on the training rows of each fold.
-- @param sizes numbers of columns, descending
-- @param scorers scorers for the test rows, or nil
-- @param on_step function(number of the step), or nil
-- @return for each fold { columns = those left, ranking = Vector with 1 for them, model = fitted to them, scores = list
--   of the scores of each step }
function M.run(self, data, folds, sizes, scorers, on_step)
   local states, seen = {}, data
   for f in ipairs(folds) do states[f] = { columns = selection.all_columns(data.width), round = {}, scores = {} } end
   for step = 1, #sizes do
      seen = next_data(data, seen, states)
      local results = fit_step(self, seen, folds, states, scorers)
      for f, state in ipairs(states) do
         state.model, state.scores[step] = results[f].model, results[f].scores
         if step < #sizes then
            state.columns = reduced(self, state.model, state.columns, sizes[step + 1], state.round, step)
         end
      end
      if on_step then on_step(step) end
   end
   for _, state in ipairs(states) do
      local ranking = {}
      for j = 1, data.width do ranking[j] = #sizes + 1 - (state.round[j] or #sizes) end
      state.ranking = core.Vector(ranking)
   end
   return states
end

--- Store what elimination on all rows learned.
function M.learn(self, state)
   self.support, self.ranking, self.best = core.Vector(state.columns), state.ranking, state.model
end

--- Check the parameters of RFE and RFECV.
function M.check(self)
   selection.check(self)
   selection.check_size(self, "step")
   if not estimator.can(self.estimator, "predict") then
      error(("%s: estimator must have predict, got %s"):format(estimator.name(self), estimator.name(self.estimator)), 0)
   end
end

M.PARAMS = {
   estimator = selection.ESTIMATOR,
   step = "columns removed in each step: a number (integer) or a fraction of all columns (float)",
   importance_getter = selection.IMPORTANCE,
}

M.LEARNED = {
   ranking = "Vector: 1 for selected columns, 2 for those removed last, and so on",
   best = "the estimator, fitted to the selected columns; its learned fields are fields of this model too",
}

return M
