--- Functions shared by compositions that learn from rows held out from the fit of their estimator:
-- CalibratedClassifier, TunedThresholdClassifier, ConformalRegressor and ConformalClassifier.

local base = require "manilius.ensemble.base"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local folds = require "manilius.select.folds"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

M.CV = "number of folds (stratified for classifiers, grouped by the fit option groups), a splitter, a list of splits"
M.PREFIT = M.CV .. ", or \"prefit\": the estimator is already fitted, on other rows than those given to fit"

--- Raise an error unless a parameter is one of these words.
function M.check_choice(self, name, choices)
   local value = self[name]
   for _, one in ipairs(choices) do
      if value == one then return end
   end
   local near = type(value) == "string" and core.nearest(value, choices)
   error(("%s: %s must be one of %s, got %s%s"):format(estimator.name(self), name, table.concat(choices, ", "),
      estimator.value_text(value), near and ("; did you mean '%s'?"):format(near) or ""), 0)
end

--- Raise an error unless a parameter is a number between two bounds, which are excluded.
function M.check_between(self, name, low, high)
   local value = self[name]
   if type(value) ~= "number" or not (value > low and value < high) then
      error(("%s: %s must be a number above %g and below %g, got %s"):format(estimator.name(self), name, low, high,
         estimator.value_text(value)), 0)
   end
end

