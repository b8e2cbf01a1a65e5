--- MultiOutputClassifier and MultiOutputRegressor: one model per target.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local targets = require "manilius.compose.targets"

local M = {}

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options)
   local task = { models = {}, jobs = {}, targets = targets.learn(self, data, y), folds = { parts.all_rows(data.n) } }
   local names = {}
   for j = 1, self.n_targets do
      names[j], task.models[j], task.jobs[j] = targets.name(self, j), self.estimator, { j, 1, keep = true, target = j }
   end
   parts.fit_all(self, data, names, task)
   return self
end

-- The output of each model for X.
local function outputs(self, X, method)
   local list = {}
   for j, model in ipairs(self.estimators) do list[j] = parts.call(self, targets.name(self, j), model, method, X) end
   return list
end

local function define(definition)
   definition.params = { estimator = estimator.NONE }
   definition.learned = targets.learned(definition.classifies,
      { estimators = "list of fitted models, one per target" })
   definition.check, definition.fit = base.check_base, fit
   return targets.class(definition, outputs)
end

M.MultiOutputClassifier = define {
   name = "MultiOutputClassifier",
   does = "classify",
   classifies = true,
   help = {
      use = "MultiOutputClassifier { estimator }",
      brief = "One classifier per target: several columns of labels, or tags.",
      objective = "y_j = f_j(x), one model per target",
      params = { estimator = "the classifier, default LogisticRegression {}; may be given first, without a name" },
      notes = "y is a Frame of labels, or a Matrix of 0 and 1 for tags. predict returns the same kind; predict_proba "
         .. "returns a list with a Matrix per column. score is the accuracy of whole rows; metrics.hamming, f1 with "
         .. "an average, jaccard and others compare tags. ClassifierChain models dependent targets. Sample weights "
         .. "are supported if the estimator supports them.",
      example = [[
local penguins = ml.read_csv("examples/data/penguins.csv"):dropna()
local X, y = penguins:select { "bill_length_mm", "bill_depth_mm", "body_mass_g" }, penguins:select { "species", "sex" }
local model = ml.MultiOutputClassifier { ml.GaussianNB {} }:fit(X, y)
print(model:score(X, y), model:predict(X:slice(1, 3)))]],
   },
   construct = base.construct(function() return core.constructors.LogisticRegression() end),
   can = function(self, name)
      if name == "predict_proba" or name == "predict_log_proba" then return estimator.can(self.estimator, name) end
      return name == "predict" or not estimator.is_action(name)
   end,
}

M.MultiOutputRegressor = define {
   name = "MultiOutputRegressor",
   does = "regress",
   help = {
      use = "MultiOutputRegressor { estimator }",
      brief = "One regressor per target.",
      objective = "y_j = f_j(x), one model per target",
      params = { estimator = "the regressor, default Ridge {}; may be given first, without a name" },
      notes = "For regressors that accept one target only. Linear models, trees and others accept several themselves, "
         .. "which is faster, and trees then share their splits. y is a Matrix or a Frame; predictions have its "
         .. "column names. Sample weights are supported if the estimator supports them.",
      example = [[
local linnerud = ml.read_csv "examples/data/linnerud.csv"
local X, y = linnerud:select { "chins", "situps", "jumps" }, linnerud:select { "weight", "waist", "pulse" }
local model = ml.MultiOutputRegressor { ml.SVR { C = 10 } }:fit(X, y)
print(model:predict(X:slice(1, 3)))]],
   },
   construct = base.construct(function() return core.constructors.Ridge() end),
   can = function(_, name) return name == "predict" or not estimator.is_action(name) end,
}

return M
