--- ml.check: does an estimator satisfy the contract? Runs the conformance checks that every built-in estimator passes.
--
--    print(ml.check(ml.Ridge { alpha = 2 }))
--    ml.check(MyEstimator, { does = "classify", takes = { "weights" } }):assert()
--
-- A demand is { name =, applies = function(class), demand = function(new, class) }; it raises an error if not met.
-- `new(settings)` constructs an unfitted estimator. `class` is the description from core.describe, or for an estimator
-- written in Lua one derived from its methods and the options of ml.check, with three more fields:
--
--    core            the estimator is implemented in C
--    full_contract   it is built in or made by ml.Estimator
--    ours            it is part of this library

local core = require "manilius.core"
local data = require "manilius.check.data"
local estimator = require "manilius.estimator"
local tools = require "manilius.check.tools"
local use = require "manilius.check.use"

local M = {}

local lists = {
   { "check.contract", "Construction, fit and saving" },
   { "check.input", "Input X" },
   { "check.target", "Targets, weights and options" },
   { "check.behavior", "Behavior" },
   { "check.kinds", "Classifiers, regressors, transformers, clusterers" },
   { "check.export", "Export" },
}

--- The demands by theme: a list of { title =, demands = }.
function M.themes()
   local all = {}
   for i, entry in ipairs(lists) do all[i] = { title = entry[2], demands = require("manilius." .. entry[1]) } end
   return all
end

--- All demands, in order.
function M.demands()
   local all = {}
   for _, theme in ipairs(M.themes()) do table.move(theme.demands, 1, #theme.demands, #all + 1, all) end
   return all
end

local methods = { "fit", "partial_fit", "inverse_transform", table.unpack(use.actions) }

local function set_of(names)
   local set = {}
   for _, name in ipairs(type(names) == "string" and { names } or names or {}) do set[name] = true end
   return set
end

local function merged(a, b)
   local out = {}
   for name, value in pairs(a) do out[name] = value end
   for name, value in pairs(b or {}) do out[name] = value end
   return out
end

--- The class of a built-in estimator, and a function that constructs it with settings for small data.
function M.core_class(name, settings)
   local class = core.describe(name)
   class.core, class.full_contract, class.ours = true, true, true
   local base = merged(data.settings(class), settings)
   return class, function(extra) return core.constructors[name](merged(base, extra)) end
end

local function shallow_copy(model)
   local copy = {}
   for name, value in pairs(model) do copy[name] = value end
   return setmetatable(copy, getmetatable(model))
end

local function name_of(model)
   local meta = getmetatable(model)
   local name = rawget(model, "name") or (type(meta) == "table" and meta.__name)
   return type(name) == "string" and name or "estimator"
end

local function does_of(model, options)
   local does = options.does or estimator.does(model)
   if does == nil and not estimator.class_of(model) then does = model.does end -- may be a list
   does = set_of(does)
   if estimator.can(model, "transform") then does.transform = true end
   if estimator.can(model, "predict_proba") then does.classify = true end
   if not next(does) then
      error(("check: the kind of %s is unknown; pass ml.check(model, { does = 'classify' }), 'regress', 'cluster', ...")
         :format(name_of(model)), 4)
   end
   return does
end

-- The supported kinds of X and y are those of the innermost estimator. For a Pipeline only those of y: its last step
-- sees an X that the other steps made.
local function takes_of(model, options)
   local takes = set_of(options.takes)
   local same_x, same_y = true, true
   while type(model) == "table" do
      local class = estimator.class_of(model) or {}
      if class.name == "Pipeline" then
         model, same_x = model.models[#model.models], false
      else
         same_y = same_y and not class.own_target
         model = class.inner and model[class.inner]
      end
   end
   if tools.kind(model) ~= "Model" then return takes end
   local last = core.describe(model.class).takes
   local function inherit(names)
      for _, name in ipairs(names) do takes[name] = takes[name] or last[name] end
   end
   if same_x then inherit { "missing", "infinite", "factors" } end
   if same_y then inherit { "multitarget", "binary_only", "y_optional" } end
   return takes
end

local function lua_class(model, options)
   local made = estimator.class_of(model)
   local class = {
      moves_threshold = made ~= nil and made.moves_threshold,
      core = false, full_contract = made ~= nil, ours = made ~= nil and made.ours, name = name_of(model),
      does = does_of(model, options), takes = takes_of(model, options), can = {},
      params = {}, fields = {}, operations = {},
   }
   for _, method in ipairs(methods) do class.can[method] = estimator.can(model, method) end
   return class, function(extra)
      local fresh = type(model.clone) == "function" and model:clone() or shallow_copy(model)
      for name, value in pairs(extra or {}) do fresh[name] = value end
      return fresh
   end
end

--- The class and the constructor for a model: a built-in one, or a table with fit.
function M.subject(model, options)
   if tools.kind(model) == "Model" then
      local class, new = M.core_class(model.class)
      local chosen = {}
      for _, p in ipairs(class.params) do
         if model[p.name] ~= p.default then chosen[p.name] = model[p.name] end
      end
      for action in pairs(class.can) do class.can[action] = model:can(action) end -- settings may disable some
      return class, function(extra) return new(merged(chosen, extra)) end
   end
   local ok, fit = pcall(function() return model.fit end)
   if type(model) ~= "table" or not ok or type(fit) ~= "function" then
      error(("check: model must be an estimator, a table with a method fit, got %s"):format(tools.kind(model)), 3)
   end
   return lua_class(model, options)
end

local Report = {}
Report.__index = Report

--- Raise an error that lists the demands that are not met, if any.
function Report:assert()
   if self.failures == 0 then return self end
   local lines = { ("%s fails %d of %d checks"):format(self.estimator, self.failures, #self) }
   for _, row in ipairs(self) do
      if row.result == "fails" then lines[#lines + 1] = ("  %s: %s"):format(row.demand, row.message) end
   end
   error(table.concat(lines, "\n"), 2)
end

function Report:__tostring()
   local lines = { ("%s: %d checks, %d failed"):format(self.estimator, #self, self.failures) }
   for _, row in ipairs(self) do
      lines[#lines + 1] = ("  %-6s %s%s"):format(row.result, row.demand, row.message and ": " .. row.message or "")
   end
   return table.concat(lines, "\n")
end

--- Run a demand: nil if it does not apply, true if it is met, otherwise false and a message.
function M.run(demand, new, class)
   if demand.applies and not demand.applies(class) then return nil end
   local ok, message = pcall(demand.demand, new, class)
   return ok, not ok and tostring(message) or nil
end

--- Check an estimator against all demands that apply to it.
-- model: an estimator with the settings to test
-- options: for an estimator written in Lua: does = "classify", takes = { "weights", "sparse", ... }
-- Returns a list of { demand, result = "holds" or "fails", message } that prints; `failures` is the number of failures.
function M.check(model, options)
   local class, new = M.subject(model, options or {})
   local report = setmetatable({ estimator = class.name, failures = 0 }, Report)
   for _, demand in ipairs(M.demands()) do
      local ok, message = M.run(demand, new, class)
      if ok ~= nil then
         report[#report + 1] = { demand = demand.name, result = ok and "holds" or "fails", message = message }
         report.failures = report.failures + (ok and 0 or 1)
      end
   end
   return report
end

return M
