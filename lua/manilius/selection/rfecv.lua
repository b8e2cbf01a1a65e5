--- RFECV: recursive feature elimination, with the number of columns chosen by cross-validation.
--
-- In each fold columns are eliminated on its training rows and scored on its test rows. The number with the best mean
-- score is chosen, then columns are eliminated on all rows down to that number.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local elimination = require "manilius.selection.elimination"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local selection = require "manilius.selection.base"
local validate = require "manilius.select.validate"

local M = {}

-- The mean and standard deviation of the scores of each number of columns, and the scores of each fold.
local function score_frame(sizes, states, name)
   local names, lists = { "n_features", "mean", "sd" }, { {}, {}, {} }
   for f = 1, #states do names[f + 3], lists[f + 3] = "fold_" .. f, {} end
   for i = 1, #sizes do
      local at, values = #sizes + 1 - i, {} -- ascending numbers of columns
      for f, state in ipairs(states) do
         values[f] = state.scores[at][name]
         lists[f + 3][i] = values[f]
      end
      lists[1][i] = sizes[at]
      lists[2][i], lists[3][i] = validate.mean_sd(values)
   end
   for j, list in ipairs(lists) do lists[j] = core.Vector(list) end
   return rows.frame(names, lists)
end

-- The row of the chosen number: the smallest with the best mean score, or within one standard error of it.
local function chosen_row(self, frame, n_folds, greater)
   local sign, best = greater and 1 or -1, 1
   for i = 2, #frame.mean do
      if sign * frame.mean[i] > sign * frame.mean[best] then best = i end
   end
   if not self.one_standard_error then return best end
   local least = sign * frame.mean[best] - frame.sd[best] / math.sqrt(n_folds)
   for i = 1, best do
      if sign * frame.mean[i] >= least then return i end
   end
   return best
end

-- Check that the scores can be compared.
local function need_scores(frame)
   for i = 1, #frame.mean do
      if frame.mean[i] ~= frame.mean[i] then
         error(("RFECV: the score for %d columns is nan; choose another scoring or folds that contain all classes")
            :format(frame.n_features[i]), 0)
      end
   end
end

local function cross_validate(self, data, sizes)
   local default = evaluate.default_score(self.estimator, data.y)
   local list = scorers.resolve("RFECV", self.scoring, default, 0)
   if #list > 1 then error("RFECV: scoring must be one score, got several", 0) end
   local splits = folds.resolve("RFECV", self.cv, default == "accuracy", data.X, data.y, data.groups)
   local states = elimination.run(self, data, splits, sizes, list, function(step)
      selection.report(data, step, #sizes + 1)
   end)
   self.scores, self.score_name = score_frame(sizes, states, list[1].name), list[1].name
   need_scores(self.scores)
   return chosen_row(self, self.scores, #splits, list[1].greater)
end

local function fit(self, X, y, options)
   local data = selection.data(self, X, y, options, { "groups" })
   local last = math.min(self.min_features_to_select, data.width)
   local sizes = elimination.sizes(self, data.width, last)
   local row = cross_validate(self, data, sizes)
   self.n_selected = math.tointeger(self.scores.n_features[row])
   local until_chosen = table.move(sizes, 1, #sizes + 1 - row, 1, {})
   local states = elimination.run(self, data, { parts.all_rows(data.n) }, until_chosen)
   selection.report(data, #sizes + 1, #sizes + 1)
   elimination.learn(self, states[1])
   return self
end

M.RFECV = selection.class {
   name = "RFECV",
   predicts = true,
   params = { estimator = estimator.NONE, step = 1, min_features_to_select = 1, cv = 5, scoring = estimator.NONE,
      one_standard_error = false, importance_getter = "auto" },
   shares = { step = true },
   learned = { ranking = elimination.LEARNED.ranking, best = elimination.LEARNED.best,
      n_selected = "number of selected columns",
      scores = "Frame: n_features, mean, sd and the scores of the folds, fold_1, ...",
      score_name = "name of the score" },
   help = {
      use = "RFECV { estimator, step = 1, min_features_to_select = 1, cv = 5, scoring, ... }",
      brief = "Recursive feature elimination; cross-validation chooses the number of columns.",
      objective = "n = argmax_n mean over folds of score(n columns left); then RFE to n columns on all rows",
      params = {
         estimator = elimination.PARAMS.estimator,
         step = elimination.PARAMS.step,
         min_features_to_select = "the smallest number of columns to try",
         cv = "number of folds (stratified for classifiers, grouped if fit gets groups), a splitter, or a list of "
            .. "splits",
         scoring = "one score, as in cross_validate; nil: accuracy for labels, else r2",
         one_standard_error = "choose the smallest number whose mean is within one standard error of the best",
         importance_getter = elimination.PARAMS.importance_getter,
      },
      notes = "The smallest number with the best mean score is chosen. The folds of each step are fitted in threads. "
         .. "ml.plot.selection_scores draws the scores. Ties, predictions, weights and factor columns are as in RFE. "
         .. "Options of fit: weights, groups, on_iter.",
      source = "Guyon, Weston, Barnhill & Vapnik, Machine Learning 46 (2002)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local rfe = ml.RFECV { ml.LogisticRegression {}, cv = 3 }:fit(X, y)
print(rfe, rfe.scores)]],
   },
   check = function(self)
      elimination.check(self)
      base.check_whole(self, "min_features_to_select", 1)
      base.check_flag(self, "one_standard_error")
   end,
   fit = fit,
}

return M
