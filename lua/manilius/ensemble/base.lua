--- Functions shared by compositions of one base estimator: Bagging, AdaBoost, OneVsRestClassifier and others.

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

-- --- settings ---

--- The fields for an archive: all but a splitter or a list of splits, which are replaced by 5 folds.
function M.saved_without_splits(self)
   local fields = {}
   for name, value in next, self do fields[name] = value end
   if type(self.cv) == "table" then fields.cv = nil end
   return fields
end

function M.restored_without_splits(fields)
   fields.cv = fields.cv or 5
   return fields
end

--- A function that reads the table of a constructor, in which the base may come first without a name.
-- default: function() -> the default base
function M.construct(default)
   return function(values)
      local settings = {}
      for key, value in pairs(values) do settings[key] = value end
      if settings[1] ~= nil then settings.estimator, settings[1] = settings[1], nil end
      if settings.estimator == nil then settings.estimator = default() end
      return settings
   end
end

--- Raise an error unless a parameter is an integer >= `min`.
function M.check_whole(self, name, min)
   local value = self[name]
   if math.type(value) ~= "integer" or value < min then
      error(("%s: %s must be a whole number >= %d, got %s"):format(estimator.name(self), name, min,
         estimator.not_whole(value)), 0)
   end
end

--- Raise an error unless a parameter is true or false.
function M.check_flag(self, name)
   if type(self[name]) ~= "boolean" then
      error(("%s: %s must be true or false, got %s"):format(estimator.name(self), name,
         estimator.value_text(self[name])), 0)
   end
end

--- Raise an error unless cv is a number of folds, a splitter, a list of splits, or one of these words.
function M.check_cv(self, ...)
   local cv, words = self.cv, { ... }
   for _, word in ipairs(words) do
      if cv == word then return end
   end
   if type(cv) ~= "table" and (math.type(cv) ~= "integer" or cv < 2) then
      error(("%s: cv must be a whole number >= 2, a splitter%s, got %s"):format(estimator.name(self), #words > 0
         and (", a list of splits or %q"):format(words[1]) or " or a list of splits", estimator.value_text(cv)), 0)
   end
end

--- Raise an error unless the base is of the same kind (classify, regress) as the ensemble.
function M.check_base(self)
   local base, does = self.estimator, estimator.class_of(self).does
   if not estimator.is(base) then
      error(("%s: estimator must be an estimator, got %s"):format(estimator.name(self), estimator.got(base)), 0)
   end
   local found = estimator.does(base)
   if not estimator.can(base, "predict") or (found and found ~= does) then
      error(("%s: estimator must %s, got %s"):format(estimator.name(self), does, estimator.name(base)), 0)
   end
end

--- The method of a binary classifier whose values are compared between models.
function M.score_method(model)
   return estimator.can(model, "decision_function") and "decision_function" or "predict_proba"
end

--- Raise an error unless the base is a classifier with such a method.
function M.check_scores(self)
   M.check_base(self)
   if not estimator.can(self.estimator, M.score_method(self.estimator)) then
      error(("%s: estimator must have decision_function or predict_proba, got %s"):format(estimator.name(self),
         estimator.name(self.estimator)), 0)
   end
end

--- Check the common parameters: the base, n_estimators, seed.
function M.check(self)
   M.check_base(self)
   M.check_whole(self, "n_estimators", 1)
   M.check_whole(self, "seed", 0)
end

M.help = {
   estimator = "the base estimator; may be given first, without a name",
   n_estimators = "number of models (a maximum if boosting stops early)",
   seed = "random seed; results do not depend on the number of threads",
}

--- Help on the base of classifiers that reduce several classes to two.
M.BINARY = "the binary classifier, default LogisticRegression {}; may be given first, without a name"

--- The constructor of such classifiers.
M.construct_binary = M.construct(function() return core.constructors.LogisticRegression() end)

--- Parameter help: `more`, and the common parameters.
function M.described(more)
   for name, line in pairs(M.help) do more[name] = more[name] or line end
   return more
end

-- --- models ---

local MAX_SEED = 2 ^ 53 - 1

--- A random seed.
function M.seed_from(rng)
   return rng:integer(0, math.tointeger(MAX_SEED))
end

--- A clone of the base whose seeds, including those of inner estimators, are drawn from `rng`.
function M.fresh(base, rng)
   local copy, seeds = estimator.clone(base), {}
   for _, name in ipairs(text.sorted_keys(estimator.get_params(copy))) do
      if name == "seed" or tostring(name):find "__seed$" then seeds[name] = M.seed_from(rng) end
   end
   if next(seeds) then estimator.set_params(copy, seeds) end
   return copy
end

--- Fit a model of one round. Built-in models reuse what they computed from X in the previous round.
function M.learn(data, model, X, y, options)
   if rows.kind(model) ~= "Model" or X ~= data.X then return model:fit(X, y, options) end
   data.cache = data.cache or core.fit_cache()
   return core.fit_with_cache(model, X, y, options, data.cache)
end

--- The scores of the second class of a fitted binary model, as a Vector.
function M.second_scores(self, name, model, X)
   local value = parts.as_matrix(parts.call(self, name, model, M.score_method(model), X))
   return value:col(value.cols):copy()
end

--- The weighted mean of the feature importances of models; nil if a model has none.
-- features: list of the columns that each model saw, or nil for all
function M.importances(models, weights, features, n)
   local sum, total = core.Vector(n, 0), 0
   for i, model in ipairs(models) do
      local own = parts.has_field(model, "feature_importances")
      if rows.kind(own) ~= "Vector" then return nil end
      for j = 1, #own do
         local at = features and features[i][j] or j
         sum[at] = sum[at] + weights[i] * own[j]
      end
      total = total + weights[i]
   end
   return total > 0 and sum / total or nil
end

--- Select columns, given by their indices in fit, from a new X; matched by name if fit and X have names.
function M.select_columns(self, X, places)
   local who = estimator.name(self)
   X = rows.x(who, X)
   if rows.width(X) ~= self.n_features then
      error(("%s: X must have %d columns, as in fit, got %d"):format(who, self.n_features, rows.width(X)), 0)
   end
   return rows.columns(X, rows.match_columns(who, X, self.feature_names, places))
end

-- ", 3 targets" or ", 3 classes", if the model has several targets or classes.
local function outputs_text(self)
   local classes, targets = rawget(self, "classes"), rawget(self, "n_targets")
   if targets and targets > 1 then return ", " .. text.plural(targets, "target") end
   return classes and ", " .. text.plural(#(targets and type(classes[1]) == "table" and classes[1] or classes), "class",
      "classes") or ""
end

--- The estimator as text: its parameters, and if fitted the numbers of models, features, and classes or targets.
function M.show(self)
   local line = estimator.one_line(self)
   if rawget(self, "fitted") then
      line = ("%s, fitted: %s, %s%s"):format(line, text.plural(#self.estimators, "model"),
         text.plural(self.n_features, "feature"), outputs_text(self))
   end
   return text.wrap_line(line)
end

return M
