--- Classes of estimators in Lua: constructors, settings, common methods, and a fit that changes nothing on error. The
-- functions are added to manilius.estimator.

local core = require "manilius.core"
local members = require "manilius.compose.members"
local printable = require "manilius.options".printable
local rows = require "manilius.rows"

local rethrow = rows.rethrow
local M -- manilius.estimator

--- Stands for no default (nil) in a table of params.
local NONE = setmetatable({}, { __tostring = function() return "none" end })

-- --- common methods ---

--- The options for one step: { step__weights = w } -> { weights = w }.
local function options_of(options, step)
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

-- Raise an error if a method was called with a dot instead of a colon.
local function need_model(model, method)
   if M.is(model) then return end
   error(("%s: call it with a colon, as in model:%s(...), got %s in place of the model"):format(method, method,
      rows.kind(model)), 3)
end

--- The class of a composition; an error if the method was called on anything else.
local function need_class(self, method, level)
   local class = M.class_of(self)
   if class then return class end
   error(("%s: call it with a colon, as in model:%s(...), got %s in place of the model"):format(method, method,
      M.is(self) and M.name(self) or rows.kind(self)), level + 1)
end

local function need_table(who, what, value)
   if type(value) ~= "table" then error(("%s: %s must be a table, got %s"):format(who, what, rows.kind(value)), 3) end
end

--- The score of predictions for X against y: accuracy for classifiers, R2 for regressors.
-- @param options { weights =, scoring = a name or a scorer }
function generic.score(model, X, y, options)
   need_model(model, "score")
   return (require("manilius.select.evaluate").score(model, X, y, options, 2)) -- not a tail call: errors count levels
end

-- The options of an action on the rows of fit: their lengths, if fit got them and the model uses them.
local function lengths_of(model, options)
   local given = type(options) == "table" and options.lengths
   return given and M.takes_lengths(model) and { lengths = given } or nil
end

--- fit(X, y, options), then transform(X); where transform uses y, the features of these rows are cross-fitted.
function generic.fit_transform(model, X, y, options)
   need_model(model, "fit_transform")
   local is_core = rows.kind(model) == "Model"
   local made = rethrow(2, pcall(is_core and core.fit_transform or model.fit, model, X, y, options))
   if is_core and made then return made end
   if is_core and M.describe(model).cross_fitted then
      return (rethrow(2, pcall(core.transform_training, model, X, y, options)))
   end
   return (rethrow(2, pcall(M.call, model, "transform", X, lengths_of(model, options))))
end

--- Fit a resampler; returns X and y of the resampled rows, and their weights if the option weights was given.
function generic.fit_resample(model, X, y, options)
   need_model(model, "fit_resample")
   if not M.can(model, "fit_resample") then error(M.name(model) .. " has no fit_resample", 2) end
   if options ~= nil and rows.kind(options) ~= "table" then
      error(("%s: options must be a table, got %s"):format(M.name(model), rows.kind(options)), 2)
   end
   X = rows.x(M.name(model), X, 2)
   local weights
   for name, value in pairs(options or {}) do
      if name ~= "weights" then
         error(("%s: fit_resample has no option '%s', only weights"):format(M.name(model), tostring(name)), 2)
      end
      weights = rows.y(M.name(model) .. ": weights", value, rows.count(X), 2)
   end
   y = rows.y(M.name(model), y, rows.count(X), 2)
   local source, made = rethrow(2, pcall(core.fit_resample, model, X, y))
   return made or rows.take(X, source), rows.take(y, source), rows.take(weights, source)
end

--- fit(X, y, options), then predict(X); the labels of a clustering without predict.
function generic.fit_predict(model, X, y, options)
   need_model(model, "fit_predict")
   rethrow(2, pcall(model.fit, model, X, y, options))
   local lengths = lengths_of(model, options)
   if M.does(model) == "cluster" then return (rethrow(2, pcall(M.training_labels, model, X, lengths))) end
   return (rethrow(2, pcall(M.call, model, "predict", X, lengths)))
end

--- Write the model to a file; ml.load reads it.
function generic.save(model, path)
   need_model(model, "save")
   require("manilius.save").save(model, path, 2)
   return model
end

--- The model as a string for ml.load.
function generic.dump(model)
   need_model(model, "dump")
   return (require("manilius.save").dump(model, 2))
end