--- Raise an error if cv = "prefit" and the estimator is not fitted or lacks a class of y.
function M.check_prefit(self, data)
   local model, who = self.estimator, data.who
   local ok, fitted = rows.try(function() return model.fitted end)
   if ok and fitted == false then
      error(("%s: cv = \"prefit\" requires a fitted estimator; call fit of %s first"):format(who,
         estimator.name(model)), 0)
   end
   local known = estimator.learned(model, "classes")
   if not estimator.class_of(self).classifies or type(known) ~= "table" then return end
   local is_known = {}
   for _, class in ipairs(known) do is_known[class] = true end
   for _, class in ipairs(data.y.levels) do
      if not is_known[class] then
         error(("%s: y has the class %s, which is not a class of the fitted estimator"):format(who,
            estimator.value_text(class)), 0)
      end
   end
   self.classes = table.move(known, 1, #known, 1, {})
end

--- Raise an error if a class has fewer rows than there are folds.
function M.check_class_sizes(self, data)
   if math.type(self.cv) ~= "integer" or data.groups then return end
   local counts = data.y:counts()
   for i, class in ipairs(data.y.levels) do
      if counts[i] < self.cv then
         error(("%s: y has %s of class %s, fewer than the %d folds; reduce cv"):format(data.who,
            text.plural(counts[i] // 1, "row"), estimator.value_text(class), self.cv), 0)
      end
   end
end

--- The splits of cv; prefit: a single one without training rows.
function M.splits(self, data)
   if rawget(self, "cv") == "prefit" then return { { train = core.Vector {}, test = core.range(1, data.n) } } end
   return folds.resolve(data.who, self.cv, estimator.class_of(self).classifies == true, data.X, data.y, data.groups)
end

--- Fit the estimator to the training rows of each split, and to all rows if asked; `keep` the models of the splits.
-- Returns a list of { model =, value = output of `method` on the test rows, classes =, test = }, and the model of all
-- rows. With cv = "prefit" nothing is fitted.
function M.fit_splits(self, data, splits, method, options)
   if rawget(self, "cv") == "prefit" then
      local model = self.estimator
      return { { model = model, value = parts.call(self, "estimator", model, method, data.X), test = splits[1].test,
         classes = estimator.learned(model, "classes") } }, model
   end
   local task = { models = { self.estimator, self.estimator }, jobs = {}, wants = { { [method] = true }, {} },
      folds = table.move(splits, 1, #splits, 1, {}), on_done = data.report and parts.cancel_only(data) }
   for f = 1, #splits do task.jobs[f] = { 1, f, keep = options.keep } end
   if options.all then
      task.folds[#splits + 1] = parts.all_rows(data.n)
      task.jobs[#splits + 1] = { 2, #splits + 1, keep = true }
   end
   local results = parts.run(data, { "estimator", "estimator" }, task)
   local list = {}
   for f = 1, #splits do
      list[f] = { model = results[f].model, value = results[f].test[method], classes = results[f].classes,
         test = splits[f].test }
   end
   return list, options.all and results[#results].model
end

-- One column per class, 0 for classes that a model lacks; for two classes one column, of the second class.
local function of_classes(self, method, value, known)
   local who, matrix = estimator.name(self), parts.as_matrix(value)
   if known and #known ~= #self.classes then
      if method == "predict_proba" then return parts.align(who, "estimator", matrix, known, self.classes) end
      error(("%s: the training rows of a fold have %d of %d classes; stratify the folds or reduce cv"):format(who,
         #known, #self.classes), 0)
   end
   local wanted = #self.classes > 2 and #self.classes or 1
   if matrix.cols ~= wanted and not (wanted == 1 and matrix.cols == 2) then
      error(("%s: the estimator returns %d columns of %s for %d classes"):format(who, matrix.cols, method,
         #self.classes), 0)
   end
   return matrix
end

--- The output of a classifier as a Matrix: a column for each class; for two classes the column of the second.
function M.class_scores(self, method, value, known)
   local matrix = of_classes(self, method, value, known)
   return #self.classes == 2 and matrix:col(matrix.cols):as_column() or matrix
end

--- The same for new rows.
function M.new_scores(self, model, method, X)
   return M.class_scores(self, method, parts.call(self, "estimator", model, method, X),
      estimator.learned(model, "classes"))
end

--- The option level of a method, or the setting of that name.
function M.level_of(self, options, method, known)
   local who = estimator.name(self)
   if options ~= nil and type(options) ~= "table" then
      error(("%s: %s: options must be a table, as { level = 0.9 }, got %s"):format(who, method,
         estimator.value_text(options)), 0)
   end
   for name in pairs(options or {}) do
      if name ~= "level" and name ~= known[1] then
         error(("%s: %s has no option '%s'; there are %s"):format(who, method, tostring(name),
            table.concat(known, ", ")), 0)
      end
   end
   local level = options and options.level or self.level
   if type(level) ~= "number" or not (level > 0 and level < 1) then
      error(("%s: level must be a number above 0 and below 1, got %s"):format(who, estimator.value_text(level)), 0)
   end
   return level
end

--- Test weights of a split, or nil.
function M.weights_of(data, test)
   return rows.take(data.weights, test)
end

-- A clone shares the fitted estimator of cv = "prefit".
local function clone(self)
   local copy = estimator.clone_settings(self)
   if rawget(self, "cv") == "prefit" then rawset(copy, "estimator", rawget(self, "estimator")) end
   return copy
end

-- A fit that keeps the plain settings it was called with in self.fitted_with, so that set_params after it does not
-- change predictions.
local function keeping_settings(fit, params)
   return function(self, ...)
      self.fitted_with = {}
      for name in pairs(params) do
         local value = rawget(self, name)
         if type(value) ~= "table" and type(value) ~= "userdata" then self.fitted_with[name] = value end
      end
      return fit(self, ...)
   end
end

--- Define a class of such compositions.
function M.class(definition)
   definition.ours, definition.inner, definition.own_target, definition.reports_progress = true, "estimator", true, true
   definition.params.estimator = estimator.NONE
   definition.clone = clone
   definition.fit = keeping_settings(definition.fit, definition.params)
   if definition.params.cv then
      definition.saved, definition.restored = base.saved_without_splits, base.restored_without_splits
   end
   definition.learned.n_features = "number of columns of X"
   definition.learned.feature_names = "column names of X, if X is a Frame"
   definition.private = definition.private or {}
   definition.private.fitted_with = true
   for name, method in pairs(definition) do
      if estimator.is_action(name) then definition[name] = rows.rethrowing(method) end
   end
   return estimator.class(definition)
end

return M
