--- OneVsRestClassifier: one binary classifier per class, trained against all other classes.
--
--    label = argmax_c f_c(x),      f_c the decision function, or the probability, of class c against the rest
--    p(c | x) = p_c(x) / sum_d p_d(x)
--
-- Rifkin & Klautau, JMLR 5 (2004).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"

local M = {}

local WHO = "OneVsRestClassifier"

-- --- fit ---

-- One job for each class: the class (1) against the others (0). Two classes need only that of the second.
local function task_of(self, data)
   local task = { models = {}, jobs = {}, targets = {}, folds = { parts.all_rows(data.n) } }
   local names, codes = {}, data.y:codes()
   for c = #self.classes == 2 and 2 or 1, #self.classes do
      local i = #names + 1
      names[i], task.models[i] = tostring(self.classes[c]), self.estimator
      task.jobs[i], task.targets[i] = { i, 1, keep = true, target = i }, core.Factor(codes:eq(c))
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

-- The scores of all classes, one column each; for two classes the output of the single model.
local function class_scores(self, X, method)
   local columns = {}
   if not estimator.can(self.estimators[1], method) then
      error(("%s: the estimator %s does not have %s"):format(WHO, estimator.name(self.estimators[1]), method), 0)
   end
   for i, model in ipairs(self.estimators) do
      local class = self.classes[#self.estimators == 1 and 2 or i]
      local value = parts.as_matrix(parts.call(self, tostring(class), model, method, X))
      if #self.estimators == 1 then return value end
      columns[i] = value:col(value.cols):copy()
   end
   return core.hcat(table.unpack(columns))
end

local function decision(self, X)
   local value = class_scores(self, X, "decision_function")
   return value.cols == 1 and value:flatten() or value
end

-- Normalized probabilities; uniform if all are 0.
local function proba(self, X)
   local value, columns = class_scores(self, X, "predict_proba"), {}
   if #self.estimators == 1 then return value end
   local sum = value:col(1):copy()
   for c = 2, value.cols do sum = sum + value:col(c) end
   local none = sum:eq(0)
   for c = 1, value.cols do columns[c] = (value:col(c) + none) / (sum + none * value.cols) end
   return core.hcat(table.unpack(columns))
end

local function predict(self, X)
   local value = class_scores(self, X, base.score_method(self.estimators[1]))
   if value.cols == 1 then return parts.labels(self, value:flatten():gt(0) + 1) end
   return parts.labels(self, value:argmax "rows")
end

local rethrowing = rows.rethrowing

M.OneVsRestClassifier = estimator.class {
   name = WHO,
   inner = "estimator", own_target = true, reports_progress = true,
   ours = true,
   does = "classify",
   classifies = true,
   params = { estimator = estimator.NONE },
   learned = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      classes = "class labels in ascending order",
      estimators = "list of fitted models, one per class; a single one, for the second class, if there are two" },
   help = {
      use = "OneVsRestClassifier { estimator }",
      brief = "Multiclass classification with one binary classifier per class.",
      objective = "label = argmax_c f_c(x); p(c | x) = p_c(x) / sum_d p_d(x)",
      params = { estimator = base.BINARY },
      notes = "Classes are compared by the decision function of their models, or by probability if they have none; "
         .. "ties are broken by the lowest index. Probabilities are normalized to sum to 1. estimator__C is a "
         .. "parameter of the estimator, in set_params and in searches. Sample weights are supported if the estimator "
         .. "supports them.",
      source = "Rifkin & Klautau, JMLR 5 (2004)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local model = ml.OneVsRestClassifier { ml.LogisticRegression { C = 10 } }:fit(X, y)
print(model:score(X, y), model:predict_proba(X:slice(1, 1)))]],
   },
   construct = base.construct_binary,
   check = base.check_scores,
   tostring = base.show,
   fit = fit,
   can = function(self, name)
      if name == "predict_proba" or name == "predict_log_proba" then
         return estimator.can(self.estimator, "predict_proba")
      end
      if name == "decision_function" then return estimator.can(self.estimator, name) end
      return name == "predict" or not estimator.is_action(name)
   end,
   predict = rethrowing(predict),
   decision_function = rethrowing(decision),
   predict_proba = rethrowing(function(self, X) return parts.by_class(self, proba(self, X)) end),
   predict_log_proba = rethrowing(function(self, X) return parts.by_class(self, proba(self, X):log()) end),
}

return M
