--- The contract of estimators in Lua.
--
-- Any table with fit(self, X, y, options) and predict or transform composes with the estimators of the core. Pipelines
-- and searches copy it: by its method clone(); or, with a list `params` of the names of its settings, those and its
-- functions; or else all that it holds, tables within it too. Functions are shared, so state belongs in self.
--
-- The full contract comes with ml.Estimator, which makes a constructor:
--
--    local NearestMean = ml.Estimator {
--       name = "NearestMean", does = "classify", params = { shrink = 0 },
--       fit = function(self, X, y, options) self.means = ...  return self end,
--       predict = function(self, X) ... end,
--    }
--    local model = NearestMean { shrink = 0.1 }:fit(X, y)
--
-- It adds get_params, set_params, clone, can, score, fit_transform, fit_predict, save, dump, printing, and a fit that
-- works on a copy: when it fails, the model is as it was. What fit stores in self must be numbers, texts, booleans,
-- matrices, vectors, factors, models or tables of them if the model is to be saved.
-- @module manilius.estimator

local core = require "manilius.core"
local rows = require "manilius.rows"
local text = require "manilius.text"

local M = {}

local rethrow = rows.rethrow

--- Classes by name, for loading.
local classes = {}

--- The metatable field that marks our classes; holds the class.
local CLASS = {}
M.CLASS, M.classes = CLASS, classes

-- --- what any estimator is ---

--- The class of a Lua object made by M.class, or nil.
function M.class_of(value)
   local meta = type(value) == "table" and getmetatable(value)
   return type(meta) == "table" and rawget(meta, CLASS) or nil
end

function M.class_named(name)
   return name ~= nil and classes[name]
end

local function at(value, key) return value[key] end

--- Has a table a method of that name? Objects that refuse names they do not know have none.
function M.has_method(value, name)
   if type(value) ~= "table" then return false end
   local ok, found = rows.try(at, value, name)
   return ok and type(found) == "function"
end

--- Is this something that can be fitted?
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

local descriptions = {}

--- What the core's tables say about a model of its own.
function M.describe(model)
   local name = model.class
   descriptions[name] = descriptions[name] or core.describe(name)
   return descriptions[name]
end

--- Has it this method?
function M.can(model, method)
   if type(method) ~= "string" then return false end
   if rows.kind(model) == "Model" then return model:can(method) or core.model_methods[method] ~= nil and
      not M.is_action(method) end
   if M.class_of(model) then return model:can(method) end
   return M.has_method(model, method)
end

--- How a fitted model of the core that iterates came to its end. Rounds of boosting are what was ordered: that they did
-- not converge is no news.
function M.ended(model)
   local converged = model.converged -- nil after a batch
   if M.can(model, "staged") then
      return (converged and "stopped after " or "") .. text.plural(model.n_iter, "round")
   end
   local how = converged and "converged in " or converged == false and "not converged after " or ""
   return how .. text.plural(model.n_iter, "iteration")
end

local actions = { predict = true, predict_proba = true, predict_log_proba = true, decision_function = true,
   transform = true, inverse_transform = true, score_samples = true, partial_fit = true }

--- Is this the name of something that only some estimators can do?
function M.is_action(name)
   return actions[name] == true
end

--- "classify", "regress", "rank", "cluster", "transform", ... or nil when it does not say.
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

--- A value of a fitted model that not every model has (classes, feature_names, ...), or nil.
function M.learned(model, name)
   local ok, value = rows.try(at, model, name)
   return ok and value or nil
end

local function contains(list, value)
   for _, one in ipairs(list) do
      if one == value then return true end
   end
   return false
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

-- The settings of a plain table: those of its list `params`, else all it holds but its functions.
local function plain_names(model)
   if type(model.params) == "table" then return model.params end
   local names = {}
   for name, value in pairs(model) do
      if type(name) == "string" and type(value) ~= "function" then names[#names + 1] = name end
   end
   table.sort(names)
   return names
end

-- Also one that its metatable gives, where it has no list.
local function plain_has(model, names, name)
   if contains(names, name) then return true end
   local default = type(model.params) ~= "table" and model[name]
   return default and type(default) ~= "function"
end

--- The same settings, not fitted.
function M.clone(model)
   if type(model) == "string" then return model end
   if rows.kind(model) == "Model" or type(model.clone) == "function" then return model:clone() end
   return plain_copy(model)
end

--- ml.unset is how nil is said where a table cannot hold one: in set_params, in the lists of a search.
function M.unless_unset(value)
   if value == core.unset then return nil end
   return value
end

--- A setting for a clone: estimators are cloned, all else is shared.
function M.copy_value(value)
   return M.is(value) and M.clone(value) or value
end

-- Where compositions that leave X as it is keep what they are made of.
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

--- The y of an X that holds it, as a model of a formula finds it, also within searches and ensembles; what is given
-- goes before it.
-- @return y, or nil
-- @return where the formula has told it, the columns of X that stand on its right side; else X
function M.answers(model, X, y)
   local class = M.class_of(model)
   if y ~= nil or not class then return y, X end
   if class.answers then return class.answers(model, X) end
   for _, part in ipairs(class.ours and parts_of(model, class) or {}) do
      local found, right = M.answers(part, X)
      if found ~= nil then return found, right end
   end
   return nil, X
end

-- The name of the class that has a setting of that name: the model's, or that of what it is made of.
local function home_of_setting(model, name)
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
      local home = home_of_setting(part, name)
      if home then return home end
   end
end

--- ", which is a parameter: ml.Ridge{ alpha = ... }" of an option of that name, or nil where it is none.
function M.setting_text(model, name)
   local home = home_of_setting(model, name)
   return home and (", which is a parameter: ml.%s{ %s = ... }"):format(home, name) or nil
end

function M.get_params(model)
   if rows.kind(model) == "Model" or type(model.get_params) == "function" then return model:get_params() end
   local params = {}
   for _, name in ipairs(plain_names(model)) do params[name] = model[name] end
   return params
end

--- A method by its name, which need not be there: for pcall, so that a missing one is told as what it raises is.
function M.call(model, method, ...)
   return model[method](model, ...)
end

--- "; did you mean 'x'?" or nothing.
M.hint = text.near

function M.set_params(model, values, level)
   level = (level or 1) + 1
   if rows.kind(model) == "Model" or type(model.set_params) == "function" then
      rethrow(level, pcall(model.set_params, model, values))
      return model
   end
   local names = plain_names(model)
   for name, value in pairs(values) do
      if not plain_has(model, names, name) then
         error(("%s has no parameter '%s'%s"):format(M.name(model), tostring(name), M.hint(name, names)), level)
      end
      model[name] = M.unless_unset(value)
   end
   return model
end

--- Settings with names like "step__name", by step: { step = { name = value } }, and those without.
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
