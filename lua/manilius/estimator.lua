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

local M = {}

local relay = rows.relay

--- Classes by name, for loading.
local classes = {}

--- The metatable field that marks our classes; holds the class.
local CLASS = {}

-- --- what any estimator is ---

--- The class of a Lua object made by M.class, or nil.
function M.class_of(value)
   local meta = type(value) == "table" and getmetatable(value)
   return type(meta) == "table" and rawget(meta, CLASS) or nil
end

function M.class_named(name)
   return name ~= nil and classes[name]
end

--- Is this something that can be fitted?
function M.is(value)
   if rows.kind(value) == "Model" then return true end
   return type(value) == "table" and not rows.is_frame(value) and type(value.fit) == "function"
end

--- The name of an estimator, for messages.
function M.name(model)
   if type(model) == "string" then return model end
   if rows.kind(model) == "Model" then return model.class end
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
   if rows.kind(model) == "Model" then return model:can(method) or core.model_methods[method] ~= nil and
      not M.is_action(method) end
   if M.class_of(model) then return model:can(method) end
   return type(model[method]) == "function"
end

local actions = { predict = true, predict_proba = true, predict_log_proba = true, decision_function = true,
   transform = true, inverse_transform = true, score_samples = true, partial_fit = true }

--- Is this the name of something that only some estimators can do?
function M.is_action(name)
   return actions[name] == true
end

--- "classify", "regress", "cluster", "transform", ... or nil when it does not say.
function M.does(model)
   if rows.kind(model) == "Model" then
      local does = M.describe(model).does
      for _, one in ipairs { "classify", "regress", "cluster", "outliers", "density", "transform" } do
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
   local ok, value = pcall(function() return model[name] end)
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

--- A setting for a clone: estimators are cloned, all else is shared.
function M.copy_value(value)
   return M.is(value) and M.clone(value) or value
end

function M.get_params(model)
   if rows.kind(model) == "Model" or type(model.get_params) == "function" then return model:get_params() end
   local params = {}
   for _, name in ipairs(plain_names(model)) do params[name] = model[name] end
   return params
end

--- "; did you mean 'x'?" or nothing.
function M.hint(name, names)
   local near = core.nearest and core.nearest(tostring(name), names)
   return near and ("; did you mean '%s'?"):format(near) or ""
end

function M.set_params(model, values, level)
   level = (level or 1) + 1
   if rows.kind(model) == "Model" or type(model.set_params) == "function" then
      relay(level, pcall(model.set_params, model, values))
      return model
   end
   local names = plain_names(model)
   for name, value in pairs(values) do
      if not plain_has(model, names, name) then
         error(("%s has no parameter '%s'%s"):format(M.name(model), tostring(name), M.hint(name, names)), level)
      end
      model[name] = value
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

-- --- printing ---

local value_text

local MOST_SHOWN = 8

