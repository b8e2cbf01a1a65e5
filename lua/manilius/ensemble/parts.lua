--- Functions shared by all ensembles: checking the data of fit, fitting members, collecting their predictions.
--
-- Built-in members and pipelines of them are fitted in parallel by the core, others one after the other in Lua. The
-- results are bit-identical (manilius.select.evaluate).

local core = require "manilius.core"
local estimator = require "manilius.estimator"
local evaluate = require "manilius.select.evaluate"
local folds = require "manilius.select.folds"
local progress = require "manilius.progress"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

-- --- which members take weights ---

local function lists_weights(model)
   local takes = M.has_field(model, "takes")
   if type(takes) ~= "table" then return false end
   if takes.weights then return true end
   for _, one in ipairs(takes) do
      if one == "weights" then return true end
   end
   return false
end

--- A field of an estimator, or nil if it has none; some estimators raise an error for unknown names.
function M.has_field(model, name)
   local ok, value = rows.try(function() return model[name] end)
   return ok and value or nil
end

--- Does fit of this model support sample weights? A composition does if its final estimator does; a user-defined
-- estimator if its list `takes` has "weights".
function M.takes_weights(model)
   if type(model) == "string" then return true end
   if rows.kind(model) == "Model" then return estimator.describe(model).takes.weights == true end
   local class = estimator.class_of(model)
   if not class or not class.ours then return lists_weights(model) end
   if class.name == "Pipeline" then return M.takes_weights(model.models[#model.models]) end
   if class.resamples then return true end
   for _, part in ipairs(rawget(model, "models") or {}) do
      if not M.takes_weights(part) then return false end
   end
   local inner = rawget(model, "estimator") or rawget(model, "regressor") or rawget(model, "model")
      or rawget(model, "init")
   return inner == nil or M.takes_weights(inner)
end

-- --- the data of fit ---

--- Sample weights of n rows as a Vector.
function M.check_weights(who, weights, n)
   if rows.kind(weights) ~= "Vector" then weights = rows.rethrow(1, pcall(core.Vector, weights)) end
   if #weights ~= n then
      error(("%s: weights must have as many rows as X, %d, got %d"):format(who, n, #weights), 0)
   end
   local invalid = (1 - weights:isfinite():mul(weights:ge(0))):nonzero()
   if #invalid > 0 then
      local row = invalid[1]
      error(("%s: weights must be finite and >= 0, got %s in row %d"):format(who, estimator.value_text(weights[row]),
         row), 0)
   end
   if weights:sum() == math.huge then error(who .. ": weights must have a finite sum, got inf", 0) end
   if weights:sum() == 0 then error(who .. ": weights must have at least one value > 0, got only 0", 0) end
   return weights
end

local function check_options(self, options, more)
   local who = estimator.name(self)
   for name in pairs(options) do
      local known = { "on_iter", "weights", table.unpack(more or {}) }
      local found = false
      for _, one in ipairs(known) do found = found or one == name end
      table.sort(known)
      if not found then
         local near = text.near(tostring(name), known)
         local there = near ~= "" and near or "; there are " .. table.concat(known, ", ")
         error(("%s:fit has no option '%s'%s"):format(who, tostring(name),
            estimator.setting_text(self, name) or there), 0)
      end
   end
end

local function plain_list(list)
   return table.move(list, 1, #list, 1, {})
end

-- Numeric labels must be integers.
local function check_whole(who, y)
   for i = 1, rows.kind(y) == "Vector" and #y or 0 do
      if y[i] % 1 ~= 0 then -- nan, too
         error(("%s: y must be class labels (text, whole numbers or booleans), got %s in row %d"):format(who,
            estimator.value_text(y[i]), i), 0)
      end
   end
end

-- Numbers as a Factor in which nan is a missing label.
local function partly_labelled(y)
   local labels = { n = #y }
   for i = 1, #y do labels[i] = y[i] == y[i] and y[i] or nil end
   return core.Factor(labels)
end

--- Labels as a Factor without unused levels.
-- unlabelled: may labels be missing?
function M.labels_of(who, y, unlabelled)
   if rows.kind(y) == "Matrix" then
      if y.cols ~= 1 then error(("%s: y must be one column of labels, got %d"):format(who, y.cols), 0) end
      y = y:flatten()
   end
   if unlabelled and rows.kind(y) == "Vector" then
      check_whole(who, y:take(y:eq(y):nonzero()))
      y = partly_labelled(y)
   end
   check_whole(who, y)
   y = (rows.kind(y) == "Factor" and y or core.Factor(y)):drop_levels()
   if not unlabelled and y:ismissing():any() then error(who .. ": y must not have missing labels", 0) end
   if #y.levels < 2 then
      error(("%s: y must have at least 2 classes, got %s"):format(who, text.plural(#y.levels, "class", "classes")), 0)
   end
   return y
end

--- Checked data for fit: X, y (a Factor for classifiers), weights (a Vector or nil; rows of weight 0 are removed), n,
-- and report, which calls on_iter.
-- more: names of further options with one value per row
function M.data(self, X, y, options, more)
   local who = estimator.name(self)
   options = options or {}
   check_options(self, options, more)
   X = rows.x(who, X)
   local n = rows.count(X)
   if rows.kind(X) ~= "table" and rows.width(X) == 0 then error(who .. ": X must have at least 1 column, got 0", 0) end
   y = rows.y(who, estimator.find_target(self, X, y), n)
   if y == nil then error(who .. ": y must be given, fit(X, y), got nil", 0) end
   local weights = options.weights ~= nil and M.check_weights(who, options.weights, n) or nil
   local data = { who = who, groups = options.groups }
   if weights and weights:min() == 0 then
      local kept = weights:nonzero()
      X, y, weights = rows.take(X, kept), rows.take(y, kept), weights:take(kept)
      data.groups = rows.take(data.groups, kept)
      n = #kept
   end
   local class = estimator.class_of(self)
   if class.classifies and not class.several_targets then
      data.numeric_labels = rows.kind(y) ~= "Factor"
      y = M.labels_of(who, y, class.unlabelled)
   end
   if options.on_iter ~= nil then data.report = progress.caller(who, options.on_iter) end
   data.X, data.y, data.weights, data.n = X, y, weights, n
   return data
end

-- Does the model, or the first step of a pipeline, accept only numbers?
local function takes_numbers(model)
   if rows.kind(model) == "Model" then return not estimator.describe(model).takes.factors end
   local first = estimator.class_of(model) and type(model.models) == "table" and model.models[1]
   return first and takes_numbers(first) or false
end

--- Raise an error if `model` accepts only numbers and a row has other values, also if no sample would contain that row.
function M.need_numbers(data, model)
   if rows.kind(data.X) ~= "table" or not takes_numbers(model) then return end
   local ok, message = rows.try(core.Matrix, data.X)
   if not ok then error(("%s: %s"):format(data.who, require "manilius.metrics.parts".bare(message)), 0) end
end

--- Raise an error if y has several columns.
function M.one_target(data)
   if rows.kind(data.y) == "Matrix" and data.y.cols ~= 1 then
      error(("%s: y must have 1 column, got %d"):format(data.who, data.y.cols), 0)
   end
end

--- Store what fit learns from the shape of the data: n_features, feature_names, classes.
function M.learn(self, data)
   self.n_features = rows.width(data.X)
   self.feature_names = rows.is_frame(data.X) and plain_list(data.X.names) or nil
   if rows.kind(data.y) == "Factor" and estimator.class_of(self).classifies then
      self.classes = plain_list(data.y.levels)
      rawset(self, "numeric_labels", data.numeric_labels or nil)
   end
end

--- M.data for compositions of one base, self.estimator; also checks that X suits the base, and calls M.learn.
function M.start_fit(self, X, y, options, more)
   local data = M.data(self, X, y, options, more)
   M.need_numbers(data, self.estimator)
   M.learn(self, data)
   return data
end

-- --- members ---

--- The active members: { name, model, at }, without dropped ones and the final estimator.
function M.members(self)
   local list = {}
   for i, model in ipairs(self.models) do
      if model ~= "drop" and self.names[i] ~= "final_estimator" then
         list[#list + 1] = { name = self.names[i], model = model, at = i }
      end
   end
   return list
end

--- Raise an error unless there is a member and all have predict.
function M.check_members(self)
   local who, members = estimator.name(self), M.members(self)
   for _, member in ipairs(members) do
      if not estimator.can(member.model, "predict") then
         error(("%s: all members must have predict; '%s', %s, does not"):format(who, member.name,
            estimator.name(member.model)), 0)
      end
   end
   if #members == 0 then error(who .. ": at least one member must not be dropped", 0) end
end

--- The models of a composition, with the members replaced by the fitted models of the first results.
function M.fitted_models(self, results)
   local models = plain_list(self.models)
   for i, member in ipairs(M.members(self)) do models[member.at] = results[i].model end
   return models
end

local function member_message(who, name, message)
   return ("%s: member '%s': %s"):format(who, name, message)
end

--- A split whose training set is all rows.
function M.all_rows(n)
   return { train = core.range(1, n), test = core.Vector {} }
end

--- The splits of `cv`; each row must be in exactly one test set.
-- classify: stratify a number of folds by y?
function M.splits(data, cv, classify, y)
   local splits = folds.resolve(data.who, cv, classify, data.X, y, data.groups)
   folds.test_positions(data.who, splits, data.n)
   return splits
end

--- Concatenate Matrices of the test rows of the folds, and put their rows in the order of X.
function M.merge_folds(pieces, splits)
   local all = core.vcat(table.unpack(pieces))
   return all:take((core.test_positions(folds.test_rows(splits), all.rows)))
end

--- Fit members: run a task of evaluate.run on the data. Errors name the member.
-- names: names of the members, in the order of task.models
function M.run(data, names, task)
   for i, model in ipairs(task.models) do
      if data.weights and not M.takes_weights(model) then
         error(member_message(data.who, names[i], estimator.name(model) .. " does not support weights"), 0)
      end
   end
   task.who, task.X, task.weights = data.who, data.X, task.weights or data.weights
   task.y = not task.targets and data.y or nil -- with targets, each job has one of them
   task.on_done = data.report and task.on_done or nil
   local results = evaluate.run(task)
   for i, result in ipairs(results) do
      if result.error then error(member_message(data.who, names[task.jobs[i][1]], result.error), 0) end
   end
   return results
end

--- Progress callback for compositions that need all of their members: "stop" is ignored.
function M.cancel_only(data)
   return function(done, total)
      return data.report(done, total) == "cancel" and "cancel" or nil
   end
end

--- Fit the models of a task, all of which are needed, and store them as self.estimators.
function M.fit_all(self, data, names, task)
   task.on_done = data.report and M.cancel_only(data)
   self.estimators = {}
   for i, result in ipairs(M.run(data, names, task)) do self.estimators[i] = result.model end
end

--- Raise the error of a member under its name; interrupts, cancellation and out-of-memory errors are passed on.
function M.raise(self, name, message)
   error(member_message(estimator.name(self), name, rows.recoverable_error(message)), 0)
end

--- Call a method of a fitted member on X; errors name the member.
function M.call(self, name, model, method, X)
   local ok, result = pcall(model[method], model, X)
   if ok then return result end
   M.raise(self, name, result)
end

-- --- predictions ---

--- Labels as a Vector of their indices in `classes`.
function M.codes(who, name, label, classes)
   local f = (rows.kind(label) == "Factor" and label or core.Factor(label)):drop_levels()
   local place, map, same = {}, {}, #f.levels == #classes
   for i, class in ipairs(classes) do place[class] = i end
   for i, level in ipairs(f.levels) do
      map[i] = place[level] or error(member_message(who, name, ("predicts %s, which is not a class of y"):format(
         estimator.value_text(level))), 0)
      same = same and map[i] == i
   end
   if f:ismissing():any() then error(member_message(who, name, "predicts no label for a row"), 0) end
   return same and f:codes() or core.Vector(map):take(f:codes())
end

--- One-hot Matrix (rows x k) of class indices.
function M.indicators(codes, k)
   local columns = {}
   for c = 1, k do columns[c] = codes:eq(c) end
   return core.hcat(table.unpack(columns))
end

--- The Matrix with its columns named by the classes.
function M.by_class(self, value)
   return core.name_columns(value, self.classes)
end

--- Indices into the classes as labels: a Vector if y was numbers, else a Factor.
function M.labels(self, places)
   return (rawget(self, "numeric_labels") and core.Vector or core.Factor)(self.classes):take(places)
end

local function as_matrix(value)
   local kind = rows.kind(value)
   if kind == "Matrix" then return value end
   return kind == "Vector" and value:as_column() or core.Matrix(value)
end

M.as_matrix = as_matrix

--- Expand columns for `known`, the classes of one member, to columns for all classes; unknown classes are 0.
function M.align(who, name, value, known, classes)
   value = as_matrix(value)
   if known == nil or #known == #classes then
      if value.cols == #classes then return value end
      error(member_message(who, name, ("returns %d columns of probabilities for %d classes"):format(value.cols,
         #classes)), 0)
   end
   local at, columns = {}, {}
   for i, class in ipairs(known) do at[class] = i end
   for i, class in ipairs(classes) do
      columns[i] = at[class] and value:col(at[class]) or core.Vector(value.rows, 0)
   end
   return core.hcat(table.unpack(columns))
end

--- Numbers as a Vector, or as a Matrix if there are several targets.
function M.numbers(value)
   local kind = rows.kind(value)
   if kind == "Vector" or kind == "Matrix" then return value end
   return type(value[1]) == "table" and core.Matrix(value) or core.Vector(value)
end

--- Class probabilities of a member, with one column for each class of the ensemble.
function M.proba(self, name, model, X)
   local p = M.call(self, name, model, "predict_proba", X)
   return M.align(estimator.name(self), name, p, estimator.learned(model, "classes"), self.classes)
end

-- --- classes of ensembles with members ---

M.NOTES = "Members are named by their class in lower case or by { name, estimator }; \"drop\" removes one. model.svc "
   .. "and model[2] are members; svc__C is a parameter of one. Built-in members are fitted in parallel. Options of "
   .. "fit: on_iter, and weights if all members support them (user-defined ones declare takes = { \"weights\" })."

--- Help on learned fields: the common ones, and `more`.
function M.learned(more)
   local all = { n_features = "number of columns of X", feature_names = "column names of X, if X is a Frame",
      estimators = "list of fitted members, without dropped ones", named_estimators = "fitted members by name" }
   for name, value in pairs(more) do all[name] = value end
   return all
end

--- Add the fields `estimators` and `named_estimators` to a class.
function M.index_members(class)
   local plain = class.index
   function class.index(self, key)
      if key ~= "estimators" and key ~= "named_estimators" then return plain(self, key) end
      if not rawget(self, "fitted") then return nil end
      local list = {}
      for i, member in ipairs(M.members(self)) do list[key == "estimators" and i or member.name] = member.model end
      return list
   end
end

--- Read the table of a constructor: the list, or `estimators`, are the parts; named values are parameters.
function M.construct(who, values, words, reserved)
   local composite = require "manilius.compose.composite"
   local list, settings = {}, {}
   for key, value in pairs(values) do
      if type(key) == "number" then list[key] = value else settings[key] = value end
   end
   if settings.estimators ~= nil then
      if #list > 0 or type(settings.estimators) ~= "table" then
         error(who .. ": members must be given as a list or as estimators = list, not both", 0)
      end
      list, settings.estimators = settings.estimators, nil
   end
   settings.names, settings.models = composite.read_parts(who, list, words)
   composite.check_names(who, settings.names, reserved)
   return settings
end

return M
