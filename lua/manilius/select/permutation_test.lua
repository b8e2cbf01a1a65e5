--- Permutation test of a cross-validated score: could a model without any relation between X and y score as well?
-- (Ojala & Garriga, JMLR 11, 2010, test 1.)

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local options_of = require "manilius.options"
local resampling = require "manilius.select.resampling"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = { help = {} }

local WHO = "permutation_test_score"

-- --- the result ---

local Test = { __name = "PermutationTest" }
Test.__index = Test

function Test.__tostring(self)
   local mean, sd = validate.mean_sd(self.scores:totable())
   return ("%s: %s %s, p = %s\n%s with y permuted: mean %s, sd %s"):format(self.model, self.scoring,
      text.number(self.score, 4), text.number(self.p_value, 3), text.plural(self.n, "score"), text.number(mean, 4),
      text.number(sd, 3))
end

--- Histogram of the scores with y permuted, and the score of the data.
-- @return Figure
function Test:plot()
   return (require("manilius.plot").permutation_test(self))
end

-- --- permutations ---

-- The rows of each group, or all rows.
local function strata(groups, n)
   if groups == nil then return { core.range(1, n) } end
   local codes, list = core.Factor(rows.kind(groups) == "Factor" and groups:totable() or groups):codes(), {}
   for c = 1, codes:max() do list[c] = codes:eq(c):nonzero() end
   return list
end

-- A permutation of the rows, within groups if there are any.
local function permutation(groups, n, rng)
   if #groups == 1 then return groups[1]:take(rng:permutation(#groups[1])) end
   local order = core.Vector(n)
   for _, list in ipairs(groups) do
      local moved = list:take(rng:permutation(#list))
      for i = 1, #list do order[list[i]] = moved[i] end
   end
   return order
end

-- --- fits ---

-- The mean score and the scores of the folds of permutations first .. last; permutation 0 is the data.
local function run_some(task, settings, first, last)
   local part, classify = {}, task.default == "accuracy"
   for key, value in pairs(task) do part[key] = value end
   part.jobs, part.folds, part.targets = {}, {}, {}
   for i = first, last do
      local y = i == 0 and task.y or rows.take(task.y, permutation(settings.groups, settings.rows,
         core.rng(settings.seed, i)))
      part.targets[#part.targets + 1] = y
      local splits = classify and i > 0 and folds.splits(WHO, settings.cv, classify, task.X, y, settings.given_groups)
         or task.folds
      for f = 1, #splits do
         local place = classify and i > 0 and #part.folds + 1 or f
         part.folds[place] = splits[f]
         part.jobs[#part.jobs + 1] = { 1, place, target = #part.targets }
      end
   end
   local results = evaluate.run(part)
   validate.raise_first_error(WHO, results)
   return results
end

-- Means and fold scores of all permutations, that of the data first.
local function run_all(task, settings)
   local k, means, by_fold, name = #task.folds, {}, {}, task.scorers[1].name
   resampling.run(settings, 0, k * settings.rows, function(first, last)
      local results = run_some(task, settings, first, last)
      for i = first, last do
         local scores = {}
         for f = 1, k do scores[f] = results[(i - first) * k + f].scores[name] end
         means[i], by_fold[i] = validate.mean_sd(scores), scores
      end
   end)
   return means, by_fold
end

local function table_of(scores, by_fold, k)
   local names, columns = { "permutation", "score" }, { core.range(1, #scores), core.Vector(scores) }
   for f = 1, k do
      local list = {}
      for i = 1, #scores do list[i] = by_fold[i][f] end
      names[#names + 1], columns[#columns + 1] = "fold" .. f, core.Vector(list)
   end
   return rows.frame(names, columns)
end

local function settings_of(task, options)
   local settings = resampling.settings(WHO, task, options, options.n == nil and 100 or options.n, "permutes")
   if #task.scorers > 1 then error(WHO .. ": scoring must be one score, got several", 0) end
   settings.cv, settings.given_groups = options.cv, options.groups
   settings.groups = strata(options.groups, settings.rows)
   return settings
end

local function test(model, task, options)
   local settings, scorer = settings_of(task, options), task.scorers[1]
   local means, by_fold = run_all(task, settings)
   local scores, extreme, score = {}, 0, means[0]
   for i = 1, settings.n do
      scores[i] = means[i]
      local as_good = scorer.greater and means[i] >= score or not scorer.greater and means[i] <= score
      extreme = extreme + (as_good and 1 or 0)
   end
   return setmetatable({ model = estimator.title(model), score = score, scores = core.Vector(scores),
      p_value = (extreme + 1) / (settings.n + 1), n = settings.n, seed = settings.seed, scoring = scorer.name,
      greater = scorer.greater, table = table_of(scores, by_fold, #task.folds) }, Test)
end

local OPTIONS = validate.OPTIONS

M.help.permutation_test_score = {
   args = { "model", "X", "y" },
   brief = "Permutation test of a cross-validated score: are X and y related?",
   formula = "p = (1 + number of permutations with a score as good) / (1 + n)",
   options = { n = "number of permutations; default 100", seed = "seed of the permutations; default 0", cv = OPTIONS.cv,
      scoring = "one score; " .. OPTIONS.scoring, weights = OPTIONS.weights, threads = OPTIONS.threads,
      path = OPTIONS.path, groups = "one label per row; rows with the same label stay in the same fold, and y is "
         .. "permuted within groups",
      on_iter = 'function(state) called with done and total permutations; may return "cancel"' },
   returns = "an object that prints its result: score, p_value, scores (Vector, one for each permutation), table "
      .. "(Frame with the scores of the folds); :plot()",
   notes = "The smallest possible p-value is 1 / (1 + n). Sample weights stay with the rows of X. Stratified folds "
      .. "are made again for each permutation, as in scikit-learn.",
   source = "Ojala & Garriga, JMLR 11 (2010)",
   example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
print(ml.permutation_test_score(ml.GaussianNB {}, X, y, { n = 50 }))]],
}

--- Permutation test of a cross-validated score.
function M.permutation_test_score(model, X, y, options)
   options = options_of.check(WHO, options, M.help.permutation_test_score.options, 2)
   local task = validate.task(WHO, model, X, y, options, 2)
   task.scorers = scorers.resolve(WHO, options.scoring, task.default, 2)
   return (rows.rethrow(2, pcall(test, model, task, options)))
end

return M