--- Export the fitted model as C99 or Lua source: returns a string, or writes a file if a path is given.
function generic.export_c(model, path, options)
   need_model(model, "export_c")
   return (require("manilius.export").export_c(model, path, options, 2))
end

function generic.export_lua(model, path, options)
   need_model(model, "export_lua")
   return (require("manilius.export").export_lua(model, path, options, 2))
end

--- Export trees as an XGBoost model: returns a string, or writes a file if a path is given.
function generic.export_xgboost(model, path)
   need_model(model, "export_xgboost")
   return (require("manilius.export").export_xgboost(model, path, 2))
end

-- --- classes ---

local base = {}
for name, method in pairs(generic) do base[name] = method end
base.fit_resample = nil -- resamplers are built-in estimators

function base.get_params(self)
   local class, params = need_class(self, "get_params", 2), {}
   for _, name in ipairs(class.param_names) do
      local value = rawget(self, name)
      params[name] = value
      if M.is(value) then
         for inner, one in pairs(M.get_params(value)) do params[name .. "__" .. inner] = one end
      end
   end
   return printable(params)
end

-- The nearest name, else how the object is written.
local function hint_for(class, name)
   local hint, use = M.hint(name, class.param_names), class.help and class.help.use
   return hint == "" and use and "; write " .. use or hint
end

-- For step__name where there is no such step: the full name, or that of the parameter of the inner estimator.
local function step_hint(class, model, step, inner)
   local hint = M.hint(step, class.param_names)
   if hint == "" then hint = M.nested_hint(model, ("%s__%s"):format(step, next(inner)), {}) end
   return hint == "" and M.nested_hint(model, next(inner), {}) or hint
end

local function check_names(class, values, level, model)
   for name in pairs(values) do
      if not class.is_param[name] then
         local hint = model and M.nested_hint(model, name, class.param_names) or hint_for(class, name)
         error(("%s has no parameter '%s'%s"):format(class.name, tostring(name), hint), level + 1)
      end
   end
end

--- Check the settings of a copy, then store them in the model; an error leaves it unchanged.
local function apply_settings(self, class, copy, level)
   if class.check then rethrow(level + 1, pcall(class.check, copy)) end
   for _, name in ipairs(class.param_names) do rawset(self, name, rawget(copy, name)) end
end

function base.set_params(self, values)
   local class = need_class(self, "set_params", 2)
   need_table(class.name, "parameters", values)
   local own, nested = M.by_step(values)
   check_names(class, own, 2, self)
   local copy = setmetatable({}, getmetatable(self))
   for _, name in ipairs(class.param_names) do
      local value = own[name]
      if value == nil then value = rawget(self, name) end
      rawset(copy, name, M.unset_to_nil(value))
   end
   for name, inner in pairs(nested) do
      local model = class.is_param[name] and rawget(copy, name)
      if not M.is(model) then
         error(("%s has no parameter '%s'%s"):format(class.name, name, step_hint(class, self, name, inner)), 2)
      end
      model = M.copy_value(model)
      M.set_params(model, inner, 2)
      rawset(copy, name, model)
   end
   apply_settings(self, class, copy, 2)
   return self
end

function base.clone(self)
   local class = need_class(self, "clone", 2)
   local copy = setmetatable({}, getmetatable(self))
   for _, name in ipairs(class.param_names) do rawset(copy, name, M.copy_value(rawget(self, name))) end
   return copy
end

function base.can(self, name)
   local class = need_class(self, "can", 2)
   if name == "export_xgboost" and class.methods[name] == generic[name] then return false end
   if class.can then return class.can(self, name) end
   return type(class.methods[name]) == "function"
end

local function need_fitted(class, self, method, level)
   if not rawget(self, "fitted") then
      error(("%s: call fit before %s"):format(class.name, method), level + 1)
   end
end

local function need_fitted_one(self, method, level)
   need_fitted(need_class(self, method, level + 1), self, method, level + 1)
end

--- The job of fit_async that fits a composition. Weak: it keeps neither alive.
local job_of = setmetatable({}, { __mode = "kv" })

local function set_job(model, job)
   job_of[model] = job
end

--- Raise an error if a running job will replace the state of the model.
local function need_no_job(model, what, level)
   local job = job_of[model]
   if job and core.job_is_open(job) then
      error(("%s: cannot be %s while its job runs; call wait() or cancel() on the job"):format(M.name(model), what),
         level + 1)
   end
end

function base.fit_async(self)
   error(("%s: fit_async is only supported by built-in estimators and Pipelines of them"):format(M.name(self)), 2)
