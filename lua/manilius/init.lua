--- manilius: principled machine learning for Lua 5.4.
-- `local ml = require "manilius"`. Estimators are `ml.Ridge{ alpha = 1 }` and the like; everything else is loaded when
-- it is first touched, so that `require` takes milliseconds.
-- @module manilius

local core = require "manilius.core"

local ml = { _VERSION = "0.1.0" }

--- Where names of the module live that are not there from the start: name -> Lua module that defines it.
local homes = { Frame = "manilius.frame", from_cursor = "manilius.io" }
for name in pairs(core.io) do homes[name] = "manilius.io" end
for home, names in pairs {
   estimator = { "Estimator" },
   pipeline = { "Pipeline", "FeatureUnion" },
   columns = { "ColumnTransformer", "TransformedTarget" },
   folds = { "KFold", "StratifiedKFold", "GroupKFold", "LeaveOneOut", "LeavePOut", "RepeatedKFold",
      "RepeatedStratifiedKFold", "ShuffleSplit", "StratifiedShuffleSplit", "GroupShuffleSplit", "TimeSeriesSplit",
      "train_test_split" },
   validate = { "cross_validate", "cross_val_predict", "learning_curve", "validation_curve" },
   compare = { "compare" },
   report = { "report" },
   importance = { "permutation_importance" },
   search = { "GridSearch", "RandomSearch", "HalvingGridSearch" },
   save = { "save", "load", "dump" },
   help = { "help", "about" },
   check = { "check" },
} do
   for _, name in ipairs(names) do homes[name] = "manilius." .. home end
end

--- Modules of functions: ml.metrics, ml.plot, ...
local modules = { metrics = true, plot = true }

for _, name in ipairs { "Matrix", "Vector", "Factor", "Sparse", "zeros", "ones", "full", "eye", "range", "linspace",
   "random", "normal", "permutation", "hcat", "vcat" } do
   ml[name] = core[name]
end
ml.special = core.special
ml.threads = core.memory.threads

require("manilius.estimator").install(core.model_methods)

for name, constructor in pairs(core.constructors) do ml[name] = constructor end

core.model_meta.__tostring = function(model) return require "manilius.show"(model) end
-- A frame may come from C before anybody asked for frames.
for _, event in ipairs { "__index", "__tostring" } do
   core.frame.metatable[event] = function(...)
      require "manilius.frame" -- fills the metatable
      return core.frame.metatable[event](...)
   end
end
core.results_maker(function(raw) return require "manilius.results"(raw) end)

local function find(self, name)
   local home = homes[name]
   if home then
      local value = require(home)[name]
      rawset(self, name, value)
      return value
   end
   if modules[name] then
      local value = require("manilius." .. name)
      rawset(self, name, value)
      return value
   end
   local names = {}
   for known in pairs(self) do names[#names + 1] = known end
   for known in pairs(homes) do names[#names + 1] = known end
   for known in pairs(modules) do names[#names + 1] = known end
   table.sort(names)
   local near = core.nearest and core.nearest(tostring(name), names)
   error(("manilius has no '%s'%s"):format(tostring(name), near and ("; did you mean '%s'?"):format(near) or ""), 2)
end

return setmetatable(ml, { __index = find })
