--- manilius: principled machine learning for Lua 5.4.
-- `local ml = require "manilius"`. Estimators are constructors such as `ml.Ridge { alpha = 1 }`. Other modules are
-- loaded on first use, so that `require` takes milliseconds; `pairs(ml)` visits all names in order and loads them.
-- Assignments to fields of this table are seen by all code in this Lua state.

local core = require "manilius.core"
local names = require "manilius.help.names"

local ml = { _VERSION = "0.1.0" }

for _, group in ipairs(names.groups) do
   for _, name in ipairs(group.names) do
      if not group.home then ml[name] = core[name] end
   end
end
ml.threads = core.memory.threads

require "manilius.warnings"
require("manilius.estimator").install(core.model_methods)

local rethrow = require "manilius.rows".rethrow

-- Is the parameter `init` an estimator? Built-in estimators accept only numbers there.
local function has_model_for_init(settings)
   local init = rawget(settings, "init")
   return init ~= nil and type(init) ~= "string" and require "manilius.estimator".is(init)
end

-- Modules whose `of(settings)` makes the model of a class in Lua, or returns nil if the settings do not need Lua.
local homes_in_lua = {
   FunctionTransformer = "manilius.compose.function_transformer", IterativeImputer = "manilius.impute.chained"
}

-- Constructor that also accepts parameters implemented in Lua: ml.Ridge { formula = "y ~ a + b", alpha = 2 },
-- ml.GradientBoostingRegressor { init = ml.Ridge {} }, ml.IterativeImputer { estimator = ml.Ridge {} },
-- ml.KNeighborsClassifier { metric = function(a, b) ... end }.
local function extended_constructor(name, constructor)
   return function(settings, ...)
      if type(settings) == "table" and has_model_for_init(settings) then
         return (rethrow(2, pcall(require "manilius.ensemble.boosted".of, core.describe(name), constructor, settings)))
      end
      if homes_in_lua[name] and type(settings) == "table" then
         local model = rethrow(2, pcall(require(homes_in_lua[name]).of, settings))
         if model then return model end
      end
      if type(settings) == "table" and type(rawget(settings, "metric")) == "function" then
         local of = require "manilius.neighbors.function_metric".of
         local model = rethrow(2, pcall(of, core.describe(name), constructor, settings))
         if model then return model end
      end
      if type(settings) == "table" and rawget(settings, "formula") ~= nil then
         return (rethrow(2, pcall(require "manilius.formula.model".of, constructor, settings)))
      end
      return (rethrow(2, pcall(constructor, settings, ...)))
   end
end

for name, constructor in pairs(core.constructors) do ml[name] = extended_constructor(name, constructor) end

-- Lists of names and labels print their elements; __plain: archives treat them as plain tables.
core.list_meta.__name, core.list_meta.__plain = "list", true
core.list_meta.__tostring = function(list) return require "manilius.estimator".list_text(list) end

getmetatable(core.Sparse).__tostring = function()
   return 'Sparse, a constructor of sparse matrices; see ml.help "Sparse"'
end

core.model_meta.__tostring = function(model) return require "manilius.show".model(model) end
core.model_meta.__pairs = function(model) return require "manilius.show".pairs(model) end
-- C may create a frame before the Lua module manilius.frame is loaded, which fills the metatable.
for _, event in ipairs { "__index", "__tostring" } do
   core.frame.metatable[event] = core.frame.metatable[event] or function(...)
      require "manilius.frame"
      return core.frame.metatable[event](...)
   end
end
-- Kernels likewise. Scripts must not reach the finalizer, so the field is removed; it is gone when a host that unloads
-- the Lua modules loads them again.
if core.kernel.metatable then
   for _, event in ipairs { "__index", "__newindex", "__tostring", "__eq", "__add", "__mul", "__pow" } do
      core.kernel.metatable[event] = function(...) return require "manilius.kernel.value".metamethods[event](...) end
   end
   core.kernel.metatable = nil
end
core.set_results_function(function(values) return require "manilius.results"(values) end)

-- All names, loaded or not, sorted.
local function all_names(self)
   local list, seen = {}, {}
   for _, t in ipairs { self, names.homes } do
      for name in next, t do
         if not seen[name] and type(name) == "string" then list[#list + 1] = name end
         seen[name] = true
      end
   end
   table.sort(list)
   return list
end

-- "; did you mean 'x'?": names and synonyms from other libraries take precedence over similar spelling.
local function hint(self, name)
   local absent = require "manilius.help.absent".hint(tostring(name))
   if absent then return absent end
   local list, there = all_names(self), {}
   for _, one in ipairs(list) do there[one] = true end
   for _, one in ipairs(require "manilius.help.synonyms"[tostring(name):lower()] or {}) do
      if there[one] then return ("; did you mean '%s'?"):format(one) end
   end
   return require "manilius.text".near(name, list)
end

local meta = { __name = "manilius" }

function meta.__index(self, name)
   local home = names.homes[name]
   if home then
      local value = require(home)
      if not names.modules[name] then value = value[name] end
      rawset(self, name, value)
      return value
   end
   error(("manilius has no '%s'%s"):format(tostring(name), hint(self, name)), 2)
end

function meta.__pairs(self)
   local list, i = all_names(self), 0
   return function()
      i = i + 1
      if list[i] ~= nil then return list[i], self[list[i]] end
   end
end

function meta.__tostring(self)
   return ([[manilius %s: principled machine learning, %d estimators
ml.help()          overview of all names, by family
ml.help "Ridge"    help on a name ("KFold", "metrics.f1", "Frame.join") or value
ml.find "sparse"   search names and descriptions
ml.about()         version and configuration of this build]]):format(self._VERSION, #(core.class_names()))
end

---@type manilius
local module = setmetatable(ml, meta)
return module