end

-- A copy of the model to fit.
local function copy_to_fit(class, self)
   local copy = M.clone(self)
   if class.check then rethrow(3, pcall(class.check, copy)) end -- fields may have been assigned without a check
   rawset(copy, members.FITTING, true)
   return copy
end

-- Let lists that the model has learned, such as classes, print their elements.
local function show_lists(self)
   local class = M.class_of(self)
   for name in pairs(class.ours and class.learned or {}) do
      local value = rawget(self, name)
      if type(value) == "table" and getmetatable(value) == nil and rawlen(value) > 0 then
         setmetatable(value, core.list_meta)
      end
   end
end

-- Replace the fields of the model by those of its fitted copy; nothing can fail here.
local function replace_fields(self, copy)
   rawset(copy, members.FITTING, nil)
   show_lists(copy)
   for name in next, self do rawset(self, name, nil) end
   for name, value in next, copy do rawset(self, name, value) end
   rawset(self, "fitted", true)
end

-- Raise an error for model.fit(X, y) instead of model:fit(X, y).
local function need_object(class, self, method, level)
   if M.class_of(self) == class then return end
   error(("%s: call %s with a colon, as in model:%s(X)"):format(class.name, method, method), level + 1)
end

-- The method that runs fit(copy, X, y, options) and replaces the model by the copy. It returns the model, or what fit
-- returned if `returns_result`.
local function fit_on_copy(class, name, fit, returns_result)
   return function(self, X, y, options)
      if name ~= "fit" then need_model(self, name) end
      need_object(class, self, name, 2)
      if options ~= nil and type(options) ~= "table" then
         error(("%s: options must be a table, got %s"):format(class.name, type(options)), 2)
      end
      need_no_job(self, "fitted", 2)
      local copy = copy_to_fit(class, self)
      local result = rethrow(2, pcall(fit, copy, X, y, options))
      need_no_job(self, "fitted", 2)
      replace_fields(self, copy)
      return returns_result and result or self
   end
end

local function require_fit_first(class, name, method)
   return function(self, ...)
      need_object(class, self, name, 2)
      need_fitted(class, self, name, 2)
      return method(self, ...)
   end
end

local function require_object(class, name, method)
   return function(self, ...)
      need_object(class, self, name, 2)
      return method(self, ...)
   end
end

-- partial_fit may be called before or after fit.
local function wrap_partial_fit(class, name, method)
   return function(self, ...)
      need_object(class, self, name, 2)
      need_no_job(self, "fitted", 2)
      rethrow(2, pcall(method, self, ...))
      rawset(self, "fitted", true)
      return self
   end
end

local function make_meta(class)
   local meta = { [M.CLASS] = class, __name = class.name, __metatable = nil }
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
      if M.is_action(key) then error(("%s has no %s"):format(class.name, key), 2) end
      if class.ours then members.index(class, self, key) end
      return nil
   end
   function meta.__tostring(self)
      local shown = class.tostring and class.tostring(self) or M.one_line(self)
      local note = rawget(self, "fitted") and require "manilius.warnings".convergence_text(self)
      return note and shown .. "\n  " .. note or shown
   end
   if class.ours then meta.__newindex, meta.__pairs = members.newindex(class), members.pairs(class) end
   return meta
end

local reserved = { name = true, params = true, does = true, check = true, index = true, tostring = true,
   one_line = true, can = true, construct = true, ours = true, saved = true, restored = true, learned = true,
   private = true, more_names = true, help = true, classifies = true, resamples = true, find_target = true,
   shares = true, unknown_text = true, inner = true, own_target = true, reports_progress = true, moves_threshold = true,
   fit_copy_transform = true, several_targets = true, unlabelled = true, own_rows = true }

