--- CalibratedClassifier: correct the probabilities of a classifier by a map learned on held-out rows.
--
--    p(c | x) = mean over folds f of map_f(scores of model f, fitted without the rows of fold f)
--
-- Platt (1999); Zadrozny & Elkan, KDD (2002); Guo et al., ICML (2017); Kull et al. (2017); Vovk et al., NIPS (2015).

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local held_out = require "manilius.calibrate.held_out"
local maps = require "manilius.calibrate.maps"
local parts = require "manilius.ensemble.parts"
local text = require "manilius.text"

local M = {}

local WHO = "CalibratedClassifier"

-- The output of the estimator that the map takes.
local function response_of(self)
   for _, method in ipairs(maps.methods[self.method].response) do
      if estimator.can(self.estimator, method) then return method end
   end
   error(("%s: estimator must have decision_function or predict_proba, got %s"):format(WHO,
      estimator.name(self.estimator)), 0)
end

local function check(self)
   base.check_base(self)
   held_out.check_choice(self, "method", maps.names)
   response_of(self)
   base.check_cv(self, "prefit")
   base.check_flag(self, "ensemble")
end

-- --- fit ---

-- A map is fitted to rows of all classes.
local function check_classes(self, y, where)
   local present = {}
   for _, class in ipairs(y:drop_levels().levels) do present[class] = true end
   for _, class in ipairs(self.classes) do
      if not present[class] then
         error(("%s: %s have no class %s; stratify the folds, use fewer, or set ensemble = false"):format(WHO, where,
            estimator.value_text(class)), 0)
      end
   end
end

local function fit_map(self, data, S, test, where)
   local y = data.y:take(test)
   check_classes(self, y, where)
   local codes = core.Factor(self.classes):take(parts.codes(WHO, "y", y, self.classes))
   return maps.methods[self.method].fit(S, codes, held_out.weights_of(data, test), self.classes, self.response)
end

-- A model and a map for each fold.
local function fit_ensemble(self, data, splits)
   for f, one in ipairs(held_out.fit_splits(self, data, splits, self.response, { keep = true })) do
      local S = held_out.class_scores(self, self.response, one.value, one.classes)
      local where = self.cv == "prefit" and "the rows" or ("the test rows of fold %d"):format(f)
      self.estimators[f], self.calibrators[f] = one.model, fit_map(self, data, S, one.test, where)
   end
end

-- A model fitted to all rows, and a map fitted to the out-of-fold scores of all rows.
local function fit_single(self, data, splits)
   local pieces = {}
   local results, model = held_out.fit_splits(self, data, splits, self.response, { all = true })
   for f, one in ipairs(results) do
      pieces[f] = held_out.class_scores(self, self.response, one.value, one.classes)
   end
   local S = parts.merge_folds(pieces, splits)
   self.estimators[1], self.calibrators[1] = model, fit_map(self, data, S, core.range(1, data.n), "the rows")
end

local function fit(self, X, y, options)
   local data = parts.start_fit(self, X, y, options, { "groups" })
   self.response, self.estimators, self.calibrators = response_of(self), {}, {}
   if self.cv == "prefit" then
      held_out.check_prefit(self, data)
      fit_ensemble(self, data, held_out.splits(self, data))
      return self
   end
   held_out.check_class_sizes(self, data)
   if self.ensemble then
      fit_ensemble(self, data, held_out.splits(self, data))
   else
      fit_single(self, data, parts.splits(data, self.cv, true, data.y))
   end
   return self
end

-- --- prediction ---

local function scores_of(self, X)
   local scores = { method = self.response }
   for i, model in ipairs(self.estimators) do scores[i] = held_out.new_scores(self, model, self.response, X) end
   return scores
end

local function proba(self, X)
   return maps.methods[self.fitted_with.method].proba(self.calibrators, scores_of(self, X))
end

local function probability_interval(self, X)
   estimator.need_fitted(self, "probability_interval", 2)
   if self.fitted_with.method ~= "venn_abers" or #self.classes > 2 then
      error(("%s: probability_interval requires method = \"venn_abers\" and two classes, got %q and %s"):format(WHO,
         self.fitted_with.method, text.plural(#self.classes, "class", "classes")), 2)
   end
   return maps.probability_interval(self.calibrators, scores_of(self, X))
end

local AVAILABLE = { predict = true, predict_proba = true, predict_log_proba = true }

M.CalibratedClassifier = held_out.class {
   name = WHO,
   does = "classify",
   classifies = true,
   params = { method = "sigmoid", cv = 5, ensemble = true },
   learned = { classes = "class labels in ascending order",
      estimators = "list of fitted models, one for each fold; a single one for prefit and ensemble = false",
      calibrators = "list: for each model the fitted maps of the classes, a single one for two classes; for "
         .. "temperature the inverse temperature",
      response = "the output of the models that is calibrated: decision_function or predict_proba" },
   help = {
      use = "CalibratedClassifier { estimator, method = \"sigmoid\", cv = 5, ensemble = true }",
      brief = "Calibrates the probabilities of a classifier by cross-validation.",
      objective = "p(c | x) = mean over folds of map_f(score of model f for x), map_f fitted to rows that model f did "
         .. "not see",
      params = { estimator = base.BINARY:gsub("the binary", "the"),
         method = "\"sigmoid\": Platt scaling; \"isotonic\"; \"temperature\" scaling, which keeps the predicted class; "
            .. "\"beta\" calibration; \"venn_abers\" prediction",
         cv = held_out.PREFIT,
         ensemble = "true: average models and maps over the folds; false: one model fitted to all rows, and one map "
            .. "fitted to out-of-fold scores" },
      methods = { probability_interval = { use = "probability_interval(X)", brief = "For venn_abers and two classes: "
         .. "{ low =, high = }, two probabilities of the second class." } },
      notes = "CalibratedClassifierCV of scikit-learn, with two more methods. More than two classes are each "
         .. "calibrated against the rest and then normalized, except by temperature. Isotonic maps need about 1000 "
         .. "rows. Every class needs a row in every fold. Sample weights are supported if the estimator supports them.",
      source = "Platt (1999); Zadrozny & Elkan, KDD (2002); Guo et al., ICML (2017); Kull et al., AISTATS (2017); Vovk "
         .. "et al., NIPS (2015)",
      example = [[
local X, y = ml.read_csv "examples/data/breast_cancer.csv":split "diagnosis"
local X_train, X_test, y_train, y_test = ml.train_test_split(X, y)
local model = ml.CalibratedClassifier { ml.GaussianNB {}, method = "isotonic" }:fit(X_train, y_train)
print(model:score(X_test, y_test, { scoring = "brier" }))]],
   },
   construct = base.construct_binary,
   check = check,
   tostring = base.show,
   fit = fit,
   can = function(_, name) return AVAILABLE[name] or not estimator.is_action(name) end,
   predict = function(self, X) return parts.labels(self, proba(self, X):argmax "rows") end,
   predict_proba = function(self, X) return parts.by_class(self, proba(self, X)) end,
   predict_log_proba = function(self, X) return parts.by_class(self, proba(self, X):log()) end,
   probability_interval = probability_interval,
}

return M