-- The first elements of a list.
local function list_text(list, n)
   local parts = {}
   for i = 1, math.min(n, MOST_SHOWN) do parts[i] = value_text(list[i]) end
   if n > MOST_SHOWN then parts[#parts + 1] = "..." end
   return "{ " .. table.concat(parts, ", ") .. " }"
end

-- What a table has by name, when that is little and plain.
local function map_text(value)
   local parts = {}
   for key, one in next, value do
      if type(one) == "table" or type(key) == "table" or #parts >= MOST_SHOWN then return "{...}" end
      parts[#parts + 1] = ("%s = %s"):format(type(key) == "string" and key or "[" .. tostring(key) .. "]",
         value_text(one))
   end
   table.sort(parts)
   return #parts > 0 and "{ " .. table.concat(parts, ", ") .. " }" or "{}"
end

--- A value as it would be written, in one line.
function value_text(value)
   if type(value) == "string" then return ("%q"):format(value) end
   if type(value) == "number" then
      return math.type(value) == "integer" and tostring(value) or ("%.6g"):format(value)
   end
   if M.is(value) then return M.one_line(value) end
   if type(value) == "function" then return "function" end
   local kind = rows.kind(value)
   if kind == "Vector" then return list_text(value, #value) end
   if kind == "table" then
      local meta = getmetatable(value)
      if type(meta) == "table" and meta.__tostring then return (tostring(value):match "^[^\n]*") end
      return #value > 0 and list_text(value, #value) or map_text(value)
   end
   if kind == "userdata" or type(value) ~= "userdata" and kind ~= "Frame" then return tostring(value) end
   return (tostring(value):match "^[^\n]*")
end

M.value_text = value_text

local function settings_of_core(model)
   local parts, params = {}, model:get_params()
   for _, p in ipairs(M.describe(model).params) do
      local value = params[p.name]
      if (p.penalty or value ~= p.default) and not (value == nil and p.default == nil) then
         parts[#parts + 1] = ("%s = %s"):format(p.name, value_text(value))
      end
   end
   if params.class_weight ~= nil then parts[#parts + 1] = "class_weight = " .. value_text(params.class_weight) end
   return parts
end

local function settings_of_class(model, class)
   local parts = {}
   for _, name in ipairs(class.param_names) do
      local value = rawget(model, name)
      if value ~= nil and value ~= class.params[name] then
         parts[#parts + 1] = ("%s = %s"):format(name, value_text(value))
      end
   end
   return parts
end

--- An estimator in one line: its name, and what is not as by default.
function M.one_line(model)
   if type(model) == "string" then return model end
   local class = M.class_of(model)
   local parts
   if class and class.one_line then return class.one_line(model) end
   if rows.kind(model) == "Model" then
      parts = settings_of_core(model)
   elseif class then
      parts = settings_of_class(model, class)
   else
      return M.name(model)
   end
   return ("%s {%s}"):format(M.name(model), #parts > 0 and " " .. table.concat(parts, ", ") .. " " or "")
end

-- --- methods that all have ---

--- Options of fit, transform, ... that are for a step: { step__weights = w } -> { weights = w } for `step`.
function M.options_of(options, step)
   local own
   for name, value in pairs(options or {}) do
      local head, rest = tostring(name):match("^(.-)__(.+)$")
      if head == step then
         own = own or {}
         own[rest] = value
      end
   end
   return own
end

local generic = {}

--- The score of predictions for X against y: accuracy for classifiers, R2 for regressors.
-- @param options { weights =, scoring = a name or a scorer }
function generic.score(model, X, y, options)
   return (require("manilius.evaluate").score(model, X, y, options, 2)) -- no tail call: errors count levels
end

--- fit(X, y, options), then transform(X).
function generic.fit_transform(model, X, y, options)
   relay(2, pcall(model.fit, model, X, y, options))
   return (relay(2, pcall(model.transform, model, X)))
end

--- fit(X, y, options), then predict(X).
function generic.fit_predict(model, X, y, options)
   relay(2, pcall(model.fit, model, X, y, options))
   return (relay(2, pcall(model.predict, model, X)))
end

--- Write the model to a file; ml.load reads it.
function generic.save(model, path)
   require("manilius.save").save(model, path, 2)
   return model
end

--- The model as bytes; ml.load takes them.
function generic.dump(model)
   return (require("manilius.save").dump(model, 2))
end

-- --- classes ---

local base = {}
for name, method in pairs(generic) do base[name] = method end

function base.get_params(self)
   local class, params = M.class_of(self), {}
   for _, name in ipairs(class.param_names) do
      local value = rawget(self, name)
      params[name] = value
      if M.is(value) then
         for inner, one in pairs(M.get_params(value)) do params[name .. "__" .. inner] = one end
      end
   end
   return params
end

local function check_names(class, values, level)
   for name in pairs(values) do
      if not contains(class.param_names, name) then
         error(("%s has no parameter '%s'%s"):format(class.name, tostring(name), M.hint(name, class.param_names)),
            level + 1)
      end
   end
end

--- Check the settings of a draft, then take them over: on failure the model is as it was.
local function settle(self, class, draft, level)
   if class.check then relay(level + 1, pcall(class.check, draft)) end
   for _, name in ipairs(class.param_names) do rawset(self, name, rawget(draft, name)) end
end

function base.set_params(self, values)
   local class = M.class_of(self)
   local own, nested = M.by_step(values)
   check_names(class, own, 2)
   local draft = setmetatable({}, getmetatable(self))
   for _, name in ipairs(class.param_names) do
      local value = own[name]
      if value == nil then value = rawget(self, name) end
      rawset(draft, name, value)
   end
   for name, inner in pairs(nested) do
      local model = contains(class.param_names, name) and rawget(draft, name)
      if not M.is(model) then
         error(("%s has no parameter '%s'%s"):format(class.name, name, M.hint(name, class.param_names)), 2)
      end
      model = M.copy_value(model)
      M.set_params(model, inner, 2)
      rawset(draft, name, model)
   end
   settle(self, class, draft, 2)
   return self
end

function base.clone(self)
   local class = M.class_of(self)
   local copy = setmetatable({}, getmetatable(self))
   for _, name in ipairs(class.param_names) do copy[name] = M.copy_value(rawget(self, name)) end
   return copy
end

function base.can(self, name)
   local class = M.class_of(self)
   if class.can then return class.can(self, name) end
   return type(class.methods[name]) == "function"
end

local function need_fitted(class, self, method, level)
   if not rawget(self, "fitted") then
      error(("%s: call fit before %s"):format(class.name, method), level + 1)
   end
end

M.need_fitted = function(self, method, level) need_fitted(M.class_of(self), self, method, level + 1) end

-- Everything that fit has learned goes into the model at once, when nothing can fail any more.
local function swap(self, draft)
   for name in pairs(self) do rawset(self, name, nil) end
   for name, value in pairs(draft) do rawset(self, name, value) end
   rawset(self, "fitted", true)
end

local function fit_on_copy(class, fit)
   return function(self, X, y, options)
      local draft = M.clone(self)
      if options ~= nil and type(options) ~= "table" then
         error(("%s: options must be a table, got %s"):format(class.name, type(options)), 2)
      end
      relay(2, pcall(fit, draft, X, y, options))
      swap(self, draft)
      return self
   end
end

local function fitted_first(class, name, method)
   return function(self, ...)
      need_fitted(class, self, name, 2)
      return method(self, ...)
   end
end

local function make_meta(class)
   local meta = { [CLASS] = class, __name = class.name, __metatable = nil }
   function meta.__index(self, key)
      local found = class.methods[key]
      if found ~= nil then return found end
      if key == "class" then return class.name end
      if key == "does" then return class.does end
      if key == "fitted" then return false end
      if class.index then
         found = class.index(self, key)
         if found ~= nil then return found end
      end
      if actions[key] then error(("%s has no %s"):format(class.name, key), 2) end
      return nil
   end
   function meta.__tostring(self)
      return class.tostring and class.tostring(self) or M.one_line(self)
   end
   return meta
end

local reserved = { name = true, params = true, does = true, check = true, index = true, tostring = true,
   one_line = true, can = true, construct = true, ours = true, saved = true, restored = true }

local function sorted_keys(t)
   local names = {}
   for name in pairs(t) do names[#names + 1] = name end
   table.sort(names)
   return names
end

--- A class of estimators from its definition; see the head of this file. Further fields: check(self) raises when
-- settings do not fit together; construct(values) makes the settings of the constructor's table; index(self, key)
-- answers for other names; saved(self) and restored(fields) for what an archive shall hold in place of all fields.
-- @treturn function the constructor
-- @treturn table the class
function M.class(definition)
   local class = { methods = {}, params = definition.params or {}, param_names = sorted_keys(definition.params or {}) }
   for name in pairs(reserved) do class[name] = class[name] or definition[name] end
   if type(class.name) ~= "string" then error("Estimator: name must be a string, got " .. type(class.name), 2) end
   if type(definition.fit) ~= "function" then
      error(("Estimator: %s must have a function fit(self, X, y, options)"):format(class.name), 2)
   end
   for name, method in pairs(base) do class.methods[name] = method end
   for name, method in pairs(definition) do
      if not reserved[name] then
         class.methods[name] = actions[name] and fitted_first(class, name, method) or method
      end
   end
   class.methods.fit = fit_on_copy(class, definition.fit)
   class.meta, class.ours = make_meta(class), definition.ours == true
   classes[class.name] = class
   return function(values)
      if values ~= nil and type(values) ~= "table" then
         error(("%s: parameters must be a table, got %s"):format(class.name, type(values)), 2)
      end
      local settings = values or {}
      if class.construct then settings = relay(2, pcall(class.construct, settings)) end
      check_names(class, settings, 2)
      local self, draft = setmetatable({}, class.meta), setmetatable({}, class.meta)
      for name, default in pairs(class.params) do
         if default ~= M.NONE then rawset(draft, name, default) end
      end
      for name, value in pairs(settings) do rawset(draft, name, value) end
      settle(self, class, draft, 2)
      return self
   end, class
end

--- Stands for "no default" in a table of params.
M.NONE = setmetatable({}, { __tostring = function() return "none" end })

--- ml.Estimator: a class of the user's own, under a name that is not one of ours.
function M.Estimator(definition)
   if type(definition) ~= "table" then error("Estimator: a table expected, got " .. type(definition), 2) end
   local name = definition.name
   require "manilius.classes"
   local known = name ~= nil and classes[name]
   if name == "Frame" or (name ~= nil and core.constructors[name]) or (known and known.ours) then
      error(("Estimator: there is a %s already; give yours another name"):format(name), 2)
   end
   local constructor, class = relay(2, pcall(M.class, definition))
   return constructor, class
end

-- --- the models of the core ---

--- Add what is the same for all to the methods of the core's models.
function M.install(methods)
   for name, method in pairs(generic) do
      if name ~= "dump" then methods[name] = method end
   end
end

return M
