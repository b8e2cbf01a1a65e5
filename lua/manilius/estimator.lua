--- Estimators written in Lua.
--
-- Any table with fit(self, X, y, options) and predict or transform can be combined with built-in estimators. Pipelines
-- and searches copy it with its method clone(). Without one they copy the settings named in its list `params` and its
-- functions, or without such a list all fields, deeply. Functions are shared, so state belongs in self.
--
-- ml.Estimator provides the full contract; it returns a constructor:
--
--    local NearestMean = ml.Estimator {
--       name = "NearestMean", does = "classify", params = { shrink = 0 },
--       fit = function(self, X, y, options) self.means = ...  return self end,
--       predict = function(self, X) ... end,
--    }
--    local model = NearestMean { shrink = 0.1 }:fit(X, y)
--
-- It adds get_params, set_params, clone, can, score, fit_transform, fit_predict, save, dump and printing. fit works on
-- a copy, so that an error leaves the model unchanged. To save a model, its fields must be numbers, strings, booleans,
-- matrices, vectors, factors, models or tables of these.

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local rethrow = rows.rethrow

--- Classes by name, for loading.
local classes = {}

--- The metatable field that holds the class.
local CLASS = {}
M.CLASS, M.classes = CLASS, classes

-- --- any estimator ---

--- The class of a Lua object made by M.class, or nil.
function M.class_of(value)
   local meta = type(value) == "table" and getmetatable(value)
   return type(meta) == "table" and rawget(meta, CLASS) or nil
end

function M.class_named(name)
   return name ~= nil and classes[name]
end

local function get_field(value, key) return value[key] end

--- Does a table have a method of that name? Some objects raise an error for unknown names; these have none.
function M.has_method(value, name)
   if type(value) ~= "table" then return false end
   local ok, found = rows.try(get_field, value, name)
   return ok and type(found) == "function"
end

--- Is the value an estimator?
function M.is(value)
   if rows.kind(value) == "Model" then return true end
   return not rows.is_frame(value) and M.has_method(value, "fit")
end

--- The name of an estimator, for messages.
function M.name(model)
   if type(model) == "string" then return model end
   if rows.kind(model) == "Model" then return M.learned(model, "class") or "closed model" end
   local class = M.class_of(model)
   if class then return class.name end
   local meta = getmetatable(model)
   local name = rawget(model, "name") or (type(meta) == "table" and meta.__name)
   return type(name) == "string" and name or "estimator"
end

--- The name for titles and results: for a model with a formula, that of its estimator.
function M.title(model)
   local class = M.class_of(model)
   return class and class.name == "FormulaModel" and M.name(model.model) or M.name(model)
end

