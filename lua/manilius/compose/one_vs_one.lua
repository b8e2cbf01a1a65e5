--- OneVsOneClassifier: one binary classifier per pair of classes, trained on the rows of the two.
--
--    label = argmax_c votes_c + s_c / (3 (|s_c| + 1)),      s_c = sum over the pairs of c of their scores in favor of c
--
-- The second term is less than 1/3, so it only breaks ties of votes.
-- Hastie & Tibshirani, Annals of Statistics 26 (1998).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"

local M = {}

local WHO = "OneVsOneClassifier"

-- --- fit ---

-- The pairs of classes as indices { a, b }, a < b, in lexicographic order.
local function pairs_of(k)
   local list = {}
   for a = 1, k do
      for b = a + 1, k do list[#list + 1] = { a, b } end
   end
   return list
end

local function pair_name(self, pair)
   return ("%s against %s"):format(self.classes[pair[1]], self.classes[pair[2]])
end

-- One job for each pair: its training rows are those of the two classes.
local function task_of(self, data)
   local task, names, codes = { models = {}, jobs = {}, folds = {} }, {}, data.y:codes()
   for i, pair in ipairs(pairs_of(#self.classes)) do
      local of_pair = (codes:eq(pair[1]) + codes:eq(pair[2])):nonzero()
      names[i], task.models[i] = pair_name(self, pair), self.estimator
      task.folds[i], task.jobs[i] = { train = of_pair, test = core.Vector {} }, { i, i, keep = true }
   end
   return task, names
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   local task, names = task_of(self, data)
   parts.fit_all(self, data, names, task)
   return self
end

-- --- prediction ---

-- The score of each pair: positive for the second class.
local function pair_scores(self, X)
   local threshold, scores = base.score_method(self.estimators[1]) == "predict_proba" and 0.5 or 0, {}
   for i, pair in ipairs(pairs_of(#self.classes)) do
      scores[i] = base.second_scores(self, pair_name(self, pair), self.estimators[i], X)
   end
   return scores, threshold
end

-- A Matrix with a column per class.
local function class_scores(self, scores, threshold)
   local votes, sums, columns = {}, {}, {}
   for i, pair in ipairs(pairs_of(#self.classes)) do
      local a, b, second = pair[1], pair[2], scores[i]:gt(threshold)
      votes[a], votes[b] = (votes[a] or 0) + (1 - second), (votes[b] or 0) + second
      sums[a], sums[b] = (sums[a] or 0) - scores[i], (sums[b] or 0) + scores[i]
   end
   for c, sum in ipairs(sums) do columns[c] = votes[c] + sum / (3 * (sum:abs() + 1)) end
   return core.hcat(table.unpack(columns))
end

local function decision(self, X)
   local scores, threshold = pair_scores(self, X)
   if #scores == 1 then return scores[1] - threshold end
   return class_scores(self, scores, threshold)
end

local function predict(self, X)
   local value = decision(self, X)
   return parts.labels(self, rows.kind(value) == "Vector" and value:gt(0) + 1 or value:argmax "rows")
end

M.OneVsOneClassifier = estimator.class {
   name = WHO,
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true,
   params = { estimator = estimator.NONE },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      classes = "class labels in ascending order",
      estimators = "list of fitted models for the pairs of classes (1, 2), (1, 3), ..., (2, 3), ..." },
   help = {
      use = "OneVsOneClassifier { estimator }",
      brief = "Multiclass classification with one binary classifier per pair of classes.",
      objective = "label = argmax_c votes_c + s_c / (3 (|s_c| + 1)), s_c = sum of the scores in favor of c",
      params = { estimator = base.BINARY },
      notes = "Each model sees only the rows of its two classes, so the k (k - 1) / 2 fits are small, which helps "
         .. "models that are slow on many rows. Ties of votes are broken by the sums of decision values (of "
         .. "probabilities, if the estimator has no decision_function), then by the lowest index. For two classes the "
         .. "decision is that of the single model (its probability minus 0.5). There are no probabilities. Sample "
         .. "weights are supported if the estimator supports them.",
      source = "Hastie & Tibshirani, Annals of Statistics 26 (1998)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local model = ml.OneVsOneClassifier { ml.LinearSVC {} }:fit(X, y)
print(model:score(X, y), model:decision_function(X:slice(1, 1)))]],
   },
   construct = base.construct_binary,
   check = base.check_scores,
   tostring = base.show,
   fit = fit,
   can = function(_, name)
      return name == "predict" or name == "decision_function" or not estimator.is_action(name)
   end,
   predict = rows.rethrowing(predict),
   decision_function = rows.rethrowing(decision),
}

return M
