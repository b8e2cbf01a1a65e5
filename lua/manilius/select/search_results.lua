--- Results of a search as a Frame, ranks, and the choice of the best candidate.

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = {}

local NAN = 0 / 0

local function all_params(candidates)
   local seen = {}
   for _, params in ipairs(candidates) do
      for name in pairs(params) do seen[name] = true end
   end
   return text.sorted_keys(seen)
end

--- Is score a better than b? A nan is worse than any number.
function M.is_better(a, b, greater)
   if a ~= a then return false end
   if b ~= b then return true end
   if greater then return a > b end
   return a < b
end

-- Ranks from 1; ties share the lowest rank, nan is last. With `levels`, candidates of higher levels come first, because
-- scores of models fitted to different numbers of rows cannot be compared.
local function ranks(values, greater, levels)
   local out = {}
   for i, value in ipairs(values) do
      out[i] = 1
      for j, other in ipairs(values) do
         local better = M.is_better(other, value, greater)
         if levels and levels[i] ~= levels[j] then better = levels[j] > levels[i] end
         if better then out[i] = out[i] + 1 end
      end
   end
   return out
end

-- The values that the results of candidate i hold by fold and score in `field`.
local function values_of(results, i, n_folds, field, name, error_score)
   local scores = {}
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      scores[f] = result and (result[field] and result[field][name] or result.error and error_score) or NAN
   end
   return scores
end

--- The scores of candidate i on all folds; error_score for fits that failed.
function M.fold_scores(results, i, n_folds, name, error_score)
   return values_of(results, i, n_folds, "scores", name, error_score)
end

local function first_error(results, i, n_folds)
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      if result and result.error then return result.error end
   end
end

local function mean_seconds(results, i, n_folds, name)
   local sum, count = 0, 0
   for f = 1, n_folds do
      local result = results[(i - 1) * n_folds + f]
      if result then sum, count = sum + result[name], count + 1 end
   end
   return count > 0 and sum / count or NAN
end

-- Add the means and standard deviations of the scores of training rows.
local function add_train_scores(add, run, results, scorer, name)
   local means, sds, n_folds = {}, {}, #run.task.folds
   for i in ipairs(run.candidates) do
      means[i], sds[i] = validate.mean_sd(values_of(results, i, n_folds, "train_scores", scorer.name, run.error_score))
   end
   add(name "mean_train_score", core.Vector(means))
   add(name "sd_train_score", core.Vector(sds))
end

-- Add the columns of a score with add(name, column); returns the mean of each candidate.
local function add_scores(add, run, results, scorer, levels)
   local means, sds, n_folds, several = {}, {}, #run.task.folds, #run.task.scorers > 1
   local columns = {}
   for f = 1, n_folds do columns[f] = {} end
   for i in ipairs(run.candidates) do
      local scores = M.fold_scores(results, i, n_folds, scorer.name, run.error_score)
      means[i], sds[i] = validate.mean_sd(scores)
      for f = 1, n_folds do columns[f][i] = scores[f] end
   end
   local function name(base) return several and base .. "_" .. scorer.name or base end
   add(name "mean_score", core.Vector(means))
   add(name "sd_score", core.Vector(sds))
   add(name "rank", core.Vector(ranks(means, scorer.greater, levels)))
   for f = 1, n_folds do add(name("fold" .. f), core.Vector(columns[f])) end
   if run.task.also_train then add_train_scores(add, run, results, scorer, name) end
   return means
end

--- The Frame of all candidates, the means of the ranking score, and the errors.
-- @param run candidates, task, deciding (scorer), error_score
-- @param results of evaluate.run, for all folds of the first candidate, of the second, ...
-- @param more list of { name, list } of further columns, or nil
-- @param levels of successive halving: the round or rows of each candidate
function M.frame(run, results, more, levels)
   local candidates, n_folds = run.candidates, #run.task.folds
   local names, columns, errors, fit, score = {}, {}, { n = #candidates }, {}, {}
   local function add(name, column) names[#names + 1], columns[#columns + 1] = name, column end
   for _, param in ipairs(all_params(candidates)) do
      local values = {}
      for i, params in ipairs(candidates) do values[i] = params[param] end
      add(param, validate.value_column(values, #candidates))
   end
   local deciding_means
   for _, scorer in ipairs(run.task.scorers) do
      local means = add_scores(add, run, results, scorer, levels)
      if scorer == run.deciding then deciding_means = means end
   end
   for i in ipairs(candidates) do
      errors[i] = first_error(results, i, n_folds)
      fit[i] = mean_seconds(results, i, n_folds, "fit_seconds")
      score[i] = mean_seconds(results, i, n_folds, "score_seconds")
   end
   add("fit_seconds", core.Vector(fit))
   add("score_seconds", core.Vector(score))
   for _, one in ipairs(more or {}) do add(one[1], core.Vector(one[2])) end
   if next(errors, "n") ~= nil or #errors > 0 then add("error", core.Factor(errors)) end
   local frame = rows.set_origin(rows.frame(names, columns), { scoring = run.deciding.name,
      greater = run.deciding.greater })
   return frame, deciding_means, errors
end

--- The index of the best mean; nil if all are nan.
function M.best_index(means, greater)
   local best
   for i, mean in ipairs(means) do
      if mean == mean and (not best or M.is_better(mean, means[best], greater)) then best = i end
   end
   return best
end

--- The best 1/factor of the given candidates, the best first; ties are broken by the lowest index.
function M.best_candidates(list, means, count, greater)
   local order = table.move(list, 1, #list, 1, {})
   table.sort(order, function(a, b)
      if M.is_better(means[a], means[b], greater) then return true end
      if M.is_better(means[b], means[a], greater) then return false end
      return a < b
   end)
   return table.move(order, 1, count, 1, {})
end

return M
