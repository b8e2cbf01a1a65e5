--- SequentialFeatureSelector: add or remove one column at a time by the cross-validated score.
--
-- Floating search also reverses steps: after a column is added (removed), others are removed (added) while that
-- gives a better score than any set of that size before. Pudil, Novovicova & Kittler, Pattern Recognition Letters 15
-- (1994).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local rows = require "manilius.rows"
local scorers = require "manilius.select.scorers"
local selection = require "manilius.selection.base"
local text = require "manilius.text"
local validate = require "manilius.select.validate"

local M = {}

local WHO = "SequentialFeatureSelector"

-- --- settings ---

local function check(self)
   selection.check(self)
   selection.check_size(self, "n_features_to_select", "auto")
   if self.direction ~= "forward" and self.direction ~= "backward" then
      error(("%s: direction must be forward or backward, got %s%s"):format(WHO, estimator.value_text(self.direction),
         text.near(tostring(self.direction), { "forward", "backward" })), 0)
   end
   base.check_flag(self, "floating")
   if self.tol ~= nil and type(self.tol) ~= "number" then selection.wrong(self, "tol", "a number or nil") end
   if self.tol ~= nil and (self.tol < 0 or self.tol ~= self.tol) and self.direction == "forward" then
      selection.wrong(self, "tol", ">= 0 for direction = \"forward\"")
   end
   if self.tol ~= nil and self.n_features_to_select ~= "auto" then
      selection.wrong(self, "n_features_to_select", "\"auto\" if tol is given")
   end
end

