--- StackingClassifier and StackingRegressor: a final model fitted to the predictions of other models.
--
--    z(x_i) = predictions of the members for row i, fitted without the fold of row i            (level 1)
--    final model: fitted to z and y; predict uses members fitted to all rows
--
-- Wolpert, Neural Networks 5 (1992); Breiman, Machine Learning 24 (1996).

local base = require "manilius.ensemble.base"
local composite = require "manilius.compose.composite"
local core = require "manilius.core"
local estimator = require "manilius.estimator"
local parts = require "manilius.ensemble.parts"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local METHODS = { "auto", "predict_proba", "decision_function", "predict" }

local function is_classifier(self)
   return estimator.class_of(self).classifies == true
end

local function final_of(self)
   return self.models[#self.models]
end

-- --- settings ---

local function check_method(self)
   local wanted, who = rawget(self, "stack_method"), estimator.name(self)
   if wanted == nil then return end
   local known = false
   for _, one in ipairs(METHODS) do known = known or one == wanted end
   if not known then
      error(("%s: stack_method must be auto, predict_proba, decision_function or predict, got %s%s"):format(who,
         estimator.value_text(wanted), text.near(tostring(wanted), METHODS)), 0)
   end
   for _, member in ipairs(wanted ~= "auto" and parts.members(self) or {}) do
      if not estimator.can(member.model, wanted) then
         error(("%s: stack_method = %q, but '%s', %s, does not have it"):format(who, wanted, member.name,
            estimator.name(member.model)), 0)
      end
   end
end

local function check_final(self)
   local final, who, does = final_of(self), estimator.name(self), is_classifier(self) and "classify" or "regress"
   if not estimator.is(final) or not estimator.can(final, "predict") then
      error(("%s: final_estimator must be an estimator with predict, got %s"):format(who, estimator.got(final)), 0)
   end
   local found = estimator.does(final)
   if found and found ~= does then
      error(("%s: final_estimator must %s, got %s"):format(who, does, estimator.name(final)), 0)
   end
end

local function check(self)
   parts.check_members(self)
   check_final(self)
   check_method(self)
   if type(self.passthrough) ~= "boolean" then
      error(("%s: passthrough must be true or false, got %s"):format(estimator.name(self),
         estimator.value_text(self.passthrough)), 0)
   end
   base.check_cv(self)
end

local reserved = { cv = true, stack_method = true, passthrough = true, estimators = true, final_estimator = true }

local function constructor(who, default)
   return function(values)
      local given = {}
      for key, value in pairs(values) do given[key] = value end
      local final = given.final_estimator
      given.final_estimator = nil
      local settings = parts.construct(who, given, { drop = true }, reserved)
      if final == nil then final = core.constructors[default]() end
      table.insert(settings.names, "final_estimator")
      table.insert(settings.models, final)
      return settings
   end
end

-- --- level 1: the columns of each member ---

local function method_of(self, model)
   local wanted = rawget(self, "stack_method")
   if not is_classifier(self) then return "predict" end
   if wanted ~= "auto" then return wanted end
   for i = 2, #METHODS do
      if estimator.can(model, METHODS[i]) then return METHODS[i] end
   end
end

-- One column for two classes, because the other is redundant.
local function probabilities(self, member, value, known)
   local p = parts.align(estimator.name(self), member.name, value, known, self.classes)
   return #self.classes == 2 and p:col(2):as_column() or p
end

local function decisions(self, member, value, known)
   if known and #known ~= #self.classes then
      error(("%s: member '%s': the training rows of a fold have %d of %d classes; stratify the folds"):format(
         estimator.name(self), member.name, #known, #self.classes), 0)
   end
   return parts.as_matrix(value)
end

-- The predictions of a member as a Matrix; labels become 0-based indices.
local function columns_of(self, member, method, value, known)
   if method == "predict_proba" then return probabilities(self, member, value, known) end
   if method == "decision_function" then return decisions(self, member, value, known) end
   if not is_classifier(self) then return parts.as_matrix(parts.numbers(value)) end
   return (parts.codes(estimator.name(self), member.name, value, self.classes) - 1):as_column()
end

-- Names of the columns of all members; widths: number of columns of each.
local function names_of(self, widths)
   local names = {}
   for i, member in ipairs(parts.members(self)) do
      for j = 1, widths[i] do
         local class = is_classifier(self) and widths[i] == #self.classes and tostring(self.classes[j]) or tostring(j)
         names[#names + 1] = widths[i] == 1 and member.name or member.name .. "__" .. class
      end
   end
   return names
end

-- The level-1 columns, followed by X if passthrough is set.
local function with_x(self, Z, X)
   if not self.passthrough then return Z end
   X = rows.x(estimator.name(self), X)
   local kind = rows.kind(X)
   if kind == "table" then
      error(("%s: passthrough requires X to be a Matrix, Frame or Sparse, got a table of other rows"):format(
         estimator.name(self)), 0)
   end
   if kind == "Sparse" then return core.join_sparse { Z, X } end
   if kind == "Matrix" then return core.hcat(Z, X) end
   if self.feature_names then X = base.select_columns(self, X, core.range(1, self.n_features):totable()) end
   local frame = rows.named(Z, self.level_names)
   local names, columns = table.move(frame.names, 1, #frame.names, 1, {}), {}
   table.move(frame.columns, 1, #frame.columns, 1, columns)
   table.move(X.names, 1, #X.names, #names + 1, names)
   table.move(X.columns, 1, #X.columns, #columns + 1, columns)
   return rows.frame(names, columns)
end

-- --- fit ---

-- All fits: each member on all rows first, then on the train rows of each fold.
local function fit_all(self, data, splits)
   local task = { models = {}, wants = {}, jobs = {}, folds = { parts.all_rows(data.n) },
      on_done = parts.cancel_only(data) }
   local names = {}
   table.move(splits, 1, #splits, 2, task.folds)
   for i, member in ipairs(parts.members(self)) do
      names[i], task.models[i] = member.name, member.model
      task.wants[i] = { [method_of(self, member.model)] = true }
      task.jobs[i] = { i, 1, keep = true }
   end
   local n = #task.models
   for i = 1, n do
      for f = 1, #splits do task.jobs[#task.jobs + 1] = { i, f + 1 } end
   end
   return parts.run(data, names, task)
end

local function level_one(self, results, splits)
   local members, made, widths = parts.members(self), {}, {}
   for i, member in ipairs(members) do
      local method, pieces = method_of(self, member.model), {}
      for f = 1, #splits do
         local result = results[#members + (i - 1) * #splits + f]
         pieces[f] = columns_of(self, member, method, result.test[method], result.classes)
      end
      made[i] = parts.merge_folds(pieces, splits)
      widths[i] = made[i].cols
      self.stack_methods[i] = method
   end
   self.level_names = names_of(self, widths)
   return core.hcat(table.unpack(made))
end

local function fit(self, X, y, options)
   local data = parts.data(self, X, y, options, { "groups" })
   parts.one_target(data)
   parts.learn(self, data)
   local splits = parts.splits(data, self.cv, is_classifier(self), data.y)
   local results = fit_all(self, data, splits)
   self.stack_methods = {}
   local Z = with_x(self, level_one(self, results, splits), data.X)
   local final = estimator.clone(final_of(self))
   local ok, message = pcall(final.fit, final, Z, data.y, data.weights and { weights = data.weights } or nil)
   if not ok then parts.raise(self, "final_estimator", message) end
   local models = parts.fitted_models(self, results)
   models[#models] = final
   rawset(self, "models", models)
   return self
end

-- --- use ---

local function transform(self, X)
   local made = {}
   for i, member in ipairs(parts.members(self)) do
      local method = self.stack_methods[i]
      local value = parts.call(self, member.name, member.model, method, X)
      made[i] = columns_of(self, member, method, value, estimator.learned(member.model, "classes"))
   end
   return with_x(self, core.hcat(table.unpack(made)), X)
end

local function call_final(method, shape)
   return function(self, X)
      return (rows.rethrow(2, pcall(function()
         local value = parts.call(self, "final_estimator", final_of(self), method, transform(self, X))
         return shape and shape(self, value) or value
      end)))
   end
end

local function labels(self, value)
   if rows.kind(value) == "Factor" and not rawget(self, "numeric_labels") then return value end
   return parts.labels(self, parts.codes(estimator.name(self), "final_estimator", value, self.classes))
end

local function output_names(self)
   estimator.need_fitted(self, "output_names", 2)
   local names = table.move(self.level_names, 1, #self.level_names, 1, {})
   for j = 1, self.passthrough and self.n_features or 0 do
      names[#names + 1] = self.feature_names and self.feature_names[j] or "x" .. j
   end
   return names
end

local function can(self, name)
   if name == "transform" or not estimator.is_action(name) then return true end
   local of_classifier = name == "predict_proba" or name == "predict_log_proba" or name == "decision_function"
   return name == "predict" or of_classifier and is_classifier(self) and estimator.can(final_of(self), name)
end

local help = {
   cv = "number of folds (stratified for classifiers, grouped by the fit option groups), a splitter such as "
      .. "KFold { k = 10 }, or a list of splits; each row must be tested once",
   passthrough = "also pass the columns of X to the final model",
}

local function described(more)
   for name, line in pairs(help) do more[name] = line end
   return more
end

local function transformed(self, X)
   return (rows.rethrow(2, pcall(function()
      local Z = transform(self, X)
      return rows.kind(Z) == "Matrix" and rows.is_frame(X) and rows.named(Z, self.level_names) or Z
   end)))
end

local function add_archive_functions(class)
   local plain = class.restored
   class.saved = base.saved_without_splits
   function class.restored(fields) return plain(base.restored_without_splits(fields)) end
   parts.index_members(class)
end

local learned = { stack_methods = "list: the prediction method of each member that the final model uses",
   final_estimator = "the fitted final model" }

M.StackingClassifier, M.classifier = composite.class {
   name = "StackingClassifier",
   reports_progress = true,
   does = "classify",
   classifies = true,
   words = { drop = true },
   params = { cv = 5, stack_method = "auto", passthrough = false },
   learned = parts.learned { classes = "class labels in ascending order", stack_methods = learned.stack_methods,
      final_estimator = learned.final_estimator },
   private = { level_names = true },
   help = {
      use = "StackingClassifier { member, { name, member }, ..., final_estimator =, cv = 5, stack_method = \"auto\", "
         .. "passthrough = false }",
      brief = "Classifier fitted to out-of-fold predictions of other classifiers (stacking).",
      objective = "z(x_i) = predictions of the members fitted without the fold of row i; "
         .. "final_estimator is fitted to (z, y)",
      params = described {
         stack_method = "method of the members: \"predict_proba\", \"decision_function\" or \"predict\" (0-based class "
            .. "indices); \"auto\": the first of these that the member has",
      },
      notes = parts.NOTES .. " The default final_estimator is LogisticRegression {}. transform returns its inputs.",
      source = "Wolpert, Neural Networks 5 (1992)",
      example = [[
local X, y = ml.read_csv "examples/data/iris.csv":split "species"
local stack = ml.StackingClassifier { ml.GaussianNB {}, { "tree", ml.DecisionTreeClassifier { max_depth = 2 } },
   final_estimator = ml.LogisticRegression { C = 10 } }
print(stack:fit(X, y):score(X, y))]],
   },
   construct = constructor("StackingClassifier", "LogisticRegression"),
   check = check,
   fit = fit,
   can = can,
   predict = call_final("predict", labels),
   predict_proba = call_final "predict_proba",
   predict_log_proba = call_final "predict_log_proba",
   decision_function = call_final "decision_function",
   transform = transformed,
   output_names = output_names,
}
add_archive_functions(M.classifier)

M.StackingRegressor, M.regressor = composite.class {
   name = "StackingRegressor",
   reports_progress = true,
   does = "regress",
   words = { drop = true },
   params = { cv = 5, passthrough = false },
   learned = parts.learned(learned),
   private = { level_names = true },
   help = {
      use = "StackingRegressor { member, { name, member }, ..., final_estimator =, cv = 5, passthrough = false }",
      brief = "Regressor fitted to out-of-fold predictions of other regressors (stacking).",
      objective = "z(x_i) = predictions of the members fitted without the fold of row i; final_estimator is fitted to "
         .. "(z, y)",
      params = described {},
      notes = parts.NOTES .. " The default final_estimator is RidgeCV {}. transform returns its inputs.",
      source = "Breiman, Machine Learning 24 (1996)",
      example = [[
local X, y = ml.read_csv "examples/data/diabetes.csv":split "progression"
local stack = ml.StackingRegressor { ml.Ridge {}, ml.KNeighborsRegressor {}, cv = 3 }
print(stack:fit(X, y):score(X, y))]],
   },
   construct = constructor("StackingRegressor", "RidgeCV"),
   check = check,
   fit = fit,
   can = can,
   predict = call_final("predict", function(_, value) return parts.numbers(value) end),
   transform = transformed,
   output_names = output_names,
}
add_archive_functions(M.regressor)

return M