local function sorted_keys(t)
   local names = {}
   for name in pairs(t) do names[#names + 1] = name end
   table.sort(names)
   return names
end

--- Make a class of estimators from its definition; see manilius.estimator. Returns the constructor and the class.
-- Additional fields of a definition:
--
--    check(self)           raises an error if settings are invalid
--    construct(values)     converts the argument of the constructor to settings
--    index(self, key)      reads other fields
--    fit_copy_transform(self, X, y, options)   fits as fit does and returns the transformed X, for compositions of
--                          steps that are cross-fitted; nil: fit, then transform
--    find_target(self, X)  returns the y that X contains and the other columns
--    saved(self), restored(fields)   convert to and from the fields stored in an archive
--    unknown_text(self, key)   the error for an unknown field, or nil for the usual one
--    shares                set of settings where an integer is a count and a float a fraction
--    inner                 name of the setting that holds the one estimator to which X is passed
--    own_target            true if the kinds of y do not depend on that estimator
--    own_rows              true if its models get rows that it makes, so that X need not be what they take
--    unlabelled            true if y may have missing labels
--    several_targets       true if y may have several columns of labels
--    reports_progress      true if fit takes on_iter
--    moves_threshold       true if predict does not follow the largest probability
--
-- Classes of this library accept a formula among their settings, like the built-in estimators.
local function make_class(definition)
   local class = { methods = {}, params = definition.params or {}, param_names = sorted_keys(definition.params or {}) }
   for name in pairs(reserved) do class[name] = class[name] or definition[name] end
   if type(class.name) ~= "string" then error("Estimator: name must be a string, got " .. type(class.name), 2) end
   if type(definition.fit) ~= "function" then
      error(("Estimator: %s must have a function fit(self, X, y, options)"):format(class.name), 2)
   end
   for name, method in pairs(base) do class.methods[name] = method end
   for name, method in pairs(definition) do
      if not reserved[name] then
         local wrap = name == "partial_fit" and wrap_partial_fit or name == "fit_async" and require_object
            or M.is_action(name) and require_fit_first
         class.methods[name] = wrap and wrap(class, name, method) or method
      end
   end
   class.methods.fit = fit_on_copy(class, "fit", definition.fit)
   if definition.fit_copy_transform then
      class.methods.fit_transform = fit_on_copy(class, "fit_transform", definition.fit_copy_transform, true)
   end
   class.ours = definition.ours == true
   class.learned, class.private, class.is_param = class.learned or {}, class.private or {}, {}
   class.shares = class.shares or {}
   for _, name in ipairs(class.param_names) do class.is_param[name] = true end
   class.meta = make_meta(class)
   M.classes[class.name] = class
   local function construct(values)
      if values ~= nil and (type(values) ~= "table" or M.is(values)) then
         error(("%s: parameters must be a table, got %s; write %s { ... }"):format(class.name,
            M.is(values) and M.name(values) or rows.kind(values), class.name), 2)
      end
      if class.ours and not class.is_param.formula and values and rawget(values, "formula") ~= nil then
         return (rethrow(2, pcall(require "manilius.formula.model".of, construct, values)))
      end
      local settings = values or {}
      if class.construct then settings = rethrow(2, pcall(class.construct, settings)) end
      check_names(class, settings, 2)
      local self, copy = setmetatable({}, class.meta), setmetatable({}, class.meta)
      for name, default in pairs(class.params) do
         if default ~= NONE then rawset(copy, name, default) end
      end
      for name, value in pairs(settings) do rawset(copy, name, M.unset_to_nil(value)) end
      apply_settings(self, class, copy, 2)
      return self
   end
   return construct, class
end

--- ml.Estimator: define a class under a name that the library does not use.
local function Estimator(definition)
   if type(definition) ~= "table" or rows.is_frame(definition) then
      error("Estimator: expected a table, got " .. rows.kind(definition), 2)
   end
   local name = definition.name
   require "manilius.classes"
   local known = name ~= nil and M.classes[name]
   if name == "Frame" or (name ~= nil and core.constructors[name]) or (known and known.ours) then
      error(("Estimator: name must differ from those of the library, got %s"):format(name), 2)
   end
   local constructor, class = rethrow(2, pcall(make_class, definition))
   return constructor, class
end

-- --- built-in models ---

--- Add the common methods to those of built-in models.
local function install(methods)
   for name, method in pairs(generic) do
      if name ~= "dump" then methods[name] = method end
   end
   local get_params = methods.get_params
   methods.get_params = function(model)
      need_model(model, "get_params")
      return printable(get_params(model))
   end
end

return function(module)
   M = module
   M.need_model, M.need_class, M.need_table = need_model, need_class, need_table
   M.options_of, M.need_fitted, M.NONE = options_of, need_fitted_one, NONE
   M.set_job, M.need_no_job = set_job, need_no_job
   M.copy_to_fit = function(self) return copy_to_fit(M.class_of(self), self) end
   M.replace_fields, M.show_lists = replace_fields, show_lists
   M.class, M.Estimator, M.install, M.clone_settings = make_class, Estimator, install, base.clone
end