-- The number of columns to end with; with tol, the last one that is tried.
local function target_size(self, width)
   local size = self.n_features_to_select
   if width < 2 then error(("%s: X must have at least 2 columns, got %d"):format(WHO, width), 0) end
   if size == "auto" then
      local steps = self.tol == nil and math.max(1, width // 2) or width - 1
      return self.direction == "forward" and steps or width - steps
   end
   size = selection.size_of(size, width)
   if size < width then return size end
   error(("%s: n_features_to_select must be less than the number of columns, %d, got %d"):format(WHO, width, size), 0)
end

-- --- scores of candidate sets ---

-- `search` holds data, folds, scorer, sign (-1 if lower scores are better), and set: column -> true.
local function begin(self, data)
   local default = evaluate.default_score(self.estimator, data.y)
   local list = scorers.resolve(WHO, self.scoring, default, 0)
   if #list > 1 then error(WHO .. ": scoring must be one score, got several", 0) end
   return { data = data, scorers = list, sign = list[1].greater and 1 or -1, estimator = self.estimator,
      folds = folds.resolve(WHO, self.cv, default == "accuracy", data.X, data.y, data.groups), best = {}, history = {} }
end

-- The set as a list, after column `changed` (or none) was added or removed.
local function changed_set(search, changed)
   local list = {}
   for j = 1, search.data.width do
      if (search.set[j] == true) ~= (j == changed) then list[#list + 1] = j end
   end
   return list
end

-- The mean scores of the sets in which one of these columns is changed, all fitted together.
local function mean_scores(search, candidates)
   local task = { models = {}, columns = {}, folds = search.folds, scorers = search.scorers }
   for i, j in ipairs(candidates) do task.models[i], task.columns[i] = search.estimator, changed_set(search, j) end
   task.jobs = validate.all_jobs(task.models, task.folds)
   local results, means, name = selection.run(search.data, task), {}, search.scorers[1].name
   for i in ipairs(candidates) do
      local values = {}
      for f = 1, #task.folds do values[f] = results[(i - 1) * #task.folds + f].scores[name] end
      means[i] = validate.mean_sd(values)
   end
   return means
end

-- The column whose change gives the best score, and that score (higher is better); the lowest index of equal ones.
local function best_change(search, adding)
   local candidates = {}
   for j = 1, search.data.width do
      if (search.set[j] == true) ~= adding then candidates[#candidates + 1] = j end
   end
   local means, best = mean_scores(search, candidates), nil
   for i, mean in ipairs(means) do
      if mean ~= mean then
         error(("%s: a score is nan; choose another scoring or folds that contain all classes"):format(WHO), 0)
      end
      if not best or search.sign * mean > search.sign * means[best] then best = i end
   end
   return candidates[best], search.sign * means[best]
end

-- --- steps ---

local function apply(search, column, adding, score)
   search.set[column] = adding or nil
   search.size = search.size + (adding and 1 or -1)
   local best = search.best[search.size]
   if not best or score > best.score then
      search.best[search.size] = { score = score, columns = changed_set(search, nil) }
   end
   search.history[#search.history + 1] = { column = column, adding = adding, size = search.size,
      score = search.sign * score }
   selection.report(search.data, math.min(#search.history, search.total), search.total, search.sign * score)
end

-- Reverse steps while that gives a better score than any earlier set of the same size.
local function reverse_steps(search, adding, start)
   while math.abs(search.size - start) > 1 do
      local column, score = best_change(search, not adding)
      local size = search.size + (adding and -1 or 1)
      if search.best[size] and score <= search.best[size].score then return end
      apply(search, column, not adding, score)
   end
end

local function run(self, search, target)
   local adding, old = self.direction == "forward", -math.huge
   local start = adding and 0 or search.data.width
   search.set, search.size, search.total = {}, start, math.abs(target - start)
   for j = 1, start do search.set[j] = true end
   while search.size ~= target do
      local column, score = best_change(search, adding)
      if self.tol ~= nil and score - old < self.tol then break end
      apply(search, column, adding, score)
      if self.floating then reverse_steps(search, adding, start) end
      old = search.best[search.size].score
   end
   local best = search.best[search.size]
   return core.Vector(best and best.columns or changed_set(search, nil))
end

local function history_frame(history, names)
   local step, action, column, size, score = {}, {}, {}, {}, {}
   for i, one in ipairs(history) do
      step[i], action[i] = i, one.adding and "add" or "remove"
      column[i] = names and names[one.column] or "x" .. one.column
      size[i], score[i] = one.size, one.score
   end
   return rows.frame({ "step", "action", "column", "n_features", "score" }, { core.Vector(step), core.Factor(action),
      core.Factor(column), core.Vector(size), core.Vector(score) })
end

local function fit(self, X, y, options)
   local data = selection.data(self, X, y, options, { "groups" })
   local target = target_size(self, data.width)
   local search = begin(self, data)
   self.support = run(self, search, target)
   self.score_name = search.scorers[1].name
   if #search.history > 0 then self.history = history_frame(search.history, self.feature_names) end
   return self
end

M.SequentialFeatureSelector = selection.class {
   name = WHO,
   params = { estimator = estimator.NONE, n_features_to_select = "auto", tol = estimator.NONE, direction = "forward",
      floating = false, scoring = estimator.NONE, cv = 5 },
   shares = { n_features_to_select = true },
   learned = { history = "Frame of the steps: step, action (add or remove), column, n_features, score",
      score_name = "name of the score" },
   help = {
      use = "SequentialFeatureSelector { estimator, n_features_to_select = \"auto\", direction = \"forward\", ... }",
      brief = "Forward, backward or floating selection by the cross-validated score.",
      objective = "next column: argmax_j mean over folds of score(S + j), or of score(S - j)",
      params = {
         estimator = selection.ESTIMATOR,
         n_features_to_select = "columns to select: a number (integer), a fraction (float), or \"auto\": half of them, "
            .. "or by tol",
         tol = "with \"auto\": stop before a step that improves the score by less; may be negative for backward; nil: "
            .. "no test",
         direction = "\"forward\": from no columns; \"backward\": from all",
         floating = "also reverse steps while that gives a better score than any earlier set of the same size",
         scoring = "one score, as in cross_validate; nil: accuracy for labels, else r2",
         cv = "number of folds (stratified for classifiers, grouped if fit gets groups), a splitter, or a list of "
            .. "splits",
      },
      notes = "All candidates of a step are fitted in threads. Ties are broken by the lowest index. As in "
         .. "scikit-learn, backward selection with tol compares with the previous step, not with all columns. Works "
         .. "with any estimator; factor columns and weights are supported if the estimator supports them. Options of "
         .. "fit: weights, groups, on_iter.",
      source = "Whitney, IEEE Trans. Computers 20 (1971); Pudil et al., Pattern Recognition Letters 15 (1994)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local chosen = ml.SequentialFeatureSelector { ml.KNeighborsClassifier {}, n_features_to_select = 2 }:fit(X, y)
print(chosen, chosen.history)]],
   },
   check = check,
   fit = fit,
}

return M