--- The same of the last step of a pipeline.
function M.last_title(model)
   local class = M.class_of(model)
   if class and class.name == "Pipeline" then return M.last_title(model.models[#model.models]) end
   return M.title(model)
end

local descriptions = {}

--- The class table of a built-in model.
function M.describe(model)
   local name = model.class
   descriptions[name] = descriptions[name] or core.describe(name)
   return descriptions[name]
end

--- Is this a built-in estimator that gives other rows to the next step of a pipeline in fit?
function M.resamples(model)
   return rows.kind(model) == "Model" and M.describe(model).resamples_rows == true
end

--- Does the model support this method?
function M.can(model, method)
   if type(method) ~= "string" then return false end
   if method == "fit_resample" then return M.resamples(model) end
   if rows.kind(model) == "Model" then return model:can(method) or core.model_methods[method] ~= nil and
      not M.is_action(method) end
   if M.class_of(model) then return model:can(method) end
   return M.has_method(model, method)
end

--- The number of iterations of a fitted built-in model and whether it converged, as text. For boosting only early
-- stopping is mentioned, because usually all rounds are used.
function M.iteration_text(model)
   local converged = model.converged -- nil after partial_fit
   if M.can(model, "staged") then
      return (converged and "stopped after " or "") .. text.plural(model.n_iter, "round")
   end
   local how = converged and "converged in " or converged == false and "not converged after " or ""
   return how .. text.plural(model.n_iter, "iteration")
end

local actions = { predict = true, predict_proba = true, predict_log_proba = true, decision_function = true,
   transform = true, inverse_transform = true, score_samples = true, partial_fit = true }

--- Is this the name of a method that only some estimators have?
function M.is_action(name)
   return actions[name] == true
end

--- "classify", "regress", "rank", "cluster", "transform", ..., or nil if unknown.
function M.does(model)
   if rows.kind(model) == "Model" then
      local does = M.describe(model).does
      for _, one in ipairs { "classify", "regress", "rank", "cluster", "outliers", "density", "transform" } do
         if does[one] then return one end
      end
      return nil
   end
   local does = model.does
   if type(does) == "function" then return does(model) end
   return type(does) == "string" and does or nil
end

--- A learned field that not every model has (classes, feature_names, ...), or nil.
function M.learned(model, name)
   local ok, value = rows.try(get_field, model, name)
   return ok and value or nil
end

--- The labels of the rows X to which a clustering was fitted: by predict, or without predict those that it learned.
-- @param options of predict
function M.training_labels(model, X, options)
   if M.can(model, "predict") then return model:predict(X, options) end
   local class = M.class_of(model)
   if class and class.name == "Pipeline" then return M.training_labels(model.models[#model.models], X) end
   local labels = M.learned(model, "labels")
   if labels ~= nil and #labels ~= rows.count(X) then
      error(("%s has no predict: X must be the %d rows of fit, got %d"):format(M.name(model), #labels,
         rows.count(X)), 0)
   end
   return labels
end

local function deep_copy(value, seen)
   if type(value) ~= "table" or (getmetatable(value) and not M.is(value)) then return value end
   if seen[value] then return seen[value] end
   if M.is(value) and next(seen) then return M.clone(value) end
   local copy = {}
   seen[value] = copy
   for key, one in pairs(value) do copy[key] = deep_copy(one, seen) end
   return setmetatable(copy, getmetatable(value))
end

local function plain_copy(model)
   if type(model.params) ~= "table" then return deep_copy(model, {}) end
   local copy = {}
   for _, name in ipairs(model.params) do copy[name] = M.copy_value(model[name]) end
   for name, value in pairs(model) do
      if type(value) == "function" then copy[name] = value end
   end
   copy.params, copy.name, copy.does = rawget(model, "params"), rawget(model, "name"), rawget(model, "does")
   return setmetatable(copy, getmetatable(model))
end

-- The names of the settings of a plain table: its list `params`, or all fields except functions.
local function plain_names(model)
   if type(model.params) == "table" then return model.params end
   local names = {}
   for name, value in pairs(model) do
      if type(name) == "string" and type(value) ~= "function" then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

-- Without a list `params`, settings may also come from the metatable.
local function has_plain_setting(model, names, name)
   if text.contains(names, name) then return true end
   local default = type(model.params) ~= "table" and model[name]
   return default and type(default) ~= "function"
end

--- An unfitted copy with the same settings.
function M.clone(model)
   if type(model) == "string" then return model end
   if rows.kind(model) == "Model" or type(model.clone) == "function" then return model:clone() end
   return plain_copy(model)
end

--- Convert ml.unset, which stands for nil in tables, to nil.
function M.unset_to_nil(value)
   if value == core.unset then return nil end
   return value
end

--- Copy a setting for a clone: estimators are cloned, other values are shared.
function M.copy_value(value)
   return M.is(value) and M.clone(value) or value
end

-- Fields with the inner estimator of compositions that do not change X.
local INNER = { "model", "estimator", "regressor" }

local function parts_of(model, class)
   local found = {}
   for _, name in ipairs(INNER) do
      local part = class.is_param[name] and rawget(model, name)
      if part then found[#found + 1] = part end
   end
   for _, part in ipairs(class.name ~= "Pipeline" and rawget(model, "models") or {}) do found[#found + 1] = part end
   return found
end

-- Does y reach a class with this field? A composition passes y to its last step or inner estimator.
local function reaches(model, field)
   if rows.kind(model) == "Model" then return M.describe(model).takes[field] == true end
   local class = M.class_of(model)
   if not class then return false end
   if class[field] then return true end
   if class.name == "Pipeline" then return reaches(model.models[#model.models], field) end
   local inner = class.ours and not class.own_target and class.inner and rawget(model, class.inner)
   return inner and reaches(inner, field) or false
end

--- Does the model, or a step of it, use the lengths of sequences or queries?
function M.takes_lengths(model)
   local class = M.class_of(model)
   if not class or class.name ~= "Pipeline" then return reaches(model, "lengths") end
   for _, step in ipairs(model.models) do
      if M.takes_lengths(step) then return true end
   end
   return false
end

--- May y have missing labels?
function M.takes_unlabelled(model)
   return reaches(model, "unlabelled")
end

--- May y be a Frame with several columns, whose names the model learns?
function M.takes_named_targets(model)
   return reaches(model, "several_targets")
end

--- The target for an X: y if it is given, otherwise the left side of the formula of the model or of an inner estimator.
-- Returns y or nil, and the X that the model uses: the columns on the right side if the target comes from a formula.
function M.find_target(model, X, y)
   local class = M.class_of(model)
   if y ~= nil or not class then return y, X end
   if class.find_target then return class.find_target(model, X) end
   for _, part in ipairs(class.ours and parts_of(model, class) or {}) do
      local found, right = M.find_target(part, X)
      if found ~= nil then return found, right end
   end
   return nil, X
end

-- The name of the class that has a setting of this name: that of the model or of an inner estimator.
local function class_with_setting(model, name)
   if rows.kind(model) == "Model" then
      local about = M.describe(model)
      for _, param in ipairs(about.params) do
         if param.name == name then return model.class end
      end
      return name == "class_weight" and about.does.classify and about.takes.class_weight and model.class or nil
   end
   local class = M.class_of(model)
   if not class then return nil end
   if class.is_param[name] and name ~= "names" and name ~= "models" then return class.name end
   for _, part in ipairs(parts_of(model, class)) do
      local home = class_with_setting(part, name)
      if home then return home end
   end
end

--- ", which is a parameter: ml.Ridge{ alpha = ... }" if a setting has this name, otherwise nil.
function M.setting_text(model, name)
   local home = class_with_setting(model, name)
   return home and (", which is a parameter: ml.%s{ %s = ... }"):format(home, name) or nil
end

function M.get_params(model)
   if rows.kind(model) == "Model" or type(model.get_params) == "function" then return model:get_params() end
   local params = {}
   for _, name in ipairs(plain_names(model)) do params[name] = model[name] end
   return params
end

--- Call a method by name, for use with pcall: an unknown name raises an error.
function M.call(model, method, ...)
   return model[method](model, ...)
end

--- "; did you mean 'x'?" or "".
M.hint = text.near

--- The same, with the full name of a parameter of a part: step__C for C, step.C or C of the step.
function M.nested_hint(model, name, names)
   local wanted, found = tostring(name):gsub("%.", "__"), {}
   for one in pairs(M.get_params(model)) do
      if one == wanted or one:sub(-#wanted - 2) == "__" .. wanted then found[#found + 1] = one end
   end
   if #found == 0 then return M.hint(name, names) end
   table.sort(found, function(a, b)
      if #a ~= #b then return #a < #b end
      return a < b
   end)
   return ("; did you mean '%s'?"):format(found[1])
end

function M.set_params(model, values, level)
   level = (level or 1) + 1
   if rows.kind(model) == "Model" or type(model.set_params) == "function" then
      rethrow(level, pcall(model.set_params, model, values))
      return model
   end
   local names = plain_names(model)
   for name, value in pairs(values) do
      if not has_plain_setting(model, names, name) then
         error(("%s has no parameter '%s'%s"):format(M.name(model), tostring(name), M.hint(name, names)), level)
      end
      model[name] = M.unset_to_nil(value)
   end
   return model
end

--- Split settings into those without a step and those named "step__name": { step = { name = value } }.
function M.by_step(values)
   local own, nested = {}, {}
   for name, value in pairs(values) do
      local step, rest = tostring(name):match("^(.-)__(.+)$")
      if step then
         nested[step] = nested[step] or {}
         nested[step][rest] = value
      else
         own[name] = value
      end
   end
   return own, nested
end
require "manilius.estimator.text"(M)
require "manilius.estimator.class"(M)

return M
